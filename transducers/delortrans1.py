"""DELORTRANS1: one word deleted or one pair of adjacent words transposed, or neither.

Source: Smith & Eisner (2005a), §3.1: DEL1WORD ∪ TRANS1; 2m strings for m > 1 distinct words.
To try: ``fstce neighborhood show delortrans1 "natural language is a delicate thing"``
"""

from __future__ import annotations

import numpy as np

from fstce.machines.openfst import pynini
from fstce.machines.positions import PositionAutomaton
from fstce.machines.symbols import Symbols
from fstce.transducers import del1word, trans1

EQUIVARIANT = True


def build(symbols: Symbols) -> pynini.Fst:
    """The union of the two transducers."""
    return pynini.union(del1word.build(symbols), trans1.build(symbols))


def orders(length: int) -> PositionAutomaton:
    """The same over positions: TRANS1's machine, and arcs that pass over a word."""
    ends, source, position, target = trans1.orders(length)
    first, done = np.arange(length - 1), length + 1
    shorter = [length - 1] if length > 1 else []
    return PositionAutomaton(
        [*ends, *shorter],
        np.append(source, first),
        np.append(position, first + 1),
        np.append(target, done + first + 2),
    )
