"""Shapes: items and hyperedges against their definitions, one by one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from chart_cases import lattices
from hypothesis import given

from fstce.chart import shape as shapes
from fstce.chart.rows import Rows
from fstce.chart.shape import Hypergraph, end_to_end, shape_of
from fstce.errors import MachineError
from fstce.grammars.dmv import LEFT, RIGHT
from fstce.machines.lattice import Lattice


def compiled(lattice: Lattice) -> Hypergraph:
    arrays = lattice.arrays
    shape = shape_of(arrays.source, arrays.next, arrays.start, np.isfinite(arrays.final))
    return end_to_end([shape])


def reaches(lattice: Lattice, p: int, q: int) -> bool:
    """Whether a path leads from p to q."""
    arcs = zip(lattice.arrays.source.tolist(), lattice.arrays.next.tolist(), strict=True)
    return p == q or any(
        reaches(lattice, target, q) for source, target in list(arcs) if source == p
    )


@given(lattices())
def test_items_and_hyperedges_are_those_of_the_definition(lattice: Lattice) -> None:
    source, target = lattice.arrays.source.tolist(), lattice.arrays.next.tolist()
    arcs, states = range(len(source)), range(len(lattice))
    found = compiled(lattice)
    halves = {(LEFT, a, q) for a in arcs for q in states if reaches(lattice, q, source[a])}
    halves |= {(RIGHT, a, q) for a in arcs for q in states if reaches(lattice, target[a], q)}
    named = list(
        zip(*(column.tolist() for column in found.halves[1::-1] + found.halves[2:3]), strict=True)
    )
    assert set(named) == halves and len(named) == len(halves)
    pairs = [(a, b) for a in arcs for b in arcs if reaches(lattice, target[a], source[b])]
    links = {(RIGHT, a, b) for a, b in pairs} | {(LEFT, b, a) for a, b in pairs}
    linked = list(
        zip(
            found.links.side.tolist(),
            found.links.head.tolist(),
            found.links.child.tolist(),
            strict=True,
        )
    )
    assert set(linked) == links and len(linked) == len(links)
    into_links = {
        ((RIGHT, a, b), (RIGHT, a, q), (LEFT, b, q))
        for a, b in pairs
        for q in states
        if reaches(lattice, target[a], q) and reaches(lattice, q, source[b])
    }
    into_links |= {
        ((LEFT, b, a), (LEFT, b, q), (RIGHT, a, q)) for (_, a, b), (_, _, q), _ in into_links
    }
    assert edges(linked, found.link_rows, named, named) == into_links
    into_halves = {
        ((side, a, q), (side, a, b), (side, b, q))
        for side, a, b in links
        for q in states
        if (side, b, q) in halves
    }
    assert edges(named, found.half_rows, linked, named) == into_halves
    roots = {(a, q) for a in arcs for q in states if np.isfinite(lattice.arrays.final[q])}
    roots = {(a, q) for a, q in roots if (LEFT, a, 0) in halves and (RIGHT, a, q) in halves}
    assert set(zip(found.roots.arc.tolist(), found.roots.final.tolist(), strict=True)) == roots


Item = tuple[int, int, int]


def edges(
    into: list[Item], found: Rows, left: list[Item], right: list[Item]
) -> set[tuple[Item, Item, Item]]:
    """The hyperedges with their items by name; none comes twice."""
    row = np.repeat(np.arange(len(into)), np.diff(found.indptr)).tolist()
    named = [
        (into[i], left[j], right[k])
        for i, j, k in zip(row, found.left.tolist(), found.right.tolist(), strict=True)
    ]
    assert len(set(named)) == len(named)
    return set(named)


@given(lattices())
def test_no_operand_is_wider_than_its_result(lattice: Lattice) -> None:
    found = compiled(lattice)
    assert all(np.all(np.diff(items.width) >= 0) for items in (found.halves, found.links))
    of_half = np.repeat(found.halves.width, np.diff(found.half_rows.indptr))
    assert np.all(found.links.width[found.half_rows.left] < of_half)
    assert np.all(found.halves.width[found.half_rows.right] < of_half)
    of_link = np.repeat(found.links.width, np.diff(found.link_rows.indptr))
    assert np.all(found.halves.width[found.link_rows.left] <= of_link)
    assert np.all(found.halves.width[found.link_rows.right] <= of_link)
    # What lets sums run over rows: only halves of width zero have no hyperedge.
    assert np.all((np.diff(found.half_rows.indptr) == 0) == (found.halves.width == 0))
    assert np.all(np.diff(found.link_rows.indptr) > 0)


@pytest.mark.parametrize("n", [1, 2, 5, 40])
def test_size_of_a_sentence(n: int) -> None:
    found = shape_of(np.arange(n), np.arange(1, n + 1), 0, np.arange(n + 1) == n)
    pairs = list(itertools.combinations(range(n), 2))
    assert found.size == 2 * sum(b - a for a, b in pairs) + sum(n - b for _, b in pairs) + sum(
        a + 1 for a, _ in pairs
    )


def test_a_chart_beyond_the_limit_is_refused_before_it_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chain = (np.arange(10), np.arange(1, 11), 0, np.arange(11) == 10)
    size = shape_of(*chain).size
    monkeypatch.setattr(shapes, "HYPEREDGE_LIMIT", size)
    assert shape_of(*chain).size == size
    monkeypatch.setattr(shapes, "HYPEREDGE_LIMIT", size - 1)
    with pytest.raises(MachineError, match=r"hyperedges from 10 .*leave out long sentences"):
        shape_of(*chain)


def test_a_chart_far_beyond_the_limit_takes_no_memory() -> None:
    n = 1000  # some 7·10⁸ hyperedges
    with pytest.raises(MachineError, match=f"hyperedges from {n:,}"):
        shape_of(np.arange(n), np.arange(1, n + 1), 0, np.arange(n + 1) == n)
