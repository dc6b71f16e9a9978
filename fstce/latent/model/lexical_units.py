"""The words of a treebank as the lexicon sees them: frequent ones by themselves, rare ones tied.

A word of count at most 20 says little about subcategories by itself, so that all rare words
under one tag share one distribution over its subcategories; they also teach what unknown
words of their signature are like. A lexical *unit* is therefore a frequent word or the
signature of rare ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fstce.corpora.signatures import signature
from fstce.latent.model.word_forms import WordForms
from fstce.numeric.types import Floats, Ints

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

    def guesses(self, kinds: Sequence[tuple[str, bool]]) -> Floats | None:
        """P(T | form) of words, each with whether it begins its sentence; shape (n_words, n_tags).

        Where an unknown word begins it, the capital may be the sentence's: the known lower-case form
        says half of it.
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
