"""Tag n-grams as numbers.

A tag t of T is the digit t; the boundary, T, stands before the sentence (n − 1 times) and is read
once at its end. The n-gram ⟨history, tag⟩ is the number history·(T + 1) + tag in base T + 1, and
its *code*, the output label of a product automaton's arc, is that number plus one (label 0 is ε).

Source: Merialdo (1994); Smith & Eisner (2005a), §5.1.
To try: ``fstce info MODEL``
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fstce.numeric.types import Ints

ORDERS = (1, 2, 3)


def decode(codes: NDArray[np.integer], n_tags: int, order: int) -> Ints:
    """The tags of each n-gram, shape (codes, order); the boundary is T.

    >>> decode(np.array([1, 12]), n_tags=2, order=3).tolist()
    [[0, 0, 0], [1, 0, 2]]
    """
    powers = (n_tags + 1) ** np.arange(order - 1, -1, -1)
    return (np.asarray(codes, dtype=np.int64)[:, None] - 1) // powers % (n_tags + 1)


def possible(n_tags: int, order: int) -> Ints:
    """The codes of the n-grams that occur in some sentence: boundaries first, and one at the end.

    >>> decode(possible(1, 2), 1, 2).tolist()
    [[0, 0], [0, 1], [1, 0]]
    """
    codes = np.arange(1, (n_tags + 1) ** order + 1)
    boundary = decode(codes, n_tags, order) == n_tags
    history = np.column_stack((np.ones(len(codes), dtype=bool), boundary[:, :-1]))
    broken = np.any(history[:, 1:] & ~history[:, :-1], axis=1)
    empty = boundary.all(axis=1) if order > 1 else np.zeros(len(codes), dtype=bool)
    return codes[~broken & ~empty]
