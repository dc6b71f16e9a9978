"""Inside and outside of a split grammar over the surviving rule instances of a batch.

Edges of one span width and rule are one group. With x, y, z subcategories of A, B, C,

    I(A_x, i, j) = Σ_{y,z} p(A_x → B_y C_z) Σ_k I(B_y, i, k) · I(C_z, k, j)

is one product of a (edges, y·z) with a (y·z, x) matrix a group; the outside pass and the
posteriors of the rule instances take one more product in the other direction. All else, what
is gathered from nodes and added to them, is done for a width at once: charts are one row of
numbers by symbol, node and subcategory. Numbers keep the coarse pass's scale of their span, so
they are near 1 whatever the length of the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.pruned_forest import NodeLayer, PrunedForest, RuleEdges
from fstce.numeric.types import Floats, Ints


class EdgeRuns(NamedTuple):
    """The edges of one width: which they are, and the rule and number of each run of equal rules."""

    edges: slice
    runs: list[tuple[int, int]]


class ChartPlan:
    """The order of work for a forest, which all grammars of the same rules share.

    ``grammar``: its rules count, its probabilities do not. ``binary``, ``unary``: one a span width, from 0.
    ``same``: a width's identities: nodes above and below. ``words``: the spans of the words that each tag may
    stand over.
    """

    def __init__(self, forest: PrunedForest, grammar: SplitGrammar) -> None:
        self.forest = forest
        n = forest.n_widths
        self.binary, self.unary = _edge_runs(forest.binary, n), _edge_runs(forest.unary, n)
        self.same = forest.identities_by_width()
        first = forest.below.first
        self.words = {int(tag): forest.below.span[first[tag] : first[tag + 1]] for tag in grammar.tags}


def _edge_runs(edges: RuleEdges, n: int) -> list[EdgeRuns]:
    """The edges of each of n widths."""
    bounds = edges.groups()
    begins = bounds[:-1]
    rules, counts = edges.rule[begins].tolist(), np.diff(bounds).tolist()
    runs = list(zip(rules, counts, strict=True))
    cuts = np.searchsorted(edges.width[begins], np.arange(n + 1)).tolist()
    ends = bounds.tolist()
    return [EdgeRuns(slice(ends[a], ends[b]), runs[a:b]) for a, b in pairwise(cuts)]


class Posteriors(NamedTuple):
    """The posterior probability of every rule instance of a forest, its expected count.

    ``binary`` and ``unary`` follow the forest's edges, ``identity`` its identities;
    ``below`` and ``above`` follow the nodes. A sentence without a parse has zeros.
    """

    binary: Floats
    unary: Floats
    identity: Floats
    below: Floats
    above: Floats


class SplitCharts:
    """Inside probabilities of a split grammar, and on demand outside ones and posteriors.

    ``scores`` (n_words, n_subcategories of tags): P(word | subcategory) for the words of all sentences, end
    to end.
    """

    def __init__(self, plan: ChartPlan, grammar: SplitGrammar, scores: Floats) -> None:
        self.plan, self.grammar = plan, grammar
        self.binary = [table.reshape(table.shape[0], -1) for table in grammar.binary_probabilities]
        self.unary = grammar.unary_probabilities
        self._factor = plan.forest.binary.factor
        self._shapes = [table.shape for table in grammar.binary_probabilities]
        self._lower, self._upper = (
            _Places(layer, grammar) for layer in (plan.forest.below, plan.forest.above)
        )
        self._below, self._above = self._zeros()
        self.below, self.above = self._lower.charts(self._below), self._upper.charts(self._above)
        sizes = grammar.sizes[grammar.tags]
        values, self.scale = word_scaled(plan.forest, scores)
        for (tag, words), a, b in zip(
            plan.words.items(), np.cumsum(sizes) - sizes, np.cumsum(sizes), strict=True
        ):
            self.below[tag][:] = values[words, a:b]
        for at in range(len(plan.binary)):
            self._inside(at)
        root = plan.forest.root
        top = self.above[0][np.maximum(root, 0), 0] if len(self.above[0]) else np.zeros(len(root))
        self.total = np.where(root >= 0, top, 0.0)

    @property
    def log_probability(self) -> Floats:
        """log P(sentence) of each sentence over the forest, −inf without a parse."""
        forest = self.plan.forest
        span = forest.above.span[np.maximum(forest.root, 0)] if len(forest.above.span) else forest.root * 0
        with np.errstate(divide="ignore"):
            found: Floats = np.log(self.total) + np.where(forest.root >= 0, self.scale[span], 0.0)
        return found

    def _zeros(self) -> tuple[Floats, Floats]:
        """A number for each subcategory of the nodes below and above."""
        return np.zeros(self._lower.n), np.zeros(self._upper.n)

    def _inside(self, width: int) -> None:
        forest, plan = self.plan.forest, self.plan
        edges, runs = plan.binary[width]
        if runs:
            of_left = self._above[self._upper.of(forest.binary.left[edges])]
            of_right = self._above[self._upper.of(forest.binary.right[edges])]
            parent = self._lower.of(forest.binary.parent[edges])
            sums = np.empty(len(parent))
            i = j = k = 0
            for rule, n in runs:
                # I(B_y) · I(C_z) as (edges, y · z), times p(A_x → B_y C_z) as (y · z, x)
                x, y, z = self._shapes[rule]
                left, right = of_left[j : j + n * y], of_right[k : k + n * z]
                pairs = left.reshape(n, y, 1) * right.reshape(n, 1, z)
                out = sums[i : i + n * x].reshape(n, x)
                np.matmul(pairs.reshape(n, y * z), self.binary[rule].T, out=out)
                i, j, k = i + n * x, j + n * y, k + n * z
            sums *= self._lower.repeated(self._factor[edges], forest.binary.parent[edges])
            np.add.at(self._below, parent, sums)
        high, low = plan.same[width]
        self._above[self._upper.of(high)] = self._below[self._lower.of(low)]
        edges, runs = plan.unary[width]
        if runs:
            # I_above(A_x) += Σ_y p(A_x → B_y) · I_below(B_y): (edges, y) @ (y, x)
            of_child = self._below[self._lower.of(forest.unary.left[edges])]
            parent = self._upper.of(forest.unary.parent[edges])
            sums = np.empty(len(parent))
            i = j = 0
            for rule, n in runs:
                table = self.unary[rule]
                x, y = table.shape
                child = of_child[j : j + n * y].reshape(n, y)
                np.matmul(child, table.T, out=sums[i : i + n * x].reshape(n, x))
                i, j = i + n * x, j + n * y
            np.add.at(self._above, parent, sums)

    def posteriors(self) -> Posteriors:
        """Posterior probabilities of all rule instances and nodes, by the outside pass."""
        forest = self.plan.forest
        outside = self._zeros()
        below, above = self._lower.charts(outside[0]), self._upper.charts(outside[1])
        alive = np.flatnonzero(self.total > 0.0)
        above[0][forest.root[alive], 0] = 1.0 / self.total[alive]
        binary, unary = np.zeros(len(forest.binary.rule)), np.zeros(len(forest.unary.rule))
        for width in reversed(range(len(self.plan.binary))):
            self._outside(width, *outside, binary, unary)
        high, low = forest.identity
        products = outside[1][self._upper.of(high)] * self._below[self._lower.of(low)]
        identity = self._upper.summed(products, high)
        return Posteriors(binary, unary, identity, _dots(self.below, below), _dots(self.above, above))

    def _outside(self, width: int, below: Floats, above: Floats, binary: Floats, unary: Floats) -> None:
        forest, plan = self.plan.forest, self.plan
        high, low = plan.same[width]
        below[self._lower.of(low)] = above[self._upper.of(high)]
        edges, runs = plan.unary[width]
        if runs:
            of_parent = above[self._upper.of(forest.unary.parent[edges])]
            child = self._lower.of(forest.unary.left[edges])
            sums = np.empty(len(child))
            i = j = 0
            for rule, n in runs:
                # O(B_y) += Σ_x O(A_x) · p(A_x → B_y); its product with I(B_y) is the rule's posterior
                table = self.unary[rule]
                x, y = table.shape
                parent = of_parent[i : i + n * x].reshape(n, x)
                np.matmul(parent, table, out=sums[j : j + n * y].reshape(n, y))
                i, j = i + n * x, j + n * y
            np.add.at(below, child, sums)
            unary[edges] = self._lower.summed(sums * self._below[child], forest.unary.left[edges])
        edges, runs = plan.binary[width]
        if runs:
            left = self._upper.of(forest.binary.left[edges])
            right = self._upper.of(forest.binary.right[edges])
            of_left, of_right = self._above[left], self._above[right]
            of_parent = below[self._lower.of(forest.binary.parent[edges])]
            of_parent *= self._lower.repeated(self._factor[edges], forest.binary.parent[edges])
            to_left, to_right = (np.empty(len(nodes)) for nodes in (left, right))
            i = j = k = 0
            for rule, n in runs:
                # pairs: Σ_x O(A_x) · p(A_x → B_y C_z), (edges, y, z);
                # O(B_y) += Σ_z pairs · I(C_z), and so for C
                x, y, z = self._shapes[rule]
                a, b, c = slice(i, i + n * x), slice(j, j + n * y), slice(k, k + n * z)
                pairs = (of_parent[a].reshape(n, x) @ self.binary[rule]).reshape(n, y, z)
                np.matmul(pairs, of_right[c].reshape(n, z, 1), out=to_left[b].reshape(n, y, 1))
                np.matmul(of_left[b].reshape(n, 1, y), pairs, out=to_right[c].reshape(n, 1, z))
                i, j, k = a.stop, b.stop, c.stop
            np.add.at(above, left, to_left)
            np.add.at(above, right, to_right)
            binary[edges] = self._upper.summed(to_left * of_left, forest.binary.left[edges])


class _Places:
    """Where the subcategories of a layer's nodes lie in one row of n numbers."""

    def __init__(self, layer: NodeLayer, grammar: SplitGrammar) -> None:
        self._first, self._sizes = layer.first.tolist(), grammar.sizes.tolist()
        self._size = grammar.sizes[layer.symbol]
        self._begin = offsets_of(self._size)
        self.n = int(self._begin[-1])

    def charts(self, row: Floats) -> list[Floats]:
        """The row by symbol, views of shape (nodes, subcategories)."""
        ends = self._begin[self._first].tolist()
        cuts = zip(pairwise(ends), self._sizes, strict=True)
        return [row[a:b].reshape(-1, size) for (a, b), size in cuts]

    def of(self, nodes: Ints) -> Ints:
        """The places of all subcategories of nodes, node after node."""
        size = self._size[nodes]
        begin = self._begin[nodes] - (np.cumsum(size) - size)
        found: Ints = np.repeat(begin, size)
        found += np.arange(len(found))
        return found

    def repeated(self, values: Floats, nodes: Ints) -> Floats:
        """A value a node, as often as the node has subcategories."""
        return np.repeat(values, self._size[nodes])

    def summed(self, values: Floats, nodes: Ints) -> Floats:
        """The sum of the values of each node's subcategories."""
        found: Floats = np.add.reduceat(values, offsets_of(self._size[nodes])[:-1])
        return found


def word_scaled(forest: PrunedForest, scores: Floats) -> tuple[Floats, Floats]:
    """Word scores with a largest of 1 for each word, and the scale of every span that goes with it.

    The forest's scale holds the coarse grammar's probabilities of the words. With those of the
    split grammar in their place, the scale of a span changes by the sum over its words, and the
    factors of the edges stay as they are.

    ``forest``: its first spans are the words of all sentences, end to end. ``scores`` is (n_words,
    n_columns). ``scores`` is (n_words, n_columns). ``scale`` is (n_spans,).
    """
    peak = scores.max(axis=1)
    peak[~(peak > 0.0)] = 1.0
    change = np.concatenate([[0.0], np.cumsum(np.log(peak) - forest.scale[: len(peak)])])
    start = (np.cumsum(forest.lengths) - forest.lengths)[forest.sentence] + forest.start
    return scores / peak[:, None], forest.scale + change[start + forest.width] - change[start]


def _dots(inside: Sequence[Floats], outside: Sequence[Floats]) -> Floats:
    return np.concatenate([np.einsum("ex,ex->e", a, b) for a, b in zip(inside, outside, strict=True)])
