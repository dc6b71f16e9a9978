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

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.grammars.dmv import LEFT, RIGHT
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Bools, Ints, Ints32

HYPEREDGE_LIMIT = 50_000_000


class Halves(NamedTuple):
    """Head arc, side (LEFT or RIGHT), far state and width of each half; in order of width."""

    arc: Ints32
    side: Ints32
    state: Ints32
    width: Ints32


class Links(NamedTuple):
    """Head arc, child arc, side of the head and width of each link; in order of width."""

    head: Ints32
    child: Ints32
    side: Ints32
    width: Ints32


class Edges(NamedTuple):
    """How many hyperedges lead to each item, in order of item, and their two operands.

    A half's are a link and the far half of its child; a link's are a half of its head, which
    goes on, and the near half of its child, which stops.
    """

    incoming: Ints32
    left: Ints32
    right: Ints32


class Roots(NamedTuple):
    """Each root arc with its two halves and the final state that the right one reaches."""

    arc: Ints32
    left: Ints32
    right: Ints32
    final: Ints32


class Shape(NamedTuple):
    """The chart of one lattice: its items, the hyperedges into them, its roots.

    ``level`` is (states,). ``source`` is (arcs,).
    """

    level: Ints32
    source: Ints32
    halves: Halves
    half_edges: Edges
    links: Links
    link_edges: Edges
    roots: Roots

    @property
    def size(self) -> int:
        """The number of hyperedges, which is what a pass costs."""
        return len(self.half_edges.left) + len(self.link_edges.left)


def shape_of(
    source: NDArray[Any], target: NDArray[Any], start: int, final: Bools, max_link: int | None = None
) -> Shape:
    """Compile the chart of a lattice.

    ``source``, ``target`` (arcs,): the states that each arc leaves and enters, source < target, in order of
    source. ``final`` (states,): which states are final. ``max_link``: the most words that a link may span: a
    chart of n words then has O(n max_link²) link edges instead of O(n³).

    A sentence of three words:

    >>> shape = shape_of(np.arange(3), np.arange(1, 4), 0, np.arange(4) == 3)
    >>> len(shape.links.head), len(shape.halves.arc), len(shape.roots.arc), shape.size
    (6, 12, 3, 16)
    """
    reach, level = _reach(source, target, len(final))
    spans = np.stack((reach[:, source].T, reach[target]))  # by side and arc: the states of its halves
    may_link = _may_link(spans, level, source, target, max_link)
    _check_size(spans, may_link)
    halves = _halves(spans, level, source, target)
    links = _links(may_link, level, source, target)
    arcs = len(source)
    half = _numbered((2, arcs, len(final)), halves.side, halves.arc, halves.state)
    link = _numbered((2, arcs, arcs), links.side, links.head, links.child)
    root, end = np.nonzero(spans[LEFT, :, start, None] & spans[RIGHT] & final)
    return Shape(
        level=level,
        source=source.astype(np.int32),
        halves=halves,
        half_edges=_half_edges(halves, spans, half, link),
        links=links,
        link_edges=_link_edges(links, spans, half),
        roots=Roots(_int(root), half[LEFT, root, start], half[RIGHT, root, end], _int(end)),
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


def _may_link(
    spans: Bools, level: Ints32, source: NDArray[Any], target: NDArray[Any], max_link: int | None
) -> Bools:
    """Which arcs may be children of which on each side of the head: (side, head, child)."""
    linked = np.stack((spans[LEFT][:, target], spans[RIGHT][:, source]))
    if max_link is not None:
        gap = level[source] - level[target][:, None]  # levels from the end of an earlier arc to a later one
        linked &= np.stack((gap.T, gap)) < max_link
    return linked


def _check_size(spans: Bools, may_link: Bools) -> None:
    """Raise where the chart is too large, counted before anything of its size is made."""
    left, right = spans.astype(np.float32)
    meet = right @ left.T
    size = (may_link[LEFT] * (meet.T + left.sum(axis=1))).sum() + (
        may_link[RIGHT] * (meet + right.sum(axis=1))
    ).sum()
    if size > HYPEREDGE_LIMIT:
        raise MachineError(
            f"a chart of {size:.2g} hyperedges from {spans.shape[1]:,} arcs, more than {HYPEREDGE_LIMIT:,}; "
            "leave out long sentences or take a smaller neighborhood"
        )


def _halves(spans: Bools, level: Ints32, source: NDArray[Any], target: NDArray[Any]) -> Halves:
    side, arc, state = np.nonzero(spans)
    width = np.where(side == LEFT, level[source[arc]] - level[state], level[state] - level[target[arc]])
    order = np.argsort(width, kind="stable")
    return Halves(*(_int(column[order]) for column in (arc, side, state, width)))


def _links(may_link: Bools, level: Ints32, source: NDArray[Any], target: NDArray[Any]) -> Links:
    side, head, child = np.nonzero(may_link)
    after, before = np.where(side == LEFT, head, child), np.where(side == LEFT, child, head)
    width = level[source[after]] - level[target[before]]
    order = np.argsort(width, kind="stable")
    return Links(*(_int(column[order]) for column in (head, child, side, width)))


def _half_edges(halves: Halves, spans: Bools, half: Ints32, link: Ints32) -> Edges:
    """One for every outermost child."""
    linked = (link >= 0)[halves.side, halves.arc]
    linked &= spans.transpose(0, 2, 1)[halves.side, halves.state]
    row, child = np.nonzero(linked)
    side, arc, state = halves.side[row], halves.arc[row], halves.state[row]
    return Edges(linked.sum(axis=1, dtype=np.int32), link[side, arc, child], half[side, child, state])


def _link_edges(links: Links, spans: Bools, half: Ints32) -> Edges:
    """One for every state where the head's half and the child's can meet."""
    between = spans[links.side, links.head]
    between &= spans[1 - links.side, links.child]
    row, state = np.nonzero(between)
    side, head, child = links.side[row], links.head[row], links.child[row]
    return Edges(between.sum(axis=1, dtype=np.int32), half[side, head, state], half[1 - side, child, state])


def _numbered(shape: tuple[int, ...], *columns: Ints32) -> Ints32:
    """The number of each item in a table by its columns, −1 where there is none."""
    table = np.full(shape, -1, dtype=np.int32)
    table[columns] = np.arange(len(columns[0]), dtype=np.int32)
    return table


def _int(column: NDArray[Any]) -> Ints32:
    return column.astype(np.int32)


Table = TypeVar("Table", Halves, Links, Edges, Roots)


class Rows(NamedTuple):
    """Hyperedges in compressed rows: those of item i are ``indptr[i]:indptr[i + 1]``."""

    indptr: Ints32
    left: Ints32
    right: Ints32


@dataclass(frozen=True)
class Hypergraph:
    """The charts of several lattices, end to end; H halves, K links, A arcs, N roots, M lattices.

    ``halves``, ``links``, ``roots``: the items, halves and links in order of width, roots in order of
    lattice. ``half_rows``, ``link_rows``: the hyperedges into halves and into links. ``half_bounds``,
    ``link_bounds``: the items of width w are ``bounds[w]:bounds[w + 1]``. ``root_first`` (M,): the first root
    of each lattice. ``root_lattice`` is (N,). ``arc_first`` (M + 1,): the arcs of lattice m are
    ``arc_first[m]:arc_first[m + 1]``; their numbers rise along a path.
    """

    halves: Halves
    links: Links
    roots: Roots
    half_rows: Rows
    link_rows: Rows
    half_bounds: list[int]
    link_bounds: list[int]
    root_first: Ints
    root_lattice: Ints
    arc_first: Ints

    @property
    def widths(self) -> range:
        """All widths, 0 first."""
        return range(len(self.half_bounds) - 1)

    @cached_property
    def arc_lattice(self) -> Ints:
        """The lattice of each arc, shape (A,)."""
        return np.repeat(np.arange(len(self.root_first)), np.diff(self.arc_first))

    @property
    def size(self) -> int:
        """The number of hyperedges."""
        return len(self.half_rows.left) + len(self.link_rows.left)


def join_shapes(shapes: Sequence[Shape]) -> Hypergraph:
    """Shapes end to end, their items sorted by width."""
    halves_of, links_of = [s.halves for s in shapes], [s.links for s in shapes]
    arc = _offsets([len(s.source) for s in shapes])
    state = _offsets([len(s.level) for s in shapes])
    half = _offsets([len(h.arc) for h in halves_of])
    link = _offsets([len(k.head) for k in links_of])
    halves = _moved(halves_of, (arc, None, state, None))
    links = _moved(links_of, (arc, arc, None, None))
    half_order, half_number = _by_width(halves.width)
    link_order, link_number = _by_width(links.width)
    half_edges = _moved([s.half_edges for s in shapes], (None, link, half))
    link_edges = _moved([s.link_edges for s in shapes], (None, half, half))
    roots = _moved([s.roots for s in shapes], (arc, half, half, state))
    n_roots = np.array([len(s.roots.arc) for s in shapes])
    return Hypergraph(
        halves=Halves(*(column[half_order] for column in halves)),
        links=Links(*(column[link_order] for column in links)),
        roots=Roots(roots.arc, half_number[roots.left], half_number[roots.right], roots.final),
        half_rows=_rows(half_edges, half_order, link_number, half_number),
        link_rows=_rows(link_edges, link_order, half_number, half_number),
        half_bounds=_bounds(halves.width, int(halves.width.max())),
        link_bounds=_bounds(links.width, int(halves.width.max())),
        root_first=np.cumsum(n_roots) - n_roots,
        root_lattice=np.repeat(np.arange(len(shapes)), n_roots),
        arc_first=arc,
    )


def _offsets(sizes: Sequence[int]) -> Ints:
    return np.append(0, np.cumsum(sizes))


def _moved(parts: Sequence[Table], offsets: Sequence[Ints | None]) -> Table:
    """Columns of several tables end to end, each part's entries raised by its offset."""
    columns = []
    for column, offset in zip(zip(*parts, strict=True), offsets, strict=True):
        whole = np.concatenate(column)
        if offset is not None:
            whole = (whole + np.repeat(offset[:-1], [len(part) for part in column])).astype(np.int32)
        columns.append(whole)
    return type(parts[0])(*columns)


def _by_width(width: Ints32) -> tuple[Ints, Ints32]:
    """The items in order of width, and the place of each in it."""
    order = np.argsort(width.astype(np.int16), kind="stable")
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return order, number


def _rows(edges: Edges, order: Ints, left: Ints32, right: Ints32) -> Rows:
    """The hyperedges with their rows in this order and their operands renumbered."""
    count = edges.incoming[order].astype(np.int64)
    chosen = ranges((np.cumsum(edges.incoming) - edges.incoming)[order], count)
    indptr = _offsets(count.tolist()).astype(np.int32)
    return Rows(indptr, left[edges.left[chosen]], right[edges.right[chosen]])


def _bounds(width: Ints32, widest: int) -> list[int]:
    return np.append(0, np.cumsum(np.bincount(width, minlength=widest + 1))).tolist()
