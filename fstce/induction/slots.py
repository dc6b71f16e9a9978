"""Slots: the places of alignment patterns ⟨C_left [expression] C_right⟩, as columns of positions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.numeric.types import Bools, Ints32


class Slots(NamedTuple):
    """Places of alignment patterns, each by the positions of its tokens; arrays of one length.

    ``left``, ``first``, ``last``, ``right``: the left context unit, the first and the last token of the
    expression, the right context unit.
    """

    left: Ints32
    first: Ints32
    last: Ints32
    right: Ints32
    length: Ints32

    def where(self, chosen: Bools | NDArray[np.intp]) -> Slots:
        """The chosen slots."""
        return Slots(*(column[chosen] for column in self))

    def in_order(self) -> Slots:
        """The same by position and then by length."""
        return self.where(np.lexsort((self.length, self.left)))


def joined(parts: list[Slots]) -> Slots:
    """Several collections as one, by position and then by length."""
    return Slots(*(np.concatenate(columns) for columns in zip(*parts, strict=True))).in_order()


def leftmost(slots: Slots, used_until: Ints32) -> Bools:
    """Which slots remain when they are rewritten from left to right, each finding its contexts untouched.

    ``slots``: by position and then by length, so that the shorter of two expressions goes first.
    ``used_until``: the position behind the last token that each rewriting makes its own. Returns a slot stays
    if its left context unit lies behind all that the slots before it use.

    >>> at = np.arange(3, dtype=np.int32)             # ⟨a [a] a⟩ three times in "a a a a a"
    >>> leftmost(Slots(at, at + 1, at + 1, at + 2, np.ones(3, np.int32)), at + 2).tolist()
    [True, False, True]
    """
    kept = np.ones(len(slots.left), dtype=bool)
    remaining = np.arange(len(slots.left))
    while True:
        used = np.maximum.accumulate(used_until[remaining])
        late = np.concatenate(([False], slots.left[remaining[1:]] < used[:-1]))[: len(remaining)]
        if not late.any():
            return kept
        # The one before is certain to stay if it is not late itself; so this one goes.
        gone = late & ~np.concatenate(([False], late[:-1]))
        kept[remaining[gone]] = False
        remaining = remaining[~gone]
