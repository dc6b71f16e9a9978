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

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby, pairwise, starmap
from math import prod
from operator import attrgetter

import numpy as np
from threadpoolctl import threadpool_limits

from fstce.latent.model.rule_layout import RuleLayout, offsets_of
from fstce.latent.training.treebank import TreebankArrays
from fstce.numeric.types import Floats, Ints
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
            np.empty((n, size)) for n, size in zip(forest.n_rows, sizes, strict=True)
        ]
        self.outside: list[Floats] = [np.empty_like(inside) for inside in self.inside]
        self._scale = [np.ones((n, 1)) for n in forest.n_rows]
        self._edges = [np.empty((n, size)) for n, size in zip(forest.n_edges, sizes, strict=True)]

        bounds = offsets_of(layout.sizes[tags]).tolist()
        self._columns = list(starmap(slice, pairwise(bounds)))
        self._steps_of_heights = _groups(forest.steps, "height")
        self._blocks_of_rule = {group[0].rule: group for group in _groups(forest.blocks, "rule")}

    def em_step(self, rules: Floats, emissions: Floats) -> tuple[float, Floats]:
        """The log-likelihood, nats, and expected counts of units; rules are estimated anew.

        `rules` are normalized in place, a parent at a time: two arrays of all rules would be most
        of a training's memory. A parent that is not expected at all keeps its rules.
        """
        # One thread of BLAS each: with more, sums and so the bits depend on their number.
        with threadpool_limits(1, "blas"), crew(self._jobs) as each:
            matrices = self.layout.matrices(rules)
            value = self._fill(matrices, emissions, each)
            self._renew(matrices, each)
        return value, self.unit_counts(emissions)

    def fill(self, rules: Floats, emissions: Floats) -> float:
        """Fill :attr:`inside` and :attr:`outside`; the log-likelihood of the trees, in nats.

        ``rules``: rule probabilities, as the layout has them. ``emissions`` (n_units, n_columns):
        P(unit | tag subcategory).
        """
        with threadpool_limits(1, "blas"), crew(self._jobs) as each:
            return self._fill(self.layout.matrices(rules), emissions, each)

    def _fill(self, matrices: list[Floats], emissions: Floats, each: Crew) -> float:
        value = self._run_inside(matrices, emissions, each)
        self._run_outside(matrices, each)
        return value

    def clear(self) -> None:
        """Give back the memory of all charts; nothing can be run after it."""
        self.inside = []
        self.outside = []
        self._scale = []
        self._edges = []

    def _run_inside(self, matrices: list[Floats], emissions: Floats, each: Crew) -> float:
        """Fill the inside scores; the log-likelihood in nats."""
        for tag, units, columns in zip(self.tags, self.forest.units, self._columns, strict=True):
            self._rescale(int(tag), slice(None), emissions[units, columns])

        def upwards(step: ForestStep) -> None:
            # IN(n, x) = Σ_yz β(P_x → L_y R_z) IN(l, y) IN(r, z): (nodes, y · z) @ (y · z, x)
            self._rescale(step.parent, step.rows, self._below(step) @ matrices[step.rule].T)

        for steps in self._steps_of_heights:
            self._share(each, upwards, steps)

        pairs = zip(self.forest.multiplicity, self._scale, strict=True)
        return float(sum(count @ np.log(scale[:, 0]) for count, scale in pairs))

    def _run_outside(self, matrices: list[Floats], each: Crew) -> None:
        """Fill the outside scores, after the inside scores."""
        self.outside[0][:] = self.forest.multiplicity[0][:, None]

        def downwards(step: ForestStep) -> None:
            if step.parent:
                self.outside[step.parent][step.rows] = self._gathered(step)
            self._spread(step, matrices[step.rule])

        for steps in reversed(self._steps_of_heights):
            self._share(each, downwards, steps)

        for tag, starts in zip(self.tags, self.forest.unit_edges, strict=True):
            self.outside[tag][:] = np.add.reduceat(self._edges[tag], starts[:-1], axis=0)

    def _share(
        self, each: Crew, work: Callable[[ForestStep], None], steps: list[ForestStep]
    ) -> None:
        """`work` on the steps, which do not depend on one another."""
        if sum(map(self._work, steps)) > WORK:
            list(each(work, steps))
        else:
            for step in steps:
                work(step)

    def _work(self, step: ForestStep) -> int:
        """How many multiplications a step takes, about."""
        sizes = [self.inside[step.parent].shape[1], self.inside[step.left].shape[1]]
        if step.right >= 0:
            sizes.append(self.inside[step.right].shape[1])
        return (step.rows.stop - step.rows.start) * prod(sizes)

    def _rescale(self, symbol: int, rows: slice, scores: Floats) -> None:
        """Keep inside scores divided by the largest of each node."""
        scale = scores.max(axis=1, keepdims=True)
        self._scale[symbol][rows] = scale
        np.divide(scores, scale, out=self.inside[symbol][rows])

    def _below(self, step: ForestStep) -> Floats:
        """The inside scores of children: their outer products for a binary production."""
        left = self.inside[step.left].take(step.left_rows, axis=0)
        if step.right < 0:
            return left
        right = self.inside[step.right].take(step.right_rows, axis=0)
        return (left[:, :, None] * right[:, None, :]).reshape(len(left), -1)

    def _gathered(self, step: ForestStep) -> Floats:
        """The sum of what the parents of the nodes sent down."""
        edges = self._edges[step.parent][step.edges]
        if step.edge_starts is None:
            return edges
        return np.add.reduceat(edges, step.edge_starts, axis=0)

    def _above(self, step: ForestStep) -> Floats:
        """The outside scores of the nodes of a step, over their scales."""
        return self.outside[step.parent][step.rows] / self._scale[step.parent][step.rows]

    def _spread(self, step: ForestStep, matrix: Floats) -> None:
        """Send outside scores down to the children's edges."""
        # Σ_x OUT(n, x) β(P_x → L_y R_z), (nodes, y · z); OUT(l, y) sums it over z with IN(r, z)
        above = self._above(step) @ matrix
        if step.right < 0:
            self._edges[step.left][step.left_edges] = above
            return

        left = self.inside[step.left].take(step.left_rows, axis=0)
        right = self.inside[step.right].take(step.right_rows, axis=0)
        cube = above.reshape(len(left), left.shape[1], right.shape[1])
        self._edges[step.left][step.left_edges] = (cube @ right[:, :, None])[:, :, 0]
        self._edges[step.right][step.right_edges] = (left[:, None, :] @ cube)[:, 0, :]

    def counted(self, rule: int, matrix: Floats) -> Floats:
        """The expected counts of one rule, shape (x, y · z)."""
        # E[P_x → L_y R_z] = β · Σ_n OUT(n, x) IN(l, y) IN(r, z): (x, nodes) @ (nodes, y · z)
        counts = np.zeros_like(matrix)
        for step in self._blocks_of_rule.get(rule, ()):
            counts += self._above(step).T @ self._below(step)
        counts *= matrix
        return counts

    def _renew(self, matrices: list[Floats], each: Crew) -> None:
        """Each parent's rules become their normalized expected counts."""

        def renew(rules: list[int]) -> None:
            counts = [self.counted(rule, matrices[rule]) for rule in rules]
            RuleLayout.normalize_blocks(counts, [matrices[rule] for rule in rules])

        list(each(renew, self.layout.by_parent()))

    def unit_counts(self, emissions: Floats) -> Floats:
        """The expected counts of lexical units with tag subcategories, (n_units, n_columns)."""
        counts = np.zeros_like(emissions)
        for tag, units, columns in zip(self.tags, self.forest.units, self._columns, strict=True):
            np.add.at(counts[:, columns], units, self.outside[tag] * self.inside[tag])
        return counts


def _groups(steps: Iterable[ForestStep], name: str) -> list[list[ForestStep]]:
    """Neighboring steps that have this in common."""
    return [list(group) for _, group in groupby(steps, attrgetter(name))]


# Outer products of children's scores for more rows would not stay in the cache.
ROWS = 512


@dataclass(frozen=True, slots=True, eq=False)
class ForestStep:
    """Nodes of one production and height, or of any height (−1).

    Rows of the parent symbol and of the children's symbols, and edges to all of them.
    """

    rule: int
    height: int
    parent: int
    rows: slice
    left: int
    left_rows: Ints
    left_edges: Ints
    right: int
    right_rows: Ints
    right_edges: Ints
    edges: slice
    edge_starts: Ints | None


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """A treebank as nodes, equal subtrees once: rows of one array a symbol, and steps over them.

    Inside scores of a subtree depend on nothing but its rules and lexical units, and outside
    scores, each divided by its tree's probability, add up over the places where it stands. Rows are
    sorted by production and height: a step of the inside pass is all nodes of one production and
    height, a range of rows.

    ``n_rows``, ``n_edges`` (n_symbols,): nodes of each symbol, and how often they are children. The
    edges to a row lie together, in the order of rows; a tag's rows are its lexical units.
    ``units``: each tag's lexical units, in the order of :attr:`TreebankArrays.tags`.
    ``unit_edges``: where the edges to each of them begin. ``steps``: by height: children before
    parents. ``blocks``: nodes of one production and any height together. ``multiplicity``: for each
    symbol, how often each node stands in the trees.
    """

    n_rows: Ints
    n_edges: Ints
    units: tuple[Ints, ...]
    unit_edges: tuple[Ints, ...]
    steps: tuple[ForestStep, ...]
    blocks: tuple[ForestStep, ...]
    multiplicity: tuple[Ints, ...]


def compile_forest(treebank: TreebankArrays, shared: bool = True) -> Forest:
    """The forest of a treebank; unless `shared`, each word has a node of its own."""
    node = _node_numbers(treebank) if shared else np.arange(len(treebank.symbol))
    # Equal nodes are alike in all that the arrays say; the first one speaks for them.
    first = np.unique(node, return_index=True)[1]
    return _packed(treebank, node, first)


def _node_numbers(treebank: TreebankArrays) -> Ints:
    """Each node's number in the shared forest, where equal subtrees have the same."""
    number = np.empty(len(treebank.symbol), dtype=np.int64)
    total = 0
    for height in range(int(treebank.height.max()) + 1):
        nodes = np.flatnonzero(treebank.height == height)
        if height == 0:
            keys = np.stack([treebank.symbol[nodes], treebank.unit[nodes]])
        else:
            left, right = treebank.left[nodes], treebank.right[nodes]
            right_number = np.where(right >= 0, number[right], -1)
            keys = np.stack([treebank.production[nodes], number[left], right_number])

        distinct, which = np.unique(keys, axis=1, return_inverse=True)
        number[nodes] = total + which.ravel()
        total += distinct.shape[1]
    return number


def _packed(treebank: TreebankArrays, node: Ints, first: Ints) -> Forest:
    """Rows, edges and steps of numbered nodes; `first` holds an example of each."""
    n_nodes, n_symbols = len(first), len(treebank.symbols)
    symbol = treebank.symbol[first]
    production = treebank.production[first]
    height = treebank.height[first]
    left, right = treebank.left[first], treebank.right[first]

    order = np.lexsort((np.arange(n_nodes), treebank.unit[first], height, production, symbol))
    n_rows = np.bincount(symbol, minlength=n_symbols)
    row = np.empty(n_nodes, dtype=np.int64)
    row[order] = np.arange(n_nodes) - np.repeat(offsets_of(n_rows)[:-1], n_rows)

    has_left, has_right = left >= 0, right >= 0
    left_node = np.where(has_left, node[left], -1)
    right_node = np.where(has_right, node[right], -1)
    children = np.concatenate([left_node[has_left], right_node[has_right]])
    position, n_edges, edge_starts = _edges(symbol[children], row[children], n_rows)
    left_edge = np.full(n_nodes, -1)
    right_edge = np.full(n_nodes, -1)
    left_edge[has_left], right_edge[has_right] = np.split(position, [int(has_left.sum())])

    def step(nodes: Ints, height: int = -1) -> ForestStep:
        """The step of nodes of one production, in the order of their rows."""
        example = int(nodes[0])
        parent, begin = int(symbol[example]), int(row[example])
        starts = edge_starts[parent][begin : begin + len(nodes) + 1]
        one_edge_each = int(starts[-1] - starts[0]) == len(nodes)

        right_symbol = -1
        with_right = nodes[:0]
        if has_right[example]:
            right_symbol = int(symbol[right_node[example]])
            with_right = nodes
        return ForestStep(
            rule=int(production[example]),
            height=height,
            parent=parent,
            rows=slice(begin, begin + len(nodes)),
            left=int(symbol[left_node[example]]),
            left_rows=row[left_node[nodes]],
            left_edges=left_edge[nodes],
            right=right_symbol,
            right_rows=row[right_node[with_right]],
            right_edges=right_edge[with_right],
            edges=slice(int(starts[0]), int(starts[-1])),
            edge_starts=None if one_edge_each else starts[:-1] - starts[0],
        )

    inner = order[production[order] >= 0]
    groups = _runs(production[inner], height[inner])
    heights = [int(height[inner[group.start]]) for group in groups]
    steps = [step(inner[group], high) for group, high in zip(groups, heights, strict=True)]

    counts = np.bincount(node, minlength=n_nodes)
    by_symbol = np.split(order, offsets_of(n_rows)[1:-1])
    return Forest(
        n_rows=n_rows,
        n_edges=n_edges,
        units=tuple(treebank.unit[first[by_symbol[tag]]] for tag in treebank.tags),
        unit_edges=tuple(edge_starts[tag] for tag in treebank.tags),
        steps=tuple(steps[i] for i in np.argsort(heights, kind="stable")),
        blocks=tuple(step(inner[group]) for group in _runs(production[inner])),
        multiplicity=tuple(counts[nodes] for nodes in by_symbol),
    )


def _runs(*keys: Ints) -> list[slice]:
    """Where all keys stay the same, in pieces of at most :data:`ROWS`."""
    changes = np.any([np.diff(key, prepend=-1) != 0 for key in keys], axis=0)
    bounds = [*np.flatnonzero(changes).tolist(), len(changes)]

    pieces = []
    for begin, end in pairwise(bounds):
        pieces += [slice(at, min(at + ROWS, end)) for at in range(begin, end, ROWS)]
    return pieces


def _edges(symbol: Ints, row: Ints, n_rows: Ints) -> tuple[Ints, Ints, list[Ints]]:
    """Edges by symbol and row of the child.

    Positions, how many a symbol has, where each row's begin.
    """
    order = np.lexsort((row, symbol))
    per_symbol = np.bincount(symbol, minlength=len(n_rows))
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order)) - np.repeat(offsets_of(per_symbol)[:-1], per_symbol)

    flat = offsets_of(n_rows)
    per_row = np.bincount(flat[symbol] + row, minlength=int(flat[-1]))
    return position, per_symbol, [offsets_of(per_row[a:b]) for a, b in pairwise(flat)]
