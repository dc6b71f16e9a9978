"""The machine of tag n-grams: it reads tags and writes which n-gram each one completes.

A tag t of T is label t + 1; the boundary, label T + 1, stands before the sentence
(n − 1 times) and is read once at its end. A state is the last n − 1 tags as a number
in base T + 1, so the n-gram ⟨history, tag⟩ is the number history·(T + 1) + tag, and its
output label, the *code*, is that number plus one (label 0 is ε).

Source: Merialdo (1994); Smith & Eisner (2005a), §4.
To try: ``fstce info MODEL``
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.machines.image import Arrays, arrays_to_fst
from fstce.machines.openfst import pynini
from fstce.numeric.types import Floats, Ints

ORDERS = (1, 2, 3)
ARC_LIMIT = 20_000_000


def build(
    n_tags: int,
    order: int,
    weight: Floats | None = None,
    codes: Ints | None = None,
) -> pynini.Fst:
    """The transducer from tags to n-gram codes, unweighted unless −log weights by code are given.

    ``weight`` ((T + 1)^n + 1,): the −log weight of each code. ``codes``: the n-grams that may be read,
    ascending; by default all.
    """
    base = n_tags + 1
    arcs = base**order if codes is None else len(codes)
    if arcs > ARC_LIMIT or base**order >= 2**31:
        raise MachineError(
            f"the n-grams of order {order} over {n_tags} tags have {arcs:,} arcs; "
            "project the tags to a coarser set or lower the order"
        )
    code = np.arange(base**order) if codes is None else codes - 1
    histories = base ** (order - 1)
    start, end = histories - 1, histories
    source, tag, target = code // base, code % base, code % histories
    target = np.where(tag == n_tags, end, target)
    # States are the histories that occur; all of them in order where every n-gram does.
    occurs = np.zeros(histories + 1, dtype=bool)
    occurs[source] = occurs[target] = occurs[[start, end]] = True
    state = np.cumsum(occurs) - 1
    final = np.append(np.full(state[-1], np.inf), 0.0)
    cost = np.zeros(len(code)) if weight is None else weight[code + 1]
    columns = (state[source], tag + 1, code + 1, cost, state[target])
    return arrays_to_fst(Arrays(int(state[start]), final, *columns)).arcsort("ilabel")


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
