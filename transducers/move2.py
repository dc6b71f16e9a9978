"""MOVE2: the sentence, and each sentence with one word moved by one or two places, either way.

These are the orders of up to three adjacent words in which two keep theirs: 3m − 4 strings for
m > 1 distinct words. Each bigram and each trigram of the sentence has its arcs, as in TRANS1;
over any sentence of m words a word is held back while any others pass, in O(m²) arcs.

Source: after Smith & Eisner (2005a), §4: TRANS1 (Figure 1b) with a wider window.
To try: ``fstce neighborhood show move2 "natural language is a delicate thing"``
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.machines import Symbols, machine_of
from fstce.machines.openfst import pynini
from fstce.transducers.trans1 import DONE, bigrams, swaps

EQUIVARIANT = True


def build(symbols: Symbols, sentence: Sequence[int] | None = None) -> pynini.Fst:
    """Copy; read ab and write ba, or read abc and write bca or cab, or neither; copy."""
    if sentence is None:
        return over_any(symbols)

    words = np.array(symbols.labels)
    trigrams = dict.fromkeys(zip(sentence, sentence[1:], sentence[2:], strict=False))
    pairs = bigrams(symbols, sentence)
    read = np.array([*trigrams], dtype=np.int32).reshape(-1, 3).T
    a, b, c = read
    # The states behind the first and the second word of each trigram, read backward and forward.
    states = DONE + 1 + len(pairs) + np.arange(4 * len(a)).reshape(2, 2, -1)

    copies = (0, words, words, 0), (DONE, words, words, DONE)
    moves = [
        columns
        for (after_first, after_second), written in zip(states, ((b, c, a), (c, a, b)), strict=True)
        for columns in zip(
            (0, after_first, after_second),
            read,
            written,
            (after_first, after_second, DONE),
            strict=True,
        )
    ]
    return machine_of([0, DONE], *copies, *swaps(pairs), *moves)


def over_any(symbols: Symbols) -> pynini.Fst:
    """Copy; hold a word a back while one or two pass (a:ε ?:? ?:? ε:a), or bring it up; copy."""
    any_word = symbols.any()
    copy = pynini.closure(any_word)
    words = [symbols.union([label]) for label in symbols.labels]
    moves = [(pynini.cross(a, ""), pynini.cross("", a)) for a in words]

    backward = (read + pynini.closure(any_word, 1, 2) + write for read, write in moves)
    forward = (write + any_word + any_word + read for read, write in moves)
    return (copy + pynini.closure(pynini.union(*backward, *forward), 0, 1) + copy).optimize()
