"""BESTPARSE and its kin: the best tree of each lattice and its string, samples, attachments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.chart.batch import ChartBatch, ItemFactors, Pack
from fstce.chart.derivations import Derivations, Trees, assemble, derive
from fstce.chart.insideoutside import Items, inside
from fstce.chart.rectangles import Rectangles
from fstce.chart.rows import Rows, sums_at
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
    best = [best_derivations(pack, pack.scores(theta)) for pack in batch.packs]
    heads, tags, arcs, score = assemble(batch, best, 1)
    return Trees(heads[:, 0], tags[:, 0], arcs[:, 0], score[:, 0])


def favoring_best_trees(batch: ChartBatch, theta: Floats, weight: float) -> ChartBatch:
    """The charts with each attachment in the best tree of its lattice under θ weighing more.

    Of several best trees that of :func:`best_trees` counts. ``weight``: in nats.

    >>> from fstce.chart import DependencyModel, compile_sentences
    >>> model = DependencyModel(["DT", "NN"])
    >>> theta = np.zeros(model.size)
    >>> theta[model.root(1)] = 1.0
    >>> charts = compile_sentences([["DT", "NN"]], model)
    >>> best_trees(favoring_best_trees(charts, theta, 0.5), theta).score.tolist()
    [2.0]
    """
    packs = []
    for pack in batch.packs:
        best, _ = best_derivations(pack, pack.scores(theta))
        link = np.zeros(pack.child.shape) if pack.link_bias is None else pack.link_bias.copy()
        root = np.zeros(pack.root.shape) if pack.root_bias is None else pack.root_bias.copy()
        link.flat[best.link.node] += weight
        root.flat[best.root.node] += weight
        packs.append(replace(pack, link_bias=link, root_bias=root))
    return replace(batch, packs=packs)


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
        graph = pack.graph
        arcs = np.diff(graph.arc_first)
        begin = np.append(0, np.cumsum((arcs + 1) * arcs))  # of each lattice's table

        lattice = graph.arc_lattice[graph.links.head]
        head = graph.links.head - graph.arc_first[lattice]
        child = graph.links.child - graph.arc_first[lattice]
        link = begin[lattice] + (head + 1) * arcs[lattice] + child
        root = begin[graph.root_lattice] + graph.roots.arc - graph.arc_first[graph.root_lattice]

        cells = sums_at(link, posterior.link, int(begin[-1]))
        cells += sums_at(root, posterior.root, int(begin[-1]))
        for number, distinct in enumerate(pack.lattices.tolist()):
            place, column = divmod(number, pack.columns)
            of_lattice = cells[begin[place] : begin[place + 1], column]
            n = int(batch.n_arcs[distinct])
            table = of_lattice.reshape(arcs[place] + 1, arcs[place])
            tables[distinct] = table[: n + 1, :n].copy()
    return [tables[distinct] for distinct in batch.index]


def best_derivations(pack: Pack, scores: ItemFactors) -> tuple[Derivations, Floats]:
    """The tree of most score of each lattice."""
    items = inside(pack.graph, scores, TROPICAL)
    return _derived(pack, items, np.arange(len(pack.lattices))), items.z


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
    ) -> tuple[NDArray[Any], ...]:
        counts, lefts, rights = rows.into(node, columns)
        best = chosen(counts, left[lefts] + right[rights])
        return lefts[best], rights[best]

    def chosen(counts: Ints, score: Floats) -> Ints:
        if rng is not None:
            score += rng.gumbel(size=len(score))
        return greatest(counts, score)

    def halves_of_root(node: Ints) -> tuple[NDArray[Any], ...]:
        item, column = np.divmod(node, columns)
        return roots.left[item] * columns + column, roots.right[item] * columns + column

    lattice, column = np.divmod(lattices, columns)
    ends = np.append(graph.root_first, len(graph.root_lattice))
    counts = np.diff(ends)[lattice]
    nodes = ranges(ends[lattice], counts) * columns + np.repeat(column, counts)
    best = chosen(counts, root[nodes])
    return derive(
        np.where(best < 0, -1, nodes[best]),
        graph.half_rows.items(0).stop * columns,
        partial(joined, graph.half_rows, link, stop),
        partial(joined, graph.link_rows, go, stop),
        halves_of_root,
    )


def greatest(counts: Ints, value: Floats) -> Ints:
    """Where the first of the greatest values of each group stands, −1 of one whose values are −∞.

    ``counts``: how many of the values each group has, at least one; groups lie end to end.

    >>> greatest(np.array([2, 1, 1]), np.array([0.0, 3.0, -np.inf, 1.0])).tolist()
    [1, -1, 3]
    """
    begin = counts.cumsum() - counts
    most = np.maximum.reduceat(value, begin)
    attaining = np.flatnonzero(value == most.repeat(counts))
    first = attaining[np.searchsorted(attaining, begin)]
    return np.where(most > -np.inf, first, -1)
