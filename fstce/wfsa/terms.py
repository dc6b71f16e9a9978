"""Log-linear sums as functions of the weights θ: the terms of which objectives are made.

A term is Σ over machines of coefficient · log Z(θ) with its gradient. Criteria differ
only in the lattices and the signs: contrastive estimation is Σ log Z of the sentence's
taggings minus Σ log Z of the neighbourhood's (Smith & Eisner 2005a, Eq. 7).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fstce.grammars import tag_ngrams
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.wfsa.batch import Batch
from fstce.wfsa.chain import WildcardChain
from fstce.wfsa.features import TagFeatures, locate
from fstce.wfsa.kernels import total
from fstce.wfsa.sumproduct import SumProduct

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class EmissionTable:
    """The scores of all (word, tag) pairs, then of the T wildcards, then of the boundary (zero).

    The wildcard of a tag scores the log-sum of the tag's pairs: any word of the vocabulary.

    Parameters
    ----------
    features : TagFeatures
        Give the pairs their features.
    symbols : Symbols
        Names the words.
    word, tag : ndarray of int64, shape (pairs,)
        The pairs, ascending.
    wildcards : bool
        Whether wildcards occur, so that their sums are needed.
    """

    def __init__(
        self, features: TagFeatures, symbols: Symbols, word: Ints, tag: Ints, *, wildcards: bool = False
    ) -> None:
        self.n_tags = len(features.tags)
        self.wildcards = wildcards
        self._offset = len(features.ngrams)
        self._keys = word * self.n_tags + tag
        self._matrix = features.emission_matrix(symbols, word, tag)
        self._transpose = self._matrix.T.tocsr()
        self._by_tag = np.argsort(tag, kind="stable")
        self._present, self._first = np.unique(tag[self._by_tag], return_index=True)
        self._tag = tag

    def index(self, word: Ints, tag: Ints) -> Ints:
        """The row of each (word, tag); tag T is the boundary."""
        place, _ = locate(self._keys, word * self.n_tags + tag)
        place = np.where(word == SIGMA_ID, len(self._keys) + tag, place)
        return np.where(tag == self.n_tags, len(self._keys) + self.n_tags, place)

    def scores(self, theta: Floats) -> Floats:
        """Log weights, shape (pairs + T + 1,)."""
        pairs = self._matrix @ theta[self._offset :]
        return np.concatenate((pairs, self._wildcard_scores(pairs), [0.0]))

    def gradient(self, scores: Floats, counts: Floats) -> Floats:
        """Expected counts of the rows, sent back to θ behind the n-grams."""
        pairs = len(self._keys)
        direct = counts[:pairs]
        if self.wildcards:
            wildcard = counts[pairs : pairs + self.n_tags][self._tag]
            direct = direct + wildcard * np.exp(scores[:pairs] - scores[pairs + self._tag])
        return np.asarray(self._transpose @ direct)

    def _wildcard_scores(self, pairs: Floats) -> Floats:
        result = np.full(self.n_tags, -np.inf)
        if self.wildcards:
            result[self._present] = np.logaddexp.reduceat(pairs[self._by_tag], self._first)
        return result


class LatticeSum:
    """Σ over the machines of a batch of coefficient · log Z(θ).

    Parameters
    ----------
    features : TagFeatures
    emissions : EmissionTable
        Scores every (word, tag) of the batch.
    batch : Batch
    coefficient : ndarray, shape (machines,)
    """

    def __init__(
        self, features: TagFeatures, emissions: EmissionTable, batch: Batch, coefficient: Floats
    ) -> None:
        self.batch = batch
        self.coefficient = coefficient
        self._emissions = emissions
        self._ngrams = len(features.ngrams)
        index, known = locate(features.ngrams, batch.ngram)
        self._ngram = np.where(known, index, self._ngrams)
        self._emission = emissions.index(batch.word, (batch.ngram - 1) % (len(features.tags) + 1))
        self.sums = SumProduct(batch)

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient, shape of θ."""
        emission = self._emissions.scores(theta)
        log_z, counts = self.sums(self._cells(theta, emission), self.coefficient)
        gradient = np.empty_like(theta)
        gradient[: self._ngrams] = total(self._ngram, counts, self._ngrams + 1)[:-1]
        rows = total(self._emission, counts, len(emission))
        gradient[self._ngrams :] = self._emissions.gradient(emission, rows)
        return float(self.coefficient @ log_z), gradient

    def cell_scores(self, theta: Floats) -> Floats:
        """The log weight of each cell of the batch, shape (cells,)."""
        return self._cells(theta, self._emissions.scores(theta))

    def _cells(self, theta: Floats, emission: Floats) -> Floats:
        ngram = np.append(theta[: self._ngrams], 0.0)
        return ngram[self._ngram] + emission[self._emission]


class LengthSum:
    """Σ over sentence lengths of coefficient · log Z(θ) of Σ^m, the LENGTH neighbourhood's sum.

    Parameters
    ----------
    features : TagFeatures
        An n-gram that they lack scores zero.
    emissions : EmissionTable
        With wildcards.
    lengths : ndarray of int64, shape (N,)
    coefficient : ndarray, shape (N,)
    """

    def __init__(
        self, features: TagFeatures, emissions: EmissionTable, lengths: Ints, coefficient: Floats
    ) -> None:
        self.coefficient = coefficient
        self._emissions = emissions
        self._ngrams = len(features.ngrams)
        self._codes = features.ngrams - 1
        self._table = np.full((len(features.tags) + 1) ** features.order, -np.inf)
        self._table[tag_ngrams.possible(len(features.tags), features.order) - 1] = 0.0
        self._chain = WildcardChain(len(features.tags), features.order, lengths)

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient, shape of θ."""
        emission = self._emissions.scores(theta)
        tags = slice(-1 - self._emissions.n_tags, -1)
        table = self._table.copy()
        table[self._codes] = theta[: self._ngrams]
        log_z, ngrams, wildcards = self._chain(table, emission[tags], self.coefficient)
        rows = np.zeros_like(emission)
        rows[tags] = wildcards
        behind = self._emissions.gradient(emission, rows)
        return float(self.coefficient @ log_z), np.concatenate((ngrams[self._codes], behind))
