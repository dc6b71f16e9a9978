"""Learning the exponents of factors from synthetic errors.

The held-out end of the clean text is mistyped by a seed; the exponents are those under which the
true sentences are most probable within the lattices of the mistyped ones. It is conditional
likelihood with a few weights, and needs nobody's annotation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from fstce.correction.factors.candidate_lattices import CandidateLattices
from fstce.correction.factors.columns import COLUMNS
from fstce.correction.mistakes.corruption import (
    confusables,
    corrupted,
    drop_accents,
    drop_marks,
    random_edits,
    real_words,
    respaced,
)
from fstce.estimation.log_linear import most_likely
from fstce.numeric.types import Floats, Rows, ValueAndGradient

VARIANCE = 500.0  # of exponents around their first values
TYPINGS = 3  # how often the held-out text is mistyped
LEAST_HELD_OUT, MOST_HELD_OUT = 10, 1000  # sentences, for ten numbers


@dataclass(frozen=True)
class Tuning:
    """The sentences that exponents were learned from, and what came of it.

    ``sentences``, ``mistakes``: mistyped sentences, and how many of them differ from the truth.
    ``before``, ``after``: log p(true sentence | observed one), summed, nats. ``unknown``: the share
    of mistakes among the distinct words that were unknown; 0 where none was.
    """

    sentences: int
    mistakes: int
    before: float
    after: float
    unknown: float = 0.0


# Called with what takes long, how much of it is done, and of how much if that is known.
Progress = Callable[[str, int, int | None], None]


def unheard(what: str, done: int, total: int | None) -> None:
    """Nobody wants to hear of it."""


def held_out_size(sentences: int, share: float) -> int:
    """How many sentences at the end of a text are held out; 0 where they would be too few.

    >>> held_out_size(50, 0.1), held_out_size(200, 0.1), held_out_size(1_000_000, 0.1)
    (0, 20, 1000)
    """
    held = min(int(sentences * share), MOST_HELD_OUT)
    return held if held >= LEAST_HELD_OUT else 0


def learned_exponents(
    observed: Sequence[CandidateLattices],
    true: Sequence[CandidateLattices],
    first: Floats,
    used: Sequence[str],
    progress: Progress = unheard,
) -> tuple[Floats, float, float]:
    """The exponents that maximize Σ log p(true sentence | observed), less the prior around `first`.

    ``observed``, ``true``: the lattices of mistyped sentences, and of the true sentence alone
    within them. ``used``: the columns whose exponents are learned; the others stay. Returns them,
    shape (columns,), and the log-likelihood before and after, without the prior.
    """
    # Marks may be too many or too few, for all that the model was contrasted with. Every other
    # factor speaks for what it stands for.
    lowest = np.where(np.array(COLUMNS) == "marks", -np.inf, 0.0)
    is_learned = np.isin(COLUMNS, used)
    evaluations = count()

    def placed(values: Floats) -> Floats:
        exponents = first.copy()
        exponents[is_learned] = values
        return exponents

    def likelihood(values: Floats) -> ValueAndGradient:
        progress("evaluations of the exponents", next(evaluations), None)
        value, gradient = 0.0, np.zeros(len(first))
        for sign, side in ((1.0, true), (-1.0, observed)):
            for lattices in side:
                log_z, expected = lattices.expected(placed(values))
                value += sign * log_z
                gradient += sign * expected
        return value, gradient[is_learned]

    start = first[is_learned]
    values = most_likely(likelihood, start, VARIANCE, lowest[is_learned])
    return placed(values), likelihood(start)[0], likelihood(values)[0]


RARER = 0.2  # so much rarer are words split or joined than misspelt


def mistyped(
    rows: Rows, kinds: Collection[str], marks: Sequence[str], seed: int, rate: float, k: int = 1
) -> list[list[str]]:
    """The sentences with mistakes of each kind, one kind after another.

    Random edits are at most k of a word.

    >>> mistyped([["yes", ",", "over", "there"]], ["drop"], [","], seed=0, rate=1.0)
    [['yes', 'over', 'there']]
    """
    mistakes = {
        "random": random_edits(k),
        "confusables": real_words(confusables()),
        "spaces": respaced(RARER),
        "accents": drop_accents(),
        "drop": drop_marks(marks),
    }
    observed = [list(row) for row in rows]
    for kind in kinds:
        observed = [
            sentence.observed for sentence in corrupted(observed, mistakes[kind], seed, rate)
        ]
    return observed
