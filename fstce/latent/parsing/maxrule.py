"""The best derivations of a forest when every rule instance has a weight of its own.

Max-rule parsing (Petrov & Klein 2007, section 3.4) forgets subcategories: a derivation is
made of unsplit rule instances, and its score is the sum of their weights. All edges of a
forest, words and identities too, are the edges of one graph, sorted by span width, layer and
parent, so that one step of the search is a ``maximum.reduceat`` over the whole batch.

With q_G the posterior probability of an unsplit rule instance under the grammar G, its
expected count divided by the probability of the sentence (Petrov & Klein 2007, Figure 3),
an instance weighs Σ_G log q_G in a product of grammars (Petrov 2010, Eq. 2) and
log (Σ_G q_G / n) in their sum: max-rule-product. Max-rule-sum adds up (Π_G q_G)^(1/n) or
Σ_G q_G / n. A symbol that takes no unary rule over its span is no rule instance and weighs
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from fstce.corpora import Tree
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.pruned_forest import PrunedForest
from fstce.latent.parsing.refine import Posteriors
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints

WORD, IDENTITY, UNARY, BINARY = range(4)


class Instances(NamedTuple):
    """One value a rule instance: of the forest's binary and unary edges, identities and tags over words."""

    binary: Floats
    unary: Floats
    identity: Floats
    words: Floats

    @classmethod
    def of_posteriors(cls, found: Posteriors, tags: Ints) -> Instances:
        """The posterior probabilities of a forest; `tags` are its nodes below that are tags."""
        return cls(found.binary, found.unary, found.identity, found.below[tags])


class RuleGraph:
    """All rule instances of a forest in one list of edges.

    Nodes are those below, then those above, then one that stands for no child.

    ``parent``, ``left``, ``right`` is (n_edges,). ``kind``, ``index`` (n_edges,): which list of the forest an
    edge is from, and where it is there. ``begin``, ``end`` (n_nodes,): the edges of each parent.
    ``unary_step`` (n_unary,): equal numbers for the unary instances of one parent and child, whose chains
    differ.
    """

    def __init__(self, forest: PrunedForest, grammar: SplitGrammar) -> None:
        self.forest, self.grammar = forest, grammar
        n_below, n_above = len(forest.below.symbol), len(forest.above.symbol)
        self.nothing = n_below + n_above
        self.tags = np.flatnonzero(np.isin(forest.below.symbol, grammar.tags))
        binary, unary, (high, low) = forest.binary, forest.unary, forest.identity
        self.unary_step = np.unique(unary.parent * (n_below + 1) + unary.left, return_inverse=True)[1]
        none = [np.full(len(part), self.nothing) for part in (self.tags, high, unary.rule)]
        counts = [len(self.tags), len(high), len(unary.rule), len(binary.rule)]
        parent = np.concatenate([self.tags, n_below + high, n_below + unary.parent, binary.parent])
        span = np.concatenate([forest.below.span, forest.above.span])
        width = forest.width[span[parent]]
        order = np.lexsort((parent, width))
        self.order = order
        self.parent = parent[order]
        self.left = np.concatenate([none[0], low, unary.left, n_below + binary.left])[order]
        self.right = np.concatenate([*none, n_below + binary.right])[order]
        self.kind = np.repeat(np.arange(4), counts)[order]
        self.index = np.concatenate([np.arange(count) for count in counts])[order]
        fresh = np.flatnonzero(np.diff(self.parent, prepend=-1) != 0)
        self.begin, self.end = np.zeros(self.nothing, dtype=np.int64), np.zeros(self.nothing, dtype=np.int64)
        self.begin[self.parent[fresh]] = fresh
        self.end[self.parent[fresh]] = np.append(fresh[1:], len(order))
        level = width[order] * 2 + (self.parent >= n_below)
        steps = np.append(np.flatnonzero(np.diff(level, prepend=-1) != 0), len(order))
        # First and last edge of each level, and where those of each parent begin there
        self._levels = [
            (a, b, fresh[c:d] - a)
            for (a, b), (c, d) in zip(
                pairwise(steps.tolist()), pairwise(np.searchsorted(fresh, steps).tolist()), strict=True
            )
        ]
        self.root = np.where(forest.root >= 0, forest.root + n_below, -1)
        self.symbol = np.concatenate([forest.below.symbol, forest.above.symbol])
        self.span = span

    def weights(self, values: Instances) -> Floats:
        """Instance values in the order of the edges."""
        return np.concatenate([values.words, values.identity, values.unary, values.binary])[self.order]

    def best(self, weights: Floats) -> tuple[Floats, Ints]:
        """The score of each node's best derivation, −inf if it has none, and its first edge, or −1.

        ``weights`` is (n_edges,). ``score`` (n_nodes + 1,): the last is 0 and stands for no child. ``edge``
        is (n_nodes,).
        """
        score = np.full(self.nothing + 1, -np.inf)
        score[-1] = 0.0
        edge = np.full(self.nothing, -1, dtype=np.int64)
        for a, b, begins in self._levels:
            # score(parent) = max over edges of weight + score(left) + score(right), (edges of one level,)
            total = weights[a:b] + score[self.left[a:b]] + score[self.right[a:b]]
            best = np.maximum.reduceat(total, begins)
            parents = self.parent[a:b][begins]
            score[parents] = best
            winners = np.flatnonzero(total == np.repeat(best, np.diff(np.append(begins, b - a))))
            of = self.parent[a:b][winners]
            first = np.diff(of, prepend=-1) != 0
            edge[of[first]] = a + winners[first]
        edge[np.isneginf(score[:-1])] = -1
        return score, edge

    def derivation(self, edge: Ints, root: int) -> tuple[int, ...]:
        """The edges of the derivation of a node, parents first, left before right."""
        found, stack = [], [root]
        while stack:
            node = stack.pop()
            if node != self.nothing:
                at = int(edge[node])
                found.append(at)
                stack.extend((int(self.right[at]), int(self.left[at])))
        return tuple(found)

    def tree(self, derivation: Sequence[int], words: Sequence[str]) -> Tree:
        """The binary tree of a derivation that ``derivation`` or the k best give."""
        done: dict[int, Tree] = {}
        for at in reversed(derivation):
            node, kind = int(self.parent[at]), int(self.kind[at])
            left, right = int(self.left[at]), int(self.right[at])
            label = self.grammar.symbols[int(self.symbol[node])]
            if kind == WORD:
                done[node] = Tree(label, (words[int(self.forest.start[self.span[node]])],))
            elif kind == IDENTITY:
                done[node] = done[left]
            elif kind == UNARY:
                between = self.grammar.chains[int(self.forest.unary.rule[self.index[at]])]
                done[node] = done[left]
                for name in (*reversed(between), label):
                    done[node] = Tree(name, (done[node],))
            else:
                done[node] = Tree(label, (done[left], done[right]))
        return done[int(self.parent[derivation[0]])]


Objective = Literal["max-rule-product", "max-rule-sum"]
Combination = Literal["product", "sum", "tree"]


def instance_weights(
    posteriors: Sequence[Instances],
    objective: Objective = "max-rule-product",
    combination: Combination = "product",
    unary_step: Ints | None = None,
) -> Instances:
    """The weight of every rule instance.

    Unary instances of one parent and child that differ in the labels between compete by their
    own posteriors; the best of them weighs what all together do, so that a phrase is not the
    less likely for having several names.

    ``unary_step`` (n_unary,): equal numbers for the instances of one parent and child; by default all are
    different. Returns logarithms (nats) or probabilities; −inf for what a derivation must not use.
    """
    columns = [np.stack(column) for column in zip(*posteriors, strict=True)]
    binary, unary, identity, words = (_combined(column, objective, combination) for column in columns)
    if unary_step is not None and len(unary_step):
        n_steps = int(unary_step.max()) + 1
        together = np.stack([total(unary_step, row, n_steps) for row in columns[1]])
        best = np.full(n_steps, -np.inf)
        np.maximum.at(best, unary_step, unary)
        whole = _combined(together, objective, combination)[unary_step]
        unary = np.where(unary == best[unary_step], whole, unary)
    return Instances(binary, unary, np.where(np.isneginf(identity), -np.inf, 0.0), words)


def _combined(q: Floats, objective: Objective, combination: Combination) -> Floats:
    """Weights (instances,) of posteriors (grammars, instances)."""
    with np.errstate(divide="ignore"):
        weight = np.log(q.mean(axis=0)) if combination == "sum" else np.log(q).sum(axis=0)
    if objective == "max-rule-product":
        return weight
    share = 1 if combination == "sum" else len(q)
    return np.where(np.isneginf(weight), -np.inf, np.exp(weight / share))
