"""TRANS1: the sentence, and each sentence with one pair of adjacent words transposed.

The transducer has m² arcs, for each word that is held back meets each other word. It is composed
with the sentence up to 200 distinct words; beyond, ``orders`` has the same in 4m arcs.

Source: Smith & Eisner (2005a), §3.1 and Figure 1c; m strings for m distinct words.
To try: ``fstce neighborhood show trans1 "natural language is a delicate thing"``
"""

from __future__ import annotations

import numpy as np

from fstce.machines.openfst import pynini
from fstce.machines.positions import PositionAutomaton
from fstce.machines.symbols import Symbols

EQUIVARIANT = True


def build(symbols: Symbols) -> pynini.Fst:
    """Copy; hold a word a back, let the next word pass, put a after it (a:ε ?:? ε:a); copy."""
    any_word = symbols.any()
    copy = pynini.closure(any_word)
    words = [symbols.union([label]) for label in symbols.labels]
    transposition = pynini.union(
        *(pynini.cross(a, "") + any_word + pynini.cross("", a) for a in words)
    )
    return copy + pynini.closure(transposition, 0, 1) + copy


def orders(length: int) -> PositionAutomaton:
    """The same over positions, in three rows of states: i words read; one held back; the pair transposed."""
    place, first = np.arange(length), np.arange(length - 1)
    done, held = length + 1, 2 * (length + 1)
    source = np.concatenate((place, first, held + first, done + place))
    position = np.concatenate((place, first + 1, first, place))
    target = np.concatenate((place + 1, held + first, done + first + 2, done + place + 1))
    return PositionAutomaton([length, done + length], source, position, target)
