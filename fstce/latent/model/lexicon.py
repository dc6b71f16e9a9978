"""P(word | tag subcategory): counts in training, Bayes' rule for parsing.

In training P(w | t) = c_tw / c_t, where the c_tw of a rare word under tag T is its count
under T in the proportions of all rare words under T: a multinomial with ties, whose
expected counts maximize the expected log-likelihood, so that EM is monotone.

Parsing uses P(w | t) = P(t | w) P(w) / P(t) (Petrov 2010, Section 2.4, after the Berkeley
parser), with known words' P(t | w) = (c_tw + β P(t | unknown)) / (c_w + β), and unknown
words' P(t | s) = (c_ts + ½ P(t | unknown)) / (c_s + ½) by their signature s and P(w) one
word's share. What the form of a word says of its tag T (``word_forms``), if it is asked, replaces
the sums over a tag's subcategories in the last two: of a word of count at most 20
P(t | w) = (c_tw + κ P(T | form) P(t | T, unknown)) / (c_w + κ), of an unknown one
P(t | w) = ((1 − λ) P(T | form) + λ P(T | s)) P(t | T, s). These do not quite sum to 1 over words:
known words are not discounted for the unknown ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from fstce.latent.arrays import mixing, offsets_of
from fstce.latent.model.lexical_units import LexicalUnits
from fstce.numeric.types import Floats, Ints

_KNOWN, _FREQUENT, _UNKNOWN = 0.1, 1e-4, 0.5
_OFTEN = 100
# With forms: κ, what they weigh beside a rare word's counts, and λ, what is left to the signature.
_RARE, _SIGNATURE = 1.0, 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """What words the subcategories of tags take.

    Parameters
    ----------
    vocabulary : LexicalUnits
    sizes : ndarray, shape (n_tags,)
        Subcategories of each tag.
    counts : ndarray, shape (n_units, n_columns)
        Expected counts of lexical units with tag subcategories, one column a subcategory.
    sides : ndarray, shape (n_columns,)
        The sides of first splits, within which scores are smoothed.
    smoothing : float
        α of the smoothing among siblings.
    """

    vocabulary: LexicalUnits
    sizes: Ints
    counts: Floats
    sides: Ints
    smoothing: float = 0.0
    tag_of: Ints = field(init=False)
    totals: Floats = field(init=False)
    rare: Floats = field(init=False)

    def __post_init__(self) -> None:
        """Sum the counts."""
        object.__setattr__(self, "tag_of", np.repeat(np.arange(len(self.sizes)), self.sizes))
        object.__setattr__(self, "totals", self.counts.sum(axis=0))
        object.__setattr__(self, "rare", self.counts[len(self.vocabulary.frequent) :].sum(axis=0))

    @classmethod
    def of_counts(cls, vocabulary: LexicalUnits, counts: Floats) -> Lexicon:
        """The lexicon of unsplit tags."""
        columns = np.arange(counts.shape[1])
        return cls(vocabulary, np.ones(len(columns), dtype=np.int64), counts, columns)

    def scores(self, words: Sequence[str]) -> Floats:
        """P(word | tag subcategory) of the words of a sentence.

        Parameters
        ----------
        words : sequence of str
            A whole sentence: a capital at its beginning counts for less.

        Returns
        -------
        ndarray, shape (n_words, n_columns)
            Columns by tag, then subcategory. No row is all zeros.

        Examples
        --------
        >>> vocabulary = LexicalUnits.of_words([[("a", "DT"), ("cat", "NN"), ("runs", "VBZ")]], ())
        >>> lexicon = Lexicon.of_counts(vocabulary, np.array([[1.0, 1, 0], [0, 0, 1]]))
        >>> lexicon.scores(["A", "dog", "barks"]).round(3)
        array([[0.333, 0.333, 0.333],
               [0.467, 0.467, 0.067],
               [0.111, 0.111, 0.778]])
        """
        if not len(words):
            return np.zeros((0, len(self.totals)))
        unknown = self._unknown_shares()
        guesses = self.vocabulary.guesses(words)
        posteriors = np.array(
            [self._posterior(word, i == 0, unknown, guesses.get(i)) for i, word in enumerate(words)]
        )
        scores = np.divide(posteriors, self.totals, out=np.zeros_like(posteriors), where=self.totals > 0)
        if not self.smoothing:
            return scores
        smoothed: Floats = scores @ mixing(self.sides, self.smoothing).T
        return smoothed

    def _posterior(self, word: str, first: bool, unknown: Floats, guess: Floats | None) -> Floats:
        """P(t | w) times the count of the word, 1 for an unknown one; `guess` is P(T | form)."""
        vocabulary = self.vocabulary
        row = vocabulary.rows.get(word)
        if row is None:
            unit = vocabulary.unit(word, first)
            counts = self.counts[unit] if unit >= 0 else np.zeros_like(unknown)
            found = (counts + _UNKNOWN * unknown) / (counts.sum() + _UNKNOWN)
            return found if guess is None else self._with_sums(found, guess, _SIGNATURE)
        counts = self._known(row)
        total = float(vocabulary.tag_counts[row].sum())
        weight = _FREQUENT if total > _OFTEN else _KNOWN
        if guess is not None:
            unknown, weight = self._with_sums(unknown, guess), _RARE
        return (counts + weight * unknown) * (total / (total + weight))

    def _with_sums(self, shares: Floats, sums: Floats, kept: float = 0.0) -> Floats:
        """Shares of subcategories, a part `kept` as it is, the other with these sums by tag."""
        now = np.bincount(self.tag_of, shares, len(self.sizes))
        factor = np.divide(sums, now, out=np.zeros_like(now), where=now > 0)
        return shares * (kept + (1 - kept) * factor)[self.tag_of]

    def _known(self, row: int) -> Floats:
        """The expected counts of a known word, rare ones tied."""
        if row < len(self.vocabulary.frequent):
            return self.counts[row]
        by_tag = np.bincount(self.tag_of, self.rare, len(self.sizes))
        share = np.divide(
            self.vocabulary.tag_counts[row], by_tag, out=np.zeros(len(by_tag)), where=by_tag > 0
        )
        return self.rare * share[self.tag_of]

    def _unknown_shares(self) -> Floats:
        """P(t | unknown), from rare words; from all words where none is rare."""
        counts = self.rare if self.rare.any() else self.totals
        return counts / counts.sum()


def emissions(counts: Floats, n_frequent: int) -> Floats:
    """P(unit | tag subcategory) as training sees it: every signature scores what all rare words do.

    A rare word's own share of the rare words under its tag is a constant, and left out.

    Parameters
    ----------
    counts : ndarray, shape (n_units, n_columns)
    n_frequent : int
        The number of units that are words; the others are signatures.

    Examples
    --------
    >>> emissions(np.array([[2.0], [1.0], [1.0]]), 1).tolist()
    [[0.5], [0.5], [0.5]]
    """
    tied = counts.copy()
    tied[n_frequent:] = counts[n_frequent:].sum(axis=0)
    totals = counts.sum(axis=0)
    return np.divide(tied, totals, out=np.zeros_like(tied), where=totals > 0)


def columns_of(tags: Ints, sizes: Ints) -> list[slice]:
    """Each tag's columns in the tables of the lexicon."""
    edges = offsets_of(sizes[tags])
    return [slice(int(a), int(b)) for a, b in pairwise(edges)]
