"""The constraint on expectations: the projection by a grid, its laws, its gradient."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from fstce.parsing.attachment_rules import MOST, constrained

FEATURES = np.array([[1.0, 0, 2], [0, 2, 1], [1, 1, 0], [0, 0, 3], [2, 1, 1]])  # of five structures
REWARDED, COUNTED = np.array([1.0, 0, 0]), np.array([1.0, 1, 1])


def term(theta: np.ndarray) -> tuple[float, np.ndarray]:
    scores = FEATURES @ theta
    z = np.logaddexp.reduce(scores)
    return float(z), np.exp(scores - z) @ FEATURES


def reached(counts: np.ndarray) -> float:
    """The share of what is counted that is rewarded."""
    return float(REWARDED @ counts / (COUNTED @ counts))


def projected(theta: np.ndarray, share: float) -> tuple[float, np.ndarray]:
    """By brute force: of all q ∝ p exp(λ d·f) on a grid of λ, the nearest that keeps the bound."""
    direction = FEATURES @ (REWARDED - share * COUNTED)
    log_p = FEATURES @ theta - term(theta)[0]
    log_q = log_p + np.linspace(0, MOST, 30_001)[:, None] * direction
    log_q -= np.logaddexp.reduce(log_q, axis=1, keepdims=True)
    q = np.exp(log_q[np.argmax(np.exp(log_q) @ direction >= -1e-9)])
    return float(q @ (np.log(q) - log_p)), q


weights = st.lists(st.floats(-2, 2), min_size=3, max_size=3).map(np.array)


@settings(max_examples=12)
@given(weights, st.sampled_from([0.0, 0.2, 0.4]))
def test_it_is_the_nearest_distribution_that_keeps_the_bound(
    theta: np.ndarray, share: float
) -> None:
    bounded = constrained(term, REWARDED, COUNTED, share)
    value, counts = bounded(theta)
    divergence, q = projected(theta, share)
    assert_allclose(counts, q @ FEATURES, atol=2e-3)
    assert value == pytest.approx(term(theta)[0] - divergence, abs=2e-3)


@given(weights, st.floats(0, 0.4))
def test_it_keeps_the_bound_and_costs_nothing_where_the_model_does(
    theta: np.ndarray, share: float
) -> None:
    value, counts = constrained(term, REWARDED, COUNTED, share)(theta)
    free, free_counts = term(theta)
    assert reached(counts) >= share - 1e-4
    assert value <= free + 1e-9
    if reached(free_counts) >= share:
        assert (value, counts.tolist()) == (free, free_counts.tolist())


@settings(max_examples=20)
@given(weights)
def test_the_counts_are_the_gradient(theta: np.ndarray) -> None:
    bounded = constrained(term, REWARDED, COUNTED, 0.4)
    _, counts = bounded(theta)
    step = 1e-4
    slopes = [
        (bounded(theta + step * e)[0] - bounded(theta - step * e)[0]) / (2 * step)
        for e in np.eye(3)
    ]
    assert_allclose(slopes, counts, atol=1e-5)


def test_what_no_distribution_keeps_is_kept_as_far_as_it_goes() -> None:
    bounded = constrained(
        term, REWARDED, COUNTED, 0.9
    )  # at most one of two, by the third structure
    value, counts = bounded(np.zeros(3))
    assert value == term(MOST * (REWARDED - 0.9 * COUNTED))[0]
    assert reached(counts) == pytest.approx(0.5, abs=1e-3)


@given(weights)
def test_a_share_of_one_asks_for_as_much_as_can_be(theta: np.ndarray) -> None:
    """No structure here is all reward: the largest λ serves, as for any bound that nothing keeps."""
    value, counts = constrained(term, REWARDED, COUNTED, 1.0)(theta)
    best = np.max((FEATURES @ REWARDED) / (FEATURES @ COUNTED))
    assert value == term(theta + MOST * (REWARDED - COUNTED))[0]
    assert reached(counts) == pytest.approx(best, abs=1e-6)
