"""Shapes end to end: the charts of many lattices as one list of hyperedges.

Items are in order of width across all lattices, so one width of all of them is one sparse
product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np

from fstce.chart.shape import Edges, Halves, Links, Roots, Shape
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Ints, Ints32

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
