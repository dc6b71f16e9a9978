"""The inside pass in any semiring of log weights, and posteriors from it in log space.

Slower than :mod:`fstce.chart.insideoutside` by some three times, and exact whatever the scores.
In the tropical semiring the same pass gives the best trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fstce.chart.batch import ItemFactors
from fstce.chart.hypergraph import Hypergraph, Rows
from fstce.numeric.kernels import scatter, total
from fstce.numeric.semirings import LOG, Semiring
from fstce.numeric.types import Floats


class Items(NamedTuple):
    """The log weight of every item, shapes as in :class:`ItemFactors`.

    ``half``, ``stop``, ``go`` (H,): a half open, stopped, and going on. ``link`` is (K,). ``root`` is (N,).
    ``z`` (M,): each lattice's ⊕-sum over its trees.
    """

    half: Floats
    stop: Floats
    go: Floats
    link: Floats
    root: Floats
    z: Floats


def inside(graph: Hypergraph, scores: ItemFactors, semiring: Semiring = LOG) -> Items:
    """Fill the chart.

    ``semiring``: LOG for sums, TROPICAL for maxima.
    """
    half, link = np.full(len(scores.stop), -np.inf), np.full(len(scores.link), -np.inf)
    stop, go = np.empty_like(half), np.empty_like(half)
    half[: graph.half_bounds[1]] = 0.0
    for width in graph.widths:
        a, b = graph.half_bounds[width], graph.half_bounds[width + 1]
        if width > 0:
            # R[a, j] = ⊕_b link[a, b] ⊗ R̄[b, j]
            half[a:b] = _reduce(graph.half_rows, a, b, link, stop, semiring)
        stop[a:b], go[a:b] = half[a:b] + scores.stop[a:b], half[a:b] + scores.go[a:b]
        a, b = graph.link_bounds[width], graph.link_bounds[width + 1]
        # link[a, b] = child(a, b) ⊗ ⊕_q R′[a, q] ⊗ L̄[b, q]
        link[a:b] = _reduce(graph.link_rows, a, b, go, stop, semiring) + scores.link[a:b]
    # Z = ⊕ over root arcs a of root(a) ⊗ L̄[a, start] ⊗ R̄[a, end]
    root = scores.root + stop[graph.roots.left] + stop[graph.roots.right]
    return Items(half, stop, go, link, root, semiring.plus_reduce(root, graph.root_first))


def _reduce(rows: Rows, a: int, b: int, left: Floats, right: Floats, semiring: Semiring) -> Floats:
    if a == b:
        return np.zeros(0)
    return semiring.plus_reduce(_through(rows, a, b, left, right), rows.indptr[a:b] - rows.indptr[a])


def _through(rows: Rows, a: int, b: int, left: Floats, right: Floats) -> Floats:
    """The product of each hyperedge's operands, for the rows a:b."""
    edges = slice(rows.indptr[a], rows.indptr[b])
    return left[rows.left[edges]] + right[rows.right[edges]]


def shares(rows: Rows, a: int, b: int, left: Floats, right: Floats, result: Floats) -> Floats:
    """Each hyperedge's part of the sum of its row, for the rows a:b; `result` is their sums."""
    greatest = np.where(np.isfinite(result), result, np.inf)  # a row without a derivation has no shares
    counts = np.diff(rows.indptr[a : b + 1])
    return np.exp(_through(rows, a, b, left, right) - np.repeat(greatest, counts))


def root_shares(graph: Hypergraph, items: Items) -> Floats:
    """Each root's posterior probability."""
    whole = np.where(np.isfinite(items.z), items.z, 0.0)
    return np.exp(items.root - whole[graph.root_lattice])


def all_shares(graph: Hypergraph, scores: ItemFactors, items: Items) -> tuple[Floats, Floats]:
    """The shares of all hyperedges into halves and into links."""
    halves, links = len(items.half), len(items.link)
    half = shares(graph.half_rows, 0, halves, items.link, items.stop, items.half)
    return half, shares(graph.link_rows, 0, links, items.go, items.stop, _unlinked(scores.link, items.link))


def posteriors(graph: Hypergraph, scores: ItemFactors, items: Items, coefficient: Floats) -> ItemFactors:
    """coefficient · P of every item's own choice: the mass of each result shared out to its operands."""
    stop, go, link = (np.zeros_like(x) for x in (items.stop, items.go, items.link))
    root = root_shares(graph, items) * coefficient[graph.root_lattice]
    stop += total(graph.roots.left, root, len(stop)) + total(graph.roots.right, root, len(stop))
    for links, rows, a, b in _steps_back(graph):
        # The mass of link[a, b] goes to R′[a, q] and L̄[b, q], that of R[a, j] to link[a, b] and R̄[b, j],
        # by the share of each product in its sum: part (hyperedges of this width,)
        if links:
            inner = _unlinked(scores.link[a:b], items.link[a:b])
            part = shares(rows, a, b, items.go, items.stop, inner)
            _send(rows, a, b, part, link[a:b], go, stop)
        else:
            part = shares(rows, a, b, items.link, items.stop, items.half[a:b])
            _send(rows, a, b, part, stop[a:b] + go[a:b], link, stop)
    return ItemFactors(link, stop, go, root)


def _unlinked(score: Floats, link: Floats) -> Floats:
    """The sum under each link, without the link's own score; −inf where that is."""
    return link - np.where(np.isfinite(score), score, 0.0)


def _steps_back(graph: Hypergraph) -> Iterator[tuple[bool, Rows, int, int]]:
    """Links, then halves of each width, the widest first; halves of width 0 have no hyperedges."""
    for width in reversed(graph.widths):
        yield True, graph.link_rows, graph.link_bounds[width], graph.link_bounds[width + 1]
        yield False, graph.half_rows, graph.half_bounds[width], graph.half_bounds[width + 1]


def _send(rows: Rows, a: int, b: int, part: Floats, mass: Floats, to_left: Floats, to_right: Floats) -> None:
    """Add to each operand its share of the mass of rows a:b, in place."""
    edges = slice(rows.indptr[a], rows.indptr[b])
    indptr = rows.indptr[a : b + 1] - rows.indptr[a]
    scatter(indptr, rows.left[edges], part, mass, to_left)
    scatter(indptr, rows.right[edges], part, mass, to_right)
