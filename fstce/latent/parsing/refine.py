"""Inside and outside of a split grammar over the surviving rule instances of a batch.

Edges of one span width and rule are one group. With x, y, z subcategories of A, B, C,

    I(A_x, i, j) = Σ_{y,z} p(A_x → B_y C_z) Σ_k I(B_y, i, k) · I(C_z, k, j)

is one product of a (edges, y·z) with a (y·z, x) matrix a group; the outside pass and the
posteriors of the rule instances take one more product in the other direction. Numbers keep
the coarse pass's scale of their span, so they are near 1 whatever the length of the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.chart_plan import ChartPlan, WidthStep
from fstce.latent.parsing.pruned_forest import NodeLayer, PrunedForest
from fstce.numeric.types import Floats, Ints


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

    Parameters
    ----------
    plan : ChartPlan
    grammar : SplitGrammar
        Of the plan's rules.
    scores : ndarray, shape (n_words, n_subcategories of tags)
        P(word | subcategory) for the words of all sentences, end to end.
    """

    def __init__(self, plan: ChartPlan, grammar: SplitGrammar, scores: Floats) -> None:
        self.plan, self.grammar = plan, grammar
        self.binary = [table.reshape(table.shape[0], -1) for table in grammar.binary_probabilities]
        self.below = _charts(plan.forest.below, grammar)
        self.above = _charts(plan.forest.above, grammar)
        sizes = grammar.sizes[grammar.tags]
        values, self.scale = word_scaled(plan.forest, scores)
        for (tag, words), a, b in zip(
            plan.words.items(), np.cumsum(sizes) - sizes, np.cumsum(sizes), strict=True
        ):
            self.below[tag][:] = values[words, a:b]
        for step in plan.steps:
            self._inside(step)
        root = plan.forest.root
        self.total = np.where(
            root >= 0, self.above[0][np.maximum(root, 0), 0] if len(self.above[0]) else 0.0, 0.0
        )

    @property
    def log_probability(self) -> Floats:
        """log P(sentence) of each sentence over the forest, −inf without a parse."""
        forest = self.plan.forest
        span = forest.above.span[np.maximum(forest.root, 0)] if len(forest.above.span) else forest.root * 0
        with np.errstate(divide="ignore"):
            found: Floats = np.log(self.total) + np.where(forest.root >= 0, self.scale[span], 0.0)
        return found

    def _inside(self, step: WidthStep) -> None:
        below, above = self.below, self.above
        for group in step.binary:
            parent, left, right = group.symbols
            # I(B_y) · I(C_z) as (edges, y · z), times p(A_x → B_y C_z) as (y · z, x), summed over k by parent
            operand = above[left].take(group.left, axis=0) * group.factor
            pairs = operand[:, :, None] * above[right].take(group.right, axis=0)[:, None, :]
            sums = pairs.reshape(len(operand), -1) @ self.binary[group.rule].T
            if group.begins is not None:
                sums = np.add.reduceat(sums, group.begins, axis=0)
            below[parent][group.parents] += sums
        for symbol, high, low in step.identity:
            above[symbol][high] = below[symbol].take(low, axis=0)
        for chain in step.unary:
            # I_above(A_x) += Σ_y p(A_x → B_y) · I_below(B_y): (edges, y) @ (y, x)
            parent, child = chain.symbols
            table = self.grammar.unary_probabilities[chain.rule]
            above[parent][chain.parent] += below[child].take(chain.child, axis=0) @ table.T

    def posteriors(self) -> Posteriors:
        """Posterior probabilities of all rule instances and nodes, by the outside pass."""
        forest = self.plan.forest
        below, above = _charts(forest.below, self.grammar), _charts(forest.above, self.grammar)
        alive = np.flatnonzero(self.total > 0.0)
        above[0][forest.root[alive], 0] = 1.0 / self.total[alive]
        binary, unary = np.zeros(len(forest.binary.rule)), np.zeros(len(forest.unary.rule))
        for step in reversed(self.plan.steps):
            self._outside(step, below, above, binary, unary)
        of_below = _dots(self.below, below)
        of_above = _dots(self.above, above)
        high, low = forest.identity
        identity = np.zeros(len(high))
        for symbol, first, last in _runs(forest.above.symbol[high]):
            a = forest.above.row(high[first:last])
            b = forest.below.row(low[first:last])
            identity[first:last] = np.einsum("ex,ex->e", above[symbol][a], self.below[symbol][b])
        return Posteriors(binary, unary, identity, of_below, of_above)

    def _outside(
        self,
        step: WidthStep,
        below: list[Floats],
        above: list[Floats],
        binary: Floats,
        unary: Floats,
    ) -> None:
        for symbol, high, low in step.identity:
            below[symbol][low] = above[symbol].take(high, axis=0)
        for chain in step.unary:
            parent, child = chain.symbols
            table = self.grammar.unary_probabilities[chain.rule]
            # O(B_y) += Σ_x O(A_x) · p(A_x → B_y), (edges, y); its product with I(B_y) is the rule's posterior
            sums = above[parent].take(chain.parent, axis=0) @ table
            below[child][chain.child] += sums
            unary[chain.edges] = np.einsum("ex,ex->e", sums, self.below[child].take(chain.child, axis=0))
        for group in step.binary:
            parent, left, right = group.symbols
            of_left = self.above[left].take(group.left, axis=0)
            of_right = self.above[right].take(group.right, axis=0)
            weights = below[parent].take(group.parent, axis=0) * group.factor
            # pairs: Σ_x O(A_x) · p(A_x → B_y C_z), (edges, y, z); O(B_y) += Σ_z pairs · I(C_z), and so for C
            pairs = (weights @ self.binary[group.rule]).reshape(len(weights), of_left.shape[1], -1)
            to_left = np.einsum("eyz,ez->ey", pairs, of_right)
            above[left][group.left] += to_left
            above[right][group.right] += np.einsum("eyz,ey->ez", pairs, of_left)
            binary[group.edges] = np.einsum("ey,ey->e", to_left, of_left)


def word_scaled(forest: PrunedForest, scores: Floats) -> tuple[Floats, Floats]:
    """Word scores with a largest of 1 for each word, and the scale of every span that goes with it.

    The forest's scale holds the coarse grammar's probabilities of the words. With those of the
    split grammar in their place, the scale of a span changes by the sum over its words, and the
    factors of the edges stay as they are.

    Parameters
    ----------
    forest : PrunedForest
        Its first spans are the words of all sentences, end to end.
    scores : ndarray, shape (n_words, n_columns)

    Returns
    -------
    scores : ndarray, shape (n_words, n_columns)
    scale : ndarray, shape (n_spans,)
    """
    peak = scores.max(axis=1)
    peak[~(peak > 0.0)] = 1.0
    change = np.concatenate([[0.0], np.cumsum(np.log(peak) - forest.scale[: len(peak)])])
    start = (np.cumsum(forest.lengths) - forest.lengths)[forest.sentence] + forest.start
    return scores / peak[:, None], forest.scale + change[start + forest.width] - change[start]


def _charts(layer: NodeLayer, grammar: SplitGrammar) -> list[Floats]:
    """Zeros for the nodes of each symbol, shape (nodes, subcategories)."""
    return [
        np.zeros((count, size))
        for count, size in zip(np.diff(layer.first).tolist(), grammar.sizes.tolist(), strict=True)
    ]


def _dots(inside: Sequence[Floats], outside: Sequence[Floats]) -> Floats:
    return np.concatenate([np.einsum("ex,ex->e", a, b) for a, b in zip(inside, outside, strict=True)])


def _runs(values: Ints) -> list[tuple[int, int, int]]:
    """Value, begin and end of each run of equal values."""
    begins = np.flatnonzero(np.diff(values, prepend=-1) != 0)
    bounds = [*begins.tolist(), len(values)]
    return [(int(values[a]), a, b) for a, b in pairwise(bounds)]
