"""Log-linear models of a few weights: the likelihood less a Gaussian prior, within bounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fstce.numeric.types import Floats

Likelihood = Callable[[Floats], tuple[float, Floats]]  # θ → the log-likelihood (nats) and its gradient


def most_likely(
    likelihood: Likelihood, mean: Floats, variance: float, lowest: Floats | None = None
) -> Floats:
    """The weights θ ≥ lowest that maximize log-likelihood(θ) − |θ − mean|² / 2σ², shape (weights,).

    >>> def coin(theta):  # seven heads in ten throws, log odds θ
    ...     p = 1 / (1 + np.exp(-theta[0]))
    ...     return 7 * np.log(p) + 3 * np.log(1 - p), np.array([7 - 10 * p])
    >>> most_likely(coin, np.zeros(1), variance=1e6).round(2).tolist()
    [0.85]
    """
    from scipy.optimize import minimize  # takes half a second; applying a model need not wait

    def loss(theta: Floats) -> tuple[float, Floats]:
        value, gradient = likelihood(theta)
        away = theta - mean
        return float(away @ away / (2 * variance) - value), away / variance - gradient

    bounds = None if lowest is None else [(low, np.inf) for low in lowest.tolist()]
    return np.asarray(minimize(loss, mean, jac=True, method="L-BFGS-B", bounds=bounds).x)
