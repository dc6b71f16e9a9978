"""Split and joined words as arcs: what one observed word, or two side by side, may have been.

They stand in the machines of a batch besides the candidates of the observed words, each with what
it is next to these: a :class:`Respelling`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import chain
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
    MOVED = 2  # one of two words in the place of two, their white space misplaced
    JOINED = 3  # a word in the place of two
    FIRST = 4  # the first of two words in the place of one
    SECOND = 5  # the second of them
    PIECE = 6  # likewise, of a contraction that was written without its apostrophe

    @property
    def is_wide(self) -> bool:
        """Whether it changes together with the observed word behind its own."""
        return self in (Respelling.MOVED, Respelling.JOINED)


RESPELLINGS = tuple(Respelling)
# By respelling: of how many observed words an arc takes the place, and what it says in two columns.
SHARE = np.array([1.0, 1.0, 1.0, 2.0, 0.5, 0.5, 0.5])
OF_SPACES = np.array([0.0, 0.0, -0.8, -1.0, 0.0, -1.0, 0.0])
OF_APOSTROPHES = np.array([0.0, -1.0, 0.0, 0.0, 0.0, 0.0, -1.0])


class Rewrite(NamedTuple):
    """Words that may have been intended by `span` observed ones, from a slot of a sentence on."""

    sentence: int
    slot: int
    span: int
    words: tuple[str, ...]


class Rewrites(NamedTuple):
    """R rewrites as arrays, each of shape (R,).

    ``second``: −1 where there is no second word. ``contracted``: whether the words have an
    apostrophe.
    """

    sentence: Ints
    slot: Ints
    span: Ints
    first: Ints
    second: Ints
    contracted: Bools


def rewrites_in(respacing: Respacing, sentences: Rows) -> list[Rewrite]:
    """All rewrites of observed sentences without marks."""
    distinct = dict.fromkeys(chain.from_iterable(sentences))
    rows_of_word = {word: respacing.of((word,)) for word in distinct}
    rewrites: list[Rewrite] = []

    for number, words in enumerate(sentences):
        for slot, word in enumerate(words):
            rewrites += [Rewrite(number, slot, 1, row) for row in rows_of_word[word]]
            pair = tuple(words[slot : slot + 2])
            if len(pair) == 2 and respacing.may_be_one(*pair):
                rewrites += [Rewrite(number, slot, 2, row) for row in respacing.of(pair)]

    return rewrites


def labelled(rewrites: Sequence[Rewrite], symbols: Symbols) -> Rewrites:
    """The rewrites as arrays, their words as labels."""
    places = np.array([row[:3] for row in rewrites], dtype=np.int64).reshape(-1, 3)
    first = symbols.ids([row.words[0] for row in rewrites]).astype(np.int64)

    second = np.full(len(rewrites), -1)
    pairs = [i for i, row in enumerate(rewrites) if len(row.words) == 2]
    second[pairs] = symbols.ids([rewrites[i].words[1] for i in pairs])
    contracted = [any(c in APOSTROPHES for c in "".join(row.words)) for row in rewrites]
    sentence, slot, span = places.T
    return Rewrites(sentence, slot, span, first, second, np.array(contracted, dtype=bool))


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

    # A rewrite of two words ends where the observed word behind the first does.
    arc_behind = np.full(machines.states, -1)
    arc_behind[machines.source[observed]] = np.flatnonzero(observed)
    following = arc_behind[target]
    wide = rewrites.span[row] == 2
    is_next = (following >= 0) & (slot[following] == rewrites.slot[row] + 1)
    target = np.where(wide, machines.next[following], target)

    kept = ~wide | is_next
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
    wide = rewrites.span == 2

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

    alone = np.where(wide, Respelling.JOINED, Respelling.REPLACED)
    of_pair = np.where(wide, Respelling.MOVED, Respelling.FIRST)
    of_second = np.where(rewrites.contracted, Respelling.PIECE, Respelling.SECOND)
    behind = np.where(wide, Respelling.MOVED, of_second)[is_pair]
    plain = np.full(len(slot), Respelling.PLAIN)
    respelling = np.concatenate((plain, np.where(is_pair, of_pair, alone), behind))

    slots = np.concatenate((slot, rewrites.slot, (rewrites.slot + wide)[is_pair]))
    return columns, slots, respelling


def _joined(*columns: NDArray[Any]) -> Ints32:
    return np.concatenate(columns).astype(np.int32)
