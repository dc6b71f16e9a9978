"""Several trainings of one tagger or parser: random restarts, and which to keep without labels.

The automata are compiled once; each seed draws its own start. Choices: the best value of the criterion, the
best on held-out sentences, or the highest entropy of the taggings among the optima (Wang, Rosenfeld, Zhao &
Schuurmans 2002: the latent maximum entropy principle).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any

import numpy as np

from fstce.errors import ParameterError
from fstce.estimation.maximize import Monitor
from fstce.numeric.rules import choice, instance, sequence
from fstce.numeric.types import Rows

CHOICES = ("criterion", "held-out", "entropy")


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
