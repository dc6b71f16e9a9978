"""An objective is the sum of its terms and the prior."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from fstce.estimation.objective import (
    AveragedObjective,
    Expert,
    GaussianPrior,
    Likelihood,
    Multinomials,
    Objective,
    value_of,
)

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


def test_a_sum_of_terms_is_no_number_where_one_is_minus_infinity() -> None:
    def of(value: float) -> Any:
        return lambda theta: (value, theta)

    assert value_of([of(-1.0), of(-2.5)], np.zeros(1)) == -3.5
    assert value_of([of(-np.inf), of(np.inf)], np.zeros(1)) == -np.inf


def test_another_prior_over_what_is_compiled() -> None:
    to_three = pull(3.0)
    objective = Objective([to_three], GaussianPrior(1.0))
    likelihood = Likelihood([to_three], Multinomials(np.array([0, 0])))
    averaged = AveragedObjective(objective, [Expert("hmm", 1.0, likelihood)])
    averaged.smooth(sigma2=4.0, smoothing=0.5)
    at = np.full(2, 2.0)
    assert averaged(at)[0] == to_three(at)[0] - 2 * 4 / 8  # θ² / 2σ²
    assert likelihood.smoothing == 0.5
