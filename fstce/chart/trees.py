"""BESTPARSE and its kin: the best tree of each lattice and its string, minimum-risk trees, samples.

Minimum-risk trees are best trees too, of a grammar that scores each attachment by its
posterior and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.chart.batch import ChartBatch, ItemFactors, Pack
from fstce.chart.derivations import Derivations, JoinedNodes, Trees, assemble, derive
from fstce.chart.insideoutside import Items, inside
from fstce.chart.rectangles import Rectangles
from fstce.chart.rows import Rows, sums_at
from fstce.chart.shape import Hypergraph
from fstce.errors import ParameterError
from fstce.numeric.kernels import ranges
from fstce.numeric.semirings import LOG, TROPICAL
from fstce.numeric.types import Floats, Ints


def best_trees(batch: ChartBatch, theta: Floats) -> Trees:
    """The most probable tree of each lattice, over all its strings (Viterbi).

    Parameters
    ----------
    batch : ChartBatch
    theta : ndarray, shape (model.size,)

    Examples
    --------
    >>> from fstce.chart import DependencyModel, compile_charts
    >>> from fstce.machines import Lattice, Symbols
    >>> model, symbols = DependencyModel(["DT", "NN"]), Symbols(["DT", "NN"])
    >>> theta = np.zeros(model.size)
    >>> theta[model.root(1)] = 1.0
    >>> batch = compile_charts([Lattice.of_sentence(["DT", "NN"], symbols)], model)
    >>> trees = best_trees(batch, theta)
    >>> trees.heads.tolist(), trees.score.tolist()
    ([[2, 0]], [1.0])
    """
    return assemble(batch, [_best(pack, pack.scores(theta)) for pack in batch.packs])


def minimum_risk_trees(batch: ChartBatch, attachments: Sequence[Floats]) -> Trees:
    """The tree with the greatest sum of edge posteriors, the fewest expected wrong heads.

    On a lattice the sum runs over the words of the string, so longer strings win.

    Parameters
    ----------
    batch : ChartBatch
    attachments : sequence of ndarray, shape (arcs + 1, arcs), one of each lattice
        What each head (row 0 the root, row i + 1 arc i) gains with each child: those of
        :func:`attachments`, or products of several grammars'. Equal lattices take the first's.

    Raises
    ------
    ParameterError
        They are not one for each lattice, or not of its shape.
    """
    if len(attachments) != len(batch):
        raise ParameterError(f"{len(attachments)} tables of attachments for {len(batch)} lattices")
    for table, n in zip(attachments, batch.n_arcs[batch.index].tolist(), strict=True):
        if np.shape(table) != (n + 1, n):
            raise ParameterError(f"a table of attachments of shape {np.shape(table)} for {n} arcs")

    _, first = np.unique(batch.index, return_index=True)
    derived = []
    for pack in batch.packs:
        gains = _gains(pack, [attachments[first[lattice]] for lattice in pack.lattices])
        derived.append(_best(pack, gains))
    return assemble(batch, derived)


def sample_trees(batch: ChartBatch, theta: Floats, n: int, rng: np.random.Generator) -> Trees:
    """n independent trees of each lattice, each drawn with its posterior probability.

    Parameters
    ----------
    batch : ChartBatch
    theta : ndarray, shape (model.size,)
    n : int
    rng : numpy.random.Generator
        Equal lattices share their draws.

    Returns
    -------
    Trees
        Arrays of shape (lattices, n, longest) and (lattices, n).
    """
    return assemble(batch, [_sampled(pack, theta, n, rng) for pack in batch.packs], n)


def attachments(batch: ChartBatch, posteriors: Sequence[ItemFactors]) -> list[Floats]:
    """Who attaches to whom: the posteriors of :class:`InsideOutside` as a table of each lattice.

    Returns
    -------
    list of ndarray, shape (arcs + 1, arcs), one of each lattice
        Row 0 is the root, row i + 1 arc i, columns are children. A column's sum is the
        probability that the arc is on the string.
    """
    tables: list[Floats] = [np.zeros((0, 0))] * batch.n_distinct
    for pack, posterior in zip(batch.packs, posteriors, strict=True):
        layout = _Layout(pack.graph)
        cells = sums_at(layout.link, posterior.link, layout.size)
        cells += sums_at(layout.root, posterior.root, layout.size)
        for number, lattice in enumerate(pack.lattices.tolist()):
            tables[lattice] = layout.table(cells, number, int(batch.n_arcs[lattice])).copy()
    return [tables[lattice] for lattice in batch.index]


class _Layout:
    """The cells of the tables (arcs + 1, arcs) of a graph's lattices, one table after the other.

    ``link``, ``root``: the cell of each link and root among ``size``.
    """

    def __init__(self, graph: Hypergraph) -> None:
        self._arcs = np.diff(graph.arc_first)
        self._first = np.append(0, np.cumsum((self._arcs + 1) * self._arcs))
        self.size = int(self._first[-1])

        lattice = graph.arc_lattice[graph.links.head]
        head = graph.links.head - graph.arc_first[lattice]
        child = graph.links.child - graph.arc_first[lattice]
        self.link = self._first[lattice] + (head + 1) * self._arcs[lattice] + child
        root = graph.roots.arc - graph.arc_first[graph.root_lattice]
        self.root = self._first[graph.root_lattice] + root

    def table(self, cells: Floats, number: int, n: int) -> Floats:
        """The first n arcs of the table of a pack's lattice, a view of the cells (size, S)."""
        lattice, column = divmod(number, cells.shape[1])
        arcs = int(self._arcs[lattice])
        of_lattice = cells[self._first[lattice] : self._first[lattice + 1]]
        return of_lattice.reshape(arcs + 1, arcs, -1)[: n + 1, :n, column]


def _gains(pack: Pack, tables: Sequence[Floats]) -> ItemFactors:
    """Attachments as scores of links and roots; to stop and to go on is free."""
    layout = _Layout(pack.graph)
    cells = np.zeros((layout.size, pack.columns))
    for number, table in enumerate(tables):
        layout.table(cells, number, np.shape(table)[1])[:] = table

    root = cells[layout.root]
    free = np.zeros(pack.stop.shape)
    if pack.root_bias is not None:
        root[np.isneginf(pack.root_bias)] = -np.inf
    return ItemFactors(cells[layout.link], free, free, root)


def _best(pack: Pack, scores: ItemFactors) -> tuple[Derivations, Floats]:
    items = inside(pack.graph, scores, TROPICAL)
    lattices = np.arange(len(pack.lattices))
    return _derived(pack, items, lattices), items.z


def _sampled(
    pack: Pack, theta: Floats, n: int, rng: np.random.Generator
) -> tuple[Derivations, Floats]:
    scores = pack.scores(theta)
    items = inside(pack.graph, scores, LOG)
    lattices = np.repeat(np.arange(len(pack.lattices)), n)
    derived = _derived(pack, items, lattices, rng)
    return derived, derived.score(pack, scores, len(lattices))


def _derived(
    pack: Pack, items: Items, lattices: Ints, rng: np.random.Generator | None = None
) -> Derivations:
    """A tree of each of some lattices: into each node the hyperedge of most score.

    ``rng``: of most score and Gumbel noise, so that each is as often chosen as it is probable.
    """
    graph = pack.graph
    roots = pack.graph.roots
    columns = pack.columns
    stop, go, link, root = (
        values.ravel() for values in (items.stop, items.go, items.link, items.root)
    )

    def joined(
        rows: Rows | Rectangles, left: Floats, right: Floats, node: Ints
    ) -> tuple[Ints, ...]:
        item, column = np.divmod(node, columns)
        incoming = rows.into(item)
        at = np.repeat(column, incoming.counts)
        lefts = incoming.left * columns + at
        rights = incoming.right * columns + at
        return chosen(incoming.counts, left[lefts] + right[rights], lefts, rights)

    def chosen(counts: Ints, score: Floats, *operands: Ints) -> tuple[Ints, ...]:
        if rng is not None:
            score += rng.gumbel(size=len(score))
        best = greatest(counts, score)
        if not len(score):
            return (best,) * len(operands)
        return tuple(np.where(best < 0, -1, nodes[best]) for nodes in operands)

    def halves_of_root(node: Ints) -> tuple[NDArray[Any], NDArray[Any]]:
        item, column = np.divmod(node, columns)
        return roots.left[item] * columns + column, roots.right[item] * columns + column

    choices = JoinedNodes(
        lambda half: joined(graph.half_rows, link, stop, half),
        lambda link_node: joined(graph.link_rows, go, stop, link_node),
        halves_of_root,
    )
    lattice, column = np.divmod(lattices, columns)
    ends = np.append(graph.root_first, len(graph.root_lattice))
    counts = np.diff(ends)[lattice]
    nodes = ranges(ends[lattice], counts) * columns + np.repeat(column, counts)
    return derive(chosen(counts, root[nodes], nodes)[0], choices)


def greatest(counts: Ints, value: Floats) -> Ints:
    """Where the first of the greatest values of each group stands, −1 of one that has none.

    ``counts``: how many of the values each group has, which lie one group after the other; −∞ is
    no value.

    >>> greatest(np.array([2, 0, 1]), np.array([0.0, 3.0, 1.0])).tolist()
    [1, -1, 2]
    """
    some = np.flatnonzero(counts)
    best = np.full(len(counts), -1)
    if not len(some):
        return best

    several = counts[some]
    most = np.maximum.reduceat(value, np.cumsum(several) - several)
    group = np.repeat(np.arange(len(some)), several)
    attains = np.flatnonzero((value == most[group]) & (value > -np.inf))[::-1]
    best[some[group[attains]]] = attains
    return best
