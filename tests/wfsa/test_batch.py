"""Packing: nothing of a machine is lost, levels are longest paths, and what is no product is refused."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from tagging_cases import batches, machine, machines, packed, paths_of

from fstce.errors import MachineError
from fstce.machines.image import Arrays
from fstce.wfsa.batch import Batch, ended

DIAMOND = [(0, 1, 5, 1), (0, 2, 6, 2), (1, 3, 7, 3), (2, 3, 7, 3), (0, 3, 7, 3)]


def labelled_paths(batch: Batch, number: int) -> Counter[tuple[tuple[int, int, float], ...]]:
    """The paths of a machine of a batch as rows of (word, n-gram, log weight)."""
    bias = np.zeros(batch.n_arcs) if batch.bias is None else batch.bias
    arcs = zip(
        batch.word[batch.cell].tolist(),
        batch.ngram[batch.cell].tolist(),
        bias.tolist(),
        strict=True,
    )
    label = list(arcs)
    return Counter(tuple(label[arc] for arc in path) for path in paths_of(batch, number))


def paths_of_arrays(arrays: Arrays) -> Counter[tuple[tuple[int, int, float], ...]]:
    """The same of an unpacked machine."""
    rows = list(zip(*(column.tolist() for column in arrays[2:]), strict=True))
    arcs = [
        (p, q, (w, n, -c)) for p, (_, w, n, c, q) in zip(arrays.source.tolist(), rows, strict=True)
    ]
    final = int(np.flatnonzero(np.isfinite(arrays.final))[0])

    def walk(state: int) -> list[tuple[tuple[int, int, float], ...]]:
        here: list[tuple[tuple[int, int, float], ...]] = [()] if state == final else []
        return here + [(label, *rest) for p, q, label in arcs if p == state for rest in walk(q)]

    return Counter(walk(int(arrays.start)))


@given(st.lists(machines(), min_size=1, max_size=3))
def test_every_path_survives(parts: list[Arrays]) -> None:
    batch = packed(parts)
    assert batch.n_machines == len(parts)
    for number, arrays in enumerate(parts):
        assert labelled_paths(batch, number) == paths_of_arrays(arrays)


@given(batches())
def test_levels_are_longest_paths_and_arcs_are_sorted_by_target(batch: Batch) -> None:
    longest = np.zeros(batch.n_states, dtype=int)
    for q in range(batch.n_states):
        arcs = slice(batch.indptr[q], batch.indptr[q + 1])
        assert np.all(batch.target[arcs] == q)
        longest[q] = max((longest[p] + 1 for p in batch.source[arcs]), default=0)
    assert_array_equal(batch.level, longest)
    assert batch.indptr[-1] == batch.n_arcs
    assert_array_equal(batch.machine[batch.source], batch.machine[batch.target])


@given(batches())
def test_rows_cover_every_arc_once_in_order(batch: Batch) -> None:
    rows = batch.rows()
    assert [arc for _, _, indptr in rows for arc in range(indptr[0], indptr[-1])] == list(
        range(batch.n_arcs)
    )
    assert [q for a, b, _ in rows for q in range(a, b)] == list(
        range(batch.levels[1], batch.n_states)
    )


@given(batches())
def test_cells_are_distinct_and_by_source_sorts(batch: Batch) -> None:
    assert len(set(zip(batch.ngram.tolist(), batch.word.tolist(), strict=True))) == len(batch.ngram)
    assert np.all(np.diff(batch.source[batch.by_source]) >= 0)
    assert sorted(batch.by_source.tolist()) == list(range(batch.n_arcs))


def test_a_diamond() -> None:
    batch = packed([machine(4, DIAMOND)])
    assert batch.levels.tolist() == [0, 1, 3, 4]
    assert len(batch.ngram) == 3, "three arcs read word 7 and write n-gram 3: one cell"
    assert batch.bias is None


def test_weighted_machines_bring_a_bias() -> None:
    costs = [0.5, 1.0, 0.0, -2.0, 0.25]
    batch = packed([machine(4, DIAMOND, costs)])
    assert batch.bias is not None
    assert sorted(batch.bias.tolist()) == sorted(-cost for cost in costs)
    scores = batch.arc_scores(np.array([1.0, 2.0, 3.0]))
    assert_array_equal(scores, np.array([1.0, 2.0, 3.0])[batch.cell] + batch.bias)


@given(
    st.lists(machines(weighted=True), min_size=1, max_size=2),
    st.lists(machines(), min_size=1, max_size=2),
)
def test_weighted_and_plain_machines_mix(weighted: list[Arrays], plain: list[Arrays]) -> None:
    batch = packed(weighted + plain)
    for number, arrays in enumerate(weighted + plain):
        assert labelled_paths(batch, number) == paths_of_arrays(arrays)


@pytest.mark.parametrize(
    "arcs",
    [
        [(0, 1, 5, 1), (1, 2, 5, 1), (2, 1, 5, 1), (2, 3, 5, 1)],
        [(0, 1, 5, 1), (1, 0, 5, 1), (1, 3, 5, 1), (0, 2, 5, 1), (2, 3, 5, 1)],
        [(0, 0, 5, 1), (0, 1, 5, 1), (1, 2, 5, 1), (2, 3, 5, 1)],
        [(0, 1, 5, 1), (1, 2, 5, 1), (2, 3, 5, 1), (3, 3, 5, 1)],
    ],
    ids=["inner", "through the start", "loop at the start", "loop at the end"],
)
def test_a_cycle_is_refused(arcs: list[tuple[int, int, int, int]]) -> None:
    with pytest.raises(MachineError, match="has a cycle"):
        packed([machine(4, arcs)])


def test_a_state_that_the_start_does_not_reach_is_refused() -> None:
    with pytest.raises(MachineError, match="does not reach"):
        packed([machine(3, [(0, 2, 5, 1), (1, 2, 5, 1)])])


def test_an_empty_batch_is_refused() -> None:
    with pytest.raises(MachineError, match="empty batch: there is no sentence"):
        ended([])
