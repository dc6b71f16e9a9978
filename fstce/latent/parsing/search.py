"""The best derivations of a batch of sentences over one pruned forest, by one grammar or several.

Derivations are rows of edges of one forest, so that those of different grammars can be compared and
rescored. At the level of whole trees (Petrov 2010, Eq. 3) each grammar lists its k best; the union
of the lists is ranked by Σ_G log P(T | w, G), where P(T, w | G) sums over the subcategories of the
tree. Trees of one sentence share most of their parts: each is summed once.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import count, islice
from typing import Any

import numpy as np

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.maxrule import (
    Combination,
    Objective,
    best_edges,
    derivation_of,
    instance_weights,
)
from fstce.latent.parsing.pruned_forest import PrunedForest, RuleEdges
from fstce.latent.parsing.refine import SplitCharts
from fstce.numeric.types import Floats

Derivation = tuple[int, ...]
# An edge of a node: the score of what is best with it, the edge, its left and right child, −1 for
# none.
Incoming = tuple[float, int, int, int]


def k_best(
    root: int, incoming: Callable[[int], Sequence[Incoming]]
) -> Iterator[tuple[Derivation, float]]:
    """Derivations of a node of an acyclic graph, best first, by A*, and how far each is below the
    best.

    The beginning of a derivation is as good as its best completion, whose score a search has found.
    The best one is completed by the best edges; at each node on the way the next best edge begins
    another one.

    ``incoming``: node → its edges, best first; called once a node. Yields edges, parents first,
    left before right.
    """
    edges_of = cache(incoming)
    number = count()
    # (− score of the best completion, a number, node, rank of its edge, edges before, nodes to do)
    heap: list[tuple[float, int, int, int, Any, Any]] = [(0.0, next(number), root, 0, None, None)]

    while heap:
        cost, _, node, rank, before, waiting = heapq.heappop(heap)
        while True:
            edges = edges_of(node)
            score, edge, left, right = edges[rank]
            if rank + 1 < len(edges):
                worse = cost + score - edges[rank + 1][0]
                heapq.heappush(heap, (worse, next(number), node, rank + 1, before, waiting))

            before = edge, before
            for child in (right, left):
                if child >= 0:
                    waiting = child, waiting
            if waiting is None:
                break
            node, waiting = waiting
            rank = 0

        derivation = []
        while before is not None:
            last, before = before
            derivation.append(last)
        yield tuple(reversed(derivation)), cost


def forest_of_trees(
    forest: PrunedForest, derivations: Iterable[Derivation], sentence: int
) -> PrunedForest:
    """The forest of some derivations of a sentence, a root each, over their distinct parts.

    A part is its first edge and the parts below it.
    """
    edges, nothing = forest.edges, forest.nothing
    part_numbers: dict[tuple[int, int, int], int] = {}
    roots = []
    for derivation in derivations:
        parts: list[int] = []
        for edge in reversed(derivation):
            left = parts.pop() if edges.left[edge] != nothing else -1
            right = parts.pop() if edges.right[edge] != nothing else -1
            parts.append(part_numbers.setdefault((edge, left, right), len(part_numbers)))
        roots += parts

    n_parts = len(part_numbers)
    first, left_part, right_part = np.array(list(part_numbers)).T
    nodes = edges.parent[first]
    edges_of_parts = edges.take(first)._replace(
        parent=np.arange(n_parts),
        left=np.where(left_part < 0, n_parts, left_part),
        right=np.where(right_part < 0, n_parts, right_part),
    )
    return replace(
        forest,
        symbol=forest.symbol[nodes],
        span=forest.span[nodes],
        edges=RuleEdges.sorted([edges_of_parts]),
        root=np.array(roots),
        whole=np.repeat(forest.whole[sentence], len(roots)),
    )


class Ranking:
    """Derivations by given weights of unsplit rule instances, (n_edges,)."""

    def __init__(self, forest: PrunedForest, weights: Floats) -> None:
        self.forest, self.weights = forest, weights
        self.score, self.edge = best_edges(forest, weights)

    def derivations(self, sentence: int) -> Iterator[tuple[Derivation, float]]:
        """All derivations of a sentence, best first, with their scores."""
        root = int(self.forest.root[sentence])
        if root < 0 or np.isneginf(self.score[root]):
            return
        best = float(self.score[root])
        yield derivation_of(self.forest, self.edge, root), best
        for derivation, below in islice(k_best(root, self._incoming), 1, None):
            yield derivation, best - below

    def _incoming(self, node: int) -> list[Incoming]:
        """The usable edges of a node, best first."""
        order, begins = self.forest.by_parent
        edge = order[begins[node] : begins[node + 1]]
        left, right = self.forest.edges.left[edge], self.forest.edges.right[edge]
        score = self.weights[edge] + self.score[left] + self.score[right]

        ranked = np.argsort(-score, kind="stable")
        ranked = ranked[np.isfinite(score[ranked])]
        left = np.where(left == self.forest.nothing, -1, left)
        right = np.where(right == self.forest.nothing, -1, right)
        columns = (column[ranked].tolist() for column in (score, edge, left, right))
        return list(zip(*columns, strict=True))


@dataclass(eq=False)
class Search:
    """The best derivations of the sentences of one forest.

    ``scores``: P(word | subcategory) a grammar, for the words of all sentences, end to end.
    ``candidates``: how many trees each grammar lists if the combination is ``tree``.
    """

    forest: PrunedForest
    grammars: Sequence[SplitGrammar]
    scores: Sequence[Floats]
    objective: Objective
    combination: Combination
    candidates: int

    def log_probabilities(self) -> Floats:
        """log P(sentence | G), shape (n_grammars, n_sentences)."""
        return np.stack([charts.log_probability for charts in self._charts(self.forest)])

    def derivations(self, sentence: int, k: int) -> list[tuple[Derivation, float]]:
        """The k best derivations of a sentence with their scores, best first.

        None if it has no parse.
        """
        if self.combination != "tree":
            return list(islice(self._rankings[0].derivations(sentence), k))

        n_listed = max(k, self.candidates)
        union: dict[Derivation, None] = {}
        for ranking in self._rankings:
            listed = islice(ranking.derivations(sentence), n_listed)
            union |= dict.fromkeys(derivation for derivation, _ in listed)
        if not union:
            return []

        # Σ_G log P(T | w, G), and P(T, w | G) is what the subcategories of the one tree T sum to
        derivations = list(union)
        trees = forest_of_trees(self.forest, derivations, sentence)
        total = np.zeros(len(derivations))
        for charts, (log_probability, _) in zip(self._charts(trees), self._sums, strict=True):
            total += charts.log_probability - log_probability[sentence]
        order = np.argsort(-total, kind="stable")[:k].tolist()
        return [(derivations[at], float(total[at])) for at in order]

    def _charts(self, forest: PrunedForest) -> Iterator[SplitCharts]:
        for grammar, scores in zip(self.grammars, self.scores, strict=True):
            yield SplitCharts(forest, grammar, scores)

    @cached_property
    def _sums(self) -> list[tuple[Floats, Floats]]:
        """Of each grammar, log P(sentence) and the posteriors of rule instances."""
        return [
            (charts.log_probability, charts.posteriors()[0]) for charts in self._charts(self.forest)
        ]

    @cached_property
    def _rankings(self) -> Sequence[Ranking]:
        """One ranking for all grammars, or one for each if trees are combined."""
        posteriors = [of_grammar for _, of_grammar in self._sums]
        groups = [posteriors]
        if self.combination == "tree":
            groups = [[of_grammar] for of_grammar in posteriors]

        rankings = []
        for group in groups:
            weights = instance_weights(group, self.forest, self.objective, self.combination)
            rankings.append(Ranking(self.forest, weights))
        return rankings
