"""Shortest distance equals enumeration, and OpenFst."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from oracles import log_sum, openfst_distances
from tagging_cases import batches, cell_scores, machine, packed, paths_of

from fstce.numeric.semirings import EXPECTATION, LOG, REAL, TROPICAL
from fstce.wfsa.batch import Batch
from fstce.wfsa.sumproduct import shortest_distance

SEEDS = st.integers(0, 1000)


def weights_in(name: str, scores: np.ndarray) -> np.ndarray:
    """Log weights as weights of a semiring; an arc's value in the expectation semiring is its number."""
    p = np.exp(scores)
    return {"real": p, "expectation": np.stack((p, p * np.arange(len(p))), axis=-1)}.get(
        name, scores
    )


@given(batches(), SEEDS)
def test_forward_equals_enumeration(batch: Batch, seed: int) -> None:
    scores = batch.arc_scores(cell_scores(batch, seed))
    real, log, tropical, pair = (
        shortest_distance(batch, weights_in(semiring.name, scores), semiring)[batch.final]
        for semiring in (REAL, LOG, TROPICAL, EXPECTATION)
    )
    for number in range(batch.n_machines):
        weight = {path: math.fsum(scores[list(path)]) for path in paths_of(batch, number)}
        total = math.fsum(map(math.exp, weight.values()))
        assert real[number] == pytest.approx(total)
        assert log[number] == pytest.approx(log_sum(weight.values()))
        assert tropical[number] == pytest.approx(max(weight.values()))
        assert pair[number, 0] == pytest.approx(total)
        value = math.fsum(math.exp(w) * sum(path) for path, w in weight.items())
        assert pair[number, 1] == pytest.approx(value)


@given(batches(weighted=True), SEEDS)
def test_every_state_agrees_with_openfst(batch: Batch, seed: int) -> None:
    scores = batch.arc_scores(cell_scores(batch, seed))
    ours = shortest_distance(batch, scores, LOG)
    assert_allclose(ours, openfst_distances(batch, scores), rtol=1e-7, atol=1e-7)


def test_a_zero_weight_closes_an_arc() -> None:
    batch = packed([machine(3, [(0, 1, 1, 1), (1, 2, 1, 2), (0, 2, 1, 3)])])
    scores = batch.arc_scores(
        np.array([-np.inf if code == 1 else float(code) for code in batch.ngram])
    )
    assert shortest_distance(batch, scores, LOG)[batch.final].tolist() == [3.0]
    assert shortest_distance(batch, scores, TROPICAL)[batch.final].tolist() == [3.0]
