"""TRANS1FUNCTION: the sentence, and each sentence with one function word and a neighbour transposed.

At least one of the two words is an English function word (see ``del1function``), so that
content words keep their order: 2m + 1 strings for m distinct function words, each between
two other words.

Source: after Smith & Eisner (2005a), §3.1: TRANS1 restricted to closed-class words.
To try: ``fstce neighborhood trans1function "the cat sat on the mat"``
"""

from __future__ import annotations

from collections.abc import Sequence

import pynini

from fstce.machines.symbols import Symbols
from fstce.transducers.del1function import function_labels

EQUIVARIANT = False


def build(symbols: Symbols) -> pynini.Fst:
    """Copy; hold a word a back, let b pass (a:ε b:b ε:a), where a or b is a function word; copy."""
    copy = pynini.closure(symbols.any())
    return copy + pynini.closure(_transposition(symbols, function_labels(symbols)), 0, 1) + copy


def _transposition(symbols: Symbols, function: Sequence[int]) -> pynini.Fst:
    """The transposition alone; arc by arc, for it is built anew for every sentence."""
    fst, one = pynini.Fst(), pynini.Weight.one("tropical")
    start, end = fst.add_state(), fst.add_state()
    fst.set_start(start).set_final(end)
    for a in symbols.labels:
        held, passed = fst.add_state(), fst.add_state()
        fst.add_arc(start, pynini.Arc(a, 0, one, held))
        for b in symbols.labels if a in function else function:
            fst.add_arc(held, pynini.Arc(b, b, one, passed))
        fst.add_arc(passed, pynini.Arc(0, a, one, end))
    return fst
