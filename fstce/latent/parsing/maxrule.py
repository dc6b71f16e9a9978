"""The best derivations of a forest when every rule instance has a weight of its own.

Max-rule parsing (Petrov & Klein 2007) forgets subcategories: a derivation is made of unsplit rule
instances, and its score is the sum of their weights. The edges of a forest, words and identities
too, lie by span width and layer, so that one step of the search is a ``maximum.at`` over the whole
batch.

With q_G the posterior probability of an unsplit rule instance under the grammar G, its expected
count divided by the probability of the sentence (Petrov & Klein 2007), an instance weighs
Σ_G log q_G in a product of grammars (Petrov 2010, Eq. 4) and log (Σ_G q_G / n) in their sum. A
symbol that takes no unary rule over its span is no rule instance and weighs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from fstce.corpora import Tree
from fstce.latent.model.binarize import INTERMEDIATE, ROOT, plain
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.pruned_forest import IDENTITY, WORD, PrunedForest
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints, Rows

Combination = Literal["product", "sum"]


def instance_weights(
    posteriors: Sequence[Floats],
    forest: PrunedForest,
    combination: Combination,
) -> Floats:
    """The weight of every edge of a forest, (n_edges,), by its posteriors under each grammar.

    Unary instances of one parent and child that differ in the labels between compete by their
    own posteriors; the best of them weighs what all together do, so that a phrase is not the
    less likely for having several names.

    In nats; −inf for what a derivation must not use.
    """
    q = np.stack(posteriors)
    step = forest.step
    weight = combined(q, combination)
    best = np.full(len(step), -np.inf)
    np.maximum.at(best, step, weight)

    q_of_step = np.stack([total(step, row, len(step)) for row in q])
    weight_of_step = combined(q_of_step, combination)
    weight = np.where(weight == best[step], weight_of_step[step], weight)

    is_identity = forest.edges.rule == IDENTITY
    return np.where(is_identity & ~np.isneginf(weight), 0.0, weight)


def combined(q: Floats, combination: Combination) -> Floats:
    """Weights (instances,) of posteriors (grammars, instances), in nats."""
    with np.errstate(divide="ignore"):
        if combination == "sum":
            return np.log(q.mean(axis=0))
        return np.log(q).sum(axis=0)


def best_trees(
    forest: PrunedForest, weights: Floats, grammar: SplitGrammar, sentences: Rows
) -> list[Tree | None]:
    """The tree of each sentence's best derivation by the weights of edges; None without a parse."""
    score, edge = best_edges(forest, weights)
    trees: list[Tree | None] = []
    for root, words in zip(forest.root.tolist(), sentences, strict=True):
        tree = None
        if root >= 0 and not np.isneginf(score[root]):
            tree = tree_of(forest, grammar, derivation_of(forest, edge, root), words)
        trees.append(tree)
    return trees


def best_edges(forest: PrunedForest, weights: Floats) -> tuple[Floats, Ints]:
    """The score of each node's best derivation, −inf if it has none, and its first edge, or −1.

    ``weights`` is (n_edges,). ``score`` (n_nodes + 1,): the last is 0 and stands for no child.
    ``edge`` is (n_nodes,).
    """
    edges = forest.edges
    score = np.full(forest.nothing + 1, -np.inf)
    score[-1] = 0.0
    edge = np.full(forest.nothing, -1, dtype=np.int64)

    for level, *_ in forest.levels:
        # score(parent) = max over edges of weight + score(left) + score(right), (edges of one
        # level,)
        summed = weights[level] + score[edges.left[level]] + score[edges.right[level]]
        parent = edges.parent[level]
        np.maximum.at(score, parent, summed)
        winners = np.flatnonzero((summed == score[parent]) & ~np.isneginf(summed))[::-1]
        edge[parent[winners]] = level.start + winners  # the first of equals comes last
    return score, edge


def derivation_of(forest: PrunedForest, edge: Ints, root: int) -> tuple[int, ...]:
    """The edges of the derivation of a node, parents first, left before right."""
    left, right = forest.edges.left, forest.edges.right
    derivation = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node != forest.nothing:
            first = int(edge[node])
            derivation.append(first)
            stack += int(right[first]), int(left[first])
    return tuple(derivation)


def tree_of(
    forest: PrunedForest, grammar: SplitGrammar, derivation: Sequence[int], words: Sequence[str]
) -> Tree:
    """The tree of a derivation as a treebank has it, without ROOT, intermediate nodes and marks."""
    trees: list[list[Tree]] = []  # of the nodes done so far, whose parents are not
    for edge in reversed(derivation):
        rule = int(forest.edges.rule[edge])
        node = int(forest.edges.parent[edge])
        label = grammar.symbols[int(forest.symbol[node])]

        labels: tuple[str, ...] = ()
        if rule == WORD:
            word = words[int(forest.start[forest.span[node]])]
            trees.append([Tree(label, (word,))])
        elif rule >= len(grammar.binary):
            labels = (*reversed(grammar.chains[rule - len(grammar.binary)]), label)
        elif rule != IDENTITY:
            # The trees below an intermediate node go to the phrase that it is part of.
            trees.append(trees.pop() + trees.pop())
            if not label.startswith(INTERMEDIATE):
                labels = (label,)

        for name in labels:
            if name != ROOT:
                trees.append([Tree(plain(name), tuple(trees.pop()))])
    return trees[0][0]
