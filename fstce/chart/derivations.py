"""Derivations of a packed chart, and the trees that they are.

A tree is derived from its root down, by choosing a hyperedge for each item. The walk goes
through all trees of a pack at once, one generation of halves a step. A node is an item,
or, where an item has k candidates, item · k + rank.

For the k best trees of a lattice, over all its strings, every item keeps its k best
candidates. The r-th best of a hyperedge joins the i-th of one operand and the j-th of the
other with i · j ≤ r (from 1), which bounds what is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.chart.batch import ChartBatch, ItemFactors, Pack
from fstce.chart.shape import Hypergraph, Rows
from fstce.numeric.types import Floats, Ints
from fstce.parameters.rules import POSITIVE

Operands = Callable[[Ints], tuple[NDArray[Any], NDArray[Any]]]


class Trees(NamedTuple):
    """Trees and the strings that they span, from left to right, −1 behind a shorter string's end.

    A tree that does not exist (the grammar allows none, or fewer than k) has no words and
    the score −inf.

    Attributes
    ----------
    heads : ndarray of int64, shape (lattices, …, longest)
        The head of each word, numbered from 1; 0 for the root.
    tags : ndarray of int64, shape (lattices, …, longest)
        The number of each word's tag in the model.
    arcs : ndarray of int64, shape (lattices, …, longest)
        The number of each word's arc in the lattice's ``Arrays``.
    score : ndarray, shape (lattices, …)
        Log weights in nats; of minimum-risk trees, the sum of the posteriors.
    """

    heads: Ints
    tags: Ints
    arcs: Ints
    score: Floats


class JoinedNodes(NamedTuple):
    """From nodes to nodes: halves to a link and a half (−1 if closed), links and roots to two halves."""

    half: Operands
    link: Operands
    root: Operands


class Visits(NamedTuple):
    """Which trees visit which nodes."""

    tree: Ints
    node: Ints


class Derivations(NamedTuple):
    """What the trees visit: links, halves that stop, halves that go on, roots."""

    link: Visits
    stop: Visits
    go: Visits
    root: Visits

    def score(self, scores: ItemFactors, trees: int) -> Floats:
        """The log weight of each of so many trees, −inf of one that visits nothing."""
        result = np.full(trees, -np.inf)
        result[self.root.tree] = 0.0
        for visits, factor in zip(self, scores, strict=True):
            result += np.bincount(visits.tree, factor[visits.node], trees)
        return result


def derive(root: Ints, choices: JoinedNodes) -> Derivations:
    """Follow the choices from each tree's root node; −1 for a tree that does not exist."""
    trees = np.flatnonzero(root >= 0)
    left, right = choices.root(root[trees])
    links: list[Visits] = []
    goes: list[Visits] = []
    stops = [_visits((trees, left), (trees, right))]
    frontier = stops[0]
    while len(frontier.tree):
        link, far = choices.half(frontier.node)
        linked = np.flatnonzero(link >= 0)
        tree, link, far = frontier.tree[linked], link[linked], far[linked]
        near, child = choices.link(link)
        links.append(_visits((tree, link)))
        goes.append(_visits((tree, near)))
        stops.append(_visits((tree, far), (tree, child)))
        frontier = _visits(*goes[-1:], *stops[-1:])
    return Derivations(_visits(*links), _visits(*stops), _visits(*goes), Visits(trees, root[trees]))


def operands(rows: Rows, edge: Ints) -> tuple[NDArray[Any], NDArray[Any]]:
    """The operands of hyperedges, −1 for no hyperedge."""
    there = edge >= 0
    left, right = np.full(len(edge), -1), np.full(len(edge), -1)
    left[there], right[there] = rows.left[edge[there]], rows.right[edge[there]]
    return left, right


def assemble(
    batch: ChartBatch, derived: Sequence[tuple[Derivations, Floats]], n: int | None = None
) -> Trees:
    """The derivations of all packs, n of each lattice, as trees."""
    each = 1 if n is None else n
    parts = [
        _strings(
            pack, derivations, len(score), np.concatenate([batch.arcs[m] for m in pack.lattices])
        )
        for pack, (derivations, score) in zip(batch.packs, derived, strict=True)
    ]
    longest = max(columns.shape[2] for columns in parts)
    whole = np.full((3, batch.n_distinct, each, longest), -1)
    scores = np.empty((batch.n_distinct, each))
    for pack, columns, (_, score) in zip(batch.packs, parts, derived, strict=True):
        scores[pack.lattices] = score.reshape(-1, each)
        shape = (3, len(pack.lattices), each, columns.shape[2])
        whole[:, pack.lattices, :, : columns.shape[2]] = columns.reshape(shape)
    if n is None:
        whole, scores = whole[:, :, 0], scores[:, 0]
    heads, tags, arcs = whole[:, batch.index]
    return Trees(heads, tags, arcs, scores[batch.index])


def _strings(pack: Pack, derivations: Derivations, trees: int, original: Ints) -> Ints:
    """Heads, tags and arcs of the words of each tree, shape (3, trees, longest); their `original` numbers."""
    tree, head, child = _attached(pack.graph, derivations)
    arcs = len(pack.tag)
    order = np.argsort(tree * arcs + child)
    tree, head, child = tree[order], head[order], child[order]
    length = np.bincount(tree, minlength=trees)
    first = (np.cumsum(length) - length)[tree]
    head_at = np.searchsorted(tree * arcs + child, tree * arcs + head) - first + 1
    result = np.full((3, trees, int(length.max(initial=0))), -1)
    columns = np.stack((np.where(head < 0, 0, head_at), pack.tag[child], original[child]))
    result[:, tree, np.arange(len(tree)) - first] = columns
    return result


def _attached(graph: Hypergraph, derivations: Derivations) -> tuple[Ints, Ints, Ints]:
    """Tree, head arc (−1 for the root) and child arc of every word."""
    link, root = derivations.link, derivations.root
    tree = np.concatenate((link.tree, root.tree))
    head = np.concatenate((graph.links.head[link.node], np.full(len(root.node), -1)))
    child = np.concatenate((graph.links.child[link.node], graph.roots.arc[root.node]))
    return tree, head.astype(np.int64), child.astype(np.int64)


def _visits(*parts: tuple[NDArray[Any], NDArray[Any]]) -> Visits:
    none = np.zeros(0, dtype=np.int64)
    trees, nodes = zip((none, none), *parts, strict=True)
    return Visits(np.concatenate(trees).astype(np.int64), np.concatenate(nodes).astype(np.int64))


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
        stop[a:b], go[a:b] = (
            half.value[a:b] + scores.stop[a:b, None],
            half.value[a:b] + scores.go[a:b, None],
        )
        # link[a, b] = child(a, b) + the k best over q of R′[a, q] + L̄[b, q]: (links, k)
        a, b = graph.link_bounds[width], graph.link_bounds[width + 1]
        _join(link, graph.link_rows, a, b, go, stop)
        link.value[a:b] += scores.link[a:b, None]
    root = Candidates(len(graph.root_first), k)
    of_root = _roots(root, graph, scores.root, stop)
    nodes = np.where(
        np.isfinite(root.value), np.arange(root.value.size).reshape(root.value.shape), -1
    )
    ranked = derive(nodes.ravel(), JoinedNodes(half.operands, link.operands, root.operands))
    items = (
        Visits(ranked.link.tree, ranked.link.node // k),
        Visits(ranked.stop.tree, ranked.stop.node // k),
    )
    roots = Visits(ranked.root.tree, of_root.ravel()[ranked.root.node])
    return Derivations(
        *items, Visits(ranked.go.tree, ranked.go.node // k), roots
    ), root.value.ravel()


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
