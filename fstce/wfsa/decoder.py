"""Decoding: the tags of sentences under a trained model, batch by batch.

A word that training did not see takes the tags that the dictionary's rule for unseen
words allows; its score is that of its spelling features, or zero. A probability of zero
counts as e^−1000 here: where every path has one, the path with the fewest is best.

A path is the arcs from a machine's start to its end. The walk back from the end goes through all
machines at once, one arc a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from fstce.machines.symbols import Symbols
from fstce.numeric.kernels import total
from fstce.numeric.semirings import EXPECTATION, TROPICAL
from fstce.numeric.types import Floats, Ints, Rows
from fstce.wfsa.batch import Batch, TagAutomaton, observed, pack_products
from fstce.wfsa.features import (
    CellScores,
    EmissionTable,
    TagFeatures,
    TagLookup,
    tag_pairs,
)
from fstce.wfsa.sumproduct import SumProduct, shortest_distance

BATCH = 1000
LEAST = -1000.0
Weighted = tuple[TagFeatures, Floats, TagLookup]


class TaggerScores:
    """A trained tagger over an alphabet: what lattices meet, and the scores of products.

    ``tagger``: features, weights, dictionary. ``symbols``: begins with the words of the features.
    ``words``: those that occur. ``wildcards``: whether ``<sigma>`` does. ``pairs``: the (word, tag)
    pairs that are allowed. ``ngram``, ``emission``: the scores of n-grams, and of pairs as
    `emissions` has them.
    """

    def __init__(
        self, tagger: Weighted, symbols: Symbols, words: Iterable[str], wildcards: bool = False
    ) -> None:
        features, theta, dictionary = tagger
        self.features = features
        self.theta: Floats = np.maximum(theta, LEAST)
        self.pairs: tuple[Ints, Ints] = tag_pairs(
            symbols, words, dictionary, features.tags, features.has_oov
        )
        self.automaton: TagAutomaton = TagAutomaton(
            symbols, self.pairs, features.tags, features.order
        )
        self.emissions: EmissionTable = EmissionTable(
            features, symbols, *self.pairs, wildcards=wildcards
        )
        self.ngram, self.emission = self.scores(self.theta)

    def scores(self, theta: Floats) -> tuple[Floats, Floats]:
        """The scores of n-grams and of pairs by these weights."""
        return self.features.with_missing(theta), self.emissions.scores(theta)

    def cells(self, batch: Batch) -> tuple[CellScores, Floats]:
        """The parts of the score of each cell of a product, and the scores, (cells,)."""
        cells = CellScores(self.features, self.emissions, batch)
        return cells, cells(self.ngram, self.emission)


class _Part(NamedTuple):
    """Sentences' packed automata, the score of each cell, the tag of each arc, the lengths.

    ``rivals``: the scores of the cells by other weights.
    """

    batch: Batch
    scores: Floats
    rivals: list[Floats]
    tag: Ints
    lengths: list[int]

    def tags(self, arcs: Ints) -> list[list[list[int]]]:
        """The tags along paths of each sentence, (sentences, paths, longest), no boundary."""
        return [self.tag[rows[:, :n]].tolist() for rows, n in zip(arcs, self.lengths, strict=True)]


class Decoder:
    """Answers questions about sentences under a log-linear tagger.

    ``theta`` is (features,).
    """

    def __init__(self, features: TagFeatures, theta: Floats, dictionary: TagLookup) -> None:
        self.features = features
        self._tagger = features, theta, dictionary

    def viterbi(self, sentences: Rows) -> list[list[int]]:
        """The tags of the best path of each sentence."""
        return self.taggings(sentences)[0]

    def taggings(self, sentences: Rows, *rivals: Floats) -> list[list[list[int]]]:
        """The tags of the best paths, and of those by other weights, in the same automata."""
        taggings: list[list[list[int]]] = [[], *([] for _ in rivals)]
        for part in self._parts(sentences, *rivals):
            for tags, scores in zip(taggings, (part.scores, *part.rivals), strict=True):
                arcs, _ = best_paths(part.batch, scores)
                tags += [of_path for (of_path,) in part.tags(arcs[:, None])]
        return taggings

    def posterior(self, sentences: Rows) -> list[list[int]]:
        """The most probable tag of every word."""
        return [table.argmax(axis=1).tolist() for table in self.posteriors(sentences)]

    def posteriors(self, sentences: Rows) -> list[Floats]:
        """The posterior of each tag at each word, shape (words, tags) a sentence."""
        tables: list[Floats] = []
        for part in self._parts(sentences):
            tables += self._tables(part)
        return tables

    def k_best(self, sentences: Rows, k: int) -> list[list[tuple[list[int], float]]]:
        """The tags and log weights of the k best paths of each sentence, or of all if fewer."""
        lists = []
        for part in self._parts(sentences):
            arcs, weights = k_best_paths(part.batch, part.scores, k)
            for rows, values in zip(part.tags(arcs), weights.tolist(), strict=True):
                best = zip(rows, values, strict=True)
                lists.append([(tags, value) for tags, value in best if value > -np.inf])
        return lists

    def sample(self, sentences: Rows, n: int, rng: np.random.Generator) -> list[list[list[int]]]:
        """The tags of n paths of each sentence, drawn from the posterior."""
        tags: list[list[list[int]]] = []
        for part in self._parts(sentences):
            tags += part.tags(sample_paths(part.batch, part.scores, n, rng))
        return tags

    def entropy(self, sentences: Rows) -> Floats:
        """The entropy of each sentence's paths in nats."""
        return np.concatenate(
            [path_entropy(part.batch, part.scores) for part in self._parts(sentences)]
        )

    def _parts(self, sentences: Rows, *rivals: Floats) -> Iterator[_Part]:
        """The sentences batch by batch."""
        features = self.features
        for first in range(0, len(sentences), BATCH):
            rows = sentences[first : first + BATCH]
            words = [word for sentence in rows for word in sentence]
            symbols = features.symbols.extended(words)
            tagger = TaggerScores(self._tagger, symbols, words)
            numbers = range(first + 1, first + 1 + len(rows))
            batch = pack_products(tagger.automaton, observed(rows, symbols, numbers))
            tag = ((batch.ngram - 1) % (len(features.tags) + 1))[batch.cell]
            cells, scores = tagger.cells(batch)
            others = [cells(*tagger.scores(np.maximum(theta, LEAST))) for theta in rivals]
            yield _Part(batch, scores, others, tag, [len(sentence) for sentence in rows])

    def _tables(self, part: _Part) -> list[Floats]:
        """The posteriors of each sentence's tags, (words, tags)."""
        batch = part.batch
        width = len(self.features.tags) + 1
        lengths = np.array(part.lengths)
        begin = np.cumsum(lengths + 1) - lengths - 1

        row = begin[batch.machine[batch.target]] + batch.level[batch.source]
        mass = SumProduct(batch).posteriors(part.scores)
        table = total(row * width + part.tag, mass, int((lengths + 1).sum()) * width)
        table = table.reshape(-1, width)[:, :-1]
        return [table[a : a + n] for a, n in zip(begin.tolist(), part.lengths, strict=True)]


def best_paths(batch: Batch, cell_scores: Floats) -> tuple[Ints, Floats]:
    """The most probable path of each machine (Viterbi).

    ``arcs`` (machines, longest): the arcs of each path from start to end, −1 behind a shorter
    path's end. ``score`` (machines,): its log weight.
    """
    scores = batch.arc_scores(cell_scores)
    alpha = shortest_distance(batch, scores, TROPICAL)

    # α(q) = max over arcs p → q of α(p) + w(arc); the first arc that attains it is the way back
    through = alpha[batch.source] + scores
    attains = np.flatnonzero(through == alpha[batch.target])
    best = np.full(batch.n_states, -1)
    best[batch.target[attains][::-1]] = attains[::-1]
    return _trace(batch, batch.final, lambda state: best[state]), alpha[batch.final]


def k_best_paths(batch: Batch, cell_scores: Floats, k: int) -> tuple[Ints, Floats]:
    """The k best paths of each machine, best first.

    ``arcs`` (machines, k, longest): −1 behind a path's end, and throughout where a machine has
    fewer than k paths. ``score`` (machines, k): log weights, −inf where there is no such path.
    """
    scores = batch.arc_scores(cell_scores)
    value = np.full((batch.n_states, k), -np.inf)
    value[batch.start, 0] = 0.0
    entry = np.full((batch.n_states, k), -1)

    for a, _, indptr in batch.rows():
        # value (S, k): the k best of all value[p, rank] + w(arc) over the arcs p → q
        # entry: arc · k + rank
        arcs = np.arange(indptr[0], indptr[-1])
        through = (value[batch.source[arcs]] + scores[arcs, None]).ravel()
        row = np.repeat(batch.target[arcs] - a, k)
        order = np.lexsort((-through, row))
        first = (indptr[:-1] - indptr[0]) * k
        rank = np.arange(len(order)) - np.repeat(first, np.diff(indptr) * k)

        best = order[rank < k]
        place = row[best] + a, rank[rank < k]
        value[place] = through[best]
        entry[place] = indptr[0] * k + best

    last = (batch.final[:, None] * k + np.arange(k)).ravel()
    steps: list[Ints] = []
    position = np.where(np.isfinite(value.ravel()[last]), last, -1)
    while np.any((step := np.where(position >= 0, entry.ravel()[position], -1)) >= 0):
        steps.append(np.where(step >= 0, step // k, -1))
        position = np.where(step >= 0, batch.source[step // k].astype(np.int64) * k + step % k, -1)
    return _left_aligned(steps).reshape(batch.n_machines, k, -1), value[batch.final]


def sample_paths(batch: Batch, cell_scores: Floats, n: int, rng: np.random.Generator) -> Ints:
    """n independent paths of each machine, each drawn with its posterior probability.

    Returns arcs from start to end, −1 behind a shorter path's end, (machines, n, longest).
    """
    mass = np.append(0.0, np.cumsum(SumProduct(batch).inward(cell_scores)))

    def draw(state: Ints) -> Ints:
        # P(arc | state) = α(p) · w(arc) / α(q): the arcs into a state share an interval of mass,
        # length 1
        low, high = batch.indptr[state], batch.indptr[state + 1]
        target = mass[low] + rng.random(len(state)) * (mass[high] - mass[low])
        arc = np.searchsorted(mass, target, side="right") - 1
        return np.where(high > low, np.clip(arc, low, high - 1), -1)

    return _trace(batch, np.repeat(batch.final, n), draw).reshape(batch.n_machines, n, -1)


def path_entropy(batch: Batch, cell_scores: Floats) -> Floats:
    """The entropy of each machine's distribution over paths in nats, shape (machines,).

    In the expectation semiring with weights ⟨p, p·log p⟩ the distance to the end is
    ⟨Z, Σ p·log p⟩ (Eisner 2002); the arcs are reweighted first, so that Z is one.
    """
    weight = SumProduct(batch).inward(cell_scores)
    with np.errstate(divide="ignore", invalid="ignore"):
        surprise = np.where(weight > 0, weight * np.log(weight), 0.0)
    distance = shortest_distance(batch, np.stack((weight, surprise), axis=-1), EXPECTATION)
    return -distance[batch.final, 1] + 0.0


def _trace(batch: Batch, state: Ints, choose: Callable[[Ints], Ints]) -> Ints:
    """Walk back from the given states, `choose` naming the arc into each (−1 at a start)."""
    arcs: list[Ints] = []
    while True:
        arc = np.where(state >= 0, choose(state), -1)
        if np.all(arc < 0):
            return _left_aligned(arcs)
        arcs.append(arc)
        state = np.where(arc >= 0, batch.source[arc], -1)


def _left_aligned(reversed_arcs: list[Ints]) -> Ints:
    """Steps collected from the end, at least one, as rows from the start, padded behind with −1."""
    rows = np.stack(reversed_arcs[::-1], axis=1)
    order = np.argsort(rows < 0, axis=1, kind="stable")
    return np.take_along_axis(rows, order, axis=1)
