"""MOVE2: the sentence, and each sentence with one word moved by one or two places, either way.

These are the orders of up to three adjacent words in which two keep theirs: 3m − 4 strings for
m > 1 distinct words. The sixth order, cba of abc, needs a transducer of k³ arcs for k distinct
words, for it must remember a and c while any b passes; this one has O(k²). It is composed with the
sentence up to 200 distinct words; beyond, ``orders`` has the same in O(m) arcs.

Source: after Smith & Eisner (2005a), §3.1: TRANS1 (Figure 1c) with a wider window.
To try: ``fstce neighborhood show move2 "natural language is a delicate thing"``
"""

from __future__ import annotations

import numpy as np

from fstce.machines.openfst import pynini
from fstce.machines.positions import PositionAutomaton
from fstce.machines.symbols import Symbols
from fstce.transducers import trans1

EQUIVARIANT = True


def build(symbols: Symbols) -> pynini.Fst:
    """Copy; hold a word a back while one or two pass (a:ε ?:? ?:? ε:a) or bring it before two; copy."""
    any_word = symbols.any()
    copy = pynini.closure(any_word)
    words = [symbols.union([label]) for label in symbols.labels]
    moves = [(pynini.cross(a, ""), pynini.cross("", a)) for a in words]
    backward = (read + pynini.closure(any_word, 1, 2) + write for read, write in moves)
    forward = (write + any_word + any_word + read for read, write in moves)
    return (copy + pynini.closure(pynini.union(*backward, *forward), 0, 1) + copy).optimize()


def orders(length: int) -> PositionAutomaton:
    """The same over positions: TRANS1's machine, and for words a b c the paths b c a and c a b.

    Where TRANS1 holds a back, b being read, c may be read too; three more rows of states
    have read b c, c, and c a.
    """
    ends, *arcs = trans1.orders(length)
    first, row = np.arange(max(length - 2, 0)), length + 1
    done, held, both, last, then = (row * i + first for i in range(1, 6))
    more = [
        (held, first + 2, both),
        (both, first, done + 3),
        (first, first + 2, last),
        (last, first, then),
        (then, first + 1, done + 3),
    ]
    columns = (
        np.concatenate((old, *new)) for old, new in zip(arcs, zip(*more, strict=True), strict=True)
    )
    return PositionAutomaton(ends, *columns)
