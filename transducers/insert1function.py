"""INSERT1FUNCTION: the sentence, and each sentence with one of ten function words inserted.

The words are frequent, and each may spoil a sentence anywhere. Where a corpus has one of
them nowhere, it is left out. With k words a sentence of m words has k(m + 1) + 1 strings, less
one for each of its own words that is among the k, since a word is the same before and behind
itself.

Source: after Smith & Eisner (2005a), §4: the counterpart of DEL1WORD.
To try: ``fstce neighborhood show insert1function "natural language is a delicate thing"``
"""

from __future__ import annotations

from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.transducers.insert1frequent import insertion

INTRODUCES = ("the", "of", "to", "a", "and", "in", "is", "that", "for", "it")


def build(symbols: Symbols) -> pynini.Fst:
    """Copy, insert at most one function word f, copy: ``?:?* (ε:f)? ?:?*``."""
    return insertion(symbols, INTRODUCES)
