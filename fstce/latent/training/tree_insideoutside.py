"""Inside and outside scores of the observed trees, all at once, and what is expected of rules.

For a node n of production P → L R

    IN(n, x) = Σ_yz β(P_x → L_y R_z) IN(l, y) IN(r, z)
    OUT(l, y) = Σ_xz OUT(n, x) β(P_x → L_y R_z) IN(r, z)        and so for r

(Petrov et al. 2006, Eq. 1 and 2), linear in the trees. Every node's inside scores are divided
by their maximum, and the logs of these scales summed once a tree; outside scores are kept
divided by the tree's probability, times the scales below: OUT · IN then is the posterior
probability of the subcategory, summed over the places where a shared node stands.

Productions of one height do not depend on one another, nor do the counts of different rules:
threads share them out, each doing what one thread would do, so that the bits are the same for any
number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from fstce.latent.model.rule_layout import RuleLayout, offsets_of
from fstce.latent.training.treebank import TreebankArrays
from fstce.numeric.types import Floats, Ints, ValueAndGradient
from fstce.processes.workers import Crew, crew

# A round of less work is done by one thread: others would wait for Python's lock.
WORK = 2_000_000  # multiplications


class TreeInsideOutside:
    """Inside and outside passes over a forest, for symbols of given sizes, by so many threads."""

    def __init__(
        self, forest: Forest, layout: RuleLayout, tags: Ints, jobs: int | None = None
    ) -> None:
        self.forest = forest
        self.layout = layout
        self.tags = tags
        self._jobs = jobs

        sizes = layout.sizes.tolist()
        self.inside: list[Floats] = [
            np.empty((len(counts), size))
            for counts, size in zip(forest.multiplicity, sizes, strict=True)
        ]
        self.outside: list[Floats] = [np.empty_like(inside) for inside in self.inside]
        self._scale = [np.ones((len(inside), 1)) for inside in self.inside]
        self._edges = [
            np.empty((starts[-1], size))
            for starts, size in zip(forest.edge_starts, sizes, strict=True)
        ]

        bounds = offsets_of(layout.sizes[tags]).tolist()
        self._columns = [slice(*ends) for ends in pairwise(bounds)]

    def em_step(self, rules: Floats, emissions: Floats) -> ValueAndGradient:
        """The log-likelihood, nats, and expected counts of units; rules are estimated anew.

        `rules` are normalized in place, a parent at a time: two arrays of all rules would be most
        of a training's memory. A parent that is not expected at all keeps its rules.
        """
        value = self.fill(rules, emissions, renew=True)
        return value, self.unit_counts(emissions)

    def fill(self, rules: Floats, emissions: Floats, renew: bool = False) -> float:
        """Fill :attr:`inside` and :attr:`outside`; the log-likelihood of the trees, in nats.

        ``rules``: rule probabilities, as the layout has them. ``emissions`` (n_units, n_columns):
        P(unit | tag subcategory). ``renew``: whether rules become their normalized expected counts.
        """
        forest = self.forest
        matrices = self.layout.matrices(rules)
        # One thread of BLAS each: with more, sums and so the bits depend on their number.
        with threadpool_limits(1, "blas"), crew(self._jobs) as each:
            for tag, units, columns in zip(self.tags, forest.units, self._columns, strict=True):
                self._rescale(tag, slice(None), emissions[units, columns])
            for steps in forest.steps:
                _share(each, self._upwards, steps, matrices)

            self.outside[0][:] = forest.multiplicity[0][:, None]
            for steps in reversed(forest.steps):
                _share(each, self._downwards, steps, matrices)
            for tag in self.tags:
                self._gather(tag, slice(0, len(self.outside[tag])))

            if renew:
                list(each(partial(self._renew, matrices), self.layout.by_parent()))

        pairs = zip(forest.multiplicity, self._scale, strict=True)
        return float(sum(count @ np.log(scale[:, 0]) for count, scale in pairs))

    def expected(self) -> list[Floats]:
        """How often each symbol's subcategories are expected in the trees, by the filled charts."""
        charts = zip(self.inside, self.outside, strict=True)
        return [np.einsum("nx,nx->x", *pair) for pair in charts]

    def clear(self) -> None:
        """Give back the memory of all charts; nothing can be run after it."""
        self.inside = []
        self.outside = []
        self._scale = []
        self._edges = []

    def _upwards(self, step: ForestStep, matrix: Floats) -> None:
        """Fill the inside scores of the nodes of a step, by those of their children."""
        # IN(n, x) = Σ_yz β(P_x → L_y R_z) IN(l, y) IN(r, z): (nodes, y · z) @ (y · z, x)
        self._rescale(step.parent, step.rows, self._below(step) @ matrix.T)

    def _downwards(self, step: ForestStep, matrix: Floats) -> None:
        """Fill the outside scores of the nodes of a step, and send them to the children's edges."""
        if step.parent:
            self._gather(step.parent, step.rows)

        # Σ_x OUT(n, x) β(P_x → L_y R_z), (nodes, y · z); OUT(l, y) sums it over z with IN(r, z)
        above = self._above(step) @ matrix
        if len(step.children) == 1:
            (child,) = step.children
            self._edges[child.symbol][child.edges] = above
            return

        left, right = step.children
        of_left = self.inside[left.symbol].take(left.rows, axis=0)
        of_right = self.inside[right.symbol].take(right.rows, axis=0)
        cube = above.reshape(len(above), of_left.shape[1], of_right.shape[1])
        self._edges[left.symbol][left.edges] = (cube @ of_right[:, :, None])[:, :, 0]
        self._edges[right.symbol][right.edges] = (of_left[:, None, :] @ cube)[:, 0, :]

    def _rescale(self, symbol: int, rows: slice, scores: Floats) -> None:
        """Keep inside scores divided by the largest of each node."""
        scale = scores.max(axis=1, keepdims=True)
        self._scale[symbol][rows] = scale
        np.divide(scores, scale, out=self.inside[symbol][rows])

    def _gather(self, symbol: int, rows: slice) -> None:
        """Outside scores become the sum of what the parents of the nodes sent down."""
        starts = self.forest.edge_starts[symbol][rows.start : rows.stop + 1]
        edges = self._edges[symbol][: starts[-1]]
        np.add.reduceat(edges, starts[:-1], axis=0, out=self.outside[symbol][rows])

    def _below(self, step: ForestStep) -> Floats:
        """The inside scores of children: their outer products for a binary production."""
        left, *right = [self.inside[symbol].take(rows, axis=0) for symbol, rows, _ in step.children]
        if not right:
            return left
        return (left[:, :, None] * right[0][:, None, :]).reshape(len(left), -1)

    def _above(self, step: ForestStep) -> Floats:
        """The outside scores of the nodes of a step, over their scales."""
        return self.outside[step.parent][step.rows] / self._scale[step.parent][step.rows]

    def counted(self, rule: int, matrix: Floats) -> Floats:
        """The expected counts of one rule, shape (x, y · z)."""
        # E[P_x → L_y R_z] = β · Σ_n OUT(n, x) IN(l, y) IN(r, z): (x, nodes) @ (nodes, y · z)
        counts = np.zeros_like(matrix)
        for step in self.forest.blocks.get(rule, ()):
            counts += self._above(step).T @ self._below(step)
        counts *= matrix
        return counts

    def _renew(self, matrices: list[Floats], rules: list[int]) -> None:
        """A parent's rules become their normalized expected counts."""
        counts = [self.counted(rule, matrices[rule]) for rule in rules]
        RuleLayout.normalize_blocks(counts, [matrices[rule] for rule in rules])

    def unit_counts(self, emissions: Floats) -> Floats:
        """The expected counts of lexical units with tag subcategories, (n_units, n_columns)."""
        counts = np.zeros_like(emissions)
        for tag, units, columns in zip(self.tags, self.forest.units, self._columns, strict=True):
            np.add.at(counts[:, columns], units, self.outside[tag] * self.inside[tag])
        return counts


def _share(
    each: Crew,
    work: Callable[[ForestStep, Floats], None],
    steps: list[ForestStep],
    matrices: list[Floats],
) -> None:
    """`work` on steps, which do not depend on one another, and the probabilities of their rules."""
    sizes = [(step.rows.stop - step.rows.start) * matrices[step.rule].size for step in steps]
    if sum(sizes) > WORK:
        list(each(lambda step: work(step, matrices[step.rule]), steps))
        return
    for step in steps:
        work(step, matrices[step.rule])


# Outer products of children's scores for more rows would not stay in the cache.
ROWS = 512


class Children(NamedTuple):
    """The left or the right children of nodes: their symbol, rows, and the edges to them."""

    symbol: int
    rows: Ints
    edges: Ints


class ForestStep(NamedTuple):
    """Nodes of one production and height, or of any height, as rows of the parent symbol."""

    rule: int
    parent: int
    rows: slice
    children: list[Children]


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """A treebank as nodes, equal subtrees once: rows of one array a symbol, and steps over them.

    Inside scores of a subtree depend on nothing but its rules and lexical units, and outside
    scores, each divided by its tree's probability, add up over the places where it stands. Rows are
    sorted by production and height: a step of the inside pass is all nodes of one production and
    height, a range of rows.

    ``steps``: by height, children before parents. ``blocks``: of each rule, its nodes of any height
    together. ``units``: each tag's lexical units, which are its rows, in the order of
    :attr:`TreebankArrays.tags`. ``edge_starts``: for each symbol, where the edges to each of its
    rows begin, which lie together, and where the last ones end. ``multiplicity``: for each symbol,
    how often each node stands in the trees.
    """

    steps: list[list[ForestStep]]
    blocks: dict[int, list[ForestStep]]
    units: list[Ints]
    edge_starts: list[Ints]
    multiplicity: list[Ints]


def compile_forest(treebank: TreebankArrays, shared: bool = True) -> Forest:
    """The forest of a treebank; unless `shared`, each word has a node of its own."""
    number = _node_numbers(treebank) if shared else np.arange(len(treebank.symbol))
    # Equal nodes are alike in all that the arrays say; the first one speaks for them.
    first = np.unique(number, return_index=True)[1]
    keys = treebank.unit, treebank.height, treebank.production, treebank.symbol
    order = np.lexsort([key[first] for key in keys])

    # Nodes are numbered in this order; a row is the number of a node within its symbol.
    node = np.argsort(order)[number]
    unit, height, production, symbol = (key[first[order]] for key in keys)
    begins = np.searchsorted(symbol, np.arange(len(treebank.symbols) + 1))
    row = np.arange(len(order)) - begins[symbol]

    # (2, nodes): left and right children and the edges to them, −1 where there is none
    children = treebank.children[:, first]
    child = np.where(children >= 0, node[children], -1)
    edge, edge_starts = _edges(child, begins[symbol])
    child = child[:, order]
    edge = edge[:, order]

    def step(nodes: slice) -> ForestStep:
        """The step of a range of nodes of one production."""
        sides = [
            Children(int(symbol[of_side[0]]), row[of_side], edges)
            for of_side, edges in zip(child[:, nodes], edge[:, nodes], strict=True)
            if of_side[0] >= 0
        ]
        rows = slice(int(row[nodes.start]), int(row[nodes.stop - 1]) + 1)
        return ForestStep(int(production[nodes.start]), int(symbol[nodes.start]), rows, sides)

    steps: list[list[ForestStep]] = [[] for _ in range(height.max())]
    for nodes in _runs(production, height):
        steps[height[nodes.start] - 1].append(step(nodes))
    blocks: dict[int, list[ForestStep]] = {}
    for nodes in _runs(production):
        blocks.setdefault(int(production[nodes.start]), []).append(step(nodes))

    return Forest(
        steps=steps,
        blocks=blocks,
        units=[unit[begins[tag] : begins[tag + 1]] for tag in treebank.tags],
        edge_starts=[edge_starts[a : b + 1] - edge_starts[a] for a, b in pairwise(begins)],
        multiplicity=np.split(np.bincount(node), begins[1:-1]),
    )


def _edges(child: Ints, first_of_symbol: Ints) -> tuple[Ints, Ints]:
    """The edge to each child, numbered from 0 for each symbol, and where those to a node begin.

    Edges are in the order of the nodes that they lead to. ``child`` (2, n_nodes): −1 where there is
    none. ``first_of_symbol`` (n_nodes,): the first node of each node's symbol.
    """
    is_edge = child >= 0
    target = child[is_edge]
    starts = offsets_of(np.bincount(target, minlength=child.shape[1]))

    edge = np.full_like(child, -1)
    place = np.argsort(np.argsort(target, kind="stable"))
    edge[is_edge] = place - starts[first_of_symbol[target]]
    return edge, starts


def _node_numbers(treebank: TreebankArrays) -> Ints:
    """Each node's number in the shared forest, where equal subtrees have the same."""
    number = np.empty(len(treebank.symbol) + 1, dtype=np.int64)
    number[-1] = -1  # of a child that is none
    total = 0
    for height in range(int(treebank.height.max()) + 1):
        nodes = np.flatnonzero(treebank.height == height)
        keys = np.stack([treebank.symbol[nodes], treebank.unit[nodes]])
        if height:
            keys = np.stack([treebank.production[nodes], *number[treebank.children[:, nodes]]])

        distinct, which = np.unique(keys, axis=1, return_inverse=True)
        number[nodes] = total + which.ravel()
        total += distinct.shape[1]
    return number[:-1]


def _runs(production: Ints, *keys: Ints) -> list[slice]:
    """Where a production and other keys stay the same, in pieces of at most :data:`ROWS`."""
    changes = np.any([np.diff(key, prepend=-2) != 0 for key in (production, *keys)], axis=0)
    bounds = [*np.flatnonzero(changes).tolist(), len(changes)]

    pieces = []
    for begin, end in pairwise(bounds):
        if production[begin] >= 0:
            pieces += [slice(at, min(at + ROWS, end)) for at in range(begin, end, ROWS)]
    return pieces
