"""Best paths and the entropy of all, against the enumeration of all paths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from oracles import log_sum
from tagging_cases import batches, cell_scores, machine, packed, paths_of

from fstce.wfsa.batch import Batch
from fstce.wfsa.decoder import best_paths, path_entropy

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


def test_a_tie_is_broken_alike_every_time() -> None:
    batch = packed([machine(3, SKIP), machine(2, [(0, 1, 1, 1)])])
    scores = np.zeros(len(batch.ngram))
    first, again = best_paths(batch, scores)[0], best_paths(batch, scores)[0]
    assert_array_equal(first, again)
    assert unpadded(first[0]) in paths_of(batch, 0)


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
