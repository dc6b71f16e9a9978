"""The best derivations of a batch of sentences over one pruned forest, by one grammar or several.

Derivations are rows of edges of one forest, so that those of
different grammars can be compared and rescored. At the level of whole trees (Petrov 2010, Eq. 3) each
grammar lists its k best; the union of the lists is ranked by Σ_G log P(T | w, G), where P(T, w | G) sums
over the subcategories of the tree. Trees of one sentence share most of their parts: each is summed once.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import count, islice
from typing import Any

import numpy as np

from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.maxrule import (
    Combination,
    Objective,
    best_edges,
    derivation_of,
    instance_weights,
)
from fstce.latent.parsing.pruned_forest import IDENTITY, WORD, PrunedForest
from fstce.latent.parsing.refine import SplitCharts, word_scaled
from fstce.numeric.types import Floats, Ints

Derivation = tuple[int, ...]
# An edge of a node: the score of what is best with it, the edge, its left and right child, −1 for none.
Incoming = tuple[float, int, int, int]


def k_best(root: int, incoming: Callable[[int], Sequence[Incoming]]) -> Iterator[tuple[Derivation, float]]:
    """Derivations of a node of an acyclic graph, best first, by A*, and how far each is below the best.

    The beginning of a derivation is as good as its best completion, whose score a search has found. The best
    one is completed by the best edges; at each node on the way the next best edge begins another one.

    ``incoming``: node → its edges, best first; called once a node. Yields edges, parents first, left before
    right.
    """
    edges_of, number = cache(incoming), count()
    # (− score of the best completion, a number, node, rank of its edge, edges before, nodes still to derive)
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
            (node, waiting), rank = waiting, 0
        derivation = []
        while before is not None:
            last, before = before
            derivation.append(last)
        yield tuple(reversed(derivation)), cost


Part = tuple[int, int, int]


def shared_parts(forest: PrunedForest, derivations: Iterable[Derivation]) -> tuple[list[Part], list[int]]:
    """The distinct parts of derivations, children first, and the part that each derivation is.

    A part is its first edge and the parts below it, −1 for none.
    """
    edges, parts, tops = forest.edges, dict[Part, int](), []
    for derivation in derivations:
        done: list[int] = []
        for edge in reversed(derivation):
            left = done.pop() if edges.left[edge] != forest.nothing else -1
            right = done.pop() if edges.right[edge] != forest.nothing else -1
            done.append(parts.setdefault((edge, left, right), len(parts)))
        tops.append(done[0])
    return list(parts), tops


def tree_log_probabilities(
    forest: PrunedForest, grammar: SplitGrammar, scores: Floats, parts: list[Part], tops: list[int]
) -> Floats:
    """log P(T, w | G) of unsplit derivations, exact: the sum over all subcategories.

    ``scores`` (n_words, n_subcategories of tags): P(word | subcategory) for the words of the forest's
    sentences, end to end. Returns an array (n_derivations,).
    """
    edges, (values, scale) = forest.edges, word_scaled(forest, scores)
    columns = offsets_of(grammar.sizes[grammar.tags])
    place = {int(tag): slice(columns[i], columns[i + 1]) for i, tag in enumerate(grammar.tags)}
    inside: list[Floats] = []
    for edge, left, right in parts:
        rule, node = int(edges.rule[edge]), int(edges.parent[edge])
        if rule == WORD:
            inside.append(values[int(forest.span[node]), place[int(forest.symbol[node])]])
        elif rule == IDENTITY:
            inside.append(inside[left])
        else:
            # IN(A_x) = Σ_yz p(A_x → B_y C_z) · IN(B_y) · IN(C_z): (x, y, z) @ (z,) @ (y,)
            table = grammar.tables[rule] if right < 0 else grammar.tables[rule] @ inside[right]
            inside.append(table @ (inside[left] * edges.factor[edge]))
    roots = edges.parent[np.array([parts[top][0] for top in tops], dtype=np.int64)]
    with np.errstate(divide="ignore"):
        totals = np.log(np.array([inside[top].sum() for top in tops]))
    found: Floats = totals + scale[forest.span[roots]]
    return found


def ranked(
    forest: PrunedForest,
    grammars: Sequence[SplitGrammar],
    scores: Sequence[Floats],
    log_probability: Sequence[float],
    derivations: Sequence[Derivation],
) -> tuple[Ints, Floats]:
    """Derivations of one sentence by Σ_G log P(T | w, G), best first; equal ones stay in order.

    ``log_probability`` (n_grammars,): log P(w | G).
    """
    parts, tops = shared_parts(forest, derivations)
    total = np.zeros(len(derivations))
    for grammar, of_words, whole in zip(grammars, scores, log_probability, strict=True):
        total += tree_log_probabilities(forest, grammar, of_words, parts, tops) - whole
    order = np.argsort(-total, kind="stable")
    return order, total[order]


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
        edges, (order, begins) = self.forest.edges, self.forest.by_parent
        edge = order[begins[node] : begins[node + 1]]
        left, right = edges.left[edge], edges.right[edge]
        score = self.weights[edge] + self.score[left] + self.score[right]
        ranked = [at for at in np.argsort(-score, kind="stable") if np.isfinite(score[at])]
        children = (np.where(child == self.forest.nothing, -1, child) for child in (left, right))
        columns = (column[ranked].tolist() for column in (score, edge, *children))
        return list(zip(*columns, strict=True))


class Search:
    """The best derivations of the sentences of one forest.

    ``scores``: P(word | subcategory) a grammar, for the words of all sentences, end to end. ``candidates``:
    how many trees each grammar lists if the combination is ``tree``.
    """

    def __init__(
        self,
        forest: PrunedForest,
        grammars: Sequence[SplitGrammar],
        scores: Sequence[Floats],
        objective: Objective,
        combination: Combination,
        candidates: int,
    ) -> None:
        self.grammars, self.scores = grammars, scores
        self.objective, self.combination, self.candidates = objective, combination, candidates
        self.forest = forest

    def log_probabilities(self) -> Floats:
        """log P(sentence | G), shape (n_grammars, n_sentences)."""
        return np.stack([charts.log_probability for charts in self._charts()])

    def derivations(self, sentence: int, k: int) -> list[tuple[Derivation, float]]:
        """The k best derivations of a sentence with their scores, best first; none if it has no parse."""
        if self.combination != "tree":
            return list(islice(self._rankings[0].derivations(sentence), k))
        wanted = max(k, self.candidates)
        lists = [islice(ranking.derivations(sentence), wanted) for ranking in self._rankings]
        union = list(dict.fromkeys(derivation for found in lists for derivation, _ in found))
        if not union:
            return []
        wholes = [log_probability[sentence] for log_probability, _ in self._sums]
        order, score = ranked(self.forest, self.grammars, self.scores, wholes, union)
        return [
            (union[at], float(value))
            for at, value in zip(order[:k].tolist(), score[:k].tolist(), strict=True)
        ]

    def _charts(self) -> Iterator[SplitCharts]:
        pairs = zip(self.grammars, self.scores, strict=True)
        return (SplitCharts(self.forest, *pair) for pair in pairs)

    @cached_property
    def _sums(self) -> list[tuple[Floats, Floats]]:
        """Of each grammar, log P(sentence) and the posteriors of rule instances."""
        return [(charts.log_probability, charts.posteriors()[0]) for charts in self._charts()]

    @cached_property
    def _rankings(self) -> Sequence[Ranking]:
        """One ranking for all grammars, or one for each if trees are combined."""
        together = [posteriors for _, posteriors in self._sums]
        trees = self.combination == "tree"
        return [
            Ranking(self.forest, instance_weights(some, self.forest, self.objective, self.combination))
            for some in ([[one] for one in together] if trees else [together])
        ]
