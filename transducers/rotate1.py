"""ROTATE1: the sentence, and the sentence rotated by one word, either way.

The first word moves to the end, or the last to the front: 3 strings for m > 2 distinct words.
All rotations are beyond a transducer: {(uv, vu)} is no regular relation, for v must wait
until u, of any length, has passed; one word is what finitely many states remember.

Source: after Smith & Eisner (2005a), §3.1: words change their order, as in TRANS1, around the whole sentence.
To try: ``fstce neighborhood show rotate1 "natural language is a delicate thing"``
"""

from __future__ import annotations

from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols

EQUIVARIANT = True


def build(symbols: Symbols) -> pynini.Fst:
    """Copy; or hold the first word a back (a:ε ?:?* ε:a); or guess the last word z (ε:z ?:?* z:ε)."""
    copy = pynini.closure(symbols.any())
    words = [symbols.union([label]) for label in symbols.labels]
    to_end = (pynini.cross(a, "") + copy + pynini.cross("", a) for a in words)
    to_front = (pynini.cross("", z) + copy + pynini.cross(z, "") for z in words)
    return pynini.union(copy, *to_end, *to_front)
