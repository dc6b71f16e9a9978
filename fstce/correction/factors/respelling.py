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

from fstce.correction.mistakes.respacing import APOSTROPHES, Respacing
from fstce.machines.symbols import Symbols
from fstce.numeric.kernels import ranges
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


RESPELLINGS = tuple(Respelling)
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


def respelt(
    machines: Columns, slot: Ints, observed: Bools, rewrites: Rewrites
) -> tuple[Columns, Ints, Ints]:
    """Add the arcs of rewrites besides those of the observed words that they stand for.

    ``machines``: of sentences, their states in topological order. ``slot`` (arcs,): how many
    observed words come before each arc. ``observed`` (arcs,): which arcs are the observed words
    themselves, at most one out of each state. Returns the machines, and of each arc its sentence's
    slot and its respelling.
    """
    from_arc, row = _places(machines, slot, observed, rewrites)
    target = machines.next[from_arc].astype(np.int64)

    # What joins two words ends where the observed word behind the first does.
    arc_behind = np.full(machines.states, -1)
    arc_behind[machines.source[observed]] = np.flatnonzero(observed)
    following = arc_behind[target]
    joins = rewrites.joins[row]
    is_next = (following >= 0) & (slot[following] == rewrites.slot[row] + 1)
    target = np.where(joins, machines.next[following], target)

    kept = ~joins | is_next
    source = machines.source[from_arc].astype(np.int64)[kept]
    return _with_arcs(machines, slot, source, target[kept], _take(rewrites, row[kept]))


def _take(rewrites: Rewrites, row: Ints) -> Rewrites:
    return Rewrites._make(column[row] for column in rewrites)


def _places(
    machines: Columns, slot: Ints, observed: Bools, rewrites: Rewrites
) -> tuple[Ints, Ints]:
    """Arcs of observed words and rewrites that begin in the same slot of the same sentence."""
    width = int(max(slot.max(initial=0), rewrites.slot.max(initial=0))) + 1
    arcs = np.flatnonzero(observed)
    key = machines.machine[machines.source[arcs]] * width + slot[arcs]
    order = np.argsort(key, kind="stable")
    arcs, key = arcs[order], key[order]

    wanted = rewrites.sentence * width + rewrites.slot
    low, high = np.searchsorted(key, wanted), np.searchsorted(key, wanted, "right")
    return arcs[ranges(low, high - low)], np.repeat(np.arange(len(wanted)), high - low)


def _with_arcs(
    machines: Columns, slot: Ints, source: Ints, target: Ints, rewrites: Rewrites
) -> tuple[Columns, Ints, Ints]:
    """The machines with an arc, or two and a state between them, for each rewrite."""
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
