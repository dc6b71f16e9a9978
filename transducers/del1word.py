"""DEL1WORD: the sentence, and each sentence with one of its words deleted.

Source: Smith & Eisner (2005a), §4 and Figure 1a; m + 1 strings for m > 1 distinct words.
To try: ``fstce neighborhood show del1word "natural language is a delicate thing"``
"""

from __future__ import annotations

from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols

EQUIVARIANT = True


def build(symbols: Symbols) -> pynini.Fst:
    """Copy, delete at most one word, copy: ``?:?* (?:ε)? ?:?*``."""
    copy = pynini.closure(symbols.any())
    return copy + pynini.closure(pynini.cross(symbols.any(), ""), 0, 1) + copy
