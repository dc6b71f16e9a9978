"""Softmax regression against an optimizer that goes on to the end."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from scipy.optimize import minimize

from fstce.estimation.log_linear import indicators, log_softmax, softmax_regression
from fstce.numeric.types import Floats


@pytest.mark.parametrize("seed", range(5))
def test_it_ends_near_the_least_loss(seed: int) -> None:
    """The least loss, of features that one word or all words have."""
    rng = np.random.default_rng(seed)
    frequent = rng.random((60, 25)) < rng.choice([0.05, 0.3, 0.95], 25)
    features = sp.csr_matrix(frequent.astype(float))
    target = rng.dirichlet(np.full(3, 0.2), 60)

    def loss(flat: Floats) -> float:
        log_p = log_softmax(features @ flat.reshape(25, 3))
        return float(flat @ flat / 2 - (target * log_p).sum())

    least = minimize(loss, np.zeros(75), tol=1e-10).fun
    weights = softmax_regression(features, target)
    assert least <= loss(weights.ravel()) < least * 1.005
    assert_array_equal(weights, softmax_regression(features, target))


def test_nothing_to_learn_from() -> None:
    assert softmax_regression(indicators([], {"a": 0}), np.zeros((0, 2))).tolist() == [[0.0, 0.0]]
    assert softmax_regression(indicators([("a",)], {}), np.ones((1, 2)) / 2).shape == (0, 2)
