"""How sure a score is: bootstrap intervals and tests over sentences, for any ratio of counts.

A score is a function of sums of counts over sentences. A resample draws as many sentences
as there are, with replacement (Efron & Tibshirani 1993, ch. 13; percentile intervals). For
two systems on the same sentences, :func:`compare` draws the same sentences for both, and
tests by approximate randomization: under the hypothesis that they do not differ, the
outputs of any sentence may change places (Noreen 1989).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fstce.errors import ParameterError
from fstce.numeric.types import Floats
from fstce.parameters.rules import FUNCTION, POSITIVE, SEED, shown

Statistic = Callable[[Floats], Floats]
_CELLS = 4_000_000


class Interval(NamedTuple):
    """A score, and the ends of its confidence interval."""

    estimate: float
    low: float
    high: float


class ScoreDifference(NamedTuple):
    """The first score less the second, its interval, and two-sided p of no difference."""

    difference: float
    low: float
    high: float
    p: float


def bootstrap(
    counts: ArrayLike,
    statistic: Statistic,
    *,
    n_resamples: int = 1000,
    seed: int = 0,
) -> Interval:
    """The 95 % confidence interval of a score over sentences.

    Parameters
    ----------
    counts : array of shape (sentences, counts)
    statistic : callable
        From sums (…, counts) to scores (…): see :meth:`BracketScores.statistic`.
    n_resamples : int
    seed : int
        The same seed gives the same interval.

    Returns
    -------
    Interval
        Resamples whose score is NaN (nothing to divide by) do not count; NaN if all are.

    Raises
    ------
    ParameterError
        No sentences or no resamples.

    Examples
    --------
    >>> right_of_all = [[1, 1], [0, 1], [1, 1], [1, 1]]
    >>> found = bootstrap(right_of_all, lambda sums: sums[..., 0] / sums[..., 1])
    >>> found.estimate, found.low, found.high
    (0.75, 0.25, 1.0)
    """
    table = _table(counts, "counts")
    FUNCTION.check(statistic=statistic)
    POSITIVE.check(n_resamples=n_resamples)
    SEED.check(seed=seed)

    n = len(table)
    scores = []
    for generator, size in _blocks(n, n_resamples, seed):
        drawn = generator.integers(n, size=(size, n)) + n * np.arange(size)[:, None]
        # How often each resample draws each sentence.
        weights = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n).astype(np.float64)
        scores.append(statistic(weights @ table))

    resamples = np.concatenate(scores)
    resamples = resamples[~np.isnan(resamples)]
    low = high = float("nan")
    if len(resamples):
        low, high = np.quantile(resamples, (0.025, 0.975)).tolist()
    return Interval(float(statistic(table.sum(axis=0))), low, high)


def compare(
    first: ArrayLike,
    second: ArrayLike,
    statistic: Statistic,
    *,
    n_resamples: int = 1000,
    seed: int = 0,
) -> ScoreDifference:
    """The difference of two systems' scores on the same sentences, with interval and test.

    Parameters
    ----------
    first, second : array of shape (sentences, counts)
        A row a sentence, in the same order.
    statistic : callable
        As of :func:`bootstrap`.
    n_resamples : int
        Of the interval, and of the test.
    seed : int

    Returns
    -------
    ScoreDifference
        p is (1 + exchanges with a difference as great) / (1 + exchanges), so at least
        1 / (1 + n_resamples).

    Raises
    ------
    ParameterError
        As :func:`bootstrap`, or the shapes differ.

    Examples
    --------
    >>> compare([[1, 1]] * 20, [[0, 1]] * 20, lambda sums: sums[..., 0] / sums[..., 1])
    ScoreDifference(difference=1.0, low=1.0, high=1.0, p=0.000999000999000999)
    """
    ours = _table(first, "first")
    theirs = _table(second, "second")
    if ours.shape != theirs.shape:
        raise ParameterError(
            f"counts of {ours.shape} and {theirs.shape} sentences and columns; compare two systems "
            "on the same"
        )
    FUNCTION.check(statistic=statistic)

    width = ours.shape[1]
    difference, low, high = bootstrap(
        np.hstack([ours, theirs]),
        lambda sums: statistic(sums[..., :width]) - statistic(sums[..., width:]),
        n_resamples=n_resamples,
        seed=seed,
    )

    exchanged = []
    for generator, size in _blocks(len(ours), n_resamples, seed):
        moved = generator.integers(2, size=(size, len(ours))).astype(np.float64) @ (ours - theirs)
        exchanged.append(
            statistic(theirs.sum(axis=0) + moved) - statistic(ours.sum(axis=0) - moved)
        )

    # Sums of the same counts in another order may differ in the last digits.
    n_greater = int((np.abs(np.concatenate(exchanged)) >= abs(difference) - 1e-9).sum())
    return ScoreDifference(difference, low, high, (1 + n_greater) / (1 + n_resamples))


def _blocks(n: int, n_resamples: int, seed: int) -> Iterator[tuple[np.random.Generator, int]]:
    """Of how many resamples a table is drawn at a time, and by what."""
    generator = np.random.default_rng(seed)
    most = max(1, _CELLS // n)
    for done in range(0, n_resamples, most):
        yield generator, min(most, n_resamples - done)


def _table(counts: ArrayLike, name: str) -> Floats:
    try:
        table = np.asarray(counts, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        table = np.zeros(0)
    if table.ndim != 2 or not table.size or not np.all(np.isfinite(table)):
        raise ParameterError(f"{name}={shown(counts)}: give a row of counts for each sentence")
    return table
