"""SUB1BAND: the sentence, and each sentence with one word replaced by another as frequent as it.

A word may become the four words (``width``) whose ranks of frequency in the vocabulary are nearest
to its own, at most forty ranks away; one that the vocabulary lacks becomes none. A tagger gives
it the words of its text with their tags: then only words of the dictionary come in, or, where it
lists less than half of the text, all, and only for words of other tags. For m distinct words
there are 4m + 1 strings.

Source: after Smith & Eisner (2005a), §4: words that could stand there and do not; the
band keeps the contrast from being about frequency.
To try: ``fstce neighborhood show "sub1band(words.tsv, width=5)" "natural language is a delicate
thing"``
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from fstce.corpora.vocabulary import Vocabulary
from fstce.machines import Symbols, machine_of
from fstce.machines.openfst import pynini

NEEDS = "vocabulary"
OPTIONS = {"width": int}
WIDTH = 4
REACH = 40  # ranks


def build(symbols: Symbols, vocabulary: Vocabulary, width: int = WIDTH) -> pynini.Fst:
    """Copy, replace at most one word v by a word w near it, copy: ``?:?* (v:w)? ?:?*``."""
    return substitution(symbols, lambda word: vocabulary.near(word, width, REACH))


def introduces(words: Sequence[str], vocabulary: Vocabulary, width: int = WIDTH) -> Iterable[str]:
    """The words near a sentence's words."""
    return (near_word for word in words for near_word in vocabulary.near(word, width, REACH))


def substitution(symbols: Symbols, substitutes: Callable[[str], Iterable[str]]) -> pynini.Fst:
    """Copy, replace at most one word by one of its substitutes, copy; in arrays, for speed.

    >>> near = {"a": ["b", "z"], "b": [], "c": []}
    >>> fst = substitution(Symbols("a b c".split()), near.__getitem__)
    >>> fst.num_states(), fst.num_arcs(0), fst.num_arcs(1)
    (2, 4, 3)
    """
    words = np.array(symbols.labels)
    pairs = [
        (label, new_word)
        for label, word in zip(symbols.labels, symbols, strict=True)
        for new_word in substitutes(word)
        if new_word in symbols
    ]
    old = np.array([label for label, _ in pairs], dtype=np.int32)
    new = symbols.ids([new_word for _, new_word in pairs])
    return machine_of([0, 1], (0, words, words, 0), (0, old, new, 1), (1, words, words, 1))
