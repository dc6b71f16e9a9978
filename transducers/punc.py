"""PUNC≤k: the sentence, and each sentence that differs from it in at most k punctuation marks.

``punc1``, ``punc2`` and ``punc3`` insert, delete and substitute marks of the English list
(``grammars/punctuation.tsv``), as far as the corpus has them; words stay. For n marks and a
sentence of m words without any punc1 has n(m + 1) + 1 strings.

Source: Smith & Eisner (2005b), §3.3, Eq. 5.
To try: ``fstce neighborhood show punc1 "well , natural language is a delicate thing"``
"""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np

from fstce.corpora.tables import bundled_rows
from fstce.machines import Symbols, machine_of
from fstce.machines.image import Columns
from fstce.machines.openfst import pynini

EPSILON = 0
SIZES = range(1, 4)


@cache
def english_marks() -> tuple[str, ...]:
    """The marks of ``grammars/punctuation.tsv``.

    >>> english_marks()[:4]
    (',', '.', ';', ':')
    """
    return tuple(row[0] for row in bundled_rows("punctuation.tsv"))


INTRODUCES = english_marks


def build(symbols: Symbols, size: int = 1) -> pynini.Fst:
    """Copy; at most k times change a mark c into d (c:d), delete it (c:ε) or insert it (ε:c)."""
    words = np.array(symbols.labels)
    marks = symbols.ids([mark for mark in english_marks() if mark in symbols]).tolist()
    edits = np.array([*permutations((EPSILON, *marks), 2)], dtype=np.int32).reshape(-1, 2)
    old, new = edits.T

    arcs: list[Columns] = [(size, words, words, size)]
    for done in range(size):
        arcs += [(done, words, words, done), (done, old, new, done + 1)]
    return machine_of(range(size + 1), *arcs)
