"""What survives the coarse pass, as one packed hypergraph for a batch of sentences.

A node is a symbol over a span in one of two layers, below or above the span's unary rule.
Hyperedges are rule instances over surviving nodes: binary ones (rule, i, k, j), unary ones,
the identities that pass a symbol from below to above, and the words under their tags.
They depend on the coarse grammar alone, so they are compiled once: every finer grammar of every
hierarchy is summed over the same arrays, and derivations are rows of their edges.

Nodes lie by layer, then symbol, span width, sentence and first word; behind them is one that stands
for no child. Edges lie by level, 2 · width below and 2 · width + 1 above, then by rule: within such
a group no node is twice a left child or twice a right child, and edges of one parent are adjacent.

Petrov & Klein (2007) prune with every grammar of the hierarchy in turn: what has a
small posterior under one is left out of the forest for those that follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.parsing.coarse import CoarseChart, CoarseTables, triangle
from fstce.numeric.kernels import ranges, taken
from fstce.numeric.types import Floats, Ints

# What stands for the rule of an edge that is none.
WORD, IDENTITY = -2, -1

# Pairs of neighboring nodes that are looked at together.
_BLOCK = 1_000_000


class Index:
    """The places of each number from 0 on among some values; ``count``: how many each has."""

    def __init__(self, values: Ints, size: int) -> None:
        self._order = np.argsort(values, kind="stable")
        self.count: Ints = np.bincount(values, minlength=size)
        self._begin = offsets_of(self.count)

    def of(self, numbers: Ints) -> tuple[Ints, Ints]:
        """The places of some numbers, one after the other, and which of these each is of."""
        count = self.count[numbers]
        places = self._order[ranges(self._begin[numbers], count)]
        return places, np.repeat(np.arange(len(numbers)), count)


class RuleEdges(NamedTuple):
    """Rule instances; parent, left and right are nodes.

    ``rule``: the number of a rule, binary ones first, or :data:`WORD` or :data:`IDENTITY`.
    ``factor`` is exp(scales of the children − scale of the parent).
    """

    rule: Ints
    parent: Ints
    left: Ints
    right: Ints
    factor: Floats
    level: Ints

    @staticmethod
    def sorted(parts: Sequence[RuleEdges]) -> RuleEdges:
        """All edges by level, rule and parent; those of one parent stay in order."""
        columns: list[Any] = [np.concatenate(column) for column in zip(*parts, strict=True)]
        edges = RuleEdges(*columns)

        # One number sorts many times faster than three columns.
        rule = edges.rule - WORD
        n_rules = int(rule.max(initial=0)) + 1
        n_parents = int(edges.parent.max(initial=0)) + 1
        key = (edges.level * n_rules + rule) * n_parents + edges.parent
        return taken(edges, np.argsort(key, kind="stable"))


class Level(NamedTuple):
    """The edges of one level.

    All, the identities, those of rules, and each rule with their number.
    """

    edges: slice
    same: slice
    rest: slice
    rules: list[tuple[int, int]]


@dataclass(frozen=True, eq=False)
class PrunedForest:
    """The pruned hypergraph of a batch of sentences.

    ``lengths`` (n_sentences,). ``sentence``, ``start``, ``width``, ``scale`` (n_spans,): what each
    span is, by width, then sentence, then first word. ``symbol``, ``span`` (n_nodes,): what each
    node is. ``root`` (n_sentences,): the node above of the grammar's root; −1 where the sentence
    has no parse.
    """

    lengths: Ints
    sentence: Ints
    start: Ints
    width: Ints
    scale: Floats
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
        rule = self.edges.rule
        highest = int(self.edges.level.max(initial=1))
        bounds = np.searchsorted(self.edges.level, np.arange(2, highest + 2)).tolist()

        levels = []
        for begin, end in pairwise(bounds):
            same, rest = (begin + np.searchsorted(rule[begin:end], (IDENTITY, 0))).tolist()
            rules, n_edges = np.unique(rule[rest:end], return_counts=True)
            edges_of_rules = list(zip(rules.tolist(), n_edges.tolist(), strict=True))
            levels.append(
                Level(slice(begin, end), slice(same, rest), slice(rest, end), edges_of_rules)
            )
        return levels

    @cached_property
    def step(self) -> Ints:
        """Equal numbers for the unary edges of one parent and child, whose chains differ.

        (n_edges,).
        """
        edges = self.edges
        unary = np.flatnonzero((edges.rule >= 0) & (edges.right == self.nothing))
        pairs = edges.parent[unary] * (self.nothing + 1) + edges.left[unary]
        _, first, pair_of_edge = np.unique(pairs, return_index=True, return_inverse=True)

        step = np.arange(len(edges.rule))
        step[unary] = unary[first[pair_of_edge]]
        return step


def pruned_forest(
    tables: CoarseTables,
    charts: Sequence[CoarseChart],
    threshold: float = 1e-4,
    edge_threshold: float = 0.0,
) -> PrunedForest:
    """The hypergraph over what survives the coarse pass in each sentence.

    ``threshold``: keep the symbols over a span whose posterior probability is above this.
    ``edge_threshold``: of the binary rule instances over these, keep those whose posterior is above
    this.
    """
    n = tables.n_symbols
    lengths = np.array([chart.length for chart in charts], dtype=np.int64)

    # Charts have their spans by sentence; the forest's are by width first.
    starts, widths = zip(*(triangle(chart.length) for chart in charts), strict=True)
    width = np.concatenate(widths)
    order = np.argsort(width, kind="stable")
    sentence = np.repeat(np.arange(len(charts)), lengths * (lengths + 1) // 2)
    place = np.argsort(order)

    # A chart has a column for each symbol below, then one for each above. Posteriors of binary
    # edges are made of outside probabilities of nodes below, inside ones of those above.
    survives = [chart.posteriors > threshold for chart in charts]
    values = [
        np.hstack([chart.outside[:, :n], chart.inside[:, n:]])[alive]
        for chart, alive in zip(charts, survives, strict=True)
    ]
    span_of_chart, column = np.divmod(np.flatnonzero(np.concatenate(survives)), 2 * n)
    by_node = np.lexsort((place[span_of_chart], column))
    span = place[span_of_chart[by_node]]
    column = column[by_node]
    node = np.full((2 * n, len(order)), -1, dtype=np.int64)
    node[column, span] = np.arange(len(span))

    # Of spans of each width and sentence, the number of the first: (widths, sentences)
    counts = np.maximum(lengths - np.arange(1, lengths.max() + 1)[:, None] + 1, 0)
    first = (np.cumsum(counts) - counts.ravel()).reshape(counts.shape)
    whole = first[lengths - 1, np.arange(len(charts))]

    forest = PrunedForest(
        lengths=lengths,
        sentence=sentence[order],
        start=np.concatenate(starts)[order],
        width=width[order],
        scale=np.concatenate([chart.scale for chart in charts])[order],
        symbol=column % n,
        span=span,
        edges=RuleEdges._make(np.zeros(0, dtype=np.int64) for _ in RuleEdges._fields),
        root=node[n, whole],
    )

    parts = [
        _unbranched_edges(tables, forest, node),
        *_binary_edges(
            tables, forest, node, first, np.concatenate(values)[by_node], edge_threshold
        ),
    ]
    return replace(forest, edges=RuleEdges.sorted(parts))


def pruned(forest: PrunedForest, edge: Floats, node: Floats, threshold: float) -> PrunedForest:
    """The forest without the nodes and binary edges whose posterior is at most a threshold.

    ``edge`` (n_edges,), ``node`` (n_nodes,): posteriors. A sentence that has none keeps no node.
    """
    edges = forest.edges
    alive = np.append(node > threshold, True)
    number = np.where(alive, np.cumsum(alive) - 1, -1)

    stays = (edge > threshold) | (edges.right == forest.nothing)
    for nodes in (edges.parent, edges.left, edges.right):
        stays &= alive[nodes]

    edges = taken(edges, stays)
    return replace(
        forest,
        symbol=forest.symbol[alive[:-1]],
        span=forest.span[alive[:-1]],
        edges=edges._replace(
            parent=number[edges.parent], left=number[edges.left], right=number[edges.right]
        ),
        root=np.where(forest.root >= 0, number[forest.root], -1),
    )


def _unbranched_edges(tables: CoarseTables, forest: PrunedForest, node: Ints) -> RuleEdges:
    """The words under their tags, the identities, and the instances of unary rules over spans.

    Node numbers are (2 · symbols, spans), or −1.
    """
    grammar = tables.grammar
    below, above = np.split(node, 2)
    of_tags = below[grammar.tags]
    words = of_tags[of_tags >= 0]

    # A symbol may pass from below to above, and a unary rule do so with another below
    symbols = np.arange(tables.n_symbols)
    parents, children = np.vstack([np.stack([symbols, symbols], axis=1), grammar.unary]).T
    numbers = np.full(len(parents), IDENTITY)
    numbers[len(symbols) :] = len(grammar.binary) + np.arange(len(grammar.unary))
    row, span = np.nonzero((above[parents] >= 0) & (below[children] >= 0))

    rule = np.append(np.full(len(words), WORD), numbers[row])
    parent = np.append(words, above[parents[row], span])
    none = np.full(len(rule), forest.nothing)
    left = np.append(none[: len(words)], below[children[row], span])
    level = 2 * forest.width[forest.span[parent]] + (rule != WORD)
    return RuleEdges(rule, parent, left, none, np.ones(len(rule)), level)


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

    ``first``: of the spans of each width and sentence, (widths, sentences). ``values`` (n_nodes,):
    outside probabilities below, inside ones above.
    """
    parent, left, right = tables.grammar.binary.reshape(-1, 3).T
    n, symbol, span = tables.n_symbols, forest.symbol, forest.span
    rules = Index(left * n + right, n * n)

    parts = []
    for left_node, right_node in _side_by_side(forest, node, left, right):
        pair = symbol[left_node] * n + symbol[right_node]
        has_rule = np.flatnonzero(rules.count[pair])
        left_node, right_node = left_node[has_rule], right_node[has_rule]
        rule, meeting = rules.of(pair[has_rule])

        left_span, right_span = span[left_node], span[right_node]
        width = forest.width[left_span] + forest.width[right_span]
        over = first[width - 1, forest.sentence[left_span]] + forest.start[left_span]

        top = node[parent[rule], over[meeting]]
        survives = np.flatnonzero(top >= 0)
        rule, top, meeting = rule[survives], top[survives], meeting[survives]
        left_node, right_node, over = left_node[meeting], right_node[meeting], over[meeting]

        # posterior(A → B C) = O_below(A) · p(A → B C) · I_above(B) · I_above(C), by their scales
        scale = forest.scale
        factor = np.exp(scale[span[left_node]] + scale[span[right_node]] - scale[over])
        children = values[left_node] * values[right_node]
        posterior = values[top] * tables.binary[rule] * children * factor

        level = 2 * forest.width[over]
        edges = RuleEdges(rule, top, left_node, right_node, factor, level)
        parts.append(taken(edges, np.flatnonzero(posterior > threshold)))
    return parts


def _side_by_side(
    forest: PrunedForest, node: Ints, left_symbols: Ints, right_symbols: Ints
) -> Iterator[tuple[Ints, Ints]]:
    """Pairs of nodes above unary rules that can be left and right children and meet, in blocks."""
    # Places in the text, one more behind each sentence, so that none ends where another begins.
    offset = np.cumsum(forest.lengths + 1) - forest.lengths
    begin = (offset[forest.sentence] + forest.start)[forest.span]
    end = begin + forest.width[forest.span]

    _, above = np.split(node, 2)
    left, right = above[np.unique(left_symbols)], above[np.unique(right_symbols)]
    left = left[left >= 0]
    left = left[np.lexsort((begin[left], end[left]))]
    right = right[right >= 0]
    right_at = Index(begin[right], int(offset[-1] + forest.lengths[-1]) + 1)

    n_blocks = 1 + int(right_at.count[end[left]].sum()) // _BLOCK
    for block in np.array_split(left, n_blocks):
        places, which = right_at.of(end[block])
        yield block[which], right[places]
