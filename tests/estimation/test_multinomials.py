"""Distributions over weights: the laws of a partition of log-probabilities, and λ."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from fstce.errors import ParameterError
from fstce.estimation.objective import Multinomials

Floats = NDArray[np.float64]
LAMBDA = st.sampled_from([0.0, 0.1, 1.0, 7.5])


@st.composite
def partitions(draw: st.DrawFn) -> NDArray[np.int64]:
    """A partition into groups 0 … G − 1, in any order."""
    groups = draw(st.integers(1, 4))
    more = draw(st.lists(st.integers(0, groups - 1), max_size=8))
    return np.array(draw(st.permutations([*range(groups), *more])))


@st.composite
def counted(draw: st.DrawFn) -> tuple[NDArray[np.int64], Floats]:
    """A partition and counts, many of them zero."""
    group = draw(partitions())
    count = st.one_of(st.just(0.0), st.floats(1e-3, 1e3))
    return group, np.array(draw(st.lists(count, min_size=len(group), max_size=len(group))))


def brute(group: NDArray[np.int64], counts: Floats, smoothing: float) -> list[float]:
    """(count + λ) / Σ, distribution by distribution; uniform where nothing was counted."""
    members = defaultdict(list)
    for g, count in zip(group.tolist(), counts.tolist(), strict=True):
        members[g].append(count + smoothing)
    return [
        (count + smoothing) / sum(members[g]) if sum(members[g]) > 0 else 1 / len(members[g])
        for g, count in zip(group.tolist(), counts.tolist(), strict=True)
    ]


def sums(group: NDArray[np.int64], theta: Floats) -> list[float]:
    """The total probability of each distribution."""
    return [math.fsum(np.exp(theta[group == g])) for g in np.unique(group)]


@given(counted(), LAMBDA)
def test_counts_become_relative_frequencies(case, smoothing: float) -> None:
    group, counts = case
    theta = Multinomials(group).normalize(counts, smoothing)
    assert_allclose(np.exp(theta), brute(group, counts, smoothing), rtol=1e-12)
    assert sums(group, theta) == pytest.approx([1.0] * (int(group.max()) + 1))
    assert not np.any(np.isnan(theta))


@given(counted())
def test_what_is_not_counted_is_impossible_unless_nothing_is(case) -> None:
    group, counts = case
    theta = Multinomials(group).normalize(counts)
    seen = np.array([counts[group == g].any() for g in group])
    assert_array_equal(np.isneginf(theta), seen & (counts == 0))
    assert_array_equal(theta[~seen], Multinomials(group).uniform()[~seen])


@given(counted(), st.sampled_from([0.1, 1.0]))
def test_smoothing_leaves_nothing_impossible_and_keeps_the_order(case, smoothing: float) -> None:
    group, counts = case
    theta = Multinomials(group).normalize(counts, smoothing)
    assert np.all(np.isfinite(theta))
    for g in np.unique(group):
        order = np.argsort(counts[group == g], kind="stable")
        assert np.all(np.diff(theta[group == g][order]) >= 0)


@given(counted(), LAMBDA)
def test_normalizing_probabilities_changes_nothing(case, smoothing: float) -> None:
    group, counts = case
    multinomials = Multinomials(group)
    once = multinomials.normalize(counts, smoothing)
    twice = multinomials.normalize(np.exp(once))
    assert_array_equal(np.isneginf(twice), np.isneginf(once))
    assert_allclose(np.exp(twice), np.exp(once), rtol=1e-12)


@given(counted(), st.floats(1e-3, 1e3))
def test_the_scale_of_the_counts_is_no_matter(case, factor: float) -> None:
    group, counts = case
    multinomials = Multinomials(group)
    assert_allclose(
        np.exp(multinomials.normalize(factor * counts)),
        np.exp(multinomials.normalize(counts)),
        rtol=1e-9,
    )


@given(partitions())
def test_uniform_is_what_no_counts_give(group) -> None:
    multinomials = Multinomials(group)
    uniform = multinomials.uniform()
    assert_allclose(np.exp(uniform), [1 / np.sum(group == g) for g in group])
    assert_array_equal(multinomials.normalize(np.zeros(len(group))), uniform)
    assert_allclose(multinomials.normalize(np.zeros(len(group)), 2.0), uniform, atol=1e-15)


@given(partitions(), st.integers(0, 1000))
def test_perturbed_distributions_are_distributions_near_the_uniform(group, seed: int) -> None:
    multinomials = Multinomials(group)
    theta, again = (multinomials.perturbed(np.random.default_rng(seed)) for _ in range(2))
    assert_array_equal(theta, again)
    assert sums(group, theta) == pytest.approx([1.0] * (int(group.max()) + 1))
    assert np.abs(theta - multinomials.uniform()).max() < 1.5  # fifteen standard deviations
    alone = np.array([np.sum(group == g) == 1 for g in group])
    assert_allclose(theta[alone], 0, atol=1e-15)
    assert np.all(theta[~alone] != multinomials.uniform()[~alone])


def test_the_deviation_of_a_perturbation() -> None:
    multinomials = Multinomials(np.zeros(20_000, dtype=np.int64))
    for deviation in (0.1, 0.5):
        theta = multinomials.perturbed(np.random.default_rng(0), deviation)
        assert theta.std() == pytest.approx(deviation, rel=0.03)


def test_counts_a_rounding_error_below_zero_are_zero() -> None:
    theta = Multinomials(np.array([0, 0, 1, 1])).normalize(np.array([-1e-17, 2.0, -1e-300, 0.0]))
    assert theta.tolist() == [-np.inf, 0.0, -math.log(2), -math.log(2)]


def test_the_counts_are_left_as_they_were() -> None:
    counts = np.array([0.0, 2.0])
    Multinomials(np.array([0, 0])).normalize(counts, 1.0)
    assert counts.tolist() == [0.0, 2.0]


@pytest.mark.parametrize("wrong", [-0.1, float("nan"), float("inf"), "x", None])
def test_smoothing_is_a_number_and_not_negative(wrong) -> None:
    message = rf"smoothing={wrong!r}: give a number from 0"
    with pytest.raises(ParameterError, match=message):
        Multinomials(np.array([0])).normalize(np.array([1.0]), wrong)
