"""Best, k best and sampled paths and their entropy, against the enumeration of all paths."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from oracles import log_sum
from scipy.stats import chisquare
from tagging_cases import batches, cell_scores, machine, packed, paths_of

from fstce.wfsa.batch import Batch
from fstce.wfsa.decoder import best_paths, k_best_paths, path_entropy, sample_paths

SEEDS = st.integers(0, 1000)
Path = tuple[int, ...]
SKIP = [(0, 1, 1, 1), (0, 1, 2, 1), (1, 2, 1, 2), (1, 2, 2, 2), (0, 2, 3, 3)]


def weighed(batch: Batch, scores: NDArray[np.float64], number: int) -> dict[Path, float]:
    """All paths of a machine and their log weights."""
    arcs = batch.arc_scores(scores)
    return {path: math.fsum(arcs[list(path)]) for path in paths_of(batch, number)}


def unpadded(row: NDArray[np.int64]) -> Path:
    """A row of arcs without the padding, which must stand behind."""
    arcs = [arc for arc in row.tolist() if arc >= 0]
    assert row.tolist() == arcs + [-1] * (len(row) - len(arcs))
    return tuple(arcs)


@given(batches() | batches(weighted=True), SEEDS)
def test_the_best_path(batch: Batch, seed: int) -> None:
    scores = cell_scores(batch, seed)
    arcs, found = best_paths(batch, scores)
    for number in range(batch.n_machines):
        weight = weighed(batch, scores, number)
        assert found[number] == pytest.approx(max(weight.values()))
        assert weight[unpadded(arcs[number])] == pytest.approx(max(weight.values()))


@given(batches(), SEEDS, st.integers(1, 12))
def test_the_k_best_paths(batch: Batch, seed: int, k: int) -> None:
    scores = cell_scores(batch, seed)
    arcs, found = k_best_paths(batch, scores, k)
    for number in range(batch.n_machines):
        weight = weighed(batch, scores, number)
        expected = sorted(weight.values(), reverse=True)[:k]
        assert_allclose(found[number, : len(expected)], expected, atol=1e-12)
        assert np.all(found[number, len(expected) :] == -np.inf)
        rows = [unpadded(row) for row in arcs[number]]
        assert len(set(rows[: len(expected)])) == len(expected)
        assert_allclose([weight[row] for row in rows[: len(expected)]], expected, atol=1e-12)
        assert not any(rows[len(expected) :])


def test_ties_are_all_found_and_broken_alike_every_time() -> None:
    batch = packed([machine(3, SKIP), machine(2, [(0, 1, 1, 1)])])
    scores = np.zeros(len(batch.ngram))
    arcs, found = k_best_paths(batch, scores, 9)
    assert {unpadded(row) for row in arcs[0]} == {*paths_of(batch, 0), ()}
    assert found[0].tolist() == [0.0] * 5 + [-np.inf] * 4
    assert found[1].tolist() == [0.0] + [-np.inf] * 8
    first, again = best_paths(batch, scores)[0], best_paths(batch, scores)[0]
    assert_array_equal(first, again)
    assert unpadded(first[0]) in paths_of(batch, 0)


def test_one_best_is_the_best() -> None:
    batch = packed(
        [machine(3, SKIP), machine(4, [(0, 1, 1, 1), (1, 2, 1, 1), (2, 3, 1, 1), (0, 3, 2, 2)])]
    )
    scores = cell_scores(batch, 5)
    (arcs, score), (rows, scores_) = best_paths(batch, scores), k_best_paths(batch, scores, 1)
    assert_array_equal(rows[:, 0], arcs)
    assert_array_equal(scores_[:, 0], score)


def test_samples_follow_the_posterior() -> None:
    batch = packed([machine(3, SKIP), machine(3, SKIP)])
    scores, n = cell_scores(batch, 1), 20_000
    drawn = sample_paths(batch, scores, n, np.random.default_rng(7))
    assert drawn.shape == (2, n, 2)
    for number in range(2):
        weight = weighed(batch, scores, number)
        log_z = log_sum(weight.values())
        counts = Counter(unpadded(row) for row in drawn[number])
        assert set(counts) <= set(weight)
        expected = [n * math.exp(w - log_z) for w in weight.values()]
        assert chisquare([counts[path] for path in weight], expected).pvalue > 1e-3


def test_a_path_without_mass_is_never_drawn() -> None:
    batch = packed([machine(3, SKIP)])
    scores = np.where(batch.ngram == 3, -np.inf, -2000.0 * (batch.word == 2))
    drawn = {unpadded(row) for row in sample_paths(batch, scores, 500, np.random.default_rng(0))[0]}
    best = unpadded(best_paths(batch, scores)[0][0])
    assert drawn == {best}


def test_one_seed_one_sample() -> None:
    batch = packed([machine(3, SKIP)])
    scores = cell_scores(batch, 2)
    one, two, other = (
        sample_paths(batch, scores, 40, np.random.default_rng(seed)) for seed in (3, 3, 4)
    )
    assert_array_equal(one, two)
    assert not np.array_equal(one, other)


@given(batches() | batches(weighted=True), SEEDS, st.sampled_from([0.0, 1.0, 30.0]))
def test_entropy(batch: Batch, seed: int, scale: float) -> None:
    scores = cell_scores(batch, seed, scale)
    found = path_entropy(batch, scores)
    for number in range(batch.n_machines):
        weight = weighed(batch, scores, number)
        log_z = log_sum(weight.values())
        expected = -math.fsum(math.exp(w - log_z) * (w - log_z) for w in weight.values())
        assert found[number] == pytest.approx(expected, abs=1e-9)


def test_the_entropy_of_equal_paths_is_the_log_of_their_number() -> None:
    batch = packed([machine(3, SKIP), machine(2, [(0, 1, 1, 1)])])
    assert_allclose(
        path_entropy(batch, np.full(len(batch.ngram), 0.0)), [math.log(5), 0.0], atol=1e-12
    )
