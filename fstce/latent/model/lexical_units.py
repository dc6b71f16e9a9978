"""The words of a treebank as the lexicon sees them: frequent ones by themselves, rare ones tied.

A word of count at most 20 says little about subcategories by itself, so that all rare words
under one tag share one distribution over its subcategories; they also teach what unknown
words of their signature are like. A lexical *unit* is therefore a frequent word or the
signature of rare ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.signatures import signature
from fstce.estimation.log_linear import indicators, log_softmax, softmax_regression
from fstce.grammars import word_form
from fstce.numeric.remembered import remembered
from fstce.numeric.types import Floats, Ints

_REMEMBERED = 50_000


@dataclass(frozen=True, slots=True, eq=False)
class WordForms:
    """P(T | form of the word) over tags.

    ``weights`` is (n_features, n_tags).
    """

    names: tuple[str, ...]
    weights: NDArray[np.float32]
    _number: dict[str, int] = field(init=False)
    _found: dict[str, Floats] = field(init=False)

    def __post_init__(self) -> None:
        """Number the features."""
        object.__setattr__(self, "_number", {name: i for i, name in enumerate(self.names)})
        object.__setattr__(self, "_found", {})

    @classmethod
    def of_words(cls, words: Sequence[str], tag_counts: Ints, known: Callable[[str], bool]) -> WordForms:
        """Learned from words and how often each has each tag, shape (n_words, n_tags)."""
        described = [features(word, known) for word in words]
        # What one word alone has says nothing of another.
        counted = Counter(chain.from_iterable(described))
        names = tuple(name for name, count in counted.items() if count > 1)
        number = {name: i for i, name in enumerate(names)}
        target = tag_counts / np.maximum(tag_counts.sum(axis=1, keepdims=True), 1)
        return cls(names, softmax_regression(indicators(described, number), target).astype(np.float32))

    def probabilities(self, words: Sequence[str], known: Callable[[str], bool]) -> list[Floats]:
        """P(T | form) of each word, shape (n_tags,) each; `known` is as in training."""

        def learned(new: list[str]) -> Floats:
            scores = indicators([features(word, known) for word in new], self._number) @ self.weights
            return np.exp(log_softmax(scores))

        return remembered(self._found, words, _REMEMBERED, learned)


def features(word: str, known: Callable[[str], bool]) -> list[str]:
    """What the form of a word has; `known` is asked for the lower-case form."""
    lowered = ["lower-case form known" if known(word.lower()) else "lower-case form unknown"]
    capital = word[:1].isupper()
    return [*_affixes(word), signature(word, False, known), *(lowered if capital else ())]


@lru_cache(maxsize=1 << 14)  # every grammar of a product asks of the same words
def _affixes(word: str) -> tuple[str, ...]:
    return word_form.build(word)


RARE = 20


@dataclass(frozen=True, slots=True, eq=False)
class LexicalUnits:
    """Words, their counts and tags, and signatures.

    ``frequent``: words of count above 20, sorted; units 0, 1, …. ``signatures``: signatures of rare words,
    sorted; the units after the frequent words. ``tag_counts`` (n_frequent + n_rare, n_tags): how often each
    word has each tag. ``forms``: what forms of words say of their tags.
    """

    tags: tuple[str, ...]
    frequent: tuple[str, ...]
    signatures: tuple[str, ...]
    rare: tuple[str, ...]
    tag_counts: Ints
    forms: WordForms | None = None
    rows: Mapping[str, int] = field(init=False)
    signature_units: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """Index words and signatures."""
        rows = {word: i for i, word in enumerate([*self.frequent, *self.rare])}
        units = {name: len(self.frequent) + i for i, name in enumerate(self.signatures)}
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "signature_units", units)

    @classmethod
    def of_words(cls, tagged: Sequence[Iterable[tuple[str, str]]], tags: Sequence[str]) -> LexicalUnits:
        """The vocabulary of tagged sentences."""
        sentences = [list(sentence) for sentence in tagged]
        names = tuple(tags) or tuple(sorted({tag for sentence in sentences for _, tag in sentence}))
        pairs = Counter(pair for sentence in sentences for pair in sentence)
        counts: Counter[str] = Counter()
        for (word, _), count in pairs.items():
            counts[word] += count
        frequent = tuple(sorted(word for word, count in counts.items() if count > RARE))
        rare = tuple(sorted(word for word, count in counts.items() if count <= RARE))
        found = {
            signature(word, position == 0, counts.__contains__)
            for sentence in sentences
            for position, (word, _) in enumerate(sentence)
            if counts[word] <= RARE
        }
        column = {tag: i for i, tag in enumerate(names)}
        row = {word: i for i, word in enumerate([*frequent, *rare])}
        table = np.zeros((len(row), len(names)), dtype=np.int64)
        for (word, tag), count in pairs.items():
            table[row[word], column[tag]] = count
        return cls(names, frequent, tuple(sorted(found)), rare, table)

    def with_forms(self) -> LexicalUnits:
        """The same, with what the rare words' forms say of their tags."""
        rare = self.tag_counts[len(self.frequent) :]
        return replace(self, forms=WordForms.of_words(self.rare, rare, self.rows.__contains__))

    def form_probabilities(self, kinds: Sequence[tuple[str, bool]]) -> Floats | None:
        """P(T | form) of words, each with whether it begins its sentence; shape (n_words, n_tags).

        There the capital may be the sentence's: the known lower-case form says half of an unknown word.
        """
        if self.forms is None:
            return None
        known = self.rows.__contains__
        found = np.array(self.forms.probabilities([word for word, _ in kinds], known))
        words = [word if first and word.istitle() and not known(word) else "" for word, first in kinds]
        lowered = {i: word.lower() for i, word in enumerate(words) if known(word.lower())}
        if lowered:
            at = list(lowered)
            found[at] = (found[at] + self.forms.probabilities(list(lowered.values()), known)) / 2
        return found

    @property
    def n_units(self) -> int:
        """The number of frequent words and signatures."""
        return len(self.frequent) + len(self.signatures)

    def signature(self, word: str, first: bool) -> str:
        """The word's signature; `first` where it begins the sentence."""
        return signature(word, first, self.rows.__contains__)

    def unit(self, word: str, first: bool) -> int:
        """The unit of a word: itself or its signature; −1 for a signature that never was."""
        row = self.rows.get(word, len(self.rows))
        if row < len(self.frequent):
            return row
        return self.signature_units.get(self.signature(word, first), -1)
