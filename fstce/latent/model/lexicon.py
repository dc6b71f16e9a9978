"""P(word | tag subcategory): counts in training, Bayes' rule for parsing.

In training P(w | t) = c_tw / c_t, where the c_tw of a rare word under tag T is its count
under T in the proportions of all rare words under T: a multinomial with ties, whose
expected counts maximize the expected log-likelihood, so that EM is monotone.

Parsing uses P(w | t) = P(t | w) P(w) / P(t) (Petrov et al. 2006, after the Berkeley
parser), with known words' P(t | w) = (c_tw + β P(t | unknown)) / (c_w + β), and unknown
words' P(t | s) = (c_ts + ½ P(t | unknown)) / (c_s + ½) by their signature s and P(w) one
word's share. What the form of a word says of its tag T, if it is asked, replaces
the sums over a tag's subcategories in the last two: of a word of count at most 20
P(t | w) = (c_tw + κ P(T | form) P(t | T, unknown)) / (c_w + κ), of an unknown one
P(t | w) = ((1 − λ) P(T | form) + λ P(T | s)) P(t | T, s). These do not quite sum to 1 over words:
known words are not discounted for the unknown ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, compress

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.signatures import signature
from fstce.estimation.log_linear import indicators, log_softmax, softmax_regression
from fstce.grammars import word_form
from fstce.latent.model.rule_layout import offsets_of, smoothed
from fstce.numeric.kernels import places
from fstce.numeric.types import Floats, Ints, Rows

# β, what P(t | unknown) weighs against the counts of a known word, by how often it is.
_OFTEN = 100
_BETA = 0.1
_BETA_OFTEN = 1e-4
_UNKNOWN = 0.5
# With forms: κ, what they weigh against a rare word's counts, and λ, what is left to the signature.
_KAPPA = 1.0
_LAMBDA = 0.1

# A word, and whether it begins its sentence.
PlacedWord = tuple[str, bool]


@dataclass(eq=False)
class Lexicon:
    """The words that the subcategories of tags take.

    ``sizes`` (n_tags,): subcategories of each tag. ``counts`` (n_units, n_columns): expected counts
    of lexical units with tag subcategories, one column a subcategory. ``smoothing``: α of the
    smoothing among a tag's subcategories.
    """

    vocabulary: LexicalUnits
    sizes: Ints
    counts: Floats
    smoothing: float = 0.0
    first: Ints = field(init=False)
    tag_of: Ints = field(init=False)
    totals: Floats = field(init=False)
    rare: Floats = field(init=False)

    def __post_init__(self) -> None:
        """Sum the counts."""
        self.first = offsets_of(self.sizes)[:-1]
        self.tag_of = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self.totals = self.counts.sum(axis=0)
        self.rare = self.counts[len(self.vocabulary.frequent) :].sum(axis=0)

    def scores(self, words: Sequence[str]) -> Floats:
        """P(word | tag subcategory) of the words of a sentence.

        ``words``: a whole sentence: a capital at its beginning counts for less. Returns columns by
        tag, then subcategory. No row is all zeros, (n_words, n_columns).
        """
        return self.scores_of([words])

    def scores_of(self, sentences: Rows) -> Floats:
        """P(word | tag subcategory) of the words of sentences, end to end, (n_words, n_columns)."""
        placed = [(word, i == 0) for words in sentences for i, word in enumerate(words)]
        number = places(dict.fromkeys(placed))
        order = np.array([number[word] for word in placed], dtype=np.int64)
        return self._scores(list(number))[order]

    def _scores(self, words: Sequence[PlacedWord]) -> Floats:
        """P(w | t) of distinct words, (n_words, n_columns)."""
        n_frequent = len(self.vocabulary.frequent)
        rows = np.array([self.vocabulary.rows.get(word, -1) for word, _ in words], dtype=np.int64)

        posteriors = np.empty((len(words), len(self.totals)))
        for posteriors_of, at in (
            (self._of_frequent, (rows >= 0) & (rows < n_frequent)),
            (self._of_rare, rows >= n_frequent),
            (self._of_unknown, rows < 0),
        ):
            if at.any():
                posteriors[at] = posteriors_of(list(compress(words, at)), rows[at])

        scores = np.divide(
            posteriors, self.totals, out=np.zeros_like(posteriors), where=self.totals > 0
        )
        return smoothed(scores, self.sizes, self.smoothing)

    def _of_frequent(self, words: Sequence[PlacedWord], rows: Ints) -> Floats:
        """P(t | w) times the count of the word, of frequent words."""
        totals = self.vocabulary.tag_counts[rows].sum(axis=1)[:, None]
        return self._mixed(self.counts[rows], totals, self._unknown_shares(), _beta(totals))

    def _of_rare(self, words: Sequence[PlacedWord], rows: Ints) -> Floats:
        """P(t | w) times the count of the word, of rare words, whose expected counts are tied."""
        by_tag = np.add.reduceat(self.rare, self.first)
        counts = self.vocabulary.tag_counts[rows]
        totals = counts.sum(axis=1)[:, None]
        shares = np.divide(counts, by_tag, out=np.zeros(counts.shape), where=by_tag > 0)
        tied = self.rare * shares[:, self.tag_of]

        unknown = self._unknown_shares()
        of_forms = self.vocabulary.form_probabilities(words)
        if of_forms is None:
            return self._mixed(tied, totals, unknown, _beta(totals))
        return self._mixed(tied, totals, self._with_sums(unknown[None], of_forms), _KAPPA)

    @staticmethod
    def _mixed(counts: Floats, totals: Ints, unknown: Floats, weights: Floats | float) -> Floats:
        """(c_tw + β P(t | unknown)) / (c_w + β) · c_w, with the weights for β."""
        return (counts + weights * unknown) * (totals / (totals + weights))

    def _of_unknown(self, words: Sequence[PlacedWord], rows: Ints) -> Floats:
        """P(t | s) of the words' signatures, and P(T | form)."""
        units = np.array([self.vocabulary.unit(*word) for word in words])
        counts = np.where(units[:, None] >= 0, self.counts[units], 0.0)
        shares = counts + _UNKNOWN * self._unknown_shares()
        shares /= counts.sum(axis=1, keepdims=True) + _UNKNOWN

        of_forms = self.vocabulary.form_probabilities(words)
        if of_forms is None:
            return shares
        return self._with_sums(shares, of_forms, _LAMBDA)

    def _with_sums(self, shares: Floats, sums: Floats, unchanged: float = 0.0) -> Floats:
        """Shares of subcategories, a part of them unchanged, the rest with these sums by tag."""
        sums_now = np.add.reduceat(shares, self.first, axis=1)
        factor = np.divide(sums, sums_now, out=np.zeros_like(sums), where=sums_now > 0)
        return shares * (unchanged + (1 - unchanged) * factor)[:, self.tag_of]

    def _unknown_shares(self) -> Floats:
        """P(t | unknown), from rare words; from all words where none is rare."""
        counts = self.rare if self.rare.any() else self.totals
        return counts / counts.sum()


def _beta(totals: Ints) -> Floats:
    """The weight of P(t | unknown) next to the counts of words of these totals."""
    return np.where(totals > _OFTEN, _BETA_OFTEN, _BETA)


def emissions(counts: Floats, n_frequent: int) -> Floats:
    """P(unit | tag subcategory) as training sees it: every signature scores what all rare words do.

    A rare word's own share of the rare words under its tag is a constant, and left out.

    ``counts`` is (n_units, n_columns). ``n_frequent``: the number of units that are words; the
    others are signatures.
    """
    tied = counts.copy()
    tied[n_frequent:] = counts[n_frequent:].sum(axis=0)
    totals = counts.sum(axis=0)
    return np.divide(tied, totals, out=np.zeros_like(tied), where=totals > 0)


@dataclass(eq=False)
class WordForms:
    """P(T | form of the word) over tags.

    ``weights`` is (n_features, n_tags).
    """

    names: tuple[str, ...]
    weights: NDArray[np.float32]

    @cached_property
    def _number(self) -> dict[str, int]:
        return places(self.names)

    @classmethod
    def of_words(
        cls, words: Sequence[str], tag_counts: Ints, known: Callable[[str], bool]
    ) -> WordForms:
        """Learned from words and how often each has each tag, shape (n_words, n_tags)."""
        features_of_word = [features(word, known) for word in words]
        # What one word alone has says nothing of another.
        counts = Counter(chain.from_iterable(features_of_word))
        names = tuple(name for name, count in counts.items() if count > 1)

        number = places(names)
        target = tag_counts / np.maximum(tag_counts.sum(axis=1, keepdims=True), 1)
        weights = softmax_regression(indicators(features_of_word, number), target)
        return cls(names, weights.astype(np.float32))

    def probabilities(self, words: Sequence[str], known: Callable[[str], bool]) -> Floats:
        """P(T | form) of words, shape (n_words, n_tags); `known` is as in training."""
        rows = indicators([features(word, known) for word in words], self._number)
        return np.exp(log_softmax(rows @ self.weights))


def features(word: str, known: Callable[[str], bool]) -> list[str]:
    """Features of the form of a word; `known` is asked for the lower-case form."""
    names = [*word_form.build(word), signature(word, False, known)]
    if word[:1].isupper():
        names.append(f"lower-case form {'known' if known(word.lower()) else 'unknown'}")
    return names


RARE = 20


@dataclass(eq=False)
class LexicalUnits:
    """Words, their counts and tags, and signatures.

    A unit is a frequent word, or the signature of rare ones.

    A word of count at most 20 says little about subcategories by itself: all rare words under one
    tag share one distribution over its subcategories, and teach what unknown words of their
    signature are like.

    ``frequent``: words of count above 20, sorted; units 0, 1, …. ``signatures``: signatures of rare
    words, sorted; the units after the frequent words. ``tag_counts`` (n_frequent + n_rare, n_tags):
    how often each word has each tag. ``forms``: what forms of words say of their tags.
    """

    tags: tuple[str, ...]
    frequent: tuple[str, ...]
    signatures: tuple[str, ...]
    rare: tuple[str, ...]
    tag_counts: Ints
    forms: WordForms | None = None

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of each word among the counts."""
        return places([*self.frequent, *self.rare])

    @cached_property
    def signature_units(self) -> dict[str, int]:
        """The unit of each signature."""
        return {name: i for i, name in enumerate(self.signatures, len(self.frequent))}

    @classmethod
    def of_words(cls, sentences: Sequence[Sequence[tuple[str, str]]]) -> LexicalUnits:
        """The vocabulary of tagged sentences."""
        pairs = Counter(chain.from_iterable(sentences))
        counts = Counter(word for sentence in sentences for word, _ in sentence)
        tags = sorted({tag for _, tag in pairs})
        frequent = sorted(word for word, count in counts.items() if count > RARE)
        rare = sorted(word for word, count in counts.items() if count <= RARE)
        signatures = {
            signature(word, position == 0, counts.__contains__)
            for sentence in sentences
            for position, (word, _) in enumerate(sentence)
            if counts[word] <= RARE
        }

        table = np.zeros((len(counts), len(tags)), dtype=np.int64)
        units = cls(tuple(tags), tuple(frequent), tuple(sorted(signatures)), tuple(rare), table)
        for (word, tag), count in pairs.items():
            table[units.rows[word], tags.index(tag)] = count
        return units

    def with_forms(self) -> LexicalUnits:
        """These units, with what the rare words' forms say of their tags."""
        rare = self.tag_counts[len(self.frequent) :]
        return replace(self, forms=WordForms.of_words(self.rare, rare, self.rows.__contains__))

    def form_probabilities(self, placed: Sequence[PlacedWord]) -> Floats | None:
        """P(T | form) of words, each with whether it begins its sentence; shape (n_words, n_tags).

        There the capital may be the sentence's: the known lower-case form says half of an unknown
        word.
        """
        if self.forms is None:
            return None

        known = self.rows.__contains__
        probabilities = self.forms.probabilities([word for word, _ in placed], known)

        lowered = {
            i: word.lower()
            for i, (word, first) in enumerate(placed)
            if first and word.istitle() and not known(word) and known(word.lower())
        }
        if lowered:
            at = list(lowered)
            of_lowered = self.forms.probabilities(list(lowered.values()), known)
            probabilities[at] = (probabilities[at] + of_lowered) / 2
        return probabilities

    @property
    def n_units(self) -> int:
        """The number of frequent words and signatures."""
        return len(self.frequent) + len(self.signatures)

    def unit(self, word: str, first: bool) -> int:
        """The unit of a word: itself or its signature; −1 for a signature that never was."""
        row = self.rows.get(word, len(self.rows))
        if row < len(self.frequent):
            return row
        return self.signature_units.get(signature(word, first, self.rows.__contains__), -1)
