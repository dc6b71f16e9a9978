"""The k best trees of each lattice, over all its strings.

Every item keeps its k best candidates. The r-th best of a hyperedge joins the i-th of one
operand and the j-th of the other with i · j ≤ r (from 1), which bounds what is looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.chart.batch import ChartBatch, Pack
from fstce.chart.derivations import Derivations, JoinedNodes, Trees, Visits, assemble, derive
from fstce.chart.hypergraph import Hypergraph, Rows
from fstce.numeric.rules import POSITIVE
from fstce.numeric.types import Floats, Ints


class Candidates:
    """The k best derivations of each item: their log weights, and the nodes that they join (−1 for none).

    A node is item · k + rank.
    """

    def __init__(self, items: int, k: int) -> None:
        self.value = np.full((items, k), -np.inf)
        self.left = np.full((items, k), -1)
        self.right = np.full((items, k), -1)

    def operands(self, node: Ints) -> tuple[Ints, Ints]:
        """The nodes that these nodes join."""
        return self.left.ravel()[node], self.right.ravel()[node]


def k_best_trees(batch: ChartBatch, theta: Floats, k: int) -> Trees:
    """The k best trees of each lattice, best first.

    Parameters
    ----------
    batch : ChartBatch
    theta : ndarray, shape (model.size,)
    k : int

    Returns
    -------
    Trees
        Arrays of shape (lattices, k, longest) and (lattices, k).

    Raises
    ------
    ParameterError
        k is less than one.
    """
    POSITIVE.check(k=k)
    return assemble(batch, [_k_best(pack, theta, k) for pack in batch.packs], k)


def _k_best(pack: Pack, theta: Floats, k: int) -> tuple[Derivations, Floats]:
    graph, scores = pack.graph, pack.scores(theta)
    half, link = Candidates(len(pack.stop), k), Candidates(len(pack.child), k)
    half.value[: graph.half_bounds[1], 0] = 0.0
    stop, go = half.value + scores.stop[:, None], half.value + scores.go[:, None]
    for width in graph.widths:
        # R[a, j] = the k best of link[a, b] + R̄[b, j], then R̄ = R + stop and R′ = R + go: (halves, k), logs
        a, b = graph.half_bounds[width], graph.half_bounds[width + 1]
        _join(half, graph.half_rows, a, b, link.value, stop)
        stop[a:b], go[a:b] = half.value[a:b] + scores.stop[a:b, None], half.value[a:b] + scores.go[a:b, None]
        # link[a, b] = child(a, b) + the k best over q of R′[a, q] + L̄[b, q]: (links, k)
        a, b = graph.link_bounds[width], graph.link_bounds[width + 1]
        _join(link, graph.link_rows, a, b, go, stop)
        link.value[a:b] += scores.link[a:b, None]
    root = Candidates(len(graph.root_first), k)
    of_root = _roots(root, graph, scores.root, stop)
    nodes = np.where(np.isfinite(root.value), np.arange(root.value.size).reshape(root.value.shape), -1)
    ranked = derive(nodes.ravel(), JoinedNodes(half.operands, link.operands, root.operands))
    items = Visits(ranked.link.tree, ranked.link.node // k), Visits(ranked.stop.tree, ranked.stop.node // k)
    roots = Visits(ranked.root.tree, of_root.ravel()[ranked.root.node])
    return Derivations(*items, Visits(ranked.go.tree, ranked.go.node // k), roots), root.value.ravel()


def _join(into: Candidates, rows: Rows, a: int, b: int, left: Floats, right: Floats) -> None:
    """Fill the candidates of items a:b from their hyperedges; those without any stay as they are."""
    edges = slice(int(rows.indptr[a]), int(rows.indptr[b]))
    if edges.start < edges.stop:
        row = np.repeat(np.arange(a, b), np.diff(rows.indptr[a : b + 1]))
        _keep_best(into, row, rows.left[edges], rows.right[edges], left, right)


def _roots(into: Candidates, graph: Hypergraph, score: Floats, stop: Floats) -> Ints:
    """Fill the candidates of the lattices from their roots; the root of each."""
    row, roots = graph.root_lattice, graph.roots
    where, chosen = _keep_best(into, row, roots.left, roots.right, stop, stop, score[:, None])
    of_root = np.full(into.value.shape, -1)
    of_root.reshape(-1)[where] = chosen
    return of_root


def _keep_best(
    into: Candidates,
    row: NDArray[Any],
    left_item: NDArray[Any],
    right_item: NDArray[Any],
    left: Floats,
    right: Floats,
    factor: Floats | float = 0.0,
) -> tuple[Ints, Ints]:
    """Keep the k best joins of each row; the nodes that are filled, and the hyperedge of each."""
    k = into.value.shape[1]
    # Of k best left and k best right derivations, ranks (i, j) can be among the k best sums only
    # where (i + 1)(j + 1) ≤ k: all pairs of ranks up to it are as good
    i, j = np.nonzero(np.outer(np.arange(1, k + 1), np.arange(1, k + 1)) <= k)
    value = (left[left_item][:, i] + right[right_item][:, j] + factor).ravel()
    of_row = np.repeat(row, len(i))
    order = np.lexsort((-value, of_row))
    order = order[np.isfinite(value[order])]
    sorted_row = of_row[order]
    new = np.flatnonzero(np.diff(sorted_row, prepend=-1))
    rank = np.arange(len(order)) - np.repeat(new, np.diff(np.append(new, len(order))))
    kept, node = order[rank < k], (sorted_row * k + rank)[rank < k]
    edge, pair = np.divmod(kept, len(i))
    into.value.reshape(-1)[node] = value[kept]
    into.left.reshape(-1)[node] = left_item[edge].astype(np.int64) * k + i[pair]
    into.right.reshape(-1)[node] = right_item[edge].astype(np.int64) * k + j[pair]
    return node, edge
