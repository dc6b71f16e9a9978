"""The Gaussian prior, and the variances that are none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.stats import norm

from fstce.errors import ParameterError
from fstce.estimation.objective import GaussianPrior, Objective


@pytest.mark.parametrize("sigma2", [0, -1, -0.5, float("nan"), float("-inf")])
def test_a_variance_is_positive(sigma2: float) -> None:
    with pytest.raises(ParameterError, match=f"sigma2={sigma2}: give a number above 0, or None"):
        GaussianPrior(sigma2)


@given(st.floats(0.1, 10), st.lists(st.floats(-5, 5), min_size=1, max_size=4))
def test_differences_of_log_densities(sigma2: float, weights: list[float]) -> None:
    theta = np.array(weights)
    prior = GaussianPrior(sigma2)
    density = norm(scale=np.sqrt(sigma2)).logpdf
    assert prior(theta)[0] == pytest.approx(
        density(theta).sum() - density(0 * theta).sum(), abs=1e-9
    )
    slope = approx_fprime(theta, lambda t: prior(t)[0], 1e-6)
    np.testing.assert_allclose(prior(theta)[1], slope, rtol=1e-4, atol=1e-4)


def test_another_variance_keeps_the_shares() -> None:
    objective = Objective([], GaussianPrior(1.0, np.array([1.0, 4.0])))
    objective.smooth(sigma2=4.0, smoothing=0.0)
    assert objective(np.full(2, 2.0))[0] == -(4 + 4 / 4) / 8


@pytest.mark.parametrize("sigma2", [None, float("inf")])
def test_a_flat_prior_is_silent(sigma2: float | None) -> None:
    value, gradient = GaussianPrior(sigma2)(np.array([3.0, -4.0]))
    assert value == 0.0
    assert gradient.tolist() == [0.0, 0.0]
