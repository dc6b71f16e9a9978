"""What survives the coarse pass, as one packed hypergraph for a batch of sentences.

A node is a symbol over a span in one of two layers, below or above the span's unary rule.
Hyperedges are rule instances over surviving nodes: binary ones (rule, i, k, j), unary ones,
the identities that pass a symbol from below to above, and the words under their tags.
They depend on the coarse grammar alone, so they are compiled once: every finer grammar of every
hierarchy is summed over the same arrays, and derivations are rows of their edges.

Nodes lie by layer, then symbol, span width, sentence and first word; behind them is one that stands for
no child. Edges lie by level, 2 · width below and 2 · width + 1 above, then by rule: within such a group
no node is twice a left child or twice a right child, and edges of one parent are adjacent.

Petrov & Klein (2007), section 4.1, prune with every grammar of the hierarchy in turn: what has a small
posterior under one is left out of the forest for those that follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from fstce.latent.parsing.coarse import CoarseChart, CoarseTables, triangle
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Bools, Floats, Ints

# What stands for the rule of an edge that is none.
WORD, IDENTITY = -2, -1

# Pairs of neighboring nodes that are looked at together.
_BLOCK = 1_000_000


class RuleEdges(NamedTuple):
    """Rule instances; parent, left and right are nodes.

    ``rule``: the number of a rule, binary ones first, or :data:`WORD` or :data:`IDENTITY`. ``factor`` is
    exp(scales of the children − scale of the parent).
    """

    rule: Ints
    parent: Ints
    left: Ints
    right: Ints
    factor: Floats
    level: Ints

    def take(self, which: Ints | Bools) -> RuleEdges:
        """These edges only."""
        columns: list[Any] = [column[which] for column in self]
        return RuleEdges(*columns)

    @staticmethod
    def sorted(parts: Sequence[RuleEdges]) -> RuleEdges:
        """All edges by level, rule and parent; those of one parent stay in order."""
        columns: list[Any] = [np.concatenate(column) for column in zip(*parts, strict=True)]
        edges = RuleEdges(*columns)
        # One number sorts many times faster than three columns.
        rules, parents = (
            int(column.max(initial=0)) + 1 for column in (edges.rule - WORD, edges.parent)
        )
        key = (edges.level * rules + edges.rule - WORD) * parents + edges.parent
        return edges.take(np.argsort(key, kind="stable"))


class Level(NamedTuple):
    """The edges of one level: all, the identities, those of rules, and each rule with their number."""

    edges: slice
    same: slice
    rest: slice
    rules: list[tuple[int, int]]


@dataclass(frozen=True, eq=False)
class PrunedForest:
    """The pruned hypergraph of a batch of sentences.

    ``lengths`` (n_sentences,). ``sentence``, ``start``, ``width``, ``scale`` (n_spans,): what each span is,
    by width, then sentence, then first word. ``whole`` (n_sentences,): the span over all words. ``symbol``,
    ``span`` (n_nodes,): what each node is. ``root`` (n_sentences,): the node above of the grammar's root; −1
    where the sentence has no parse.
    """

    lengths: Ints
    sentence: Ints
    start: Ints
    width: Ints
    scale: Floats
    whole: Ints
    symbol: Ints
    span: Ints
    edges: RuleEdges
    root: Ints

    @property
    def nothing(self) -> int:
        """The node that stands for no child."""
        return len(self.symbol)

    @cached_property
    def levels(self) -> list[Level]:
        """The levels, from the words up."""
        level, rule = self.edges.level, self.edges.rule
        ends = np.searchsorted(level, np.arange(2, int(level.max(initial=1)) + 2)).tolist()
        found = []
        for begin, end in pairwise(ends):
            same, rest = (begin + np.searchsorted(rule[begin:end], (IDENTITY, 0))).tolist()
            runs = (column.tolist() for column in np.unique(rule[rest:end], return_counts=True))
            places = slice(begin, end), slice(same, rest), slice(rest, end)
            found.append(Level(*places, list(zip(*runs, strict=True))))
        return found

    @cached_property
    def step(self) -> Ints:
        """Equal numbers for the unary edges of one parent and child, whose chains differ, (n_edges,)."""
        edges, step = self.edges, np.arange(len(self.edges.rule))
        unary = np.flatnonzero((edges.rule >= 0) & (edges.right == self.nothing))
        pairs = edges.parent[unary] * (self.nothing + 1) + edges.left[unary]
        _, first, which = np.unique(pairs, return_index=True, return_inverse=True)
        step[unary] = unary[first[which]]
        return step

    @cached_property
    def by_parent(self) -> tuple[Ints, Ints]:
        """All edges by their parent, and where those of each node begin, (n_nodes + 1,)."""
        order = np.argsort(self.edges.parent, kind="stable")
        return order, np.searchsorted(self.edges.parent[order], np.arange(self.nothing + 1))


def pruned_forest(
    tables: CoarseTables,
    charts: Sequence[CoarseChart],
    threshold: float = 1e-4,
    edge_threshold: float = 0.0,
) -> PrunedForest:
    """The hypergraph over what survives the coarse pass in each sentence.

    ``threshold``: keep the symbols over a span whose posterior probability is above this. ``edge_threshold``:
    of the binary rule instances over these, keep those whose posterior is above this.
    """
    lengths = np.array([chart.length for chart in charts], dtype=np.int64)
    start, width = (np.concatenate(c) for c in zip(*map(triangle, lengths.tolist()), strict=True))
    order = np.argsort(width, kind="stable")
    start, width = start[order], width[order]
    sentence = np.repeat(np.arange(len(charts)), lengths * (lengths + 1) // 2)[order]
    scale = np.concatenate([chart.scale for chart in charts])[order]
    # Charts have their spans by sentence, and a column a symbol below, then one above.
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    n, kept = tables.n_symbols, [chart.posteriors > threshold for chart in charts]
    span, column = np.divmod(np.flatnonzero(np.concatenate(kept)), 2 * n)
    by_node = np.lexsort((place[span], column))
    span, column = place[span[by_node]], column[by_node]
    node = np.full((2 * n, len(order)), -1, dtype=np.int64)
    node[column, span] = np.arange(len(span))
    # Of spans of each width and sentence, the number of the first: (widths, sentences)
    counts = np.maximum(lengths - np.arange(1, lengths.max() + 1)[:, None] + 1, 0)
    first = (np.cumsum(counts) - counts.ravel()).reshape(counts.shape)
    whole = first[lengths - 1, np.arange(len(charts))]
    forest = PrunedForest(
        *(lengths, sentence, start, width, scale, whole, column % n, span),
        edges=RuleEdges._make(np.zeros(0, dtype=np.int64) for _ in RuleEdges._fields),
        root=node[n, whole],
    )
    # What posteriors of binary edges are made of: outside of nodes below, inside of those above.
    layers = (np.hstack([chart.outside[:, :n], chart.inside[:, n:]]) for chart in charts)
    values = np.concatenate([layer[which] for layer, which in zip(layers, kept, strict=True)])[
        by_node
    ]
    parts = [
        *_word_edges(tables, forest, node),
        _unary_edges(tables, forest, node),
        *_binary_edges(tables, forest, node, first, values, edge_threshold),
    ]
    return replace(forest, edges=RuleEdges.sorted(parts))


def pruned(forest: PrunedForest, edge: Floats, node: Floats, threshold: float) -> PrunedForest:
    """The forest without the nodes and binary edges whose posterior is at most a threshold.

    ``edge`` (n_edges,), ``node`` (n_nodes,): posteriors. A sentence that has none keeps no node.
    """
    edges, alive = forest.edges, np.append(node > threshold, True)
    number = np.where(alive, np.cumsum(alive) - 1, -1)
    kept = (edge > threshold) | (edges.right == forest.nothing)
    for nodes in (edges.parent, edges.left, edges.right):
        kept &= alive[nodes]
    edges = edges.take(kept)
    return replace(
        forest,
        symbol=forest.symbol[alive[:-1]],
        span=forest.span[alive[:-1]],
        edges=edges._replace(
            parent=number[edges.parent], left=number[edges.left], right=number[edges.right]
        ),
        root=np.where(forest.root >= 0, number[forest.root], -1),
    )


def _unbranched(
    forest: PrunedForest, rule: Ints, parent: Ints, left: Ints, above: int
) -> RuleEdges:
    """Edges with one child or none, at the level below or above of their parent's span."""
    none = np.full(len(rule), forest.nothing)
    level = 2 * forest.width[forest.span[parent]] + above
    return RuleEdges(rule, parent, left, none, np.ones(len(rule)), level)


def _word_edges(
    tables: CoarseTables, forest: PrunedForest, node: Ints
) -> tuple[RuleEdges, RuleEdges]:
    """The words under their tags, and the identities; node numbers are (2 · symbols, spans), or −1."""
    tags = node[tables.grammar.tags]
    tags = tags[tags >= 0]
    below, above = node[: tables.n_symbols], node[tables.n_symbols :]
    both = np.nonzero((below >= 0) & (above >= 0))
    words = _unbranched(
        forest, np.full(len(tags), WORD), tags, np.full(len(tags), forest.nothing), 0
    )
    return words, _unbranched(forest, np.full(len(both[0]), IDENTITY), above[both], below[both], 1)


def _unary_edges(tables: CoarseTables, forest: PrunedForest, node: Ints) -> RuleEdges:
    """The instances of unary rules whose parent and child survive over a span."""
    grammar, n = tables.grammar, tables.n_symbols
    above, below = grammar.unary.reshape(-1, 2).T
    alive = node >= 0
    rule, span = np.nonzero(alive[n + above] & alive[below])
    return _unbranched(
        forest, len(grammar.binary) + rule, node[n + above[rule], span], node[below[rule], span], 1
    )


def _binary_edges(
    tables: CoarseTables,
    forest: PrunedForest,
    node: Ints,
    first: Ints,
    values: Floats,
    threshold: float,
) -> list[RuleEdges]:
    """The binary instances whose three nodes survive and whose posterior is above the threshold.

    Every node that can be a left child meets the nodes that begin where it ends; a table says
    which rules a pair of symbols has, and the parent has to be there.

    ``first``: of the spans of each width and sentence, (widths, sentences). ``values`` (n_nodes,): outside
    probabilities below, inside ones above.
    """
    parent, left, right = tables.grammar.binary.reshape(-1, 3).T
    n, symbol, span = tables.n_symbols, forest.symbol, forest.span
    by_pair = np.argsort(left * n + right, kind="stable")
    bounds = np.searchsorted((left * n + right)[by_pair], np.arange(n * n + 1))
    # Places in the text, one more behind each sentence, so that none ends where another begins.
    begin = (np.cumsum(forest.lengths + 1) - forest.lengths)[forest.sentence] + forest.start
    end = begin + forest.width
    upper = np.arange(len(symbol)) >= int(np.count_nonzero(node[:n] >= 0))
    lefts, rights = (
        np.flatnonzero(upper & np.isin(symbol, children)) for children in (left, right)
    )
    lefts = lefts[np.lexsort((begin[span[lefts]], end[span[lefts]]))]
    rights = rights[np.argsort(begin[span[rights]], kind="stable")]
    met, past = (
        np.searchsorted(begin[span[rights]], end[span[lefts]], side) for side in ("left", "right")
    )
    parts = []
    for block in np.array_split(np.arange(len(lefts)), 1 + int((past - met).sum()) // _BLOCK):
        count = (past - met)[block]
        one, other = lefts[np.repeat(block, count)], rights[ranges(met[block], count)]
        pair = symbol[one] * n + symbol[other]
        alive = np.flatnonzero(bounds[pair + 1] > bounds[pair])
        one, other, pair = one[alive], other[alive], pair[alive]
        width, sentence = (
            forest.width[span[one]] + forest.width[span[other]],
            forest.sentence[span[one]],
        )
        over = first[width - 1, sentence] + forest.start[span[one]]
        count = bounds[pair + 1] - bounds[pair]
        which, place = np.repeat(np.arange(len(pair)), count), ranges(bounds[pair], count)
        top = node[parent[by_pair[place]], over[which]]
        alive = np.flatnonzero(top >= 0)
        rule, which, top = by_pair[place[alive]], which[alive], top[alive]
        one, other, over = one[which], other[which], over[which]
        factor = np.exp(forest.scale[span[one]] + forest.scale[span[other]] - forest.scale[over])
        posterior = values[top] * tables.binary[rule] * values[one] * values[other] * factor
        likely = np.flatnonzero(posterior > threshold)
        rule, top, one, other, over = (column[likely] for column in (rule, top, one, other, over))
        parts.append(RuleEdges(rule, top, one, other, factor[likely], 2 * forest.width[over]))
    return parts
