"""LENGTH: every sentence of the same length over the vocabulary, Σ^m.

The lattice is a chain of ``<sigma>`` arcs, each standing for any word, so Σ is never
enumerated: a model scores ``<sigma>`` with a tag by the sum over the words of that tag.

Source: Smith & Eisner (2005a), §4 (and Eq. 9 for EM).
To try: ``fstce neighborhood show length "natural language is a delicate thing"``
"""

from __future__ import annotations

from fstce.machines.openfst import pynini
from fstce.machines.symbols import SIGMA_ID, Symbols

EQUIVARIANT = True


def build(symbols: Symbols) -> pynini.Fst:
    """Each word becomes the wildcard: ``(?:<sigma>)*``."""
    return pynini.closure(pynini.cross(symbols.any(), symbols.union([SIGMA_ID])))
