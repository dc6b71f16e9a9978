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

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.coarse import CoarseChart, CoarseTables, triangle
from fstce.numeric.types import Bools, Floats, Ints


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
        """By width, then rule; else as they were."""
        return self.take(np.argsort(self.width * (self.rule.max(initial=0) + 1) + self.rule, kind="stable"))

    def groups(self) -> Ints:
        """Where each run of one width and rule begins, and the end, shape (n_groups + 1,)."""
        change = (np.diff(self.width) != 0) | (np.diff(self.rule) != 0)
        ends = [len(self.rule)] if len(self.rule) else []
        return np.concatenate([[0], np.flatnonzero(change) + 1, ends]).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class NodeLayer:
    """The nodes of a layer.

    Parameters
    ----------
    symbol, span : ndarray, shape (n_nodes,)
        ``span`` numbers the spans of the batch by width, then sentence, then first word.
    first : ndarray, shape (n_symbols + 1,)
        The first node of each symbol.
    """

    symbol: Ints
    span: Ints
    first: Ints

    def row(self, node: Ints) -> Ints:
        """The position of nodes among those of their symbol."""
        found: Ints = node - self.first[self.symbol[node]]
        return found


@dataclass(frozen=True, slots=True, eq=False)
class PrunedForest:
    """The pruned hypergraph of a batch of sentences.

    Parameters
    ----------
    lengths : ndarray, shape (n_sentences,)
    sentence, start, width, scale : ndarray, shape (n_spans,)
        What each span is.
    below, above : NodeLayer
    binary, unary : RuleEdges
    identity : ndarray, shape (2, n_identities)
        Nodes above and below of one symbol and span.
    root : ndarray, shape (n_sentences,)
        The node above of the grammar's root; −1 where the sentence has no parse.
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


def pruned_forest(
    tables: CoarseTables, charts: Sequence[CoarseChart], threshold: float = 1e-4, edge_threshold: float = 0.0
) -> PrunedForest:
    """The hypergraph over what survives the coarse pass in each sentence.

    Parameters
    ----------
    tables : CoarseTables
        Of the unsplit grammar.
    charts : sequence of CoarseChart
        One a sentence.
    threshold : float
        Keep the symbols over a span whose posterior probability is above this.
    edge_threshold : float
        Of the binary rule instances over these, keep those whose posterior is above this.
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
    masks = [(chart.below > threshold, chart.above > threshold) for chart in charts]
    below, below_node = _layer(np.concatenate([mask for mask, _ in masks])[order])
    above, above_node = _layer(np.concatenate([mask for _, mask in masks])[order])
    instances = [
        _binary_instances(tables, chart, *mask, edge_threshold)
        for chart, mask in zip(charts, masks, strict=True)
    ]
    rule = np.concatenate([rule for rule, _ in instances])
    parent, left, right = place[
        np.concatenate([at + three for (_, three), at in zip(instances, first, strict=True)], axis=1)
    ]
    scale = np.concatenate([chart.scale for chart in charts])[order]
    width = width[order]
    a, b, c = grammar.binary.reshape(-1, 3)[rule].T
    factor = np.exp(scale[left] + scale[right] - scale[parent])
    nodes = below_node[a, parent], above_node[b, left], above_node[c, right]
    symbol, both = np.nonzero((above_node >= 0) & (below_node >= 0))
    return PrunedForest(
        lengths,
        np.repeat(np.arange(len(lengths)), counts)[order],
        np.concatenate([span.start for span in spans])[order],
        width,
        scale,
        below,
        above,
        RuleEdges(rule, *nodes, factor, width[parent]).sorted(),
        _unary_edges(grammar, above_node, below_node, width),
        np.array([above_node[symbol, both], below_node[symbol, both]]),
        above_node[0, place[first + counts - 1]],
    )


def _unary_edges(grammar: SplitGrammar, above_node: Ints, below_node: Ints, width: Ints) -> RuleEdges:
    """The instances of unary rules whose parent and child survive over a span; nodes (symbols, spans)."""
    upper, lower = grammar.unary.reshape(-1, 2).T
    unary, span = np.nonzero((above_node[upper] >= 0) & (below_node[lower] >= 0))
    child = below_node[lower[unary], span]
    parent = above_node[upper[unary], span]
    return RuleEdges(unary, parent, child, child, np.ones(len(span)), width[span]).sorted()


def _layer(mask: Bools) -> tuple[NodeLayer, Ints]:
    """The nodes where a mask of (spans, symbols) holds, and their numbers, (symbols, spans), or −1."""
    symbol, span = np.nonzero(mask.T)
    node = np.full(mask.T.shape, -1, dtype=np.int64)
    node[symbol, span] = np.arange(len(symbol))
    return NodeLayer(symbol, span, np.searchsorted(symbol, np.arange(mask.shape[1] + 1))), node


@lru_cache(maxsize=64)
def _splits(length: int) -> Ints:
    """Parent, left and right span of every split, shape (3, n_splits), by parent."""
    start, width = triangle(length)
    parent = np.repeat(np.arange(len(start)), width - 1)
    first = np.cumsum(width - 1) - (width - 1)
    left_width = np.arange(len(parent)) - np.repeat(first, width - 1) + 1
    of_width = np.concatenate([[0, 0], np.cumsum(np.arange(length, 0, -1))])
    left = of_width[left_width] + start[parent]
    right = of_width[width[parent] - left_width] + start[parent] + left_width
    return np.array([parent, left, right])


def _binary_instances(
    tables: CoarseTables, chart: CoarseChart, below: Bools, above: Bools, threshold: float
) -> tuple[Ints, Ints]:
    """The rule, and the parent, left and right span, of every instance whose three nodes survive.

    Each span holds one bit a rule for each of the three places where it can stand; the
    instances of a split are the bits that its three spans share.
    """
    a, b, c = tables.grammar.binary.reshape(-1, 3).T
    parents, lefts, rights = (
        np.packbits(mask[:, symbol], axis=1) for mask, symbol in ((below, a), (above, b), (above, c))
    )
    parent, left, right = _splits(chart.length)
    places = ((parents, parent), (lefts, left), (rights, right))
    alive = np.flatnonzero(np.all([np.asarray(bits.any(axis=1))[span] for bits, span in places], axis=0))
    rules, spans = [], []
    for block in np.array_split(alive, 1 + len(alive) // 20_000):
        shared = parents[parent[block]] & lefts[left[block]] & rights[right[block]]
        split, byte = np.nonzero(shared)
        at, bit = np.nonzero(np.unpackbits(shared[split, byte][:, None], axis=1))
        where = block[split[at]]
        rule, three = byte[at] * 8 + bit, np.array([parent[where], left[where], right[where]])
        if threshold > 0.0:
            kept = _posteriors(tables, chart, rule, three) > threshold
            rule, three = rule[kept], three[:, kept]
        rules.append(rule)
        spans.append(three)
    return np.concatenate(rules), np.concatenate(spans, axis=1)


def _posteriors(tables: CoarseTables, chart: CoarseChart, rule: Ints, spans: Ints) -> Floats:
    """Posterior probabilities of binary rule instances under the coarse grammar."""
    a, b, c = tables.grammar.binary[rule].T
    parent, left, right = spans
    inside = chart.inside_above[left, b] * chart.inside_above[right, c]
    factor = np.exp(chart.scale[left] + chart.scale[right] - chart.scale[parent])
    found: Floats = chart.outside_below[parent, a] * tables.binary[rule] * inside * factor
    return found
