"""The inner loop: log Z and counts against enumeration and log space, whatever the stale potential."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from oracles import log_sum
from tagging_cases import CORPUS, batches, cell_scores, contrast_of, machine, packed, paths_of

from fstce.numeric import kernels
from fstce.numeric.semirings import LOG
from fstce.wfsa import sumproduct
from fstce.wfsa.batch import Batch
from fstce.wfsa.sumproduct import (
    BatchSums,
    LogWeights,
    SumProduct,
    cell_rows,
    shortest_distance,
)

Floats = NDArray[np.float64]
SEEDS = st.integers(0, 1000)


@pytest.fixture(scope="module")
def corpus() -> Batch:
    return contrast_of("delortrans1", 3).denominators[0].batches[0]


@pytest.fixture(params=["compiled", "numpy"])
def either_kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The rest of the test runs with the compiled loops, then with numpy's."""
    if request.param == "numpy":
        monkeypatch.setattr(kernels, "compiled", lambda: None)
    yield request.param


class Sums(SumProduct):
    """Called with scores, its counts its own."""

    def __call__(self, scores: Floats, coefficient: Floats | None = None) -> BatchSums:
        log_z, counts = self.sums(LogWeights(scores), coefficient)
        return BatchSums(log_z, counts.copy())


def in_log_space(batch: Batch, scores: Floats, coefficient: Floats) -> tuple[Floats, Floats]:
    """log Z and counts from a generic pass, and one back arc by arc."""
    arcs = batch.arc_scores(scores)
    alpha = shortest_distance(batch, arcs, LOG)
    beta = np.full(batch.n_states, -np.inf)
    beta[batch.final] = 0.0
    for arc in reversed(range(batch.n_arcs)):  # in order of target
        source, target = batch.source[arc], batch.target[arc]
        beta[source] = np.logaddexp(beta[source], arcs[arc] + beta[target])
    log_z = alpha[batch.final]
    of_arc = batch.machine[batch.source]
    posterior = np.exp(alpha[batch.source] + arcs + beta[batch.target] - log_z[of_arc])
    return log_z, np.bincount(batch.cell, posterior * coefficient[of_arc], minlength=len(scores))


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(21, 40)), min_size=1, max_size=30))
def test_the_rows_of_cells_are_the_distinct_ones(cells: list[tuple[int, int]]) -> None:
    ngram, emission = np.array(cells).T
    rows, place = cell_rows(ngram, emission)
    assert rows.tolist() == sorted({*ngram.tolist(), *emission.tolist()})
    assert rows[place].tolist() == [*ngram.tolist(), *emission.tolist()]


@given(batches() | batches(weighted=True), SEEDS)
def test_sums_equal_enumeration(batch: Batch, seed: int) -> None:
    scores = cell_scores(batch, seed, 2.0)
    arcs = batch.arc_scores(scores)
    coefficient = np.random.default_rng(seed).normal(size=batch.n_machines)
    found = Sums(batch)(scores, coefficient)
    counts = np.zeros(len(scores))
    for number in range(batch.n_machines):
        weight = {path: math.fsum(arcs[list(path)]) for path in paths_of(batch, number)}
        log_z = log_sum(weight.values())
        assert found.log_z[number] == pytest.approx(log_z, abs=1e-10)
        for path, w in weight.items():
            np.add.at(counts, batch.cell[list(path)], coefficient[number] * math.exp(w - log_z))
    assert_allclose(found.counts, counts, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("scale", [0.0, 1.0, 50.0, 1000.0])
def test_sums_equal_log_space(corpus: Batch, scale: float, either_kernel: str) -> None:
    scores = cell_scores(corpus, 1, scale)
    coefficient = np.where(np.arange(corpus.n_machines) % 2, -1.0, 2.0)
    log_z, counts = Sums(corpus)(scores, coefficient)
    expected_log_z, expected_counts = in_log_space(corpus, scores, coefficient)
    assert_allclose(log_z, expected_log_z, rtol=1e-12)
    assert_allclose(counts, expected_counts, rtol=1e-8, atol=1e-9)


@given(
    st.lists(st.tuples(SEEDS, st.sampled_from([0.0, 1.0, 50.0, 1000.0])), min_size=2, max_size=6)
)
def test_a_stale_potential_is_exact_after_any_jumps(calls: list[tuple[int, float]]) -> None:
    batch = contrast_of("trans1", 2, sentences=CORPUS[:3]).denominators[0].batches[0]
    sums, ones = Sums(batch), np.ones(batch.n_machines)
    for seed, scale in calls:
        scores = cell_scores(batch, seed, scale)
        log_z, counts = sums(scores)
        expected_log_z, expected_counts = in_log_space(batch, scores, ones)
        assert_allclose(log_z, expected_log_z, rtol=1e-12, atol=1e-12)
        assert_allclose(counts, expected_counts, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize(
    ("before", "after"), [(740.0, 599.0), (740.0, 399.0), (500.0, 399.0), (-500.0, 0.0)]
)
def test_a_stale_factor_is_not_used_where_it_has_lost_digits(before: float, after: float) -> None:
    sums = Sums(packed([machine(2, [(0, 1, 1, 1)])]))
    sums(np.array([before]))
    assert sums(np.array([after])).log_z[0] == pytest.approx(after, rel=1e-14, abs=1e-12)


@pytest.mark.parametrize("height", [800.0, -800.0, 1e5])
def test_scores_beyond_the_range_of_exp(corpus: Batch, height: float) -> None:
    scores = cell_scores(corpus, 2) + height
    sums, ones = Sums(corpus), np.ones(corpus.n_machines)
    sums(cell_scores(corpus, 3))
    assert_allclose(sums(scores).log_z, in_log_space(corpus, scores, ones)[0], rtol=1e-13)
    assert_allclose(
        sums(scores).counts, in_log_space(corpus, scores, ones)[1], rtol=1e-8, atol=1e-12
    )


def test_a_long_machine_keeps_its_range() -> None:
    states = 3000
    batch = packed(
        [machine(states, [(q, q + 1, word, word) for q in range(states - 1) for word in (1, 2)])]
    )
    sums = Sums(batch)
    for score in (0.0, 2.0, -2.0):
        log_z, counts = sums(np.array([score, score]))
        assert log_z[0] == pytest.approx((states - 1) * (score + math.log(2)), rel=1e-12)
        assert_allclose(counts, [(states - 1) / 2] * 2, rtol=1e-9)


def test_negative_and_zero_coefficients(corpus: Batch) -> None:
    scores, ones = cell_scores(corpus, 4), np.ones(corpus.n_machines)
    sums = Sums(corpus)
    plus = sums(scores, ones).counts
    assert_array_equal(sums(scores).counts, plus)
    assert_array_equal(sums(scores, -ones).counts, -plus)
    assert_array_equal(sums(scores, 0 * ones).counts, 0 * plus)
    assert_allclose(sums(scores, 3 * ones).counts, 3 * plus, rtol=1e-12)


def test_repeated_calls_and_repeated_histories_give_identical_bits(corpus: Batch) -> None:
    first, second = Sums(corpus), Sums(corpus)
    for scores in (cell_scores(corpus, 5), cell_scores(corpus, 6, 50.0), cell_scores(corpus, 5)):
        once, again, other = first(scores), first(scores), second(scores)
        second(scores)
        for ours, repeated, theirs in zip(once, again, other, strict=True):
            assert_array_equal(ours, repeated)
            assert_array_equal(ours, theirs)


def test_small_factors_cost_no_digit(corpus: Batch) -> None:
    """Factors that are powers of two lie in four bytes; those beyond their range, e^±30,000, in eight."""
    for scale, kind in ((3.0, np.float32), (1e4, np.float64)):
        sums, scores = Sums(corpus), cell_scores(corpus, 9, scale)
        sums.refresh(scores)
        log_z, counts = sums(scores)
        expected_log_z, expected_counts = in_log_space(corpus, scores, np.ones(corpus.n_machines))
        assert sums._factor is not None
        assert sums._factor.dtype == kind
        assert_allclose(log_z, expected_log_z, rtol=1e-13)
        assert_allclose(counts, expected_counts, rtol=1e-9, atol=1e-11)


def test_posteriors_sum_to_one_on_every_cut(corpus: Batch) -> None:
    scores = cell_scores(corpus, 7)
    mass = Sums(corpus).posteriors(scores)
    leaving = np.bincount(
        corpus.machine[corpus.source], mass * np.isin(corpus.source, corpus.start)
    )
    arriving = np.bincount(
        corpus.machine[corpus.source], mass * np.isin(corpus.target, corpus.final)
    )
    assert_allclose(leaving, np.ones(corpus.n_machines))
    assert_allclose(arriving, np.ones(corpus.n_machines))


def test_inward_probabilities_sum_to_one_at_every_state(corpus: Batch) -> None:
    mass = Sums(corpus).inward(cell_scores(corpus, 8))
    into = np.bincount(corpus.target, mass, minlength=corpus.n_states)
    starts = np.isin(np.arange(corpus.n_states), corpus.start)
    assert_allclose(into[~starts], 1.0)
    assert np.all(into[starts] == 0.0)


def test_log_z_alone_is_the_same(corpus: Batch) -> None:
    scores = cell_scores(corpus, 9)
    assert_array_equal(Sums(corpus).log_z(scores), Sums(corpus)(scores).log_z)


def with_closed_cells(batch: Batch, seed: int, share: float) -> Floats:
    scores = cell_scores(batch, seed)
    scores[np.random.default_rng(seed).random(len(scores)) < share] = -np.inf
    return scores


@given(batches() | batches(weighted=True), st.lists(SEEDS, min_size=1, max_size=3))
def test_zero_probabilities_are_exact(batch: Batch, seeds: list[int]) -> None:
    sums = Sums(batch)
    for seed in seeds:  # the set of closed cells changes from call to call
        scores = with_closed_cells(batch, seed, 0.4)
        found = sums(scores)
        arcs = batch.arc_scores(scores)
        counts = np.zeros(len(scores))
        for number in range(batch.n_machines):
            weight = {path: float(np.sum(arcs[list(path)])) for path in paths_of(batch, number)}
            open_paths = {path: w for path, w in weight.items() if w > -np.inf}
            log_z = log_sum(open_paths.values()) if open_paths else -np.inf
            assert found.log_z[number] == pytest.approx(log_z, abs=1e-10)
            for path, w in open_paths.items():
                np.add.at(counts, batch.cell[list(path)], math.exp(w - log_z))
        assert_allclose(found.counts, counts, rtol=1e-9, atol=1e-11)
        assert np.all(np.isfinite(sums.inward(scores)))


def test_cells_may_be_opened_again(corpus: Batch) -> None:
    sums, ones = Sums(corpus), np.ones(corpus.n_machines)
    for seed, share in [(0, 0.3), (1, 0.0), (2, 0.02), (2, 0.3), (3, 0.0)]:
        scores = with_closed_cells(corpus, seed, share)
        with np.errstate(invalid="ignore"):
            log_z, counts = in_log_space(corpus, scores, ones)
        found = sums(scores)
        alive = np.isfinite(log_z)
        assert_array_equal(np.isfinite(found.log_z), alive)
        assert_allclose(found.log_z[alive], log_z[alive], rtol=1e-12)
        if alive.all():
            assert_allclose(found.counts, counts, rtol=1e-8, atol=1e-12)


def test_a_dead_track_that_joins_a_live_one_counts_for_nothing() -> None:
    """200 live arcs of −10 nats give φ = −2000 where the tracks join: e²⁰⁰⁰ from a dead state there."""
    length, live, dead, closed = 200, 1, 2, 3
    track = [(q, q + 1, live, live) for q in range(length - 1)]
    other = [(q, q + 1, dead, dead) for q in range(length, 2 * length - 2)]
    end = 2 * length - 1
    joins = [(length - 1, end, live, live), (2 * length - 2, end, dead, dead)]
    batch = packed([machine(end + 1, [*track, *other, (0, length, closed, closed), *joins])])
    scores = np.select([batch.word == closed], [-np.inf], -10.0)
    log_z, counts = Sums(batch)(scores)
    assert log_z == pytest.approx([-10.0 * length])
    assert_allclose(counts, np.where(batch.word == live, length, 0.0), rtol=1e-9)


def test_a_thread_takes_the_arrays_of_one_that_has_ended() -> None:
    found: list[int] = []

    def sums() -> None:
        found.append(sumproduct.workspace.first("of this test", 10).ctypes.data)

    for _ in range(2):
        thread = threading.Thread(target=sums)
        thread.start()
        thread.join()
    assert found[0] == found[1]
