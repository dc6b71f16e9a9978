"""LENGTH: all trees over Σ^m, against lists of all strings and against expanded lattices."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from chart_cases import MODEL, SYMBOLS, brute, by_number, compiled, lattice_of, sentence, theta_of
from numpy.testing import assert_allclose

from fstce import neighborhood
from fstce.chart import DependencyModel, InsideOutside
from fstce.chart.terms import TreeLengthSum
from fstce.machines.lattice import wildcard_length
from fstce.machines.symbols import Symbols


@pytest.mark.parametrize(("tags", "longest"), [("N", 5), ("NV", 4), ("NVD", 3)])
@pytest.mark.parametrize("zeros", [0.0, 0.2])
def test_against_every_string(tags: str, longest: int, zeros: float) -> None:
    model, symbols = DependencyModel(tags), Symbols(tags)
    theta = theta_of(1, zeros=zeros, model=model)
    lengths, coefficient = np.arange(1, longest + 1), np.random.default_rng(2).normal(size=longest)
    log_z, counts = TreeLengthSum(model, lengths, coefficient).sums(theta)
    found = list(neighborhood("length").expand([["N"] * m for m in lengths], symbols))
    twins = [brute(lattice, theta, model) for lattice in found]
    assert_allclose(log_z, [twin.log_z for twin in twins], rtol=1e-11, atol=1e-11)
    expected = sum(
        w * by_number(t.expected_counts(), model) for w, t in zip(coefficient, twins, strict=True)
    )
    assert_allclose(counts, expected, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("scale", [0.0, 1.0, 50.0])
def test_against_expanded_lattices(scale: float) -> None:
    lengths = np.array([3, 7, 1, 7])
    found = list(neighborhood("length").expand([["N"] * m for m in lengths], SYMBOLS))
    theta, coefficient = theta_of(3, scale), np.array([1.0, -2.0, 0.5, 1.0])
    sums = InsideOutside(compiled(found))(theta, coefficient)
    log_z, counts = TreeLengthSum(MODEL, lengths, coefficient).sums(theta)
    assert_allclose(log_z, sums.log_z, rtol=1e-12)
    assert_allclose(counts, sums.counts, rtol=1e-8, atol=1e-9)


def test_long_lengths_and_large_weights() -> None:
    theta = theta_of(4, 50.0)
    log_z, counts = TreeLengthSum(MODEL, np.array([40]), np.ones(1)).sums(theta)
    one = InsideOutside(compiled([sentence(*("NVD" * 14)[:40])]))(theta).log_z
    assert np.isfinite(log_z[0]) and log_z[0] > one[0]
    assert counts[: MODEL.stop(0, 0, 0)].sum() == pytest.approx(40, rel=1e-9)


def test_a_probabilistic_grammar_is_no_more_than_certain() -> None:
    # Strings of all lengths have probability one together, so some of them less.
    theta = MODEL.klein_manning([list(s) for s in itertools.product("NVD", repeat=3)])
    log_z, _ = TreeLengthSum(MODEL, np.arange(1, 31), np.ones(30)).sums(theta)
    assert 0.9 < np.exp(log_z).sum() <= 1.0 + 1e-12


def test_nothing_possible() -> None:
    sums = TreeLengthSum(MODEL, np.array([2, 3]), np.ones(2))
    log_z, counts = sums.sums(np.full(MODEL.size, -np.inf))
    assert np.all(np.isneginf(log_z)) and not np.any(counts)


def test_gradient_by_finite_differences() -> None:
    term = TreeLengthSum(MODEL, np.array([2, 5]), np.array([1.0, -0.5]))
    theta, h = theta_of(5), 1e-5
    _, gradient = term(theta)
    for i in range(0, MODEL.size, 3):
        step = np.zeros(MODEL.size)
        step[i] = h
        slope = (term(theta + step)[0] - term(theta - step)[0]) / (2 * h)
        assert gradient[i] == pytest.approx(slope, abs=1e-7)


def test_wildcard_length() -> None:
    length = neighborhood("length")
    assert [wildcard_length(length(["N"] * m)) for m in (1, 4)] == [1, 4]
    assert wildcard_length(sentence(*"NVD")) == 0
    arrays = length(["N", "V"]).arrays
    chain = [(0, 1, 0), (1, 2, 1)]
    for other in (
        lattice_of(3, chain, {2: 1.0}),
        lattice_of(3, chain, {1: 0.0, 2: 0.0}),
        lattice_of(3, chain, {2: 0.0}, [0.5, 0.0]),
        lattice_of(3, [*chain, (0, 2, 0)], {2: 0.0}),
    ):
        label = np.full(len(other.arrays.source), arrays.ilabel[0])
        other.arrays = other.arrays._replace(ilabel=label)
        assert wildcard_length(other) == 0
