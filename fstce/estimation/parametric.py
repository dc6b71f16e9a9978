"""Parameters as scikit-learn reads them: arguments of ``__init__``, checked when used."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, ClassVar, TypeVar

from fstce.errors import ParameterError
from fstce.parameters.overview import Overview
from fstce.parameters.rules import Table, check, shown

Self = TypeVar("Self", bound="Parametric")


class Parametric(metaclass=Overview):
    """An object with parameters; what depends on them checks them first, by `rules`.

    The examples of the methods go on with that of :class:`fstce.Tagger`.
    """

    rules: ClassVar[Table] = {}

    _named_by_file = False  # whether `neighborhood` comes from a saved model

    @classmethod
    @cache
    def _parameter_names(cls) -> tuple[str, ...]:
        return tuple(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; `deep` is for scikit-learn and changes nothing.

        Parameters
        ----------
        deep : bool
            Ignored.

        Returns
        -------
        dict of str to object

        Examples
        --------
        >>> tagger.get_params()["order"]
        2
        """
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self: Self, **parameters: Any) -> Self:
        """Set parameters by name.

        Parameters
        ----------
        **parameters
            By name.

        Returns
        -------
        This estimator.

        Raises
        ------
        ParameterError
            A name is not a parameter.

        Examples
        --------
        >>> Tagger().set_params(order=2)
        Tagger(order=2)
        """
        names = self._parameter_names()
        for name, value in parameters.items():
            if name not in names:
                choices = f"{type(self).__name__} has {', '.join(names)}"
                raise ParameterError(f"there is no parameter {name!r}; {choices}")

            setattr(self, name, value)
            if name == "neighborhood":  # now the user's word, no longer a file's
                self._named_by_file = False
        return self

    def _with(self: Self, **parameters: Any) -> Self:
        """An untrained estimator with these parameters instead."""
        estimator = type(self)(**{**self.get_params(), **parameters})
        estimator._named_by_file = self._named_by_file and "neighborhood" not in parameters
        return estimator

    def _check_parameters(self) -> None:
        """Raise ParameterError at the first parameter that its rule does not allow."""
        check(self.rules, **self.get_params())
        self._check_together()

    def _check_together(self) -> None:
        """Raise ParameterError where parameters exclude each other."""

    def _check_runs_no_code(self, neighborhoods: Iterable[object]) -> None:
        """Raise ParameterError for a file of Python to be run.

        It is raised where a saved model, not the user, names the file.
        """
        for named in neighborhoods:
            if self._named_by_file and isinstance(named, str) and ".py" in named:
                raise ParameterError(
                    f"the model was trained with {named}, and nothing that a saved model names is "
                    "run; name the file yourself: set_params(neighborhood=…), in an explanation "
                    "neighborhood=…, on the command line --neighborhood"
                )

    def _call(self) -> str:
        """The constructor's call, what is as by default left out."""
        defaults = inspect.signature(type(self)).parameters
        changed = []
        for name, value in self.get_params().items():
            if repr(value) != repr(defaults[name].default):
                changed.append(f"{name}={spelt(value)}")
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False))


def spelt(value: object) -> str:
    """A parameter's value; of a mapping, which may be a dictionary of a language, the beginning."""
    if isinstance(value, Parametric):
        return value._call()
    return shown(value) if isinstance(value, Mapping) else repr(value)
