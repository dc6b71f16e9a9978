"""Several trainings: products of estimators, which vote, and random restarts, of which one is kept.

Members of a product multiply what they believe (Petrov 2010). Restarts are compiled once; each seed draws its
own start. Without labels the best value of the criterion is chosen, the best on held-out sentences, or the
highest entropy of the taggings among the optima (Wang, Rosenfeld, Zhao & Schuurmans 2002: the latent maximum
entropy principle).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any, ClassVar, TypeVar

import numpy as np

from fstce.errors import ParameterError
from fstce.estimation.estimator import Estimator
from fstce.estimation.maximize import Monitor
from fstce.numeric.rules import choice, instance, sequence
from fstce.numeric.types import Floats, Rows
from fstce.storage.state import State

CHOICES = ("criterion", "held-out", "entropy")
Self = TypeVar("Self", bound="Product")


class Product(Estimator):
    """An estimator made of others; `MEMBERS` is the parameter that holds them, `_MEMBER` their class."""

    MEMBERS: ClassVar[str]
    _MEMBER: ClassVar[type[Estimator]]

    def to_state(self) -> State:
        parts = {str(number): member._whole_state() for number, member in enumerate(self._parts(), 1)}
        parameters = {name: value for name, value in self.get_params().items() if name != self.MEMBERS}
        return State(self.KIND, {"parameters": parameters, "members": len(parts)}, parts=parts)

    @classmethod
    def from_state(cls: type[Self], state: State) -> Self:
        numbers = range(1, state.entry("members", int) + 1)
        parts = [state.part(str(number), cls._MEMBER.KIND) for number in numbers]
        members = {cls.MEMBERS: [cls._MEMBER._of_whole_state(part) for part in parts]}
        return cls.of_parameters(state.entries, **members)

    def _parts(self) -> Sequence[Any]:
        return getattr(self, self.MEMBERS)


def multiplied(tables: Sequence[Floats]) -> Floats:
    """Π of the members' probabilities, each row normalized; the mean where all are zero."""
    with np.errstate(divide="ignore"):
        logs = np.asarray(sum(np.log(table) for table in tables))
    best = logs.max(axis=1, keepdims=True)
    # Where every answer has probability zero for some member, the mean decides.
    weight = np.where(np.isfinite(best), np.exp(logs - np.where(np.isfinite(best), best, 0.0)), sum(tables))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def train_restarts(
    model: Any,
    seeds: Iterable[int],
    sentences: Rows,
    annotation: Any = None,
    *,
    monitor: Monitor | None = None,
    **fit: Any,
) -> list[Any]:
    """A trained copy of a tagger or parser for each seed, from random starts on the same automata.

    The model itself is left compiled and untrained. ``annotation``: tags or heads. ``**fit``: what else its
    ``fit`` takes.
    """
    model.set_params(start="random")
    objective = model.compile(sentences, annotation, **fit)
    return [copy(model).set_params(seed=seed).train(objective, monitor=monitor) for seed in seeds]


def choose(taggers: Sequence[Any], by: str = "criterion", sentences: Rows | None = None) -> int:
    """The number of the tagger to keep, of several that were trained with one criterion and one prior.

    ``by``: the objective of the training; the criterion on `sentences`; the entropy of the taggings of
    `sentences`, highest first.
    """
    choice(*CHOICES).check(by=by)
    sequence(instance("a trained Tagger", method="entropy"), least=1).check(taggers=taggers)
    if by == "criterion":
        return int(np.argmax([tagger.training_.objective for tagger in taggers]))
    if sentences is None:
        raise ParameterError(f"by={by!r}: give the sentences to measure on")
    measure = "measure" if by == "held-out" else "entropy"
    return int(np.argmax([np.sum(getattr(tagger, measure)(sentences)) for tagger in taggers]))
