"""A treebank as one packed forest: equal subtrees once, rows by symbol, steps by height.

The inside scores of a subtree depend on nothing but its rules and lexical units, so that
equal subtrees are one node, and outside scores, each divided by its tree's probability, add
up over the places where it stands. The nodes of a symbol are the rows of one array, sorted
by production and height: a step of the inside pass is all nodes of one production and
height, a range of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.training.treebank import TreebankArrays
from fstce.numeric.types import Ints

# Outer products of children's scores for more rows would not stay in the cache.
ROWS = 512


@dataclass(frozen=True, slots=True, eq=False)
class ForestStep:
    """Nodes of one production and height (−1: any): rows of the parent symbol and of what is below."""

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
    """Nodes as rows of arrays, one array a symbol, and the steps over them.

    ``n_rows``, ``n_edges`` (n_symbols,): nodes of each symbol, and how often they are children. The edges to
    a row lie together, in the order of rows; a tag's rows are its lexical units. ``units``: each tag's
    lexical units, in the order of :attr:`TreebankArrays.tags`. ``unit_edges``: where the edges to each of
    them begin. ``steps``: by height: children before parents. ``blocks``: nodes of one production and any
    height together. ``multiplicity``: for each symbol, how often each node stands in the trees.
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
    leaves = np.flatnonzero(treebank.height == 0)
    keys = np.stack([treebank.symbol[leaves], treebank.unit[leaves]])
    number[leaves] = np.unique(keys, axis=1, return_inverse=True)[1].ravel()
    total = int(number[leaves].max()) + 1
    for height in range(1, int(treebank.height.max()) + 1):
        nodes = np.flatnonzero(treebank.height == height)
        left, right = treebank.left[nodes], treebank.right[nodes]
        below_right = np.where(right >= 0, number[right], -1)
        keys = np.stack([treebank.production[nodes], number[left], below_right])
        found = np.unique(keys, axis=1, return_inverse=True)[1].ravel()
        number[nodes] = total + found
        total += int(found.max()) + 1
    return number


def _packed(treebank: TreebankArrays, node: Ints, first: Ints) -> Forest:
    """Rows, edges and steps of numbered nodes; `first` holds an example of each."""
    n_symbols = len(treebank.symbols)
    symbol, production, height = treebank.symbol[first], treebank.production[first], treebank.height[first]
    order = np.lexsort((np.arange(len(first)), treebank.unit[first], height, production, symbol))
    n_rows = np.bincount(symbol, minlength=n_symbols)
    row = np.empty(len(first), dtype=np.int64)
    row[order] = np.arange(len(first)) - np.repeat(offsets_of(n_rows)[:-1], n_rows)
    left, right = treebank.left[first], treebank.right[first]
    children = np.concatenate([node[left[left >= 0]], node[right[right >= 0]]])
    edges = _edges(symbol[children], row[children], n_rows)
    left_edge = np.full(len(first), -1)
    right_edge = np.full(len(first), -1)
    left_edge[left >= 0], right_edge[right >= 0] = np.split(edges.position, [int((left >= 0).sum())])
    packer = _Packer(
        symbol,
        production,
        row,
        np.where(left >= 0, node[left], -1),
        np.where(right >= 0, node[right], -1),
        left_edge,
        right_edge,
        edges,
    )
    inner = order[production[order] >= 0]
    groups = _runs(production[inner], height[inner])
    heights = [int(height[inner[group.start]]) for group in groups]
    steps = [packer.step(inner[group], high) for group, high in zip(groups, heights, strict=True)]
    counts = np.bincount(node, minlength=len(first))
    by_symbol = np.split(order, offsets_of(n_rows)[1:-1])
    return Forest(
        n_rows=n_rows,
        n_edges=edges.per_symbol,
        units=tuple(treebank.unit[first[by_symbol[tag]]] for tag in treebank.tags),
        unit_edges=tuple(edges.starts[tag] for tag in treebank.tags),
        steps=tuple(steps[i] for i in np.argsort(heights, kind="stable")),
        blocks=tuple(packer.step(inner[group]) for group in _runs(production[inner])),
        multiplicity=tuple(counts[nodes] for nodes in by_symbol),
    )


def _runs(*keys: Ints) -> list[slice]:
    """Where all keys stay the same, in pieces of at most :data:`ROWS`."""
    changes = np.any([np.diff(key, prepend=-1) != 0 for key in keys], axis=0)
    edges = [*np.flatnonzero(changes).tolist(), len(changes)]
    pieces = (range(a, b, ROWS) for a, b in pairwise(edges))
    ends = zip(edges[1:], pieces, strict=True)
    return [slice(a, min(a + ROWS, end)) for end, piece in ends for a in piece]


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """Edges by symbol and row of the child: their positions, and where each row's begin."""

    position: Ints
    per_symbol: Ints
    starts: tuple[Ints, ...]


def _edges(symbol: Ints, row: Ints, n_rows: Ints) -> _Edges:
    order = np.lexsort((row, symbol))
    per_symbol = np.bincount(symbol, minlength=len(n_rows))
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order)) - np.repeat(offsets_of(per_symbol)[:-1], per_symbol)
    flat = offsets_of(n_rows)
    per_row = np.bincount(flat[symbol] + row, minlength=int(flat[-1]))
    starts = tuple(offsets_of(per_row[a:b]) for a, b in pairwise(flat))
    return _Edges(position, per_symbol, starts)


@dataclass(frozen=True, slots=True, eq=False)
class _Packer:
    """Makes steps of nodes."""

    symbol: Ints
    production: Ints
    row: Ints
    left: Ints
    right: Ints
    left_edge: Ints
    right_edge: Ints
    edges: _Edges

    def step(self, nodes: Ints, height: int = -1) -> ForestStep:
        """The step of nodes of one production, in the order of their rows."""
        some = int(nodes[0])
        parent, begin = int(self.symbol[some]), int(self.row[some])
        binary = bool(self.right[some] >= 0)
        starts = self.edges.starts[parent][begin : begin + len(nodes) + 1]
        single = int(starts[-1] - starts[0]) == len(nodes)
        none = np.zeros(0, dtype=np.int64)
        return ForestStep(
            rule=int(self.production[some]),
            height=height,
            parent=parent,
            rows=slice(begin, begin + len(nodes)),
            left=int(self.symbol[self.left[some]]),
            left_rows=self.row[self.left[nodes]],
            left_edges=self.left_edge[nodes],
            right=int(self.symbol[self.right[some]]) if binary else -1,
            right_rows=self.row[self.right[nodes]] if binary else none,
            right_edges=self.right_edge[nodes] if binary else none,
            edges=slice(int(starts[0]), int(starts[-1])),
            edge_starts=None if single else starts[:-1] - starts[0],
        )
