"""A corpus cut into shards: sentences of like length together, all shards of about as many arcs.

Sums go from level to level, a call of a compiled loop for each: sentences of one length have as many.

Sums run in the order of the shards, and the cuts depend on the text, the dictionary and the
neighbourhood alone: results do not depend on how many processes built the automata, how many
threads add them up, or where the shards lie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from fstce.machines.symbols import FIRST_WORD_ID, Symbols
from fstce.numeric.types import Floats, Ints

SHARD_ARCS = 300_000
SLAB = 10_000  # sentences that are counted at a time
SAMPLED = 16  # sentences that are built to see how large the automata are
Measure = Callable[[int], int]


def path_counts(sentences: Sequence[Sequence[str]], symbols: Symbols, word: Ints, order: int) -> Floats:
    """For each sentence the number of its tag n-grams, place by place: a measure of its automaton's size.

    ``word`` (pairs,): the words of the (word, tag) pairs that the dictionary allows. Returns an array
    (sentences,).

    >>> symbols = Symbols(["the", "fish"])
    >>> word = symbols.ids(["the", "fish", "fish"])
    >>> path_counts([["the", "fish"], ["fish", "fish"]], symbols, word, 2).tolist()
    [3.0, 6.0]
    """
    tags = np.bincount(word, minlength=FIRST_WORD_ID + len(symbols)).astype(np.float64)
    slabs = (sentences[i : i + SLAB] for i in range(0, len(sentences), SLAB))
    return np.concatenate([_path_counts(slab, symbols, tags, order) for slab in slabs])


def _path_counts(sentences: Sequence[Sequence[str]], symbols: Symbols, of: Floats, order: int) -> Floats:
    """The same of a few sentences, by the number of tags of each word."""
    tags = of[symbols.ids([w for sentence in sentences for w in sentence])]
    length = np.array([len(sentence) for sentence in sentences])
    first = np.cumsum(length) - length
    place = np.arange(len(tags)) - np.repeat(first, length)
    # n(j) = Π_i |tags of word j − i| for i < order, as far as there are words; Σ_j n(j), (sentences,)
    product = tags.copy()
    for back in range(1, order):
        product *= np.where(place >= back, np.roll(tags, back), 1.0)
    return np.add.reduceat(product, first)


def cut(counts: Floats, lengths: Ints, measure: Measure, arcs: int | None = None) -> tuple[list[Ints], float]:
    """Cut sentences into shards of about equal size, short sentences first.

    ``counts`` (sentences,): of :func:`path_counts`. ``lengths`` (sentences,): their words. ``measure``: from
    the number of a sentence to the arcs of its automata: asked for a few of them. ``arcs``: how many arcs a
    shard has, about; by default ``SHARD_ARCS``. ``shards``: the numbers of each shard's sentences, in
    ascending order. ``total``: how many arcs there are about; NaN where there are few.

    >>> shards, total = cut(np.array([8.0, 1.0, 1.0]), np.ones(3, int), lambda number: 600_000)
    >>> [shard.tolist() for shard in shards], total
    ([[0, 1, 2]], nan)
    """
    arcs = SHARD_ARCS if arcs is None else arcs
    order = np.argsort(counts, kind="stable")
    if counts.sum() < arcs / 16:
        return [np.sort(order)], np.nan
    places = np.unique(np.linspace(0, len(order) - 1, SAMPLED).round().astype(np.int64))
    sampled = order[places]
    # The arcs of a sentence by its count: between the samples on a straight line.
    size = np.interp(counts, counts[sampled], [float(measure(int(i))) for i in sampled])
    order = np.lexsort((counts, lengths))
    reached = np.cumsum(size[order])
    shards = max(1, round(reached[-1] / arcs))
    cuts = np.searchsorted(reached, reached[-1] * np.arange(1, shards) / shards)
    return [np.sort(part) for part in np.split(order, cuts) if len(part)], float(reached[-1])
