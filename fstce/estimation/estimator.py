"""What every estimator shares: parameters as scikit-learn reads them, saving, and input checks."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from operator import attrgetter, index
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

import numpy as np

from fstce.corpora.conventions import Conventions
from fstce.corpora.recognition import conventions_of
from fstce.errors import NotFittedError, ParameterError
from fstce.estimation.maximize import Interrupted, Monitor, Training
from fstce.estimation.objective import Likelihood, Objective
from fstce.estimation.rules import ARGUMENTS
from fstce.numeric.types import Floats
from fstce.parameters.overview import Overview
from fstce.parameters.rules import Rule, Table, check, shown
from fstce.storage.state import State, load_state, parameters_of, save_state

Self = TypeVar("Self", bound="Estimator")


class Estimator(metaclass=Overview):
    """Parameters are the arguments of ``__init__``, kept as given; what training learns ends in ``_``.

    What is saved says what kind of model it is (`KIND`); `FORMER` maps what a parameter was called
    in models that were saved earlier to its name; `SIZES` the learned attributes that are counted where
    a trained model is shown, to what of them there is a number: the first is there once it is trained.

    Whatever depends on them checks them first, against the rules of the class.

    Attributes
    ----------
    tokenization_ : mapping
        How the training text was cut into words (``conventions``; of sentences as
        :func:`fstce.corpora.read_corpus` reads them `fit` sees that itself) and what of it could not
        be read (``faults``), where whoever read it has said so; saved with the model.

    Examples
    --------
    Those of the methods go on with this tagger.

    >>> from fstce import Tagger
    >>> tags = {"we": "P", "fish": ("N", "V"), "swim": "V"}
    >>> tagger = Tagger("trans1", order=2).fit([["we", "fish"], ["we", "swim"]], dictionary=tags)
    >>> tagger.facts()["size"]
    '14 features, 3 tags'
    """

    rules: ClassVar[Table] = {}
    KIND: ClassVar[str]
    FORMER: ClassVar[Mapping[str, str | None]] = {}
    SIZES: ClassVar[Mapping[str, str]] = MappingProxyType({"theta_": "features", "tags_": "tags"})

    theta_: Floats
    training_: Training
    annealing: Sequence[float] | None
    tokenization_: Mapping[str, Any] = MappingProxyType({})
    _recorded: Mapping[str, Any] | None = None  # what this object has put there itself
    _text_size: tuple[int, int] | None = None  # sentences and words of the training text
    _named_by_file = False  # whether `neighborhood` comes from a saved model

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; `deep` is for scikit-learn and changes nothing.

        Parameters
        ----------
        deep : bool
            What scikit-learn gives; nothing changes with it.

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
        known = self._parameter_names()
        for name, value in parameters.items():
            if name not in known:
                mine = f"{type(self).__name__} has {', '.join(known)}"
                raise ParameterError(f"there is no parameter {name!r}; {mine}")
            setattr(self, name, value)
            if name == "neighborhood":  # now the user's word, no longer a file's
                self._named_by_file = False
        return self

    def _with(self: Self, **parameters: Any) -> Self:
        """An untrained estimator with these parameters instead."""
        estimator = type(self)(**{**self.get_params(), **parameters})
        estimator._named_by_file = self._named_by_file and "neighborhood" not in parameters
        return estimator

    def _check_runs_no_code(self, kinds: Iterable[object]) -> None:
        """Raise ParameterError where a saved model, not the user, names a file of Python to be run."""
        for kind in kinds:
            if self._named_by_file and isinstance(kind, str) and ".py" in kind:
                raise ParameterError(
                    f"the model was trained with {kind}, and nothing that a saved model names is run; "
                    "name the file yourself: set_params(neighborhood=…), in an explanation neighborhood=…, "
                    "on the command line --neighborhood"
                )

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Save the trained model as a folder; an interrupted save leaves what was there.

        Parameters
        ----------
        folder : path
            A new or empty folder, or that of an earlier model of this kind, which is replaced.

        Raises
        ------
        NotFittedError
            There is nothing trained to save.
        ModelFileError
            The folder holds something else, or cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tagger.save(folder)
        """
        check(ARGUMENTS, folder=folder)
        save_state(self._whole_state(), folder)

    @classmethod
    def load(cls: type[Self], folder: str | os.PathLike[str]) -> Self:
        """Load a saved model: it predicts as the one that was saved, to the bit.

        Parameters
        ----------
        folder : path

        Returns
        -------
        The model.

        Raises
        ------
        ModelFileError
            A file is missing, damaged, foreign or of another version; names it.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tagger.save(folder)
        ...     Tagger.load(folder).predict([["we"]])
        [['P']]
        """
        check(ARGUMENTS, folder=folder)

        return load_state(folder, cls.KIND, cls._of_whole_state)

    def _whole_state(self) -> State:
        """The state, and what is known of the text of the training."""
        state, tokenization = self.to_state(), self._tokenization()
        entries = {**state.entries, "text": dict(tokenization)} if tokenization else state.entries
        if self._text_size is not None:
            entries = {**entries, "trained_on": list(self._text_size)}
        return replace(state, entries=entries)

    @classmethod
    def _of_whole_state(cls: type[Self], state: State) -> Self:
        """The model of a saved state, with what is known of the text of the training."""
        model = cls.from_state(state)
        if "text" in state.entries:
            model.tokenization_ = state.entry("text", dict)
            Conventions.from_dict(
                model.tokenization_.get("conventions", {})
            )  # raises where they are none
        if "trained_on" in state.entries:
            sentences, words = map(
                index, state.entry("trained_on", list)
            )  # raises where they are none
            model._text_size = sentences, words
        return model

    def _parts(self) -> Sequence[Estimator]:
        """The estimators that this one is made of, if it is made of some."""
        return ()

    def _tokenization(self) -> Mapping[str, Any]:
        """How the training text was cut into words: of what is made of others, as the first of them says."""
        return self.tokenization_ or next(
            (part.tokenization_ for part in self._parts() if part.tokenization_), {}
        )

    def _record_size(self, sentences: Sequence[Sequence[str]]) -> None:
        self._text_size = len(sentences), sum(map(len, sentences))

    def _record_tokenization(self, sentences: Sequence[Sequence[str]]) -> None:
        """Keep its size, and how the training text was cut into words, unless whoever read it has said so."""
        self._record_size(sentences)
        if self.tokenization_ and self.tokenization_ is not self._recorded:
            return
        conventions = conventions_of(sentences)
        self.tokenization_ = self._recorded = (
            {} if conventions is None else {"conventions": conventions.to_dict()}
        )

    def to_state(self) -> State:
        """All that is saved of a trained model.

        Returns what is written into a model's folder.
        """
        raise NotImplementedError

    @classmethod
    def from_state(cls: type[Self], state: State) -> Self:
        """The model of a saved state."""
        raise NotImplementedError

    @classmethod
    def of_parameters(cls: type[Self], entries: Mapping[str, Any], **own: Any) -> Self:
        """An untrained model with the parameters among a manifest's entries.

        ``**own``: parameters that the manifest has in another form, or not at all.
        """
        saved = {**parameters_of(entries, cls.FORMER), **own}
        model = cls(
            **{name: _as_now(name, value, cls.rules.get(name)) for name, value in saved.items()}
        )
        model._named_by_file = True
        return model

    def _call(self) -> str:
        """The constructor's call, what is as by default left out."""
        defaults = inspect.signature(type(self)).parameters
        changed = (
            f"{name}={value._call() if isinstance(value, Estimator) else repr(value)}"
            for name, value in self.get_params().items()
            if repr(value) != repr(defaults[name].default)
        )
        return f"{type(self).__name__}({', '.join(changed)})"

    def __repr__(self) -> str:
        call, facts = self._call(), self.facts()
        said = "; ".join(f"{name} {value}" for name, value in facts.items() if name != "size")
        return f"<{call}: {facts['size']}{'; ' if said else ''}{said}>" if facts else call

    def _repr_html_(self) -> str:
        """A card for notebooks: what was trained on what, and how large it is."""
        facts = self.facts() or {"size": "not trained yet; call fit or load"}
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th>"
            f"<td style='text-align:left'>{escape(value)}</td></tr>"
            for name, value in facts.items()
        )
        parameters = ", ".join(
            f"{name}={shown(value, 80)}" for name, value in self.get_params().items()
        )
        return (
            f"<div><b>{type(self).__name__}</b><table>{rows}</table>"
            f"<details><summary>parameters</summary>{escape(parameters)}</details></div>"
        )

    def facts(self) -> dict[str, str]:
        """What a model's card says: its size, what it was trained on, the objective, the iterations.

        Returns
        -------
        dict of str to str
            Empty where nothing is trained; without ``"trained on"`` where an old file does not say it.

        Examples
        --------
        >>> Tagger().facts()
        {}
        >>> tagger.facts()["trained on"]
        '2 sentences, 4 words'
        """
        sizes = {}
        for path, what in self.SIZES.items():
            try:
                sizes[what] = len(attrgetter(path)(self))
            except (AttributeError, TypeError):
                if not sizes:  # the first is there once it is trained
                    return {}
        facts = {"size": ", ".join(f"{number:,} {what}" for what, number in sizes.items())}
        sized = [self] if self._text_size is not None else self._parts()
        texts = {one._text_size: None for one in sized if one._text_size is not None}
        if texts:
            spelt = (f"{sentences:,} sentences, {words:,} words" for sentences, words in texts)
            facts["trained on"] = "; ".join(spelt)
        return {**facts, **self._outcome()}

    def _outcome(self) -> dict[str, str]:
        """The objective and the iterations of the training, where they are known."""
        training = vars(self).get("training_")
        if training is None:
            return {}
        return {
            "objective": f"{self._maximized()} {training.objective:,.2f} nats with the prior".strip(),
            "iterations": f"{training.iterations} ({training.stopped})",
        }

    def _maximized(self) -> str:
        """The name of what training maximizes."""
        return str(getattr(self, "criterion", ""))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False))

    def _train(
        self, objective: Objective | Likelihood, theta: Floats, monitor: Monitor | None
    ) -> None:
        """Set ``theta_`` and ``training_``; after Ctrl-C to the best so far, and go on raising."""
        rule = {name: getattr(self, name) for name in ("annealing", "tolerance", "max_iterations")}
        try:
            training = objective.train(theta, monitor=monitor, **rule)
        except Interrupted as interruption:
            self.theta_, self.training_ = interruption.training.theta, interruption.training
            raise
        self.theta_, self.training_ = training.theta, training

    def _check_parameters(self) -> None:
        """Raise ParameterError at the first parameter that its rule does not allow."""
        check(self.rules, **self.get_params())
        self._check_together()

    def _check_together(self) -> None:
        """Raise ParameterError where parameters exclude each other."""

    def _check_fitted(self, attribute: str) -> None:
        if not hasattr(self, attribute):
            raise NotFittedError(f"this {type(self).__name__} is not trained yet; call fit or load")


def checked_weights(theta: Any, size: int) -> Floats:
    """θ of a model with so many features; raises ParameterError where it is none."""
    try:
        weights = np.asarray(theta, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"theta={shown(theta)}: give an array of {size} weights") from None
    if weights.shape != (size,):
        raise ParameterError(f"theta has shape {weights.shape}; this model has {size} features")
    if np.any(np.isnan(weights) | np.isposinf(weights)):
        raise ParameterError("theta has entries that are no weights")
    return weights


def check_begun(limit: str, done: int, then: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise ParameterError where a grammar was trained for more, or begun with other settings, than now.

    ``limit``: the parameter that says how long to train. ``done``: how long it was trained.
    ``then``, ``now``: settings by name; those that `then` lacks may have changed.
    """
    if done > now[limit]:
        raise ParameterError(
            f"{limit}={now[limit]}: this grammar was trained for {done} already; give {done} or more"
        )
    changed = next((name for name, value in then.items() if now[name] != value), None)
    if changed is not None:
        raise ParameterError(
            f"the grammar was begun with {changed}={then[changed]!r}, not {now[changed]!r}; "
            "go on with the same settings, or learn anew"
        )


def _as_now(name: str, value: Any, rule: Rule | None) -> Any:
    """A saved value as it is given now: version 0.1.0 took 1 for True, and True for 1.

    A value out of bounds stays, for the model may not need it, and `set_params` can change it.
    """
    if rule is None or rule.admits(value):
        return value
    if rule.kind == "flag" and value in (0, 1):
        return bool(value)
    if rule.kind in ("integer", "real") and isinstance(value, bool):
        return int(value)
    if not rule.kind_alone().admits(value):
        raise TypeError(f"{name}={shown(value)}: not {rule.allowed}")
    return value
