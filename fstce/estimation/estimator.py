"""What every estimator shares: parameters as scikit-learn reads them, and input checks."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, TypeVar

from fstce.corpora.words import RESERVED, fault
from fstce.errors import CorpusError, NotFittedError, ParameterError
from fstce.estimation.likelihood import Likelihood
from fstce.estimation.maximize import Interrupted, Monitor, Training
from fstce.estimation.objective import Objective
from fstce.estimation.rules import Table, check
from fstce.estimation.train import train
from fstce.numeric.types import Floats

Self = TypeVar("Self", bound="Estimator")


class Estimator:
    """Parameters are the arguments of ``__init__``, kept as given; what training learns ends in ``_``.

    Whatever depends on them checks them first, against the rules of the class.
    """

    rules: ClassVar[Table] = {}
    theta_: Floats
    training_: Training
    annealing: Sequence[float] | None

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; `deep` is for scikit-learn and changes nothing."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self: Self, **parameters: Any) -> Self:
        """Set parameters by name.

        Raises
        ------
        ParameterError
            A name is not a parameter.
        """
        known = self._parameter_names()
        for name, value in parameters.items():
            if name not in known:
                mine = f"{type(self).__name__} has {', '.join(known)}"
                raise ParameterError(f"there is no parameter {name!r}; {mine}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        changed = (
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if repr(value) != repr(defaults[name].default)
        )
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False))

    def _train(self, objective: Objective | Likelihood, theta: Floats, monitor: Monitor | None) -> None:
        """Set ``theta_`` and ``training_``; after Ctrl-C to the best so far, and go on raising."""
        rule = {name: getattr(self, name) for name in ("annealing", "tolerance", "max_iterations")}
        try:
            training = train(objective, theta, monitor=monitor, **rule)
        except Interrupted as interruption:
            self.theta_, self.training_ = interruption.training.theta, interruption.training
            raise
        self.theta_, self.training_ = training.theta, training

    def _check_parameters(self) -> None:
        """Raise ParameterError at the first parameter that its rule does not allow."""
        check(self.rules, **self.get_params())

    def _check_fitted(self, attribute: str) -> None:
        if not hasattr(self, attribute):
            raise NotFittedError(f"this {type(self).__name__} is not trained yet; call fit or load")


def checked_sentences(sentences: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """The sentences as a list, each a sequence of at least one word that can be a symbol.

    Raises
    ------
    CorpusError
        There is no sentence, one is empty or a bare string, or a word is reserved,
        empty, not a string, or holds white space; names the sentence.
    """
    if isinstance(sentences, str):
        raise CorpusError("sentences are lists of words, but a string was given; split it first")
    rows = list(sentences)
    if not rows:
        raise CorpusError("there is no sentence; give at least one, as a list of words")
    for number, row in enumerate(rows, 1):
        _check_sentence(row, f"sentence {number}")
    return rows


def _check_sentence(sentence: Sequence[str], where: str) -> None:
    if isinstance(sentence, str):
        raise CorpusError(f"{where} is the string {sentence[:40]!r}, not a list of words; split it first")
    if not len(sentence):
        raise CorpusError(f"{where} is empty; leave it out")
    for word in sentence:
        reason = fault(word)
        if reason is not None:
            what = f"the word {word!r} {reason[3:]}" if word in RESERVED else f"{word!r} is no word: {reason}"
            raise CorpusError(f"{where}: {what}; respell it or leave it out")
