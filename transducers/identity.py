"""IDENTITY: the sentence alone; the trivial neighborhood, whose contrast teaches nothing.

Source: the numerator of Smith & Eisner (2005a), Eq. 7.
To try: ``fstce neighborhood show identity "natural language is a delicate thing"``
"""

from __future__ import annotations

from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols

EQUIVARIANT = True


def build(symbols: Symbols) -> pynini.Fst:
    """Every word is copied: ``?:?*``."""
    return pynini.closure(symbols.any())
