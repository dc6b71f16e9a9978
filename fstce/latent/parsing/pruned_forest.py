"""What survives the coarse pass, as one packed hypergraph for a batch of sentences.

A node is a symbol over a span in one of two layers, below or above the span's unary rule.
Hyperedges are rule instances over surviving nodes: binary ones (rule, i, k, j), unary ones,
the identities that pass a symbol from below to above, and the words under their tags.
They depend on the coarse grammar alone, so they are compiled once and every finer grammar
of every hierarchy is summed over the same arrays.

Nodes of a layer lie by symbol, then by span width, sentence and first word: those of one
symbol and width are one slice. RuleEdges lie by span width, then by rule: within such a group
no node is twice a left child or twice a right child, and edges of one parent are adjacent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.coarse import CoarseChart, CoarseTables, triangle
from fstce.numeric.types import Bools, Floats, Ints

# Pairs of neighboring nodes that are looked at together.
_BLOCK = 1_000_000


class RuleEdges(NamedTuple):
    """Rule instances; parent, left and right are nodes. A unary rule has no right child.

    ``factor`` is exp(scales of the children − scale of the parent).
    """

    rule: Ints
    parent: Ints
    left: Ints
    right: Ints
    factor: Floats
    width: Ints

    def take(self, which: Ints | Bools) -> RuleEdges:
        """These edges only."""
        nodes = self.parent[which], self.left[which], self.right[which]
        return RuleEdges(self.rule[which], *nodes, self.factor[which], self.width[which])

    def sorted(self) -> RuleEdges:
        """By width, rule, parent and left child."""
        # One number an edge, which no other has, sorts many times faster than four columns.
        sizes = [int(column.max(initial=0)) + 1 for column in (self.rule, self.parent, self.left)]
        if math.prod(sizes) * (int(self.width.max(initial=0)) + 1) >= 1 << 62:
            return self.take(np.lexsort((self.left, self.parent, self.rule, self.width)))
        rules, parents, lefts = sizes
        key = ((self.width * rules + self.rule) * parents + self.parent) * lefts + self.left
        return self.take(np.argsort(key))

    def groups(self) -> Ints:
        """Where each run of one width and rule begins, and the end, shape (n_groups + 1,)."""
        change = (np.diff(self.width) != 0) | (np.diff(self.rule) != 0)
        ends = [len(self.rule)] if len(self.rule) else []
        return np.concatenate([[0], np.flatnonzero(change) + 1, ends]).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class NodeLayer:
    """The nodes of a layer.

    ``symbol``, ``span`` (n_nodes,): ``span`` numbers the spans of the batch by width, then sentence, then
    first word. ``first`` (n_symbols + 1,): the first node of each symbol.
    """

    symbol: Ints
    span: Ints
    first: Ints


@dataclass(frozen=True, slots=True, eq=False)
class PrunedForest:
    """The pruned hypergraph of a batch of sentences.

    ``lengths`` is (n_sentences,). ``sentence``, ``start``, ``width``, ``scale`` (n_spans,): what each span
    is. ``identity`` (2, n_identities): nodes above and below of one symbol and span. ``root`` (n_sentences,):
    the node above of the grammar's root; −1 where the sentence has no parse.
    """

    lengths: Ints
    sentence: Ints
    start: Ints
    width: Ints
    scale: Floats
    below: NodeLayer
    above: NodeLayer
    binary: RuleEdges
    unary: RuleEdges
    identity: Ints
    root: Ints

    @property
    def n_widths(self) -> int:
        """One more than the longest sentence: the span widths count from 0."""
        return int(self.width.max(initial=0)) + 1

    def identities_by_width(self) -> list[tuple[Ints, Ints]]:
        """The identities of each span width: nodes above, and those below."""
        high, low = self.identity
        width = self.width[self.above.span[high]]
        order = np.argsort(width, kind="stable")
        cuts = np.searchsorted(width[order], np.arange(self.n_widths + 1)).tolist()
        return [(high[order[a:b]], low[order[a:b]]) for a, b in pairwise(cuts)]


def pruned_forest(
    tables: CoarseTables, charts: Sequence[CoarseChart], threshold: float = 1e-4, edge_threshold: float = 0.0
) -> PrunedForest:
    """The hypergraph over what survives the coarse pass in each sentence.

    ``threshold``: keep the symbols over a span whose posterior probability is above this. ``edge_threshold``:
    of the binary rule instances over these, keep those whose posterior is above this.
    """
    grammar = tables.grammar
    lengths = np.array([chart.length for chart in charts], dtype=np.int64)
    spans = [triangle(chart.length) for chart in charts]
    counts = np.array([len(span.start) for span in spans], dtype=np.int64)
    first = np.cumsum(counts) - counts
    width = np.concatenate([span.width for span in spans])
    order = np.argsort(width, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    below, below_node = _layer(np.concatenate([chart.below > threshold for chart in charts])[order])
    above, above_node = _layer(np.concatenate([chart.above > threshold for chart in charts])[order])
    scale = np.concatenate([chart.scale for chart in charts])[order]
    width = width[order]
    start = np.concatenate([span.start for span in spans])[order]
    sentence = np.repeat(np.arange(len(lengths)), counts)[order]
    values = (
        _at_nodes([chart.outside_below for chart in charts], order, below),
        _at_nodes([chart.inside_above for chart in charts], order, above),
    )
    words = np.cumsum(lengths + 1) - (lengths + 1)
    spans_between = _Spans(words[sentence] + start, width, place, first[sentence], lengths[sentence])
    binary = _binary_edges(tables, above, values, below_node, spans_between, scale, edge_threshold)
    # Nodes below of the same symbol and span as those above, or −1
    low = below_node[above.symbol, above.span]
    return PrunedForest(
        lengths,
        sentence,
        start,
        width,
        scale,
        below,
        above,
        binary,
        _unary_edges(grammar, above_node, below, width),
        np.array([np.flatnonzero(low >= 0), low[low >= 0]]),
        above_node[0, place[first + counts - 1]],
    )


def _unary_edges(grammar: SplitGrammar, above_node: Ints, below: NodeLayer, width: Ints) -> RuleEdges:
    """The instances of unary rules whose parent and child survive over a span; nodes (symbols, spans)."""
    upper, lower = grammar.unary.reshape(-1, 2).T
    by_child = np.argsort(lower, kind="stable")
    bounds = np.searchsorted(lower[by_child], np.arange(len(above_node) + 1))
    # Every node below meets the rules that have it as their child
    child, place = _ranges(bounds[below.symbol], bounds[below.symbol + 1] - bounds[below.symbol])
    rule = by_child[place]
    parent = above_node[upper[rule], below.span[child]]
    both = parent >= 0
    rule, parent, child = rule[both], parent[both], child[both]
    return RuleEdges(rule, parent, child, child, np.ones(len(rule)), width[below.span[child]]).sorted()


def _layer(mask: Bools) -> tuple[NodeLayer, Ints]:
    """The nodes where a mask of (spans, symbols) holds, and their numbers, (symbols, spans), or −1."""
    by_symbol = np.ascontiguousarray(mask.T)
    held = np.flatnonzero(by_symbol)
    node = np.full(by_symbol.size, -1, dtype=np.int64)
    node[held] = np.arange(len(held))
    symbol, span = np.divmod(held, len(mask))
    first = np.searchsorted(symbol, np.arange(mask.shape[1] + 1))
    return NodeLayer(symbol, span, first), node.reshape(by_symbol.shape)


class _Spans(NamedTuple):
    """Where each span begins in the text, its width, and what finds the span of a sentence by both."""

    begin: Ints
    width: Ints
    place: Ints
    first: Ints
    length: Ints

    def joined(self, left: Ints, right: Ints) -> Ints:
        """The spans over two that lie side by side."""
        width, n = self.width[left] + self.width[right], self.length[left]
        # Of the spans of n words, (width − 1)(2 n − width + 2) / 2 are narrower.
        narrower = (width - 1) * (2 * n - width + 2) // 2
        start = self.begin[left] - self.begin[self.place[self.first[left]]]
        found: Ints = self.place[self.first[left] + narrower + start]
        return found


def _at_nodes(charts: Sequence[Floats], order: Ints, layer: NodeLayer) -> Floats:
    """What charts of (spans, symbols) hold at the nodes of a layer."""
    found: Floats = np.concatenate(charts)[order[layer.span], layer.symbol]
    return found


def _binary_edges(
    tables: CoarseTables,
    above: NodeLayer,
    values: tuple[Floats, Floats],
    below_node: Ints,
    spans: _Spans,
    scale: Floats,
    threshold: float,
) -> RuleEdges:
    """The binary instances whose three nodes survive and whose posterior is above the threshold.

    Every node that can be a left child meets the nodes that begin where it ends; a table says
    which rules a pair of symbols has, and the parent has to be there.
    """
    outside, inside = values
    parent, left, right = tables.grammar.binary.reshape(-1, 3).T
    n = tables.n_symbols
    by_pair = np.argsort(left * n + right, kind="stable")
    bounds = np.searchsorted((left * n + right)[by_pair], np.arange(n * n + 1))
    lefts, rights = (np.flatnonzero(np.isin(above.symbol, symbols)) for symbols in (left, right))
    end = spans.begin + spans.width
    lefts = lefts[np.lexsort((spans.begin[above.span[lefts]], end[above.span[lefts]]))]
    rights = rights[np.argsort(spans.begin[above.span[rights]], kind="stable")]
    begins = spans.begin[above.span[rights]]
    met = np.searchsorted(begins, end[above.span[lefts]], "left")
    n_met = np.searchsorted(begins, end[above.span[lefts]], "right") - met
    parts = []
    for block in np.array_split(np.arange(len(lefts)), 1 + int(n_met.sum()) // _BLOCK):
        which, place = _ranges(met[block], n_met[block])
        one, other = lefts[block[which]], rights[place]
        pair = above.symbol[one] * n + above.symbol[other]
        alive = np.flatnonzero(bounds[pair + 1] > bounds[pair])
        one, other, pair = one[alive], other[alive], pair[alive]
        over = spans.joined(above.span[one], above.span[other])
        which, place = _ranges(bounds[pair], bounds[pair + 1] - bounds[pair])
        rule = by_pair[place]
        node = below_node[parent[rule], over[which]]
        alive = np.flatnonzero(node >= 0)
        rule, node, which = rule[alive], node[alive], which[alive]
        one, other, over = one[which], other[which], over[which]
        factor = np.exp(scale[above.span[one]] + scale[above.span[other]] - scale[over])
        if threshold > 0.0:
            posterior = outside[node] * tables.binary[rule] * inside[one] * inside[other] * factor
            kept = np.flatnonzero(posterior > threshold)
            rule, node, one, other, factor, over = (
                column[kept] for column in (rule, node, one, other, factor, over)
            )
        parts.append(RuleEdges(rule, node, one, other, factor, spans.width[over]))
    return RuleEdges(*(np.concatenate(column) for column in zip(*parts, strict=True))).sorted()


def _ranges(begin: Ints, count: Ints) -> tuple[Ints, Ints]:
    """All numbers of the ranges that begin there and hold so many, with the range of each.

    >>> [row.tolist() for row in _ranges(np.array([5, 0]), np.array([2, 1]))]
    [[0, 0, 1], [5, 6, 0]]
    """
    which = np.repeat(np.arange(len(count)), count)
    return which, np.arange(len(which)) + np.repeat(begin - np.cumsum(count) + count, count)
