"""The best derivations of the split grammar itself, subcategories and all.

The search is the inside pass with a maximum for the sum. Its charts give every node's best
score; what led there is computed again for the few nodes that a derivation visits, so that
nothing but numbers is kept. A split node is a symbol's subcategory over a span in a layer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fstce.latent.arrays import offsets_of
from fstce.latent.parsing.lazy_kbest import Incoming, LazyKBest
from fstce.latent.parsing.maxrule import BINARY, IDENTITY, UNARY, WORD, RuleGraph
from fstce.latent.parsing.refine import SplitCharts
from fstce.numeric.types import Floats, Ints

_BLOCK = 1 << 17


class ViterbiCharts(SplitCharts):
    """The probability of the best derivation of every split node; ``total`` that of each sentence's.

    ``scores`` is (n_words, n_subcategories of tags).
    """

    def _inside(self, width: int) -> None:
        step, below, above = self.plan.steps[width], self.below, self.above
        for group in step.binary:
            parent, left, right = group.symbols
            # V(A_x, i, j) = max over k, y, z of p(A_x → B_y C_z) · V(B_y, i, k) · V(C_z, k, j)
            operand = above[left].take(group.left, axis=0) * group.factor
            pairs = operand[:, :, None] * above[right].take(group.right, axis=0)[:, None, :]
            best = _max_product(pairs.reshape(len(operand), -1), self.binary[group.rule])
            if group.begins is not None:
                best = np.maximum.reduceat(best, group.begins, axis=0)
            below[parent][group.parents] = np.maximum(below[parent][group.parents], best)
        for symbol, high, low in step.identity:
            above[symbol][high] = below[symbol].take(low, axis=0)
        for chain in step.unary:
            parent, child = chain.symbols
            # V(A_x, i, j) = max over y of p(A_x → B_y) · V(B_y, i, j): (edges, x)
            table = self.grammar.unary_probabilities[chain.rule]
            best = _max_product(below[child].take(chain.child, axis=0), table)
            above[parent][chain.parent] = np.maximum(above[parent][chain.parent], best)


def _max_product(values: Floats, table: Floats) -> Floats:
    """max_y values[e, y] · table[x, y], shape (e, x)."""
    step = max(1, _BLOCK // table.size)
    best = np.empty((len(values), len(table)))
    for a in range(0, len(values), step):
        (values[a : a + step, None, :] * table).max(axis=2, out=best[a : a + step])
    return best


class _Numbering(NamedTuple):
    """Flat numbers of the split nodes of a layer: by symbol, node, subcategory."""

    first: Ints
    sizes: Ints
    begin: int

    def split(self, flat: int) -> tuple[int, int, int]:
        """Symbol, row among the symbol's nodes, subcategory."""
        symbol = int(np.searchsorted(self.first, flat - self.begin, side="right")) - 1
        row, subcategory = divmod(flat - self.begin - int(self.first[symbol]), int(self.sizes[symbol]))
        return symbol, row, subcategory

    def of(self, symbol: int, rows: Ints) -> Ints:
        """The first subcategory's number of nodes of a symbol."""
        found: Ints = self.begin + self.first[symbol] + rows * self.sizes[symbol]
        return found


class SplitDerivations:
    """The edges that lead to each split node, for the k best derivations."""

    def __init__(self, charts: ViterbiCharts, graph: RuleGraph) -> None:
        self.charts, self.graph, self.forest = charts, graph, graph.forest
        grammar = charts.grammar
        counts = [np.diff(layer.first) * grammar.sizes for layer in (self.forest.below, self.forest.above)]
        self.below = _Numbering(offsets_of(counts[0]), grammar.sizes, 0)
        self.above = _Numbering(offsets_of(counts[1]), grammar.sizes, int(counts[0].sum()))
        with np.errstate(divide="ignore"):
            self.values = np.log(np.concatenate([chart.ravel() for chart in (*charts.below, *charts.above)]))
        spans = [
            np.repeat(layer.span, grammar.sizes[layer.symbol])
            for layer in (self.forest.below, self.forest.above)
        ]
        self.values += charts.scale[np.concatenate(spans)]
        self.search = LazyKBest(self.incoming)

    def root(self, sentence: int) -> int:
        """The split node of a sentence's root, or −1."""
        node = int(self.forest.root[sentence])
        return -1 if node < 0 else int(self.above.of(0, np.array(node)))

    def incoming(self, flat: int) -> Incoming:
        """The edges of a split node, one for every choice of the children's subcategories."""
        layer, numbering, shift = self.forest.below, self.below, 0
        if flat >= self.above.begin:
            layer, numbering, shift = self.forest.above, self.above, len(self.forest.below.symbol)
        symbol, row, x = numbering.split(flat)
        node = shift + int(layer.first[symbol]) + row
        begin, end = int(self.graph.begin[node]), int(self.graph.end[node])
        key = self.graph.kind[begin:end] * (len(self.charts.binary) + 1) + self._rules(begin, end)
        runs = begin + np.append(np.flatnonzero(np.diff(key, prepend=-1) != 0), end - begin)
        parts = [self._run(flat, x, a, b) for a, b in zip(runs[:-1].tolist(), runs[1:].tolist(), strict=True)]
        return Incoming.sorted(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _rules(self, begin: int, end: int) -> Ints:
        kind, index = self.graph.kind[begin:end], self.graph.index[begin:end]
        rule = np.zeros(end - begin, dtype=np.int64)
        for which, edges in ((UNARY, self.forest.unary), (BINARY, self.forest.binary)):
            rule[kind == which] = edges.rule[index[kind == which]]
        return rule

    def _run(self, flat: int, x: int, a: int, b: int) -> Incoming:
        """The choices of edges a:b of the graph, all of one rule, in no order."""
        kind, at = int(self.graph.kind[a]), self.graph.index[a:b]
        edge = np.arange(a, b)
        none = np.array([-1])
        if kind == WORD:
            value = self.values[flat : flat + 1]
            return Incoming(value, value, edge, none, none)
        if kind == IDENTITY:
            low = int(self.forest.identity[1, at[0]])
            child = self._children(self.below, np.array([low])).reshape(-1)[x : x + 1]
            return Incoming(self.values[child], np.zeros(1), edge, child, none)
        with np.errstate(divide="ignore"):
            if kind == UNARY:
                edges = self.forest.unary
                child = self._children(self.below, edges.left[at])[0]
                weight = np.log(self.charts.grammar.unary_probabilities[int(edges.rule[at[0]])][x])
                return Incoming(
                    weight + self.values[child],
                    weight,
                    np.repeat(edge, len(child)),
                    child,
                    np.repeat(none, len(child)),
                )
            edges = self.forest.binary
            table = self.charts.grammar.binary_probabilities[int(edges.rule[at[0]])][x]
            left, right = (
                self._children(self.above, edges.left[at]),
                self._children(self.above, edges.right[at]),
            )
            # log p(A_x → B_y C_z) + log V(B_y) + log V(C_z) for one x: (edges, y, z)
            shape = (len(at), *table.shape)
            weight = np.broadcast_to(np.log(table), shape)
        score = weight + self.values[left][:, :, None] + self.values[right][:, None, :]
        lefts, rights = np.broadcast_to(left[:, :, None], shape), np.broadcast_to(right[:, None, :], shape)
        edge = np.broadcast_to(edge[:, None, None], shape)
        return Incoming(score.ravel(), weight.ravel(), edge.ravel(), lefts.ravel(), rights.ravel())

    def _children(self, numbering: _Numbering, nodes: Ints) -> Ints:
        """The split nodes of nodes of one symbol, shape (nodes, subcategories)."""
        layer = self.forest.below if numbering is self.below else self.forest.above
        symbol = int(layer.symbol[nodes[0]])
        first = numbering.of(symbol, layer.row(nodes))
        return first[:, None] + np.arange(int(numbering.sizes[symbol]))
