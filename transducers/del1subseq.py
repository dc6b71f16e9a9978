"""DEL1SUBSEQ: the sentence, and each sentence with one contiguous part deleted.

Source: Smith & Eisner (2005a), §4 and Figure 1c; m(m + 1)/2 strings for m distinct words,
the empty string left out.
To try: ``fstce neighborhood show del1subseq "natural language is a delicate thing"``
"""

from __future__ import annotations

from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols

EQUIVARIANT = True


def build(symbols: Symbols) -> pynini.Fst:
    """Copy, delete any number of words in a row, copy: ``?:?* (?:ε)* ?:?*``."""
    copy = pynini.closure(symbols.any())
    deletion = pynini.cross(symbols.any(), "")
    return copy + pynini.closure(deletion) + copy
