"""Weights as log-probabilities: which of them form a distribution, and how counts become one.

A locally normalized model (an HMM, a generative dependency grammar) is a log-linear one
whose weights in each group are the logarithms of numbers that sum to one. Its sums are
those of any log-linear model; only the step from expected counts to weights differs.
"""

from __future__ import annotations

import numpy as np

from fstce.estimation.rules import NOT_NEGATIVE
from fstce.numeric.types import Floats, Ints


class Multinomials:
    """A partition of the weights into distributions.

    ``group`` (features,): the distribution, 0 … G − 1, that each weight belongs to.

    >>> coins = Multinomials(np.array([0, 0, 1, 1]))
    >>> np.exp(coins.normalize(np.array([3.0, 1.0, 0.0, 2.0]))).round(2).tolist()
    [0.75, 0.25, 0.0, 1.0]
    """

    def __init__(self, group: Ints) -> None:
        self.group = np.asarray(group)
        self.size = np.bincount(self.group)

    def uniform(self) -> Floats:
        """Log-probabilities that are equal within each distribution, shape (features,)."""
        return -np.log(self.size[self.group].astype(np.float64))

    def normalize(self, counts: Floats, smoothing: float = 0.0) -> Floats:
        """The log of (count + λ) over its sum in the distribution, shape (features,).

        A count of zero without smoothing has probability zero, log-probability −inf; a
        distribution of which nothing was counted stays uniform.

        ``counts`` (features,): at least zero. ``smoothing``: λ ≥ 0, added to every count: the mode under a
        flat Dirichlet prior with parameter λ + 1 (add-λ smoothing).
        """
        NOT_NEGATIVE.check(smoothing=smoothing)
        mass = np.maximum(counts, 0.0) + smoothing
        whole = np.bincount(self.group, mass, len(self.size))[self.group]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(whole > 0, np.log(mass) - np.log(whole), self.uniform())

    def perturbed(self, rng: np.random.Generator, deviation: float = 0.1) -> Floats:
        """Log-probabilities near the uniform ones, their logs moved by normal noise."""
        return self.normalize(np.exp(rng.normal(0.0, deviation, len(self.group))))
