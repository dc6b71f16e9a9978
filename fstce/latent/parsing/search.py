"""The best derivations of a batch of sentences over one pruned forest, by one grammar or several."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import count, islice
from typing import Any

import numpy as np

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.maxrule import (
    Combination,
    best_edges,
    derivation_of,
    instance_weights,
)
from fstce.latent.parsing.pruned_forest import PrunedForest
from fstce.latent.parsing.refine import SplitCharts
from fstce.numeric.types import Floats, Ints

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


class Ranking:
    """Derivations by given weights of unsplit rule instances, (n_edges,)."""

    def __init__(self, forest: PrunedForest, weights: Floats) -> None:
        self.forest: PrunedForest = forest
        self.weights: Floats = weights
        self.score: Floats
        self.edge: Ints
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
    """

    forest: PrunedForest
    grammars: Sequence[SplitGrammar]
    scores: Sequence[Floats]
    combination: Combination

    def log_probabilities(self) -> Floats:
        """log P(sentence | G), shape (n_grammars, n_sentences)."""
        return np.stack([charts.log_probability for charts in self._charts])

    def derivations(self, sentence: int, k: int) -> list[tuple[Derivation, float]]:
        """The k best derivations of a sentence with their scores, best first.

        None if it has no parse.
        """
        return list(islice(self._ranking.derivations(sentence), k))

    @property
    def _charts(self) -> Iterator[SplitCharts]:
        for grammar, scores in zip(self.grammars, self.scores, strict=True):
            yield SplitCharts(self.forest, grammar, scores)

    @cached_property
    def _ranking(self) -> Ranking:
        posteriors = [charts.posteriors()[0] for charts in self._charts]
        return Ranking(self.forest, instance_weights(posteriors, self.forest, self.combination))
