"""ROTATE1: the sentence, and the sentence rotated by one word, either way.

The first word moves to the end, or the last to the front: 3 strings for m > 2 distinct words.
Which words these are the sentence says; over any sentence of some words each of them may be.

Source: after Smith & Eisner (2005a), §4: words change their order, as in TRANS1, around the
whole sentence.
To try: ``fstce neighborhood show rotate1 "natural language is a delicate thing"``
"""

from __future__ import annotations

from collections.abc import Sequence

from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols

EQUIVARIANT = True


def build(symbols: Symbols, sentence: Sequence[int] | None = None) -> pynini.Fst:
    """Copy; or put the first word last (a:ε ?:?* ε:a), or the last word first (ε:z ?:?* z:ε)."""
    copy = pynini.closure(symbols.any())
    if sentence is None:
        first_word = last_word = [symbols.union([label]) for label in symbols.labels]
    else:
        first_word, last_word = [symbols.union(sentence[:1])], [symbols.union(sentence[-1:])]

    to_end = (pynini.cross(a, "") + copy + pynini.cross("", a) for a in first_word)
    to_front = (pynini.cross("", z) + copy + pynini.cross(z, "") for z in last_word)
    return pynini.union(copy, *to_end, *to_front)
