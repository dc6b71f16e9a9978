"""INSERT1FREQUENT: the sentence, and each sentence with one frequent word inserted.

The words are the ten most frequent of the vocabulary (``most``): commas and articles in English,
and the like in any language. k words and a sentence of m have k(m + 1) + 1 strings, less one
for each of its own words that is among the k.

Source: after Smith & Eisner (2005a), §4: the counterpart of DEL1WORD; a list of words of yours,
such as function words, is ``insert1frequent(words.txt, most=1000)``.
To try: ``fstce neighborhood show "insert1frequent(words.tsv, most=3)" "natural language is fun"``
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from fstce.corpora.vocabulary import Vocabulary
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols

NEEDS = "vocabulary"
OPTIONS = {"most": int}
MOST = 10


def build(symbols: Symbols, vocabulary: Vocabulary, most: int = MOST) -> pynini.Fst:
    """Copy, insert at most one frequent word f, copy: ``?:?* (ε:f)? ?:?*``."""
    copy = pynini.closure(symbols.any())
    words = [word for word in islice(vocabulary, most) if word in symbols]
    inserted = pynini.cross("", symbols.union(symbols.ids(words).tolist()))
    return copy + pynini.closure(inserted, 0, 1) + copy


def introduces(words: Sequence[str], vocabulary: Vocabulary, most: int = MOST) -> Iterable[str]:
    """The most frequent words, whatever the sentence."""
    return islice(vocabulary, most)
