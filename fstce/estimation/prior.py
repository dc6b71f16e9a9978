"""Priors on the weights of a log-linear model."""

from __future__ import annotations

import numpy as np

from fstce.estimation.rules import VARIANCE
from fstce.numeric.types import Floats


class GaussianPrior:
    """A Gaussian around zero with diagonal covariance σ², or none (σ² = ∞, a flat prior).

    Parameters
    ----------
    sigma2 : float or None
        The variance σ² > 0.

    Raises
    ------
    ParameterError
        σ² is not positive, or not a number.

    Examples
    --------
    >>> value, gradient = GaussianPrior(2.0)(np.array([1.0, -2.0]))
    >>> value, gradient.tolist()
    (-1.25, [-0.5, 1.0])
    """

    def __init__(self, sigma2: float | None = 1.0) -> None:
        VARIANCE.check(sigma2=sigma2)
        self.sigma2 = None if sigma2 is None or np.isinf(sigma2) else float(sigma2)

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """log p(θ) up to a constant, −Σ θ²/2σ² in nats, and its gradient −θ/σ²."""
        if self.sigma2 is None:
            return 0.0, np.zeros_like(theta)
        return -float(theta @ theta) / (2 * self.sigma2), -theta / self.sigma2
