"""TRANS1: the sentence, and each sentence with one pair of adjacent words transposed.

Each bigram ab of the sentence has an arc pair (a:b, b:a), so that the transducer of m distinct
words has 4m − 2 arcs and no ε. Over any sentence of some words, as in ``trans1 @ trans1``, each
pair of different words has one.

Source: Smith & Eisner (2005a), §4 and Figure 1b; m strings for m distinct words.
To try: ``fstce neighborhood show trans1 "natural language is a delicate thing"``
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations

import numpy as np

from fstce.machines import Symbols, machine_of
from fstce.machines.image import Columns
from fstce.machines.openfst import pynini

EQUIVARIANT = True
DONE = 1


def build(symbols: Symbols, sentence: Sequence[int] | None = None) -> pynini.Fst:
    """Copy; read one bigram ab and write ba (a:b b:a), or none; copy."""
    words = np.array(symbols.labels)
    copies = (0, words, words, 0), (DONE, words, words, DONE)
    return machine_of([0, DONE], *copies, *swaps(bigrams(symbols, sentence)))


def bigrams(symbols: Symbols, sentence: Sequence[int] | None) -> list[tuple[int, int]]:
    """The bigrams of different words: of a sentence, or of any over these symbols.

    >>> symbols = Symbols("a b".split())
    >>> bigrams(symbols, [5, 6, 6, 5]), bigrams(symbols, [5, 6]), bigrams(symbols, None)
    ([(5, 6), (6, 5)], [(5, 6)], [(5, 6), (6, 5)])
    """
    if sentence is None:
        return list(permutations(symbols.labels, 2))
    return [(a, b) for a, b in dict.fromkeys(pairwise(sentence)) if a != b]


def swaps(pairs: Iterable[tuple[int, int]]) -> list[Columns]:
    """The arcs from state 0 to `DONE` that transpose: source, what is read and written, target."""
    a, b = np.array([*pairs], dtype=np.int32).reshape(-1, 2).T
    between = DONE + 1 + np.arange(len(a))
    return [(0, a, b, between), (between, b, a, DONE)]
