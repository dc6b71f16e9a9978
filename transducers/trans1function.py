"""TRANS1FUNCTION: the sentence, and each sentence with one function word and a neighbor transposed.

At least one of the two words is an English function word (see ``del1function``), so that
content words keep their order: 2m + 1 strings for m distinct function words, each between
two other words.

Source: after Smith & Eisner (2005a), §3.1: TRANS1 restricted to closed-class words.
To try: ``fstce neighborhood show trans1function "the cat sat on the mat"``
"""

from __future__ import annotations

import numpy as np

from fstce.machines import Arrays, Symbols, arrays_to_fst
from fstce.machines.openfst import pynini
from fstce.transducers.del1function import function_labels


def build(symbols: Symbols) -> pynini.Fst:
    """Copy; hold a word a back, let b pass (a:ε b:b ε:a), where a or b is a function word; copy.

    In arrays, for it is built anew for every sentence. State 0 copies and holds a back, state
    1 + i holds the i-th word and lets b pass to state 1 + m + i, which writes it; the last copies.
    """
    words = np.array(symbols.labels, dtype=np.int32)
    size = len(words)
    place, closed = np.arange(size), np.isin(words, function_labels(symbols))
    held, passing = np.nonzero(closed[:, None] | closed)
    end = 2 * size + 1
    final = np.full(end + 1, np.inf, dtype=np.float32)
    final[[0, end]] = 0.0
    silent = np.zeros(size, dtype=np.int32)
    columns = [
        (0 * place, words, words, 0 * place),
        (0 * place, words, silent, 1 + place),
        (1 + held, words[passing], words[passing], 1 + size + held),
        (1 + size + place, silent, words, 0 * place + end),
        (0 * place + end, words, words, 0 * place + end),
    ]
    source, read, written, target = map(np.concatenate, zip(*columns, strict=True))
    fst = arrays_to_fst(
        Arrays(0, final, source, read, written, np.zeros(len(read), np.float32), target)
    )
    return fst.connect()
