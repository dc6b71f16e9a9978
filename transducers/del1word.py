"""DEL1WORD: the sentence, and each sentence with one of its words deleted.

Source: Smith & Eisner (2005a), §4 and Figure 1a; m + 1 strings for m > 1 distinct words.
To try: ``fstce neighborhood show del1word "natural language is a delicate thing"``
"""

from __future__ import annotations

from collections.abc import Iterable

from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols

EQUIVARIANT = True


def build(symbols: Symbols) -> pynini.Fst:
    """Copy, delete at most one word, copy: ``?:?* (?:ε)? ?:?*``."""
    return deletion(symbols, symbols.labels)


def deletion(symbols: Symbols, labels: Iterable[int]) -> pynini.Fst:
    """Copy, delete at most one of the words with these ids, copy.

    >>> deletion(Symbols("a b".split()), [5]).num_states() > 2
    True
    """
    copy = pynini.closure(symbols.any())
    return copy + pynini.closure(pynini.cross(symbols.union(labels), ""), 0, 1) + copy
