"""The chart of one lattice as hyperedges, by the lattice's shape alone: no tags, no weights.

Every word arc is a head. A *half* (a, q) is the right side of arc a, from its target to
state q, or its left side, from state q to its source; a *link* (a, b) is head a with the
near half of its child b. With R̄ = R · stop and R' = R · go the right side's recurrences are

    link[a, b] = child(a, b) · Σ_q R'[a, q] · L̄[b, q]            (Eisner & Satta 1999)
    R[a, j] = Σ_b link[a, b] · R̄[b, j],   R[a, target of a] = 1

and the left side's are their mirror. Each product is one hyperedge. The *width* of an
item is the difference in level of the states that it spans (a state's level is the length
of the longest path to it). No operand is wider than its result, and a half's link is
narrower, so a chart is filled width by width: first the halves, then the links.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.chart.rectangles import Rectangles
from fstce.chart.rows import Rows
from fstce.errors import MachineError
from fstce.grammars.dmv import LEFT, RIGHT
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Bools, Ints, Ints32

HYPEREDGE_LIMIT = 50_000_000


class ChartSizeError(MachineError):
    """A chart has too many hyperedges."""


class Halves(NamedTuple):
    """Head arc, side (LEFT or RIGHT), far state and width of each half."""

    arc: Ints32
    side: Ints32
    state: Ints32
    width: Ints32


class Links(NamedTuple):
    """Head arc, child arc, side of the head and width of each link."""

    head: Ints32
    child: Ints32
    side: Ints32
    width: Ints32


class Roots(NamedTuple):
    """Each root arc with its two halves and the final state that the right one reaches."""

    arc: Ints32
    left: Ints32
    right: Ints32
    final: Ints32


@dataclass(frozen=True)
class Hypergraph:
    """The chart of one lattice, or of M end to end, with A arcs, H halves, K links and N roots.

    ``halves``, ``links``, ``roots``: the items, halves and links in order of width once they lie
    end to end, roots of lattice. ``half_rows``, ``link_rows``: the hyperedges into halves and into
    links, and then which of the items have which width. ``root_lattice`` is (N,). ``arc_first``
    (M + 1,): the arcs of lattice m are ``arc_first[m]:arc_first[m + 1]``; their numbers rise along
    a path. ``states``: how many there are.
    """

    halves: Halves
    links: Links
    roots: Roots
    half_rows: Rows | Rectangles
    link_rows: Rows | Rectangles
    root_lattice: Ints
    arc_first: Ints
    states: int

    @cached_property
    def widths(self) -> int:
        """How many widths there are, from zero."""
        return int(self.halves.width.max(initial=0)) + 1

    @cached_property
    def root_first(self) -> Ints:
        """The first root of each lattice, shape (M,)."""
        return np.searchsorted(self.root_lattice, np.arange(len(self.arc_first) - 1))

    @cached_property
    def arc_lattice(self) -> Ints:
        """The lattice of each arc, shape (A,)."""
        return np.repeat(np.arange(len(self.arc_first) - 1), np.diff(self.arc_first))

    @property
    def size(self) -> int:
        """The number of hyperedges, which is what a pass costs."""
        return self.half_rows.size + self.link_rows.size


def shape_of(
    source: NDArray[Any],
    target: NDArray[Any],
    start: int,
    final: Bools,
) -> Hypergraph:
    """Compile the chart of a lattice.

    ``source``, ``target`` (arcs,): the states that each arc leaves and enters, source < target, in
    order of source. ``final`` (states,): which states are final.

    A sentence of three words:

    >>> shape = shape_of(np.arange(3), np.arange(1, 4), 0, np.arange(4) == 3)
    >>> len(shape.links.head), len(shape.halves.arc), len(shape.roots.arc), shape.size
    (6, 12, 3, 16)
    """
    reach, level = _reach(source, target, len(final))
    spans = np.stack((reach[:, source].T, reach[target]))  # side, arc: the states of its halves
    may_link = np.stack((spans[LEFT][:, target], spans[RIGHT][:, source]))  # side, head, child
    _check_size(spans, may_link)

    halves = _halves(spans, level, source, target)
    links = _links(may_link, level, source, target)
    half = _numbered(spans)
    link = _numbered(may_link)
    root, end = np.nonzero(spans[LEFT, :, start, None] & spans[RIGHT] & final)

    return Hypergraph(
        halves=halves,
        links=links,
        roots=Roots(_int(root), half[LEFT, root, start], half[RIGHT, root, end], _int(end)),
        half_rows=_half_rows(halves, spans, half, link),
        link_rows=_link_rows(links, spans, half),
        root_lattice=np.zeros(len(root), dtype=np.int64),
        arc_first=np.array([0, len(source)]),
        states=len(final),
    )


def _reach(source: NDArray[Any], target: NDArray[Any], states: int) -> tuple[Bools, Ints32]:
    """Which states each state reaches, itself included, and the level of each."""
    reach = np.eye(states, dtype=bool)
    level = np.zeros(states, dtype=np.int32)
    bounds = np.searchsorted(source, np.arange(states + 1)).tolist()
    after = [target[a:b] for a, b in pairwise(bounds)]

    for state in range(states):
        level[after[state]] = np.maximum(level[after[state]], level[state] + 1)
    for state in reversed(range(states)):
        reach[state] |= reach[after[state]].any(axis=0)
    return reach, level


def _check_size(spans: Bools, may_link: Bools) -> None:
    """Raise where the chart is too large, counted before anything of its size is made."""
    left, right = spans.astype(np.float32)
    meet = right @ left.T
    into_left = may_link[LEFT] * (meet.T + left.sum(axis=1))
    into_right = may_link[RIGHT] * (meet + right.sum(axis=1))
    check_size(into_left.sum() + into_right.sum(), spans.shape[1])


def check_size(size: float, arcs: int) -> None:
    """Raise where a chart of so many hyperedges is too large."""
    if size > HYPEREDGE_LIMIT:
        raise ChartSizeError(
            f"a chart of {size:.2g} hyperedges from {arcs:,} arcs, more than "
            f"{HYPEREDGE_LIMIT:,}; leave out long sentences or take a smaller "
            "neighborhood"
        )


def _halves(spans: Bools, level: Ints32, source: NDArray[Any], target: NDArray[Any]) -> Halves:
    side, arc, state = np.nonzero(spans)
    before = level[source[arc]] - level[state]
    after = level[state] - level[target[arc]]
    return Halves(*map(_int, (arc, side, state, np.where(side == LEFT, before, after))))


def _links(may_link: Bools, level: Ints32, source: NDArray[Any], target: NDArray[Any]) -> Links:
    side, head, child = np.nonzero(may_link)
    after = np.where(side == LEFT, head, child)
    before = np.where(side == LEFT, child, head)
    return Links(*map(_int, (head, child, side, level[source[after]] - level[target[before]])))


def _half_rows(halves: Halves, spans: Bools, half: Ints32, link: Ints32) -> Rows:
    """A hyperedge for every outermost child."""
    linked = (link >= 0)[halves.side, halves.arc]
    linked &= spans.transpose(0, 2, 1)[halves.side, halves.state]
    row, child = np.nonzero(linked)
    side = halves.side[row]
    arc = halves.arc[row]
    state = halves.state[row]
    indptr = _int(_offsets(linked.sum(axis=1)))
    return Rows(indptr, link[side, arc, child], half[side, child, state])


def _link_rows(links: Links, spans: Bools, half: Ints32) -> Rows:
    """A hyperedge for every state where the head's half and the child's can meet."""
    between = spans[links.side, links.head]
    between &= spans[1 - links.side, links.child]
    row, state = np.nonzero(between)
    side = links.side[row]
    head = links.head[row]
    child = links.child[row]
    indptr = _int(_offsets(between.sum(axis=1)))
    return Rows(indptr, half[side, head, state], half[1 - side, child, state])


def _numbered(items: Bools) -> Ints32:
    """The number of each item in a table, −1 where there is none."""
    table = np.full(items.shape, -1, dtype=np.int32)
    table[items] = np.arange(items.sum())
    return table


def _int(column: NDArray[Any]) -> Ints32:
    return column.astype(np.int32)


def end_to_end(graphs: Sequence[Hypergraph]) -> Hypergraph:
    """The charts of single lattices as one, their items sorted by width."""
    arc = _offsets([graph.arc_first[-1] for graph in graphs])
    state = _offsets([graph.states for graph in graphs])
    half = _offsets([len(graph.halves.arc) for graph in graphs])
    link = _offsets([len(graph.links.head) for graph in graphs])

    halves = Halves(*_moved([graph.halves for graph in graphs], (arc, None, state, None)))
    links = Links(*_moved([graph.links for graph in graphs], (arc, arc, None, None)))
    roots = Roots(*_moved([graph.roots for graph in graphs], (arc, half, half, state)))
    widest = int(halves.width.max())
    by_half = _by_width(halves.width, widest)
    by_link = _by_width(links.width, widest)
    half_rows = [graph.half_rows for graph in graphs]
    link_rows = [graph.link_rows for graph in graphs]
    number = by_half.number

    return Hypergraph(
        halves=Halves(*(column[by_half.order] for column in halves)),
        links=Links(*(column[by_link.order] for column in links)),
        roots=roots._replace(left=number[roots.left], right=number[roots.right]),
        half_rows=_rows(half_rows, (link, half), by_half, (by_link, by_half)),
        link_rows=_rows(link_rows, (half, half), by_link, (by_half, by_half)),
        root_lattice=np.repeat(np.arange(len(graphs)), [len(graph.roots.arc) for graph in graphs]),
        arc_first=arc,
        states=int(state[-1]),
    )


def _offsets(sizes: Sequence[int] | Ints) -> Ints:
    return np.append(0, np.cumsum(sizes))


def _moved(
    tables: Sequence[tuple[NDArray[Any], ...]], offsets: Sequence[Ints | None]
) -> Iterator[NDArray[Any]]:
    """Columns of several tables end to end, each part's entries raised by its offset."""
    for columns, offset in zip(zip(*tables, strict=True), offsets, strict=True):
        joined = np.concatenate(columns)
        if offset is None:
            yield joined
        else:
            yield _int(joined + np.repeat(offset[:-1], [len(column) for column in columns]))


class _Order(NamedTuple):
    """The items in order of width, the place of each in it, and where each width begins."""

    order: Ints
    number: Ints32
    bounds: list[int]


def _by_width(width: Ints32, widest: int) -> _Order:
    order = np.argsort(width.astype(np.int16), kind="stable")
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    bounds = _offsets(np.bincount(width, minlength=widest + 1))
    return _Order(order, number, bounds.tolist())


def _rows(
    parts: Sequence[Rows | Rectangles],
    offsets: tuple[Ints, Ints],
    items: _Order,
    operands: tuple[_Order, _Order],
) -> Rows:
    """The hyperedges with their rows and operands in the new orders of both."""
    listed = [rows for rows in parts if isinstance(rows, Rows)]
    tables = [(np.diff(rows.indptr), rows.left, rows.right) for rows in listed]
    incoming, left, right = _moved(tables, (None, *offsets))
    counts = incoming[items.order].astype(np.int64)
    edges = ranges((np.cumsum(incoming) - incoming)[items.order], counts)

    lefts, rights = operands
    left = lefts.number[left[edges]]
    return Rows(_int(_offsets(counts)), left, rights.number[right[edges]], items.bounds)
