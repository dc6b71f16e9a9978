"""The best derivations of a batch of sentences over one pruned forest, by one grammar or several.

Derivations are rows of edges of one :class:`~fstce.latent.parsing.maxrule.RuleGraph`, so that those of
different grammars can be compared and rescored. At the level of whole trees (Petrov 2010, Eq. 3) each
grammar lists its k best; the union of the lists is ranked by Σ_G log P(T | w, G), where P(T, w | G) sums
over the subcategories of the tree. Trees of one sentence share most of their parts: each is summed once.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import count, islice
from typing import Any, NamedTuple

import numpy as np

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.maxrule import (
    IDENTITY,
    UNARY,
    WORD,
    Combination,
    Instances,
    Objective,
    RuleGraph,
    instance_weights,
)
from fstce.latent.parsing.pruned_forest import PrunedForest
from fstce.latent.parsing.refine import ChartPlan, SplitCharts, word_scaled
from fstce.numeric.types import Floats, Ints

Derivation = tuple[int, ...]


class Incoming(NamedTuple):
    """The edges of a node, best first, by what is best with each; −1 stands for no child."""

    score: list[float]
    edge: list[int]
    left: list[int]
    right: list[int]

    @classmethod
    def sorted(cls, score: Floats, edge: Ints, left: Ints, right: Ints) -> Incoming:
        """The edges of a node in any order, without those that lead nowhere."""
        order = np.argsort(-score, kind="stable")
        order = order[np.isfinite(score[order])]
        return cls(*(column[order].tolist() for column in (score, edge, left, right)))


def k_best(root: int, incoming: Callable[[int], Incoming]) -> Iterator[Derivation]:
    """Derivations of a node of an acyclic graph, best first, by A*.

    The beginning of a derivation is as good as its best completion, whose score a search has found. The best
    one is completed by the best edges; at each node on the way the next best edge begins another one.

    ``incoming``: node → its edges; called once a node. Yields edges, parents first, left before right.
    """
    edges_of, number = cache(incoming), count()
    # (− score of the best completion, a number, node, rank of its edge, edges before, nodes still to derive)
    heap: list[tuple[float, int, int, int, Any, Any]] = [(0.0, next(number), root, 0, None, None)]
    while heap:
        cost, _, node, rank, before, waiting = heapq.heappop(heap)
        while True:
            score, edge, left, right = edges_of(node)
            if rank + 1 < len(score):
                worse = cost + score[rank] - score[rank + 1]
                heapq.heappush(heap, (worse, next(number), node, rank + 1, before, waiting))
            before = edge[rank], before
            for child in (right[rank], left[rank]):
                if child >= 0:
                    waiting = child, waiting
            if waiting is None:
                break
            (node, waiting), rank = waiting, 0
        derivation = []
        while before is not None:
            last, before = before
            derivation.append(last)
        yield tuple(reversed(derivation))


Part = tuple[int, int, int]


def shared_parts(graph: RuleGraph, derivations: Iterable[Derivation]) -> tuple[list[Part], list[int]]:
    """The distinct parts of derivations, children first, and the part that each derivation is.

    A part is its first edge and the parts below it, −1 for none.
    """
    parts: dict[Part, int] = {}
    tops = []
    for derivation in derivations:
        done: list[int] = []
        for edge in reversed(derivation):
            left = done.pop() if graph.left[edge] != graph.nothing else -1
            right = done.pop() if graph.right[edge] != graph.nothing else -1
            done.append(parts.setdefault((edge, left, right), len(parts)))
        tops.append(done[0])
    return list(parts), tops


def tree_log_probabilities(
    graph: RuleGraph, grammar: SplitGrammar, scores: Floats, parts: list[Part], tops: list[int]
) -> Floats:
    """log P(T, w | G) of unsplit derivations, exact: the sum over all subcategories.

    ``scores`` (n_words, n_subcategories of tags): P(word | subcategory) for the words of the forest's
    sentences, end to end. Returns an array (n_derivations,).
    """
    forest = graph.forest
    values, scale = word_scaled(forest, scores)
    columns = np.concatenate([[0], np.cumsum(grammar.sizes[grammar.tags])])
    place = {int(tag): slice(columns[i], columns[i + 1]) for i, tag in enumerate(grammar.tags)}
    inside: list[Floats] = []
    for edge, left, right in parts:
        kind, at, node = int(graph.kind[edge]), int(graph.index[edge]), int(graph.parent[edge])
        if kind == WORD:
            inside.append(values[int(graph.span[node]), place[int(graph.symbol[node])]])
        elif kind == IDENTITY:
            inside.append(inside[left])
        elif kind == UNARY:
            inside.append(grammar.unary_probabilities[int(forest.unary.rule[at])] @ inside[left])
        else:
            # IN(A_x) = Σ_yz p(A_x → B_y C_z) · IN(B_y) · IN(C_z): (x, y, z) @ (z,) @ (y,)
            table = grammar.binary_probabilities[int(forest.binary.rule[at])]
            inside.append((table @ inside[right]) @ (inside[left] * forest.binary.factor[at]))
    roots = graph.parent[np.array([parts[top][0] for top in tops], dtype=np.int64)]
    with np.errstate(divide="ignore"):
        totals = np.log(np.array([inside[top].sum() for top in tops]))
    found: Floats = totals + scale[graph.span[roots]]
    return found


def ranked(
    graph: RuleGraph,
    grammars: Sequence[SplitGrammar],
    scores: Sequence[Floats],
    log_probability: Sequence[float],
    derivations: Sequence[Derivation],
) -> tuple[Ints, Floats]:
    """Derivations of one sentence by Σ_G log P(T | w, G), best first; equal ones stay in order.

    ``log_probability`` (n_grammars,): log P(w | G).
    """
    parts, tops = shared_parts(graph, derivations)
    total = np.zeros(len(derivations))
    for grammar, of_words, whole in zip(grammars, scores, log_probability, strict=True):
        total += tree_log_probabilities(graph, grammar, of_words, parts, tops) - whole
    order = np.argsort(-total, kind="stable")
    return order, total[order]


class Ranking:
    """Derivations by given weights of unsplit rule instances."""

    def __init__(self, graph: RuleGraph, weights: Instances) -> None:
        self.graph, self.weights = graph, graph.weights(weights)
        self.score, self.edge = graph.best(self.weights)

    def derivations(self, sentence: int) -> Iterator[tuple[Derivation, float]]:
        """All derivations of a sentence, best first, with their scores."""
        root = int(self.graph.root[sentence])
        if root < 0 or np.isneginf(self.score[root]):
            return
        yield self.graph.derivation(self.edge, root), float(self.score[root])
        for derivation in islice(k_best(root, self._incoming), 1, None):
            yield derivation, self._sum(derivation)

    def _sum(self, derivation: Derivation) -> float:
        """The score of a derivation, added up as the best one's: weight, left, right."""
        done: list[float] = []
        for edge in reversed(derivation):
            left, right = (
                done.pop() if side[edge] != self.graph.nothing else 0.0
                for side in (self.graph.left, self.graph.right)
            )
            done.append(float(self.weights[edge]) + left + right)
        return done[0]

    def _incoming(self, node: int) -> Incoming:
        graph, nothing = self.graph, self.graph.nothing
        edge = np.arange(graph.begin[node], graph.end[node])
        left, right, weight = graph.left[edge], graph.right[edge], self.weights[edge]
        score = weight + self.score[left] + self.score[right]
        children = (np.where(child == nothing, -1, child) for child in (left, right))
        return Incoming.sorted(score, edge, *children)


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
        self.plan = ChartPlan(forest, grammars[0])
        self.graph = RuleGraph(forest, grammars[0])

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
        order, score = ranked(self.graph, self.grammars, self.scores, wholes, union)
        return [
            (union[at], float(value))
            for at, value in zip(order[:k].tolist(), score[:k].tolist(), strict=True)
        ]

    def _charts(self) -> Iterator[SplitCharts]:
        pairs = zip(self.grammars, self.scores, strict=True)
        return (SplitCharts(self.plan, *pair) for pair in pairs)

    @cached_property
    def _sums(self) -> list[tuple[Floats, Instances]]:
        """Of each grammar, log P(sentence) and the posteriors of rule instances."""
        tags = self.graph.tags
        return [
            (charts.log_probability, Instances.of_posteriors(charts.posteriors(), tags))
            for charts in self._charts()
        ]

    @cached_property
    def _rankings(self) -> Sequence[Ranking]:
        """One ranking for all grammars, or one for each if trees are combined."""
        found = [instances for _, instances in self._sums]
        weigh = partial(instance_weights, objective=self.objective, unary_step=self.graph.unary_step)
        if self.combination != "tree":
            return [Ranking(self.graph, weigh(found, combination=self.combination))]
        return [Ranking(self.graph, weigh([one])) for one in found]
