"""Do systems that do well on one set do well on another: correlation of their scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fstce.errors import ParameterError


class Correlation(NamedTuple):
    """Pearson's r of the scores, Spearman's ρ (r of their ranks), and of how many systems."""

    pearson: float
    spearman: float
    n: int


def correlation(first: ArrayLike, second: ArrayLike) -> Correlation:
    """The correlation of the scores of systems on two sets.

    ``first``, ``second`` (systems,): in the same order of systems. Returns naN where one set does not tell
    the systems apart.
    """
    one, two = (np.asarray(scores, dtype=np.float64) for scores in (first, second))
    if one.shape != two.shape or one.ndim != 1 or len(one) < 2:
        raise ParameterError(
            f"scores of shapes {one.shape} and {two.shape}; give the same two or more systems twice"
        )
    if not (np.isfinite(one).all() and np.isfinite(two).all()):
        raise ParameterError("a score is not a finite number")
    if np.ptp(one) == 0 or np.ptp(two) == 0:
        return Correlation(float("nan"), float("nan"), len(one))
    from scipy.stats import pearsonr, spearmanr  # takes half a second, which no other score needs

    return Correlation(float(pearsonr(one, two).statistic), float(spearmanr(one, two).statistic), len(one))
