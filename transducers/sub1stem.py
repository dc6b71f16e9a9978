"""SUB1STEM: the sentence, and each sentence with one word replaced by another of its stem.

``moves`` becomes ``moved``, ``moving``, ``move``, as far as the vocabulary has them; both words
are of letters alone and both begin with a capital, or neither. The stem is what a light suffix
stripper leaves, whose rules are data: English inflection (``grammars/english_suffixes.tsv``), or
a table of the user's: ``sub1stem(words.tsv, suffixes=mine.tsv)``.

Source: after Smith & Eisner (2005a), §4, with morphology: the stem stays and the form is
wrong. The stripper follows Porter (1980, *An algorithm for suffix stripping*).
To try: ``fstce neighborhood show "sub1stem(words.tsv)" "it moves and they tried"``
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from fstce.corpora.documents import lines_of
from fstce.corpora.tables import bundled_rows, table_rows
from fstce.corpora.vocabulary import Vocabulary
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.transducers.sub1band import substitution

NEEDS = "vocabulary"
LEAST = 3  # letters that a suffix leaves


class Rule(NamedTuple):
    """A suffix and its replacement, except in words that end so."""

    suffix: str
    becomes: str
    unless: tuple[str, ...]

    def fits(self, word: str) -> bool:
        """Whether the word has the suffix."""
        letters = len(word) - len(self.suffix) + len(self.becomes)
        return letters >= LEAST and word.endswith(self.suffix) and not word.endswith(self.unless)


class Suffixes(NamedTuple):
    """A suffix stripper: in each step the first rule that fits.

    >>> [english().stem(word) for word in ("tries", "tried", "trying", "running", "news", "Runs")]
    ['tri', 'tri', 'tri', 'run', 'news', 'run']
    """

    steps: tuple[tuple[Rule, ...], ...]

    @classmethod
    def of(cls, rows: Iterable[Sequence[str]]) -> Suffixes:
        """The rules of a table: step, suffix, what stands for it, exceptions."""
        steps: dict[str, list[Rule]] = {}
        for row in rows:
            if len(row) not in (3, 4) or not row[1]:
                raise ValueError(
                    f"{' '.join(row)!r} is no rule: step, suffix, replacement or -, exceptions"
                )
            step, suffix, becomes, *unless = row
            rule = Rule(suffix, "" if becomes == "-" else becomes, tuple(" ".join(unless).split()))
            steps.setdefault(step, []).append(rule)

        if not steps:
            raise ValueError(
                "a table of suffixes has rows: step, suffix, replacement or -, exceptions"
            )
        return cls(tuple(tuple(steps[step]) for step in sorted(steps)))

    @classmethod
    def read(cls, path: str) -> Suffixes:
        """The rules in a file.

        Raises CorpusError where it cannot be read, ValueError where a row is none.
        """
        return cls.of(row for _, row in table_rows(lines_of(path)))

    def stem(self, word: str) -> str:
        """The word after all steps, in lower case."""
        word = word.lower()
        for step in self.steps:
            rule = next((rule for rule in step if rule.fits(word)), None)
            if rule is not None:
                word = word[: len(word) - len(rule.suffix)] + rule.becomes
        return word

    def stem_key(self, word: str) -> tuple[str, bool] | None:
        """The key that words of one stem share; None for what is not of letters alone."""
        if not word.isalpha():
            return None
        return self.stem(word), word[0].isupper()


OPTIONS = {"suffixes": Suffixes.read}


def build(symbols: Symbols, vocabulary: Vocabulary, suffixes: Suffixes | None = None) -> pynini.Fst:
    """Copy, replace at most one word v by a word w of its stem, copy: ``?:?* (v:w)? ?:?*``."""
    key = (suffixes or english()).stem_key
    return substitution(symbols, lambda word: vocabulary.alike(word, key))


def introduces(
    words: Sequence[str], vocabulary: Vocabulary, suffixes: Suffixes | None = None
) -> Iterable[str]:
    """The words of all stems of a sentence's words."""
    key = (suffixes or english()).stem_key
    return (near_word for word in words for near_word in vocabulary.alike(word, key))


@cache
def english() -> Suffixes:
    """The suffixes of English inflection."""
    return Suffixes.of(bundled_rows("english_suffixes.tsv"))
