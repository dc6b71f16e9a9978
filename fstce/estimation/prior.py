"""Priors on the weights of a log-linear model."""

from __future__ import annotations

import numpy as np

from fstce.errors import ParameterError
from fstce.estimation.rules import VARIANCE
from fstce.numeric.types import Floats


class GaussianPrior:
    """A Gaussian of diagonal covariance σ² around a mean μ, or none (σ² = ∞, a flat prior).

    ``sigma2``: the variance σ² > 0. ``mean`` (features,): μ, where the weights are before anything is learnt;
    by default zero.

    >>> value, gradient = GaussianPrior(2.0)(np.array([1.0, -2.0]))
    >>> value, gradient.tolist()
    (-1.25, [-0.5, 1.0])
    >>> value, gradient = GaussianPrior(2.0, np.array([1.0, 0.0]))(np.array([1.0, -2.0]))
    >>> value, gradient.tolist()
    (-1.0, [-0.0, 1.0])
    """

    def __init__(self, sigma2: float | None = 1.0, mean: Floats | None = None) -> None:
        VARIANCE.check(sigma2=sigma2)
        if mean is not None and not np.all(np.isfinite(mean)):
            raise ParameterError("the mean of a Gaussian prior has entries that are not finite")
        self.sigma2 = None if sigma2 is None or np.isinf(sigma2) else float(sigma2)
        self.mean = mean

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """log p(θ) up to a constant, −Σ (θ − μ)²/2σ² in nats, and its gradient −(θ − μ)/σ²."""
        if self.sigma2 is None:
            return 0.0, np.zeros_like(theta)
        moved = theta if self.mean is None else theta - self.mean
        return -float(moved @ moved) / (2 * self.sigma2), -moved / self.sigma2
