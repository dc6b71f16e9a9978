"""Several trainings of one tagger or parser: random restarts, and which to keep without labels.

The automata are compiled once; each seed draws its own start. Choices: the best value of
the criterion, the best on held-out sentences, or the highest entropy of the taggings
among the optima (Wang, Rosenfeld, Zhao & Schuurmans 2002: the latent maximum entropy
principle).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any, Protocol, TypeVar

import numpy as np

from fstce.errors import ParameterError
from fstce.estimation.maximize import Monitor, Training
from fstce.numeric.rules import choice, instance, sequence
from fstce.numeric.types import Floats, Rows

CHOICES = ("criterion", "held-out", "entropy")


class Restartable(Protocol):
    """What random restarts need of an estimator: a tagger or a dependency parser."""

    @property
    def compile(self) -> Callable[..., Any]:
        """Sentences and annotation → the objective."""

    @property
    def train(self) -> Callable[..., Any]:
        """The objective and a monitor → the trained estimator."""

    def set_params(self, **parameters: Any) -> Any:
        """Change parameters."""


class Comparable(Protocol):
    """What the choice among trained taggers needs of them."""

    training_: Training

    def measure(self, sentences: Rows) -> float:
        """The criterion, in nats."""

    def entropy(self, sentences: Rows) -> Floats:
        """The entropy of each sentence's taggings, in nats."""


Model = TypeVar("Model", bound=Restartable)


def train_restarts(
    model: Model,
    seeds: Iterable[int],
    sentences: Rows,
    annotation: Any = None,
    *,
    monitor: Monitor | None = None,
    **fit: Any,
) -> list[Model]:
    """A model for each seed, trained from random starts on the same automata.

    ``model``: its parameters; it is left compiled and untrained. ``sentences``, ``annotation``: as in its
    ``fit``: sentences, and tags or heads. ``monitor``: called after every iteration of every training.
    ``**fit``: what else its ``fit`` takes, such as a tagger's ``dictionary``.
    """
    model.set_params(start="random")
    objective = model.compile(sentences, annotation, **fit)
    trained = []
    for seed in seeds:
        one = copy(model).set_params(seed=seed)
        trained.append(one.train(objective, monitor=monitor))
    return trained


def choose(taggers: Sequence[Comparable], by: str = "criterion", sentences: Rows | None = None) -> int:
    """The number of the tagger to keep.

    ``taggers``: trained with one criterion and one prior, so that values compare. ``by``: the objective of
    the training; the criterion on `sentences`; the entropy of the taggings of `sentences`, highest first.
    """
    choice(*CHOICES).check(by=by)
    sequence(instance("a trained Tagger", method="entropy"), least=1).check(taggers=taggers)
    if by == "criterion":
        return int(np.argmax([tagger.training_.objective for tagger in taggers]))
    if sentences is None:
        raise ParameterError(f"by={by!r}: give the sentences to measure on")
    if by == "held-out":
        return int(np.argmax([tagger.measure(sentences) for tagger in taggers]))
    return int(np.argmax([tagger.entropy(sentences).sum() for tagger in taggers]))
