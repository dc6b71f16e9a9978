"""Log-linear sums as functions of the weights θ: the terms of which objectives are made.

A term is Σ over machines of coefficient · log Z(θ) with its gradient. Criteria differ
only in the lattices and the signs: contrastive estimation is Σ log Z of the sentence's
taggings minus Σ log Z of the neighborhood's (Smith & Eisner 2005a, Eq. 7).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from fstce.errors import MachineError
from fstce.estimation.resources import IN_MEMORY, Resources
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID, Symbols
from fstce.numeric.semirings import LOG
from fstce.numeric.types import Floats, Ints
from fstce.wfsa.batch import Batch, Shard
from fstce.wfsa.features import TagFeatures, locate
from fstce.wfsa.remote import RemoteSums
from fstce.wfsa.sumproduct import ShardSum, cell_rows


class EmissionTable:
    """The scores of all (word, tag) pairs, then of the T wildcards, then of the boundary (zero).

    The wildcard of a tag scores the log-sum of the tag's pairs: any word of the vocabulary.

    ``word``, ``tag`` (pairs,): the pairs, ascending. ``wildcards``: whether wildcards occur, so that their
    sums are needed. Where the features have a symbol for unknown words, it stands in the sums for all of
    them.
    """

    def __init__(
        self, features: TagFeatures, symbols: Symbols, word: Ints, tag: Ints, *, wildcards: bool = False
    ) -> None:
        self.n_tags = len(features.tags)
        self.wildcards = wildcards
        limit = FIRST_WORD_ID + len(features.symbols) if features.has_oov else np.inf
        self._offset = len(features.ngrams)
        self._keys = word * self.n_tags + tag
        self._matrix = features.emission_matrix(symbols, word, tag)
        self._transpose = self._matrix.T.tocsr()
        self._guessed = features.emission_guesses(symbols, word, tag)
        self._wild = np.flatnonzero(word < limit)
        self._wild = self._wild[np.argsort(tag[self._wild], kind="stable")]
        self._wild_tag = tag[self._wild]
        self._present, self._first = np.unique(self._wild_tag, return_index=True)

    def index(self, word: Ints, tag: Ints) -> Ints:
        """The row of each (word, tag); tag T is the boundary."""
        place, listed = locate(self._keys, word * self.n_tags + tag)
        wild, boundary = word == SIGMA_ID, tag == self.n_tags
        if not np.all(listed | wild | boundary):
            raise MachineError("automata have a word with a tag that the dictionary does not list for it")
        place = np.where(wild, len(self._keys) + tag, place)
        return np.where(boundary, len(self._keys) + self.n_tags, place)

    def scores(self, theta: Floats) -> Floats:
        """Log weights, shape (pairs + T + 1,)."""
        # w(t, v) = θ · f(t, v), (pairs,); then w(t, Σ) = log Σ_v exp w(t, v), (T,), and the boundary's 0
        pairs = self._matrix @ theta[self._offset :] + self._guessed
        return np.concatenate((pairs, self._wildcard_scores(pairs), [0.0]))

    def gradient(self, scores: Floats, counts: Floats) -> Floats:
        """Expected counts of the rows, sent back to θ behind the n-grams."""
        return np.asarray(self._transpose @ self._pair_counts(scores, counts))

    def guessed(self, scores: Floats, counts: Floats) -> float:
        """Σ expected count · what the guess adds, over the pairs; nats."""
        return float(self._guessed @ self._pair_counts(scores, counts))

    def _pair_counts(self, scores: Floats, counts: Floats) -> Floats:
        """Expected counts of the pairs: their own, and their share of the wildcards' counts."""
        pairs = len(self._keys)
        direct = counts[:pairs]
        if self.wildcards:
            # E[t, v] += E[t, Σ] · exp(w(t, v) − w(t, Σ))
            of_tag = scores[pairs + self._wild_tag]
            share = np.exp(scores[self._wild] - np.where(np.isfinite(of_tag), of_tag, 0.0))
            direct = direct.copy()
            direct[self._wild] += counts[pairs + self._wild_tag] * share
        return direct

    def _wildcard_scores(self, pairs: Floats) -> Floats:
        result = np.full(self.n_tags, -np.inf)
        if self.wildcards:
            result[self._present] = LOG.plus_reduce(pairs[self._wild], self._first)
        return result


class CellScores:
    """Which n-gram weight and which emission make up the score of each cell of a batch."""

    def __init__(self, features: TagFeatures, emissions: EmissionTable, batch: Batch) -> None:
        index, known = locate(features.ngrams, batch.ngram)
        self.ngram = np.where(known, index, len(features.ngrams))
        self.emission = emissions.index(batch.word, (batch.ngram - 1) % (len(features.tags) + 1))

    def __call__(self, ngram: Floats, emission: Floats) -> Floats:
        """The log weight of each cell, shape (cells,); the last n-gram score is that of unknown n-grams."""
        return ngram[self.ngram] + emission[self.emission]


class LatticeSum:
    """Σ over the machines of some batches of coefficient · log Z(θ), times a number.

    ``emissions``: scores every (word, tag) of the batches. ``shards``: the automata and their coefficients.
    ``resources``: the threads, or the workers, that add up. ``in_memory``: whether arrays that are kept
    between two evaluations lie there. ``refreshed``: the shards whose potentials the last evaluation has
    refreshed.
    """

    def __init__(
        self,
        features: TagFeatures,
        emissions: EmissionTable,
        shards: Sequence[Shard],
        scale: float = 1.0,
        resources: Resources = IN_MEMORY,
        in_memory: bool = True,
    ) -> None:
        self.scale = scale
        self.refreshed: list[int] = []
        self._features, self._emissions, self._resources = features, emissions, resources
        self._shards, store = [], resources.store(in_memory)
        for shard in shards:
            cells = CellScores(features, emissions, shard.batch)
            rows, pairs = cell_rows(cells.ngram, cells.emission + len(features.ngrams) + 1)
            self._shards.append(ShardSum(rows, pairs, shard.batch, shard.counts, store))
        files = [(shard.path, shard.digest) for shard in shards if shard.path is not None]
        remote = resources.client is not None and len(files) > 0
        self._remote = RemoteSums(resources.client, self._shards, files) if remote else None

    @property
    def batches(self) -> list[Batch]:
        """The packed automata."""
        return [shard.sums.batch for shard in self._shards]

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient, shape of θ."""
        scores = self._scores(theta)
        value, counts, self.refreshed = 0.0, np.zeros(len(scores)), []
        if self._remote is None:
            answers = self._resources.each(lambda shard: shard(scores), self._shards)
        else:
            answers = self._remote(scores)
        for number, (shard, answer) in enumerate(zip(self._shards, answers, strict=True)):
            value += answer.value
            counts[shard.rows] += answer.counts
            if answer.refreshed:
                self.refreshed.append(number)
        ngrams = len(self._features.ngrams)
        slope = self._emissions.gradient(scores[ngrams + 1 :], counts[ngrams + 1 :])
        gradient = np.concatenate((counts[:ngrams], slope))
        gradient *= self.scale
        return self.scale * value, gradient

    def refresh(self, shards: Iterable[int], theta: Floats) -> None:
        """Refresh the potentials of some shards by these weights, as an evaluation has done before."""
        scores = self._scores(theta)
        for number in shards:
            if self._remote is None:
                self._shards[number].refresh(scores)
            else:
                self._remote.refresh(number, scores)

    def _scores(self, theta: Floats) -> Floats:
        """The scores of n-grams, of those without a weight, and of emissions, end to end."""
        emissions = self._emissions.scores(theta)
        return np.concatenate((self._features.with_missing(theta), emissions))
