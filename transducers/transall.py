"""TRANSALL: every set, the empty one too, of disjoint pairs of adjacent words transposed.

A word moves at most one place. The lattice has F(m + 1) strings for m distinct words, with
the Fibonacci numbers F(1) = F(2) = 1, in O(m) states.

Source: after Smith & Eisner (2005a), §4: TRANS1 (Figure 1b), its transposition repeated.
To try: ``fstce neighborhood show transall "natural language is a delicate thing"``
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.machines import Symbols, machine_of
from fstce.machines.openfst import pynini
from fstce.transducers.trans1 import bigrams, swaps

EQUIVARIANT = True


def build(symbols: Symbols, sentence: Sequence[int] | None = None) -> pynini.Fst:
    """Copy a word, or read a bigram ab and write ba, any number of times."""
    words = np.array(symbols.labels)
    return machine_of([0], (0, words, words, 0), *swaps(bigrams(symbols, sentence), 0))
