"""ROTATIONS: the sentence, beginning at any of its words: x = uv gives vu.

{(uv, vu)} is no regular relation, since v must wait until u, of any length, has passed; so the
machine is of one sentence: a path for each rotation, m strings for m distinct words.

Source: after Smith & Eisner (2005a), §4; ``rotate1`` is as far as a machine of any sentence gets.
To try: ``fstce neighborhood show rotations "natural language is a delicate thing"``
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.machines import Symbols, machine_of
from fstce.machines.algebra import check_states
from fstce.machines.openfst import pynini

EQUIVARIANT = True


def build(symbols: Symbols, sentence: Sequence[int]) -> pynini.Fst:
    """Read the words in their order, and write them from the i-th on, then those before it."""
    m = len(sentence)
    check_states(m * m + 1, "machine", "rotations")
    words = np.array(sentence)

    # State i · m + n + 1 has read n + 1 words and written as many from word i on; the start is 0.
    first, read = np.divmod(np.arange(m * m), m)
    target = np.arange(1, m * m + 1)
    source = np.where(read == 0, 0, target - 1)
    finals = target[m - 1 :: m].tolist()
    return machine_of(finals, (source, words[read], words[(first + read) % m], target))
