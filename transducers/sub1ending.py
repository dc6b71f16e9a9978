"""SUB1ENDING: the sentence, and each sentence with one word replaced by another of its ending.

``moving`` becomes another word in -ing, so that the form is right and the stem is wrong: the
counterpart of SUB1STEM, whose suffixes it shares. The words of one ending are cut in the order
of frequency into bands of ten (``width``), and only words of one band are exchanged.

Source: after Smith & Eisner (2005a), §4, with morphology: one word changed, and its
inflection kept.
To try: ``fstce neighborhood show "sub1ending(words.tsv)" "it moves and they tried"``
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fstce.corpora.vocabulary import Vocabulary
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.transducers.sub1band import substitution
from fstce.transducers.sub1stem import Suffixes, english

NEEDS = "vocabulary"
OPTIONS: dict[str, object] = {"suffixes": Suffixes.read, "width": int}
WIDTH = 10


def build(
    symbols: Symbols, vocabulary: Vocabulary, suffixes: Suffixes | None = None, width: int = WIDTH
) -> pynini.Fst:
    """Copy, replace at most one word v by a word w of its ending, copy: ``?:?* (v:w)? ?:?*``."""
    key = (suffixes or english()).ending_key
    return substitution(symbols, lambda word: vocabulary.alike(word, key, width))


def introduces(
    words: Sequence[str],
    vocabulary: Vocabulary,
    suffixes: Suffixes | None = None,
    width: int = WIDTH,
) -> Iterable[str]:
    """The words of all endings of a sentence's words, near them in frequency."""
    key = (suffixes or english()).ending_key
    return (near_word for word in words for near_word in vocabulary.alike(word, key, width))
