"""BESTPARSE and its kin: the best tree of each lattice and its string, minimum-risk trees, samples.

Minimum-risk trees are best trees too, of a grammar that scores each attachment by its
posterior and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.chart.batch import ChartBatch, ItemFactors, Pack
from fstce.chart.derivations import Derivations, JoinedNodes, Trees, assemble, derive, operands
from fstce.chart.insideoutside import Items, inside
from fstce.chart.shape import Hypergraph
from fstce.errors import ParameterError
from fstce.numeric.kernels import ranges, total
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
    _, first = np.unique(batch.index, return_index=True)
    gains = [_gains(pack, [attachments[first[m]] for m in pack.lattices]) for pack in batch.packs]
    return assemble(
        batch, [_best(pack, scores) for pack, scores in zip(batch.packs, gains, strict=True)]
    )


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
        first = pack.graph.arc_first
        whole = _Tables(pack.graph)
        filled = whole.filled(posterior.link, posterior.root)
        for number, m in enumerate(pack.lattices.tolist()):
            arcs = int(first[number + 1] - first[number])
            tables[m] = filled[whole.first[number] : whole.first[number + 1]].reshape(
                arcs + 1, arcs
            )
    return [tables[m] for m in batch.index]


class _Tables:
    """Tables (arcs + 1, arcs) of all lattices of a pack in one row: where each link and root stands."""

    def __init__(self, graph: Hypergraph) -> None:
        arcs = np.diff(graph.arc_first)
        self.first = np.append(0, np.cumsum((arcs + 1) * arcs))
        lattice = graph.arc_lattice[graph.links.head]
        head = graph.links.head - graph.arc_first[lattice]
        child = graph.links.child - graph.arc_first[lattice]
        self.link = self.first[lattice] + (head + 1) * arcs[lattice] + child
        self.root = (
            self.first[graph.root_lattice] + graph.roots.arc - graph.arc_first[graph.root_lattice]
        )

    def filled(self, link: Floats, root: Floats) -> Floats:
        """The tables, a root that ends in several states summed over them."""
        size = int(self.first[-1])
        return total(self.link, link, size) + total(self.root, root, size)


def _gains(pack: Pack, tables: Sequence[Floats]) -> ItemFactors:
    """Attachments as scores of links and roots; to stop and to go on is free."""
    arcs = np.diff(pack.graph.arc_first).tolist()
    for table, n in zip(tables, arcs, strict=True):
        if np.shape(table) != (n + 1, n):
            raise ParameterError(f"a table of attachments of shape {np.shape(table)} for {n} arcs")
    places, row = _Tables(pack.graph), np.concatenate([np.ravel(table) for table in tables])
    free = np.zeros(len(pack.stop))
    return ItemFactors(row[places.link], free, free, row[places.root])


def _best(pack: Pack, scores: ItemFactors) -> tuple[Derivations, Floats]:
    items = inside(pack.graph, scores, TROPICAL)
    return _derived(pack.graph, scores, items, np.arange(len(items.z)), np.zeros), items.z


def _sampled(
    pack: Pack, theta: Floats, n: int, rng: np.random.Generator
) -> tuple[Derivations, Floats]:
    """Of log weights with Gumbel noise the greatest is each as often as it is probable."""
    scores = pack.scores(theta)
    items = inside(pack.graph, scores, LOG)
    lattice = np.repeat(np.arange(len(items.z)), n)
    derived = _derived(pack.graph, scores, items, lattice, lambda edges: rng.gumbel(size=edges))
    return derived, derived.score(scores, len(lattice))


def _derived(
    graph: Hypergraph,
    scores: ItemFactors,
    items: Items,
    lattice: Ints,
    noise: Callable[[int], Floats],
) -> Derivations:
    """A tree of each of some lattices: into each item the hyperedge whose score and noise are greatest."""
    into_half, into_link, roots = graph.half_rows, graph.link_rows, graph.roots

    def of_half(edge: Ints, item: Ints) -> Floats:
        return items.link[into_half.left[edge]] + items.stop[into_half.right[edge]]

    def of_link(edge: Ints, item: Ints) -> Floats:
        return (
            items.go[into_link.left[edge]] + items.stop[into_link.right[edge]] + scores.link[item]
        )

    first_roots = np.append(graph.root_first, len(graph.root_lattice))
    choices = JoinedNodes(
        lambda half: operands(into_half, greatest(into_half.indptr, half, of_half, noise)),
        lambda link: operands(into_link, greatest(into_link.indptr, link, of_link, noise)),
        lambda root: (roots.left[root], roots.right[root]),
    )
    return derive(greatest(first_roots, lattice, lambda root, _: items.root[root], noise), choices)


def greatest(
    indptr: NDArray[Any],
    item: Ints,
    score: Callable[[Ints, Ints], Floats],
    noise: Callable[[int], Floats],
) -> Ints:
    """The first hyperedge of the greatest score and noise into each of some items, −1 where there is none."""
    first = indptr[item].astype(np.int64)
    edges = indptr[item + 1] - first
    edge, row = ranges(first, edges), np.repeat(np.arange(len(item)), edges)
    value = score(edge, item[row]) + noise(len(edge))
    most = np.full(len(item), -np.inf)
    np.maximum.at(most, row, value)
    attains = np.flatnonzero((value == most[row]) & (value > -np.inf))
    best = np.full(len(item), -1)
    best[row[attains][::-1]] = edge[attains][::-1]
    return best
