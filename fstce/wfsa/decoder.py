"""Decoding: the tags of sentences under a trained model, batch by batch.

A word that training did not see takes the tags that the dictionary's rule for unseen
words allows; its score is that of its spelling features, or zero. A probability of zero
counts as e^−1000 here: where every path has one, the path with the fewest is best.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fstce.machines.symbols import Symbols
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints, Rows
from fstce.wfsa.batch import Batch
from fstce.wfsa.features import TagFeatures, TagLookup, tag_pairs
from fstce.wfsa.intersect import TagAutomaton
from fstce.wfsa.layered import sentence_batch
from fstce.wfsa.paths import best_paths, k_best_paths, path_entropy, sample_paths
from fstce.wfsa.sumproduct import SumProduct
from fstce.wfsa.terms import CellScores, EmissionTable

BATCH = 1000
LEAST = -1000.0


class _Part(NamedTuple):
    """Rows' packed automata, what scores them whatever the weights, the tag of each arc, the lengths."""

    batch: Batch
    emissions: EmissionTable
    cells: CellScores
    tag: Ints
    lengths: list[int]

    def tags(self, arcs: Ints, length: int) -> list[int]:
        """The tags along a path, without the boundary."""
        return [int(t) for t in self.tag[arcs[:length]]]


class Prepared(list[_Part]):
    """Rows made ready by :meth:`Decoder.prepare`, in place of the sentences themselves."""


class Decoder:
    """Answers questions about sentences under a log-linear tagger.

    ``theta`` is (features,).
    """

    def __init__(self, features: TagFeatures, theta: Floats, dictionary: TagLookup) -> None:
        self.features = features
        self.theta = np.maximum(theta, LEAST)
        self.dictionary = dictionary

    def at(self, theta: Floats) -> Decoder:
        """The decoder with other weights of the same features."""
        return Decoder(self.features, theta, self.dictionary)

    def prepare(self, sentences: Rows) -> Prepared:
        """Build the automata of sentences that several questions or several weights will meet."""
        batches = range(0, len(sentences), BATCH)
        return Prepared(self._built(sentences[i : i + BATCH], i + 1) for i in batches)

    def viterbi(self, sentences: Rows | Prepared) -> list[list[int]]:
        """The tags of the best path of each sentence."""
        tagged = []
        for part, scores in self._parts(sentences):
            arcs, _ = best_paths(part.batch, scores)
            tagged += [part.tags(row, n) for row, n in zip(arcs, part.lengths, strict=True)]
        return tagged

    def posterior(self, sentences: Rows | Prepared) -> list[list[int]]:
        """The most probable tag of every word."""
        return [[int(t) for t in table.argmax(axis=1)] for table in self.posteriors(sentences)]

    def posteriors(self, sentences: Rows | Prepared) -> list[Floats]:
        """The posterior of each tag at each word, shape (words, tags) a sentence."""
        return [table for part, scores in self._parts(sentences) for table in self._tables(part, scores)]

    def k_best(self, sentences: Rows | Prepared, k: int) -> list[list[tuple[list[int], float]]]:
        """The tags and log weights of the k best paths of each sentence, or of all where there are fewer."""
        lists = []
        for part, scores in self._parts(sentences):
            arcs, scores = k_best_paths(part.batch, scores, k)
            for rows, values, n in zip(arcs, scores.tolist(), part.lengths, strict=True):
                best = zip(rows, values, strict=True)
                lists.append([(part.tags(row, n), value) for row, value in best if value > -np.inf])
        return lists

    def sample(self, sentences: Rows | Prepared, n: int, rng: np.random.Generator) -> list[list[list[int]]]:
        """The tags of n paths of each sentence, drawn from the posterior."""
        samples = []
        for part, scores in self._parts(sentences):
            drawn = sample_paths(part.batch, scores, n, rng)
            sentences_drawn = zip(drawn, part.lengths, strict=True)
            samples += [[part.tags(row, m) for row in rows] for rows, m in sentences_drawn]
        return samples

    def entropy(self, sentences: Rows | Prepared) -> Floats:
        """The entropy of each sentence's paths in nats."""
        return np.concatenate([path_entropy(part.batch, scores) for part, scores in self._parts(sentences)])

    def _parts(self, sentences: Rows | Prepared) -> Iterator[tuple[_Part, Floats]]:
        """The sentences batch by batch, and the score of each cell."""
        ngram = self.features.with_missing(self.theta)
        batches = range(0, len(sentences), BATCH)
        built = (self._built(sentences[i : i + BATCH], i + 1) for i in batches)  # type: ignore[arg-type]
        for part in sentences if isinstance(sentences, Prepared) else built:
            yield part, part.cells(ngram, part.emissions.scores(self.theta))

    def _built(self, sentences: Rows, first: int) -> _Part:
        words = [word for sentence in sentences for word in sentence]
        symbols = Symbols([*self.features.symbols, *words])
        pairs = tag_pairs(symbols, words, self.dictionary, self.features.tags)
        automaton = TagAutomaton(*pairs, len(self.features.tags), self.features.order)
        batch = sentence_batch(sentences, symbols, automaton, first)
        emissions = EmissionTable(self.features, symbols, *pairs)
        tag = ((batch.ngram - 1) % (len(self.features.tags) + 1))[batch.cell]
        cells = CellScores(self.features, emissions, batch)
        return _Part(batch, emissions, cells, tag, [len(s) for s in sentences])

    def _tables(self, part: _Part, scores: Floats) -> list[Floats]:
        batch, width = part.batch, len(self.features.tags) + 1
        offset = np.cumsum(np.array(part.lengths) + 1) - np.array(part.lengths) - 1
        row = offset[batch.machine[batch.target]] + batch.level[batch.source]
        mass = SumProduct(batch).posteriors(scores)
        table = total(row * width + part.tag, mass, int(offset[-1] + part.lengths[-1] + 1) * width)
        table = table.reshape(-1, width)[:, :-1]
        return [table[a : a + n] for a, n in zip(offset.tolist(), part.lengths, strict=True)]
