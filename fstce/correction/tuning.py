"""Exponents from mistakes made on purpose: how much each factor of a score is worth.

The held-out end of the clean text is mistyped by a seed; the exponents are those under
which the true sentences are most probable within the lattices of the mistyped ones. It is
conditional likelihood with a few weights, and needs nobody's annotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple, Protocol

import numpy as np

from fstce.correction.factors.columns import COLUMNS
from fstce.correction.factors.readings import Readings
from fstce.numeric.types import Bools, Floats

PRIOR = 1e-3  # holds exponents near their first values where nothing speaks for others
WORTHWHILE = 0.02  # of the nats of held-out mistakes are to be gained by contrastive training
TYPINGS = 3  # how often the held-out text is mistyped
LEAST_HELD_OUT, MOST_HELD_OUT = 10, 1000  # sentences, for ten numbers


@dataclass(frozen=True)
class Tuning:
    """What the exponents were learnt from.

    ``sentences``, ``mistakes``: mistyped sentences, and the mistakes in them. ``before``, ``after``: log
    p(true sentence | typed sentence), summed, in nats. ``curve``: precision and recall at each eagerness; see
    :mod:`fstce.correction.eagerness`. ``unknown``: the share of mistakes among the distinct words that were
    unknown; 0 where none was.
    """

    sentences: int
    mistakes: int
    before: float
    after: float
    curve: tuple[tuple[float, float, float], ...] = ()
    unknown: float = 0.0


@dataclass(frozen=True)
class ContrastiveTrial:
    """Whether contrastive training pays, by held-out mistakes that neither the model nor exponents saw.

    ``without``, ``contrastive``: −log p(true sentence | typed sentence), summed, in nats.

    >>> ContrastiveTrial(1000, 40.0, 39.9).better, ContrastiveTrial(1000, 40.0, 30.0).better
    ('none', 'contrastive')
    """

    sentences: int
    without: float
    contrastive: float

    @property
    def better(self) -> str:
        """The criterion: contrastive training must pay for its time."""
        return "contrastive" if self.contrastive < (1 - WORTHWHILE) * self.without else "none"


class Progress(Protocol):
    """Anything that wants to hear of what takes long."""

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Called with what is being done, how much of it is done, and of how much if that is known."""
        ...


def unseen(what: str, done: int, total: int | None) -> None:
    """Nobody wants to hear of it."""


class Summed(Protocol):
    """Packed sentences whose sums over structures have a gradient in the exponents."""

    def expected(self, exponents: Floats) -> tuple[float, Floats]:
        """Σ log Z over the sentences and the expected value of each column."""
        ...


class LearnedExponents(NamedTuple):
    """The best exponents, shape (columns,), and the log-likelihood before and after, without the prior."""

    exponents: Floats
    before: float
    after: float


def held_out_size(sentences: int, share: float) -> int:
    """How many sentences at the end of a text are held out; 0 where they would be too few to learn from.

    >>> held_out_size(50, 0.1), held_out_size(200, 0.1), held_out_size(1_000_000, 0.1)
    (0, 20, 1000)
    """
    held = min(int(sentences * share), MOST_HELD_OUT)
    return held if held >= LEAST_HELD_OUT else 0


def tune(
    whole: Sequence[Readings],
    true: Sequence[Readings],
    first: Floats,
    used: Sequence[str],
    progress: Progress = unseen,
) -> LearnedExponents:
    """The same as :func:`learned_exponents` for the columns of :mod:`fstce.correction.factors.columns`.

    ``whole``, ``true``: the lattices of mistyped sentences, and the same with only the true sentence left.
    ``first`` (columns,): where to begin. ``used``: the columns whose exponents are learnt; the others stay.
    ``progress``: hears of each time that the likelihood is asked for.
    """
    # Marks may be too many or too few, for all that the model was contrasted with; and long words
    # may be mistyped more often than short ones.
    lowest = np.where(np.isin(COLUMNS, ("marks", "length")), -np.inf, 0.0)
    lowest[COLUMNS.index("apostrophes")] = 1.0  # most practice has few of them
    return learned_exponents(whole, true, first, np.isin(COLUMNS, used), lowest, progress)


def learned_exponents(
    whole: Sequence[Summed],
    true: Sequence[Summed],
    first: Floats,
    free: Bools | None = None,
    lowest: Floats | None = None,
    progress: Progress = unseen,
) -> LearnedExponents:
    """The exponents that maximize Σ log p(true sentence | typed), less the prior.

    ``whole``, ``true``: of mistyped sentences, and the same with the true words alone. ``first`` (columns,):
    where to begin, and what the prior holds exponents near. ``free`` (columns,): which exponents are learnt;
    by default all. ``lowest`` (columns,): the least that each may be. By default 0: every factor speaks for
    what it stands for, and a negative exponent would reward its opposite. ``progress``: hears of each time
    that the likelihood is asked for.
    """
    free = np.ones(len(first), dtype=bool) if free is None else free
    least = np.zeros(len(first)) if lowest is None else lowest

    asked = count()

    def likelihood(exponents: Floats) -> tuple[float, Floats]:
        progress("evaluations of the exponents", next(asked), None)
        value, gradient = 0.0, np.zeros(len(first))
        for sign, side in ((1.0, true), (-1.0, whole)):
            for readings in side:
                log_z, expected = readings.expected(exponents)
                value, gradient = value + sign * log_z, gradient + sign * expected
        return value, gradient

    def placed(values: Floats) -> Floats:
        exponents = first.copy()
        exponents[free] = values
        return exponents

    def loss(values: Floats) -> tuple[float, Floats]:
        value, gradient = likelihood(placed(values))
        away = values - first[free]
        return PRIOR * float(away @ away) - value, 2 * PRIOR * away - gradient[free]

    bounds = [(low, np.inf) for low in least[free].tolist()]
    from scipy.optimize import minimize  # takes half a second; applying a model need not wait

    found = minimize(loss, first[free], jac=True, method="L-BFGS-B", bounds=bounds)
    exponents = placed(found.x)
    return LearnedExponents(exponents, likelihood(first)[0], likelihood(exponents)[0])
