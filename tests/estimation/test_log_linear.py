"""Softmax regression: the gradient is zero at the end, and equal features give equal odds."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from fstce.estimation.log_linear import SIGMA2, indicators, log_softmax, softmax_regression


def test_the_gradient_vanishes() -> None:
    rng = np.random.default_rng(5)
    features = sp.csr_matrix((rng.random((30, 6)) < 0.4).astype(float))
    target = rng.dirichlet(np.ones(3), 30)
    weights = softmax_regression(features, target)
    gradient = features.T @ (target - np.exp(log_softmax(features @ weights))) - weights / SIGMA2
    assert np.abs(gradient).max() < 0.5 < np.abs(features.T @ (target - 1 / 3)).max()


def test_nothing_to_learn_from() -> None:
    assert softmax_regression(indicators([], {"a": 0}), np.zeros((0, 2))).tolist() == [[0.0, 0.0]]
    assert softmax_regression(indicators([("a",)], {}), np.ones((1, 2)) / 2).shape == (0, 2)
