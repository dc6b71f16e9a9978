"""WINDOW: permutations of the sentence within a window of w words, ``window2`` to ``window9``.

The next word is one of the first w, counted from the first that is not yet taken. So no word
stands w places or more from its own, though not every such permutation is among them (3412 is
not, for w = 3); ``window2`` has every set of disjoint pairs of adjacent words transposed. The
machine is of one sentence, for one of any sentence would remember the words that wait.

Source: the local constraints of Kanthak, Vilar, Matusov, Zens and Ney (2005), *Novel Reordering
Approaches in Phrase-Based Statistical Machine Translation*.
To try: ``fstce neighborhood show window3 "natural language is a delicate thing"``
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from fstce.machines import Symbols, machine_of
from fstce.machines.algebra import check_states
from fstce.machines.openfst import pynini
from fstce.numeric.types import Ints

EQUIVARIANT = True
SIZES = range(2, 10)


def build(symbols: Symbols, sentence: Sequence[int], size: int = 2) -> pynini.Fst:
    """Read the words in their order, and write them in one that the window allows.

    State ``first · 2^(w − 1) + taken``: bit i of ``taken`` is the word ``first + 1 + i``.
    """
    m, masks = len(sentence), 1 << (size - 1)
    check_states(m * masks + 1, "machine", f"window{size}")
    words = np.array(sentence)

    arcs = steps(size)
    first = np.repeat(np.arange(m), len(arcs[0]))
    taken, step, moved, taken_then, n_taken = np.tile(arcs, m)
    read, written = first + n_taken, first + step
    target = (first + moved) * masks + taken_then

    # A word beyond the end is never taken, so no state that says so is reached.
    inside = (read < m) & (written < m) & (target <= m * masks)
    source = first * masks + taken
    columns = (source, words[read % m], words[written % m], target)
    return machine_of([m * masks], tuple(column[inside] for column in columns))


@cache
def steps(size: int) -> Ints:
    """The arcs of a state, (5, arcs).

    Words taken before as bits, place in the window of the word written, how far the first moves,
    words taken after, and their number before.
    """
    rows = []
    for taken in range(1 << (size - 1)):
        run = 0  # words taken right behind the first, which it moves past
        while taken >> run & 1:
            run += 1
        n_taken = taken.bit_count()
        rows.append((taken, 0, run + 1, taken >> (run + 1), n_taken))
        free = [i for i in range(size - 1) if not taken >> i & 1]
        rows += [(taken, i + 1, 0, taken | 1 << i, n_taken) for i in free]
    return np.array(rows).T
