"""Shapes end to end: every lattice keeps its items and hyperedges."""

from __future__ import annotations

import numpy as np
from chart_cases import compiled, lattices, sentence
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from fstce.chart.shape import Hypergraph, end_to_end, shape_of
from fstce.machines.lattice import Lattice


def shape(lattice: Lattice) -> Hypergraph:
    arrays = lattice.arrays
    found = shape_of(arrays.source, arrays.next, arrays.start, np.isfinite(arrays.final))
    return end_to_end([found])


@given(st.lists(lattices(), min_size=1, max_size=4))
def test_every_lattice_keeps_its_items(found: list[Lattice]) -> None:
    shapes = [shape(lattice) for lattice in found]
    graph = end_to_end(shapes)
    assert graph.size == sum(s.size for s in shapes)
    assert np.all(np.diff(graph.halves.width) >= 0) and np.all(np.diff(graph.links.width) >= 0)
    of_half, of_link = graph.arc_lattice[graph.halves.arc], graph.arc_lattice[graph.links.head]
    states = np.cumsum([0, *(s.states for s in shapes)])
    for m, one in enumerate(shapes):
        mine = of_half == m
        assert_array_equal(graph.halves.arc[mine] - graph.arc_first[m], one.halves.arc)
        assert_array_equal(graph.halves.state[mine] - states[m], one.halves.state)
        assert_array_equal(graph.halves.width[mine], one.halves.width)
        assert_array_equal(graph.links.child[of_link == m] - graph.arc_first[m], one.links.child)
        assert_array_equal(np.diff(graph.half_rows.indptr)[mine], np.diff(one.half_rows.indptr))
        ours, theirs = np.flatnonzero(mine), np.flatnonzero(of_link == m)
        edges = np.repeat(mine, np.diff(graph.half_rows.indptr))
        assert_array_equal(graph.half_rows.left[edges], theirs[one.half_rows.left])
        assert_array_equal(graph.half_rows.right[edges], ours[one.half_rows.right])
        edges = np.repeat(of_link == m, np.diff(graph.link_rows.indptr))
        assert_array_equal(graph.link_rows.left[edges], ours[one.link_rows.left])
        assert_array_equal(graph.link_rows.right[edges], ours[one.link_rows.right])
        roots = graph.root_lattice == m
        assert_array_equal(graph.roots.left[roots], ours[one.roots.left])
        assert_array_equal(graph.roots.right[roots], ours[one.roots.right])


def test_bounds_hold_each_width() -> None:
    graph = compiled([sentence(*"NVDN"), sentence("V"), sentence(*"NN")]).packs[0].graph
    for width in range(graph.widths):
        assert np.all(graph.halves.width[graph.half_rows.items(width)] == width)
        assert np.all(graph.links.width[graph.link_rows.items(width)] == width)
    widest = graph.widths - 1
    assert graph.half_rows.items(widest).stop == len(graph.halves.arc)
    assert graph.link_rows.items(widest).stop == len(graph.links.head)
