"""Derivations of a packed chart, and the trees that they are.

A tree is derived from its root down, by choosing a hyperedge for each item. The walk goes
through all trees of a pack at once, one generation of halves a step. A node is an item in a column,
item · S + column, or, where it has k candidates, that times k + rank.

For the k best trees of a lattice, over all its strings, every item keeps its k best
candidates. The r-th best of a hyperedge joins the i-th of one operand and the j-th of the
other with i · j ≤ r (from 1), which bounds what is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.chart.batch import ChartBatch, ItemFactors, Pack
from fstce.chart.rows import Incoming, flat
from fstce.numeric.types import Floats, Ints, Ints32
from fstce.parameters.rules import POSITIVE

Operands = Callable[[Ints], tuple[NDArray[Any], ...]]


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
        Log weights in nats.
    """

    heads: Ints
    tags: Ints
    arcs: Ints
    score: Floats


class Visits(NamedTuple):
    """Which trees visit which nodes."""

    tree: Ints
    node: Ints


class Derivations(NamedTuple):
    """The visits of trees: links, halves that stop, halves that go on, roots."""

    link: Visits
    stop: Visits
    go: Visits
    root: Visits

    def score(self, pack: Pack, scores: ItemFactors, trees: int) -> Floats:
        """The log weight of each of so many trees, −inf of one that visits nothing."""
        result = np.full(trees, -np.inf)
        result[self.root.tree] = 0.0
        for name, visits in self._asdict().items():
            item, column = np.divmod(visits.node, pack.columns)
            if name in ("stop", "go"):
                item = pack.graph.half_rows.choices_of(item)
            factor = getattr(scores, name)[item, column]
            result += np.bincount(visits.tree, factor, trees)
        return result


def derive(
    root: Ints, closed: int, of_half: Operands, of_link: Operands, of_root: Operands
) -> Derivations:
    """Follow the choices from each tree's root node; −1 for a tree that does not exist.

    From nodes to the nodes that are joined: halves to a link and a half, links and roots to halves.
    ``closed``: how many halves, the first of all, have no child.
    """
    trees = np.flatnonzero(root >= 0)
    left, right = of_root(root[trees])
    links: list[Visits] = []
    goes: list[Visits] = []
    stops = [Visits(trees, left), Visits(trees, right)]
    frontier = _visits(*stops)

    while len(frontier.tree):
        is_open = frontier.node >= closed
        tree = frontier.tree[is_open]
        link, far = of_half(frontier.node[is_open])
        near, child = of_link(link)

        links.append(Visits(tree, link))
        goes.append(Visits(tree, near))
        stops += Visits(tree, far), Visits(tree, child)
        frontier = _visits(goes[-1], *stops[-2:])

    return Derivations(_visits(*links), _visits(*stops), _visits(*goes), Visits(trees, root[trees]))


def assemble(batch: ChartBatch, derived: Sequence[tuple[Derivations, Floats]], trees: int) -> Trees:
    """The derivations of all packs, so many trees of each lattice, as trees."""
    parts = [
        _strings(pack, derivations, len(score))
        for pack, (derivations, score) in zip(batch.packs, derived, strict=True)
    ]
    longest = max(part.shape[2] for part in parts)
    strings = np.full((3, batch.n_distinct, trees, longest), -1)
    scores = np.empty((batch.n_distinct, trees))

    for pack, part, (_, score) in zip(batch.packs, parts, derived, strict=True):
        scores[pack.lattices] = score.reshape(-1, trees)
        of_lattices = part.reshape(3, len(pack.lattices), trees, part.shape[2])
        strings[:, pack.lattices, :, : part.shape[2]] = of_lattices

    heads, tags, arcs = strings[:, batch.index]
    return Trees(heads, tags, arcs, scores[batch.index])


def _strings(pack: Pack, derivations: Derivations, trees: int) -> Ints:
    """Heads, tags and arcs of the words of each tree, shape (3, trees, longest)."""
    tree, head, child = _attached(pack, derivations)
    arcs = pack.tag.size
    order = np.argsort(tree * arcs + child)
    tree = tree[order]
    head = head[order]
    child = child[order]

    length = np.bincount(tree, minlength=trees)
    first = (np.cumsum(length) - length)[tree]
    place_of_head = np.searchsorted(tree * arcs + child, tree * arcs + head) - first + 1
    heads = np.where(head < 0, 0, place_of_head)

    strings = np.full((3, trees, int(length.max(initial=0))), -1)
    words = np.stack((heads, pack.tag.ravel()[child], pack.arc.ravel()[child]))
    strings[:, tree, np.arange(len(tree)) - first] = words
    return strings


def _attached(pack: Pack, derivations: Derivations) -> tuple[Ints, Ints, Ints]:
    """Tree, head arc (−1 for the root) and child arc of every word.

    Arcs as nodes, arc · S + column.
    """
    links = pack.graph.links
    roots = pack.graph.roots
    columns = pack.columns
    link = derivations.link
    root = derivations.root
    item, column = np.divmod(link.node, columns)
    root_item, root_column = np.divmod(root.node, columns)

    tree = np.concatenate((link.tree, root.tree))
    head = links.head[item] * columns + column
    child = links.child[item] * columns + column
    of_root = roots.arc[root_item] * columns + root_column
    no_head = np.full(len(of_root), -1)
    return tree, np.concatenate((head, no_head)), np.concatenate((child, of_root))


def _visits(*parts: tuple[NDArray[Any], NDArray[Any]]) -> Visits:
    none = np.zeros(0, dtype=np.int64)
    trees, nodes = zip((none, none), *parts, strict=True)
    return Visits(np.concatenate(trees), np.concatenate(nodes))


class Candidates:
    """The k best derivations of each node: their log weights, and what they join.

    A weight of −∞ is that of none; −1 of a half without a child.
    """

    def __init__(self, nodes: int, k: int) -> None:
        self.value: NDArray[Any] = np.full((nodes, k), -np.inf)
        self.left: NDArray[Any] = np.full((nodes, k), -1)
        self.right: NDArray[Any] = np.full((nodes, k), -1)

    def operands(self, candidate: Ints) -> tuple[Ints, Ints]:
        """The candidates that these candidates join."""
        return self.left.ravel()[candidate], self.right.ravel()[candidate]


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
    """The k best trees of each lattice of a pack as visits, and their log weights, (lattices · k,).

    Candidates of a node stand in its row, the best first.
    """
    graph = pack.graph
    columns = pack.columns
    of_link, of_stop, of_go, of_root = (score.reshape(-1, 1) for score in pack.scores(theta))
    half = Candidates(len(graph.halves.arc) * columns, k)
    link = Candidates(len(of_link), k)
    closed = graph.half_rows.items(0).stop * columns
    half.value[:closed, 0] = 0.0
    stop = np.full_like(half.value, -np.inf)
    go = np.full_like(half.value, -np.inf)

    for width in range(graph.widths):
        # R[a, j] = the k best of link[a, b] + R̄[b, j]; R̄ = R + stop, R′ = R + go: (halves · S, k)
        at = graph.half_rows.items(width)
        incoming = graph.half_rows.into(np.arange(at.start, at.stop))
        nodes = _keep_best(half, at, incoming, columns, link.value, stop)
        own = graph.half_rows.choices(width)
        choices = slice(own.start * columns, own.stop * columns)
        np.add(half.value[nodes], of_stop[choices], out=stop[nodes])
        np.add(half.value[nodes], of_go[choices], out=go[nodes])

        # link[a, b] = child(a, b) + the k best over q of R′[a, q] + L̄[b, q]: (links · S, k)
        at = graph.link_rows.items(width)
        incoming = graph.link_rows.into(np.arange(at.start, at.stop))
        nodes = _keep_best(link, at, incoming, columns, go, stop)
        link.value[nodes] += of_link[nodes]

    # Each root has a right half of its own, which says which root a candidate has.
    root = Candidates(len(pack.lattices), k)
    counts = np.bincount(graph.root_lattice)
    incoming = Incoming(counts, graph.roots.left, graph.roots.right)
    rights = flat(graph.roots.right, columns).ravel()
    stop[rights] += of_root
    _keep_best(root, slice(0, len(counts)), incoming, columns, stop, stop)
    root_of_half = np.zeros(len(half.value), dtype=np.int64)
    root_of_half[rights] = np.arange(len(rights))

    ranks = np.arange(root.value.size)
    nodes_of_trees = np.where(np.isfinite(root.value.ravel()), ranks, -1)
    ranked = derive(nodes_of_trees, closed * k, half.operands, link.operands, root.operands)
    linked, stopped, going = (Visits(part.tree, part.node // k) for part in ranked[:3])
    _, right = root.operands(ranked.root.node)
    rooted = Visits(ranked.root.tree, root_of_half[right // k])
    return Derivations(linked, stopped, going, rooted), root.value.ravel()


def _keep_best(
    into: Candidates, at: slice, incoming: Incoming, columns: int, left: Floats, right: Floats
) -> slice:
    """Fill the candidates of some items with the k best joins of each node; return their nodes.

    Items without a hyperedge keep theirs.
    """
    k = into.value.shape[1]
    # Of k best left and k best right derivations, ranks (i, j) can be among the k best sums only
    # where (i + 1)(j + 1) ≤ k: all pairs of ranks up to it are as good.
    i, j = np.nonzero(np.outer(np.arange(1, k + 1), np.arange(1, k + 1)) <= k)

    for items, edges in _tables_of_like_counts(incoming.counts):
        lefts = _in_columns(incoming.left[edges], columns)  # (items · S, hyperedges of each)
        rights = _in_columns(incoming.right[edges], columns)
        absent = np.where(edges < 0, -np.inf, 0.0).repeat(columns, axis=0)

        # Only the k hyperedges whose best joins are the best can have one of the k best.
        if edges.shape[1] > k:
            best_joins = left[lefts, 0] + right[rights, 0] + absent
            strongest = np.sort(_greatest(best_joins, k))
            lefts = np.take_along_axis(lefts, strongest, 1)
            rights = np.take_along_axis(rights, strongest, 1)
            absent = np.take_along_axis(absent, strongest, 1)

        joins = left[lefts][..., i] + right[rights][..., j] + absent[..., None]
        joins = joins.reshape(len(lefts), -1)
        best = _greatest(joins, k)
        place, pair = np.divmod(best, len(i))

        node = flat(at.start + items, columns).reshape(-1, 1)
        candidate = node, np.arange(best.shape[1])
        into.value[candidate] = np.take_along_axis(joins, best, 1)
        into.left[candidate] = np.take_along_axis(lefts, place, 1) * k + i[pair]
        into.right[candidate] = np.take_along_axis(rights, place, 1) * k + j[pair]
    return slice(at.start * columns, at.stop * columns)


def _tables_of_like_counts(counts: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Items with like numbers of hyperedges, and a table of these, −1 behind the last of an item.

    Tables are at most twice as large as what they hold.
    """
    first = counts.cumsum() - counts
    magnitude = np.frexp(counts)[1]
    for power in np.unique(magnitude[counts > 0]):
        items = np.flatnonzero(magnitude == power)
        place = np.arange(counts[items].max())
        edges = first[items, None] + place
        yield items, np.where(place < counts[items, None], edges, -1)


def _in_columns(table: Ints | Ints32, columns: int) -> Ints:
    """A table of items (rows, items) as one of nodes in each column, (rows · S, items)."""
    nodes = np.asarray(table, np.int64)[:, None] * columns + np.arange(columns)[:, None]
    return nodes.reshape(-1, table.shape[1])


def _greatest(values: Floats, k: int) -> Ints:
    """The places of the k greatest values of each row, the greatest first."""
    return np.argsort(-values, axis=1, kind="stable")[:, :k]
