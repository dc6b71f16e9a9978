"""TRANS1: the sentence, and each sentence with one pair of adjacent words transposed.

Source: Smith & Eisner (2005a), §3.1 and Figure 1c; m strings for m distinct words.
To try: ``fstce neighborhood trans1 "natural language is a delicate thing"``
"""

from __future__ import annotations

import pynini

from fstce.machines.symbols import Symbols

EQUIVARIANT = True


def build(symbols: Symbols) -> pynini.Fst:
    """Copy; hold a word a back, let the next word pass, put a after it (a:ε ?:? ε:a); copy."""
    any_word = symbols.any()
    copy = pynini.closure(any_word)
    words = [symbols.union([label]) for label in symbols.labels]
    transposition = pynini.union(*(pynini.cross(a, "") + any_word + pynini.cross("", a) for a in words))
    return copy + pynini.closure(transposition, 0, 1) + copy
