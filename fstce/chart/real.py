"""Inside and outside in the real semiring: the fast passes, where the floating-point range allows them.

A width of all lattices is one sparse product: gather one operand, multiply by the other,
sum the rows. The outside pass is the same list in reverse mode; the adjoint of an item
times its value is the posterior of the item.

Every factor lies within e^±SAFE. If every item that has a derivation lies within ±RANGE,
no operand or row sum has left the normal doubles, and what underflowed is less than
1e-14 of the sum it belongs to. Otherwise the pass says so and log space takes over.
"""

from __future__ import annotations

import threading

import numpy as np

from fstce.chart.batch import ItemFactors
from fstce.chart.hypergraph import Hypergraph, Rows
from fstce.numeric.kernels import gather, scatter, take, total
from fstce.numeric.types import Bools, Floats

SAFE = 100.0
RANGE = 1e250


class Workspace(threading.local):
    """One number for each hyperedge of the largest pack, used by all packs of a thread in turn."""

    def __init__(self, half_edges: int, link_edges: int) -> None:
        self.half = np.empty(half_edges)
        self.link = np.empty(link_edges)


class RealChart:
    """The chart of one pack, filled for some weights.

    ``weights``: exponentials of scores within ±SAFE, or zeros. ``z`` (lattices,): the sum over trees of each
    lattice.
    """

    def __init__(self, graph: Hypergraph, weights: ItemFactors, workspace: Workspace) -> None:
        self._graph = graph
        self._weights = weights
        self._left_of_half, self._left_of_link = workspace.half, workspace.link
        self._half = np.zeros(len(weights.stop))
        self._stop, self._go = np.empty_like(self._half), np.empty_like(self._half)
        self._link = np.zeros(len(weights.link))
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            self._inside()
            roots = graph.roots
            self._root = weights.root * self._stop[roots.left] * self._stop[roots.right]
            self.z = np.add.reduceat(self._root, graph.root_first)

    def in_range(self, derivable: tuple[Bools, Bools, Bools] | None) -> bool:
        """Whether every half, link and lattice that has a derivation (all, if None) is within the range."""
        for number, values in enumerate((self._half, self._link, self.z)):
            present = values if derivable is None else values[derivable[number]]
            if not (present.min(initial=1.0) > 1 / RANGE and present.max(initial=1.0) < RANGE):
                return False
        return True

    def posteriors(self, coefficient: Floats) -> ItemFactors:
        """coefficient · P of every item's own choice; overwrites the workspace."""
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            return self._outside(np.divide(coefficient, self.z, out=np.zeros_like(self.z), where=self.z > 0))

    def _inside(self) -> None:
        graph, weights = self._graph, self._weights
        self._half[: graph.half_bounds[1]] = 1.0
        for width in graph.widths:
            # R[a, j] = Σ_b link[a, b] · R̄[b, j]; then R̄ = R · stop and R′ = R · go: the halves of this width
            a, b = graph.half_bounds[width], graph.half_bounds[width + 1]
            _multiply_sum(graph.half_rows, a, b, self._link, self._stop, self._left_of_half, self._half)
            np.multiply(self._half[a:b], weights.stop[a:b], out=self._stop[a:b])
            np.multiply(self._half[a:b], weights.go[a:b], out=self._go[a:b])
            # link[a, b] = child(a, b) · Σ_q R′[a, q] · L̄[b, q]
            a, b = graph.link_bounds[width], graph.link_bounds[width + 1]
            _multiply_sum(graph.link_rows, a, b, self._go, self._stop, self._left_of_link, self._link)
            self._link[a:b] *= weights.link[a:b]

    def _outside(self, share: Floats) -> ItemFactors:
        graph, weights = self._graph, self._weights
        stop, go, link = np.zeros_like(self._half), np.zeros_like(self._half), np.zeros_like(self._link)
        root = self._root_adjoints(share, stop)
        zeros = not (weights.link.all() and weights.stop.all() and weights.go.all() and weights.root.all())
        for width in reversed(graph.widths):
            a, b = graph.link_bounds[width], graph.link_bounds[width + 1]
            if zeros:
                link[a:b][self._link[a:b] == 0] = 0.0
            # Adjoints: R′[a, q] += link[a, b] · child · L̄[b, q], and L̄[b, q] += link[a, b] · child · R′[a, q]
            row = link[a:b] * weights.link[a:b]
            _send(graph.link_rows, a, b, row, self._left_of_link, self._stop, go, stop)
            a, b = graph.half_bounds[width], graph.half_bounds[width + 1]
            if zeros:
                stop[a:b][self._stop[a:b] == 0] = 0.0
                go[a:b][self._go[a:b] == 0] = 0.0
            # R[a, j] = R̄ · stop + R′ · go (adjoints); link[a, b] += R[a, j] · R̄[b, j], and so for R̄
            row = stop[a:b] * weights.stop[a:b] + go[a:b] * weights.go[a:b]
            _send(graph.half_rows, a, b, row, self._left_of_half, self._stop, link, stop)
        return ItemFactors(link * self._link, stop * self._stop, go * self._go, root)

    def _root_adjoints(self, share: Floats, stop: Floats) -> Floats:
        """Begin the outside pass: adjoints of the roots' halves, added in place; the roots' posteriors."""
        roots = self._graph.roots
        by_root = share[self._graph.root_lattice]
        weighted = by_root * self._weights.root
        stop += total(roots.left, weighted * self._stop[roots.right], len(stop))
        stop += total(roots.right, weighted * self._stop[roots.left], len(stop))
        return by_root * self._root


def _multiply_sum(rows: Rows, a: int, b: int, left: Floats, right: Floats, kept: Floats, out: Floats) -> None:
    """out[a:b] += Σ over the hyperedges of each row of left · right; the left operands are kept."""
    lo, hi = rows.indptr[a], rows.indptr[b]
    take(rows.left[lo:hi], left, kept[lo:hi])
    gather(rows.indptr[a : b + 1], rows.right, kept, right, out[a:b])


def _send(
    rows: Rows, a: int, b: int, row: Floats, kept: Floats, right: Floats, to_left: Floats, to_right: Floats
) -> None:
    """Add the adjoints of rows a:b to their operands, in place."""
    lo, hi = rows.indptr[a], rows.indptr[b]
    indptr = rows.indptr[a : b + 1]
    scatter(indptr, rows.right, kept, row, to_right)
    take(rows.right[lo:hi], right, kept[lo:hi])
    scatter(indptr, rows.left, kept, row, to_left)
