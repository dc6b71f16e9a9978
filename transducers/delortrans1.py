"""DELORTRANS1: one word deleted or one pair of adjacent words transposed, or neither.

Source: Smith & Eisner (2005a), §3.1: DEL1WORD ∪ TRANS1; 2m strings for m > 1 distinct words.
To try: ``fstce neighborhood delortrans1 "natural language is a delicate thing"``
"""

from __future__ import annotations

import pynini

from fstce.machines.symbols import Symbols
from fstce.transducers import del1word, trans1

EQUIVARIANT = True


def build(symbols: Symbols) -> pynini.Fst:
    """The union of the two transducers."""
    return pynini.union(del1word.build(symbols), trans1.build(symbols))
