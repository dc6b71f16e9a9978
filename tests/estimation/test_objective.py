"""An objective is the sum of its terms and the prior."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from fstce.estimation.objective import GaussianPrior, Objective

Floats = NDArray[np.float64]


def pull(towards: float):
    """−(θ − c)²/2 for every weight."""

    def term(theta: Floats) -> tuple[float, Floats]:
        return -float((theta - towards) @ (theta - towards)) / 2, towards - theta

    return term


def test_values_and_gradients_add_up() -> None:
    objective = Objective([pull(1.0), pull(4.0)], GaussianPrior(2.0))
    value, gradient = objective(np.array([2.0, 0.0]))
    assert value == -(1 + 1 + 4 + 16) / 2 - 1.0
    assert gradient.tolist() == [-1 + 2 - 1.0, 1 + 4 - 0.0]
    assert objective.value_and_gradient(np.array([2.0, 0.0]))[0] == value


def test_no_terms_leave_the_prior() -> None:
    value, gradient = Objective([], GaussianPrior(1.0))(np.array([2.0]))
    assert (value, gradient.tolist()) == (-2.0, [-2.0])


def test_an_optimizer_of_ones_own() -> None:
    objective = Objective([pull(3.0)], GaussianPrior(0.5))

    def negative(theta: Floats) -> tuple[float, Floats]:
        value, gradient = objective(theta)
        return -value, -gradient

    best = minimize(negative, np.zeros(2), jac=True)
    np.testing.assert_allclose(best.x, [1.0, 1.0], atol=1e-6)
