"""An objective: a sum of terms and a prior, as one function of the weights.

Contrastive estimation maximizes Σ_i log Σ_y p(x_i, y | N(x_i), θ) (Smith & Eisner 2005a,
Eq. 7), whose gradient is the difference of two expectations of the features (Eq. 10).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from fstce.estimation.prior import GaussianPrior

Floats = NDArray[np.float64]
Term = Callable[[Floats], tuple[float, Floats]]


class Objective:
    """Σ of terms + log prior, to be maximized.

    Parameters
    ----------
    terms : sequence of callables
        θ → (value in nats, gradient).
    prior : GaussianPrior

    Examples
    --------
    >>> objective = Objective([lambda theta: (float(theta.sum()), np.ones_like(theta))], GaussianPrior(0.5))
    >>> objective.value_and_gradient(np.array([1.0]))
    (0.0, array([-1.]))
    """

    def __init__(self, terms: Sequence[Term], prior: GaussianPrior) -> None:
        self.terms = list(terms)
        self.prior = prior

    def value_and_gradient(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient."""
        value, gradient = self.prior(theta)
        for term in self.terms:
            more, slope = term(theta)
            value, gradient = value + more, gradient + slope
        return value, gradient

    __call__ = value_and_gradient
