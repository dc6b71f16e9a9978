"""DELORTRANS1: one word deleted or one pair of adjacent words transposed, or neither.

Source: Smith & Eisner (2005a), §4: DEL1WORD ∪ TRANS1; 2m strings for m > 1 distinct words.
To try: ``fstce neighborhood show delortrans1 "natural language is a delicate thing"``
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.machines import Symbols, machine_of
from fstce.machines.openfst import pynini
from fstce.transducers.trans1 import DONE, bigrams, swaps

EQUIVARIANT = True
EPSILON = 0


def build(symbols: Symbols, sentence: Sequence[int] | None = None) -> pynini.Fst:
    """Copy; read one bigram ab and write ba, or delete a word, or neither; copy."""
    words = np.array(symbols.labels)
    copies = (0, words, words, 0), (DONE, words, words, DONE)
    deletion = (0, words, EPSILON, DONE)
    return machine_of([0, DONE], *copies, deletion, *swaps(bigrams(symbols, sentence)))
