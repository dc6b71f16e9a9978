"""A corpus in shards: machines of like size together, so that a level's arcs stay in the processor's cache.

Shards depend on the corpus alone, and sums run in shard order, so results do not depend
on how many processes built the machines.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fstce.numeric.ranges import ranges
from fstce.numeric.types import Ints
from fstce.wfsa.batch import Columns

SHARD_ARCS = 600_000


def split(columns: Columns, arcs: int = SHARD_ARCS) -> Iterator[tuple[Ints, Columns]]:
    """Cut machines into shards of about `arcs` arcs, small machines first.

    Parameters
    ----------
    columns : Columns
        The machines, end to end.
    arcs : int
        How many arcs a shard has, about.

    Yields
    ------
    machines, columns
        The numbers of each shard's machines, in its order, and the shard itself.
    """
    size = _arcs(columns)
    order = np.argsort(size, kind="stable")
    shards = max(1, round(len(columns.source) / arcs))
    reached = np.cumsum(size[order])
    cuts = np.searchsorted(reached, reached[-1] * np.arange(1, shards) / shards)
    groups = [np.sort(group) for group in np.split(order, cuts) if len(group)]
    for group in groups:
        yield group, select(columns, group, size)


def select(columns: Columns, machines: Ints, arcs: Ints | None = None) -> Columns:
    """Some of the machines, end to end, in the order asked for; `arcs` are the sizes of all, if known."""
    arcs = _arcs(columns) if arcs is None else arcs
    first_arc, first_state = np.cumsum(arcs) - arcs, np.cumsum(columns.size) - columns.size
    chosen = ranges(first_arc[machines], arcs[machines])
    size = columns.size[machines]
    moved = np.cumsum(size) - size - first_state[machines]
    shift = np.repeat(moved, arcs[machines]).astype(np.int32)
    return Columns(
        start=columns.start[machines] + moved,
        final=columns.final[machines] + moved,
        size=size,
        source=columns.source[chosen] + shift,
        next=columns.next[chosen] + shift,
        word=columns.word[chosen],
        ngram=columns.ngram[chosen],
        bias=columns.bias[chosen] if len(columns.bias) else columns.bias,
    )


def _arcs(columns: Columns) -> Ints:
    """The number of arcs of each machine."""
    return np.bincount(columns.machine[columns.source], minlength=len(columns.size))
