"""Plain sentences: those of like length are the columns of one chart.

A sentence is a lattice of one path, so that all sentences of n words have one shape, which is kept
between two calls. The chart of n words holds shorter sentences, too: their items see nothing of the
words behind them, and of the roots only those that end where the sentence does have any weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from fstce.chart.batch import ChartBatch, Pack, arrays_of, pack_of, stored
from fstce.chart.rectangles import Rectangles
from fstce.chart.shape import (
    ChartSizeError,
    Halves,
    Hypergraph,
    Links,
    Roots,
    check_size,
)
from fstce.errors import MachineError
from fstce.estimation.resources import IN_MEMORY, ArrayStore, Resources
from fstce.grammars.dmv import LEFT, RIGHT, DependencyModel
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Ints, Ints32, Sentences

ITEMS = 600_000  # halves and links of a pack: its tables stay in the cache
FEW = 1_000_000  # bytes, for which there is always room
CALLS = 10_000  # products that take the time of the calls for one width of a chart, measured


def compile_sentences(
    sentences: Sentences,
    model: DependencyModel,
    *,
    numbers: Iterable[int] | None = None,
    resources: Resources = IN_MEMORY,
) -> ChartBatch:
    """Compile plain sentences of the grammar's tags; options as of :func:`compile_charts`.

    ``numbers``: those that errors call them by; by default from 1.

    >>> batch = compile_sentences([["N", "V"], ["N"], ["N", "V"]], DependencyModel(["N", "V"]))
    >>> len(batch), batch.n_distinct
    (3, 2)
    """
    rows = list(sentences)
    if not rows:
        raise MachineError("an empty batch: there is no sentence to parse")

    number_of: dict[tuple[str, ...], int] = {}
    index = np.array([number_of.setdefault(tuple(row), len(number_of)) for row in rows])
    lengths = np.array([len(row) for row in number_of])
    first = np.cumsum(lengths) - lengths
    tags = model.numbers([tag for row in number_of for tag in row]).astype(np.int32)

    packs = []
    for members in _alike(lengths):
        try:
            packs.append(_pack(model, tags, first[members], lengths[members], members))
        except ChartSizeError as error:
            place = int(np.flatnonzero(index == members[0])[0])
            number = place + 1 if numbers is None else list(numbers)[place]
            raise ChartSizeError(f"sentence {number}: {error}") from None

    nbytes = sum(array.nbytes for array in arrays_of(packs))
    if nbytes > FEW and nbytes > resources.room:
        packs = stored(packs, ArrayStore(resources.place))
    return ChartBatch(model, packs, index, lengths)


@lru_cache(maxsize=16)
def chain(longest: int, shortest: int) -> Hypergraph:
    """The chart of `longest` words, with roots that end at any length from `shortest` on.

    Items are laid out as :mod:`fstce.chart.rectangles` says; where there is none, its numbers are
    of no account.

    >>> chain(3, 3).size, len(chain(3, 2).roots.arc)
    (16, 5)
    """
    n = longest
    half_rows = Rectangles(n, of_halves=True)
    link_rows = Rectangles(n, of_halves=False)
    check_size(half_rows.size + link_rows.size, n)

    width, x = np.divmod(np.arange(2 * n * n, dtype=np.int32), 2 * n)
    side = x % 2
    place = x // 2
    head = np.where(side == LEFT, n - 1 - place, place)
    halves = Halves(head, side, np.where(side == LEFT, head - width, head + 1 + width), width)

    inner = (place < n - 1) & (width < n - 1)
    child = np.where(side == LEFT, head - 1 - width, head + 1 + width).clip(0, n - 1)
    links = Links(head[inner], child[inner], side[inner], width[inner])

    ends = np.arange(shortest, n + 1)
    arc = ranges(np.zeros_like(ends), ends)
    final = np.repeat(ends, ends)
    left = 2 * (arc * n + n - 1 - arc) + LEFT
    right = 2 * ((final - 1 - arc) * n + arc) + RIGHT
    roots = Roots(*(column.astype(np.int32) for column in (arc, left, right, final)))
    no_lattice = np.zeros_like(arc)
    return Hypergraph(
        halves, links, roots, half_rows, link_rows, no_lattice, np.array([0, n]), n + 1
    )


def _alike(lengths: Ints) -> Iterator[Ints]:
    """Sentences of like length, the longest first, as many as fill a pack.

    Sentences join the chart of longer ones where what that adds up in vain costs less time than the
    calls for a chart of their own.
    """

    wider: dict[int, int] = {}
    longest = int(lengths.max())
    for n, times in sorted(Counter(lengths.tolist()).items(), reverse=True):
        if times * (longest**3 - n**3) > CALLS * n:
            longest = n
        wider[n] = longest

    order = np.argsort(-lengths, kind="stable")
    chart = np.array([wider[n] for n in lengths[order].tolist()])
    for members in np.split(order, np.flatnonzero(np.diff(chart)) + 1):
        columns = max(1, ITEMS // (2 * int(lengths[members[0]]) ** 2))
        yield from np.split(members, range(columns, len(members), columns))


def _pack(
    model: DependencyModel,
    tags: Ints32,
    first: Ints,
    lengths: Ints,
    members: Ints,
) -> Pack:
    """The pack of sentences that begin at `first` among the tags, the longest first."""
    longest = int(lengths[0])
    columns = len(members)
    graph = chain(longest, int(lengths[-1]))
    place = ranges(np.zeros_like(lengths), lengths)
    tag = np.zeros((longest, columns), dtype=np.int32)
    tag[place, np.repeat(np.arange(columns), lengths)] = tags[ranges(first, lengths)]

    arc = np.repeat(np.arange(longest, dtype=np.int32)[:, None], columns, axis=1)
    pack = pack_of(model, graph, members, tag, arc)
    if lengths[0] == lengths[-1]:
        return pack
    ends = graph.roots.final[:, None] == lengths
    return replace(pack, root_bias=np.where(ends, 0.0, -np.inf))
