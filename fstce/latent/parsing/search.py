"""The best derivations of a batch of sentences over one pruned forest, by one grammar or several.

Derivations are rows of edges of one :class:`~fstce.latent.parsing.maxrule.RuleGraph`, so that those of
different grammars can be compared and rescored. At the level of whole trees (Petrov 2010, Eq. 3) each
grammar lists its k best; the union of the lists is ranked by Σ_G log P(T | w, G), where P(T, w | G) sums
over the subcategories of the tree. Trees of one sentence share most of their parts: each is summed once.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count, islice
from typing import NamedTuple

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

Key = tuple[int, int, int, int, int]


class Incoming(NamedTuple):
    """The edges of a node, best first; −1 stands for no child.

    ``score`` is that of the best derivation that begins with the edge, ``weight`` the edge's own.
    """

    score: Floats
    weight: Floats
    edge: Ints
    left: Ints
    right: Ints

    @classmethod
    def sorted(cls, score: Floats, weight: Floats, edge: Ints, left: Ints, right: Ints) -> Incoming:
        """The edges of a node in any order, without those that lead nowhere."""
        order = np.argsort(-score, kind="stable")
        order = order[np.isfinite(score[order])]
        return cls(score[order], weight[order], edge[order], left[order], right[order])


class RankedEdge(NamedTuple):
    """A derivation of a node: its score, and its edge with the children's nodes and ranks."""

    score: float
    edge: int
    left: int
    right: int
    i: int
    j: int
    weight: float

    def children(self) -> list[tuple[int, int]]:
        """Each child's node and rank."""
        both = ((self.left, self.i), (self.right, self.j))
        return [(child, rank) for child, rank in both if child >= 0]


class _Queue:
    """What is known of a node: its derivations found so far, and where the next may come from."""

    __slots__ = ("expanded", "found", "fresh", "heap", "incoming", "seen")

    def __init__(self, incoming: Incoming) -> None:
        self.incoming = incoming
        self.found: list[RankedEdge] = []
        self.heap: list[tuple[float, Key, RankedEdge]] = []
        self.seen: set[Key] = set()
        self.fresh = 0
        self.expanded = 0

    def push(self, choice: RankedEdge) -> None:
        """A successor, once."""
        key = choice[1:6]
        if key not in self.seen:
            self.seen.add(key)
            heapq.heappush(self.heap, (-choice.score, key, choice))

    def pop(self) -> bool:
        """Move the best of what is left to the derivations found; whether there was one."""
        incoming, at = self.incoming, self.fresh
        if at < len(incoming.score) and (not self.heap or incoming.score[at] >= -self.heap[0][0]):
            columns = (incoming.edge, incoming.left, incoming.right)
            edge, left, right = (int(column[at]) for column in columns)
            choice = RankedEdge(
                float(incoming.score[at]), edge, left, right, 0, 0, float(incoming.weight[at])
            )
            self.fresh += 1
        elif self.heap:
            choice = heapq.heappop(self.heap)[-1]
        else:
            return False
        self.found.append(choice)
        return True


class LazyKBest:
    """Derivations of the nodes of one acyclic graph, best first (Huang & Chiang 2005, Algorithm 3).

    A derivation is an edge and the rank of the derivation that each of its children takes. The best of a node
    is known from a search; the next best is the best among the edges not used yet and the successors of those
    used, (i + 1, j) and (i, j + 1). A child's next derivation is asked for only when a successor needs it.
    Requests wait on a stack of our own, so that a long sentence does not exhaust Python's.

    ``incoming``: node → its edges; called once a node.
    """

    def __init__(self, incoming: Callable[[int], Incoming]) -> None:
        self._incoming = incoming
        self._queues: dict[int, _Queue] = {}

    def score(self, node: int, rank: int) -> float | None:
        """The score of a node's derivation of this rank, from 0; None if it has fewer."""
        choice = self._choice(node, rank)
        return None if choice is None else choice.score

    def derivation(self, node: int, rank: int) -> tuple[int, ...]:
        """The edges of a derivation that there is, parents first, left before right."""
        edges: list[int] = []
        stack = [(node, rank)]
        while stack:
            choice = self._choice(*stack.pop())
            if choice is not None:
                edges.append(choice.edge)
                stack.extend(reversed(choice.children()))
        return tuple(edges)

    def _choice(self, node: int, rank: int) -> RankedEdge | None:
        requests = [(node, rank)]
        while requests:
            at, wanted = requests[-1]
            queue = self._queue(at)
            if len(queue.found) > wanted:
                requests.pop()
            elif needed := self._expand(queue):
                requests.extend(needed)
            elif not queue.pop():
                requests.pop()
        found = self._queue(node).found
        return found[rank] if rank < len(found) else None

    def _queue(self, node: int) -> _Queue:
        if node not in self._queues:
            self._queues[node] = _Queue(self._incoming(node))
        return self._queues[node]

    def _expand(self, queue: _Queue) -> list[tuple[int, int]]:
        """Queue the successors of the last derivation found, or say what they wait for."""
        if queue.expanded == len(queue.found):
            return []
        last = queue.found[-1]
        successors = [last._replace(i=last.i + 1)] if last.left >= 0 else []
        successors += [last._replace(j=last.j + 1)] if last.right >= 0 else []
        waiting = {child for choice in successors for child in choice.children() if not self._known(*child)}
        if waiting:
            return sorted(waiting)
        for choice in successors:
            if all(rank < len(self._queue(child).found) for child, rank in choice.children()):
                queue.push(choice._replace(score=self._total(choice)))
        queue.expanded = len(queue.found)
        return []

    def _known(self, node: int, rank: int) -> bool:
        """Whether a derivation is found, or known not to be."""
        queue = self._queue(node)
        used_up = queue.fresh == len(queue.incoming.score) and not queue.heap
        return len(queue.found) > rank or (used_up and queue.expanded == len(queue.found))

    def _total(self, choice: RankedEdge) -> float:
        return choice.weight + sum(self._queue(child).found[rank].score for child, rank in choice.children())


Derivation = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SharedParts:
    """The distinct parts of some derivations, children first.

    ``edge``, ``left``, ``right``: each part's first edge and the parts below it, −1 for none. ``tops``: the
    part that each derivation is.
    """

    edge: list[int]
    left: list[int]
    right: list[int]
    tops: list[int]


def shared_parts(graph: RuleGraph, derivations: Iterable[Derivation]) -> SharedParts:
    """Number the distinct parts of derivations, each a row of edges, parents first."""
    parts: dict[tuple[int, int, int], int] = {}
    tops = []
    for derivation in derivations:
        done: list[int] = []
        for edge in reversed(derivation):
            left = done.pop() if graph.left[edge] != graph.nothing else -1
            right = done.pop() if graph.right[edge] != graph.nothing else -1
            done.append(parts.setdefault((edge, left, right), len(parts)))
        tops.append(done[0])
    edges, lefts, rights = ([key[i] for key in parts] for i in range(3))
    return SharedParts(edges, lefts, rights, tops)


def tree_log_probabilities(
    graph: RuleGraph, grammar: SplitGrammar, scores: Floats, parts: SharedParts
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
    for edge, left, right in zip(parts.edge, parts.left, parts.right, strict=True):
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
    tops = graph.parent[np.array([parts.edge[top] for top in parts.tops], dtype=np.int64)]
    with np.errstate(divide="ignore"):
        totals = np.log(np.array([inside[top].sum() for top in parts.tops]))
    found: Floats = totals + scale[graph.span[tops]]
    return found


def ranked(
    graph: RuleGraph,
    grammars: Sequence[SplitGrammar],
    scores: Sequence[Floats],
    log_probability: Floats,
    derivations: Sequence[Derivation],
) -> tuple[Ints, Floats]:
    """Derivations of one sentence by Σ_G log P(T | w, G), best first; equal ones stay in order.

    ``log_probability`` (n_grammars,): log P(w | G).
    """
    parts = shared_parts(graph, derivations)
    total = np.zeros(len(derivations))
    for grammar, of_words, whole in zip(grammars, scores, log_probability, strict=True):
        total += tree_log_probabilities(graph, grammar, of_words, parts) - whole
    order = np.argsort(-total, kind="stable")
    return order, total[order]


class Ranking:
    """Derivations by given weights of unsplit rule instances."""

    def __init__(self, graph: RuleGraph, weights: Instances) -> None:
        self.graph, self.weights = graph, graph.weights(weights)
        self.score, self.edge = graph.best(self.weights)
        self.search = LazyKBest(self._incoming)

    def derivations(self, sentence: int) -> Iterator[tuple[Derivation, float]]:
        """All derivations of a sentence, best first, with their scores."""
        root = int(self.graph.root[sentence])
        if root < 0 or np.isneginf(self.score[root]):
            return
        yield self.graph.derivation(self.edge, root), float(self.score[root])
        for rank in count(1):
            score = self.search.score(root, rank)
            if score is None:
                return
            yield self.search.derivation(root, rank), score

    def _incoming(self, node: int) -> Incoming:
        graph, nothing = self.graph, self.graph.nothing
        edge = np.arange(graph.begin[node], graph.end[node])
        left, right, weight = graph.left[edge], graph.right[edge], self.weights[edge]
        score = weight + self.score[left] + self.score[right]
        children = (np.where(child == nothing, -1, child) for child in (left, right))
        return Incoming.sorted(score, weight, edge, *children)


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

    @cached_property
    def log_probability(self) -> Floats:
        """log P(sentence | G), shape (n_grammars, n_sentences)."""
        if "_sums" in self.__dict__:
            return np.stack([log_probability for log_probability, _ in self._sums])
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
        order, score = ranked(
            self.graph, self.grammars, self.scores, self.log_probability[:, sentence], union
        )
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
