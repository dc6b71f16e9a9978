"""Split and joined words as arcs: what one observed word, or two side by side, may have been.

They stand in the machines of a batch besides the candidates of the observed words, each with what
it is next to these: a :class:`Respelling`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.correction.factors.respacing import APOSTROPHES, Respacing
from fstce.machines.symbols import Symbols
from fstce.numeric.types import Bools, Ints, Ints32, Rows
from fstce.wfsa.batch import Columns


class Respelling(IntEnum):
    """How the word of an arc stands for observed words; its number is in arrays of arcs."""

    PLAIN = 0  # a word in the place of one observed word, or a mark
    REPLACED = 1  # likewise, of a contraction that was written without its apostrophe
    JOINED = 2  # a word in the place of two
    FIRST = 3  # the first of two words in the place of one
    SECOND = 4  # the second of them
    PIECE = 5  # likewise, of a contraction that was written without its apostrophe


# By respelling: of how many observed words an arc takes the place, and what it says as a factor.
SHARE = np.array([1.0, 1.0, 2.0, 0.5, 0.5, 0.5])
OF_SPACES = np.array([0.0, -0.3, -1.0, 0.0, -1.0, -0.3])


class Rewrite(NamedTuple):
    """Words that may have been intended by an observed one, or one by it and the next."""

    sentence: int
    slot: int
    joins: bool
    words: tuple[str, ...]


class Rewrites(NamedTuple):
    """R rewrites as arrays, each of shape (R,).

    ``second``: −1 where there is no second word. ``contracted``: whether the words have an
    apostrophe.
    """

    sentence: Ints
    slot: Ints
    joins: Bools
    first: Ints
    second: Ints
    contracted: Bools


def rewrites_in(respacing: Respacing, sentences: Rows) -> list[Rewrite]:
    """All rewrites of observed sentences."""
    rewrites: list[Rewrite] = []
    for number, words in enumerate(sentences):
        for slot, word in enumerate(words):
            rewrites += [Rewrite(number, slot, False, row) for row in respacing.apart(word)]
        for slot, pair in enumerate(pairwise(words)):
            rewrites += [Rewrite(number, slot, True, row) for row in respacing.joined(*pair)]
    return rewrites


def labelled(rewrites: Sequence[Rewrite], symbols: Symbols) -> Rewrites:
    """The rewrites as arrays, their words as labels."""
    places = np.array([row[:3] for row in rewrites], dtype=np.int64).reshape(-1, 3)
    first = symbols.ids([row.words[0] for row in rewrites]).astype(np.int64)

    second = np.full(len(rewrites), -1)
    pairs = [i for i, row in enumerate(rewrites) if len(row.words) == 2]
    second[pairs] = symbols.ids([rewrites[i].words[1] for i in pairs])
    contracted = [any(c in APOSTROPHES for c in "".join(row.words)) for row in rewrites]
    sentence, slot, joins = places.T
    return Rewrites(sentence, slot, joins > 0, first, second, np.array(contracted, dtype=bool))


def respelt(machines: Columns, slot: Ints, rewrites: Rewrites) -> tuple[Columns, Ints, Ints]:
    """Add an arc, or two and a state between them, for each rewrite.

    ``machines``: of SPELL, whose states are the places of their sentences, in order. ``slot``
    (arcs,): how many observed words come before each arc. Returns the machines, and of each arc its
    sentence's slot and its respelling.
    """
    source = machines.start[rewrites.sentence].astype(np.int64) + rewrites.slot
    target = source + np.where(rewrites.joins, 2, 1)
    is_pair = rewrites.second >= 0

    # A state between two words stands behind their source, before all that follow.
    order = np.argsort(source[is_pair], kind="stable")
    before = source[is_pair][order]
    renumbered = np.arange(machines.states) + np.searchsorted(before, np.arange(machines.states))
    middle = np.empty(len(order), dtype=np.int64)
    middle[order] = before + np.arange(len(order)) + 1

    source, target = renumbered[source], renumbered[target]
    end = target.copy()
    end[is_pair] = middle
    added = len(end) + len(middle)
    bias = machines.bias
    if len(bias):
        bias = np.append(bias, np.zeros(added))

    columns = machines._replace(
        start=renumbered[machines.start],
        final=renumbered[machines.final],
        size=machines.size + np.bincount(machines.machine[before], minlength=len(machines.size)),
        source=_joined(renumbered[machines.source], source, middle),
        next=_joined(renumbered[machines.next], end, target[is_pair]),
        word=_joined(machines.word, rewrites.first, rewrites.second[is_pair]),
        ngram=_joined(machines.ngram, np.zeros(added)),
        bias=bias,
    )

    one = np.where(rewrites.joins, Respelling.JOINED, Respelling.REPLACED)
    second = np.where(rewrites.contracted, Respelling.PIECE, Respelling.SECOND)[is_pair]
    plain = np.full(len(slot), Respelling.PLAIN)
    respelling = np.concatenate((plain, np.where(is_pair, Respelling.FIRST, one), second))
    return columns, np.concatenate((slot, rewrites.slot, rewrites.slot[is_pair])), respelling


def _joined(*columns: NDArray[Any]) -> Ints32:
    return np.concatenate(columns).astype(np.int32)
