"""TRANSALL: every set of non-overlapping pairs of adjacent words transposed, the empty set among them.

A word moves at most one place. The lattice has F(m + 1) strings for m distinct words, with
the Fibonacci numbers F(1) = F(2) = 1, in O(m) states.

Source: after Smith & Eisner (2005a), §3.1: TRANS1 (Figure 1c), its transposition repeated.
To try: ``fstce neighborhood show transall "natural language is a delicate thing"``
"""

from __future__ import annotations

from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.transducers import trans1

EQUIVARIANT = True


def build(symbols: Symbols) -> pynini.Fst:
    """TRANS1 any number of times in a row, each time on the next part: ``(copy transposition? copy)*``."""
    return pynini.closure(trans1.build(symbols))
