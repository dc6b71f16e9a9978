"""Split and joined words as arcs: the machines of a batch with what several observed words may have been.

A *code* says what an arc is next to the observed words:

============  ==================================================================
``PLAIN``     a word in the place of one observed word, or a mark
``JOINED``    a word in the place of two
``FIRST``     the first of two words in the place of one
``SECOND``    the second of them
``PIECE``     the same, of a contraction that was written without its apostrophe
``REPLACED``  a word in the place of one, that differs by its apostrophe
``MOVED``     one of two words in the place of two, the white space misplaced
============  ==================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.correction.mistakes.respacing import APOSTROPHES, Respacing
from fstce.machines.symbols import Symbols
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Bools, Ints, Ints32
from fstce.wfsa.batch import Columns

PLAIN, JOINED, FIRST, SECOND, REPLACED, MOVED, PIECE = range(7)
# What each says in the columns ``spaces``, ``joins`` and ``apostrophes``: two words cost the n-grams one
# factor more than one word does, so that a word that is taken apart is no word that is joined.
RESPELT = np.array(
    [
        [0.0, 0.0, -1.0, 0.0, 0.0, -0.4, 1.0],
        [0.0, -1.0, 0.0, 0.0, 0.0, -0.4, 0.0],
        [0.0, 0.0, 0.0, 0.0, -1.0, 0.0, -1.0],
    ]
)
SHARE = np.array([1.0, 2.0, 0.5, 0.5, 1.0, 1.0, 0.5])  # of observed words that it stands for


class Respellings(NamedTuple):
    """What stands for observed words in another number, R of them.

    ``sentence``, ``slot`` (R,): where it begins. ``span`` (R,): how many observed words it is for: 1 or 2.
    ``first``, ``second`` (R,): the words as labels; −1 where there is no second. ``contracted`` (R,): whether
    they differ by an apostrophe.
    """

    sentence: Ints
    slot: Ints
    span: Ints
    first: Ints
    second: Ints
    contracted: Bools


def found_in(
    respacing: Respacing, sentences: Sequence[Sequence[str]]
) -> list[tuple[int, int, int, tuple[str, ...]]]:
    """All respellings of observed sentences without marks: sentence, slot, span, words."""
    rows = []
    alone = {word: respacing.of((word,)) for word in dict.fromkeys(chain.from_iterable(sentences))}
    for number, words in enumerate(sentences):
        for slot, word in enumerate(words):
            rows += [(number, slot, 1, found) for found in alone[word]]
            if slot + 1 < len(words) and respacing.may_be_one(word, words[slot + 1]):
                rows += [
                    (number, slot, 2, found) for found in respacing.of((word, words[slot + 1]))
                ]
    return rows


def labelled(
    rows: Sequence[tuple[int, int, int, tuple[str, ...]]], symbols: Symbols
) -> Respellings:
    """The rows of :func:`found_in` with their words as labels."""
    first = symbols.ids([row[3][0] for row in rows]).astype(np.int64)
    second = np.full(len(rows), -1)
    two = [i for i, row in enumerate(rows) if len(row[3]) == 2]
    second[two] = symbols.ids([rows[i][3][1] for i in two])
    places = np.array([row[:3] for row in rows], dtype=np.int64).reshape(len(rows), 3)
    contracted = [any(c in APOSTROPHES for word in row[3] for c in word) for row in rows]
    sentence, slot, span = places.T
    return Respellings(sentence, slot, span, first, second, np.array(contracted, dtype=bool))


def respelt(
    machines: Columns, slot: Ints, own: Bools, found: Respellings
) -> tuple[Columns, Ints, Ints]:
    """Add the arcs of respellings besides those of the observed words that they stand for.

    ``machines``: of sentences, their states in topological order. ``slot`` (arcs,): how many observed words
    come before each arc. ``own`` (arcs,): which arcs are the observed words themselves, at most one out of
    each state. Returns the machines, and of each arc its sentence's slot and its code.
    """
    from_arc, row = _places(machines, slot, own, found)
    source, target = (
        machines.source[from_arc].astype(np.int64),
        machines.next[from_arc].astype(np.int64),
    )
    two_words = found.span[row] == 2
    behind = np.full(machines.states, -1)
    behind[machines.source[own]] = np.flatnonzero(own)
    following = behind[target]
    goes_on = ~two_words | ((following >= 0) & (slot[following] == found.slot[row] + 1))
    source, row, two_words = source[goes_on], row[goes_on], two_words[goes_on]
    target = np.where(two_words, machines.next[following[goes_on]], target[goes_on])
    return _with_arcs(machines, slot, source, target, row, found)


def _places(machines: Columns, slot: Ints, own: Bools, found: Respellings) -> tuple[Ints, Ints]:
    """Own arcs and respellings that begin in the same slot of the same sentence."""
    width = int(max(slot.max(initial=0), found.slot.max(initial=0))) + 1
    arcs = np.flatnonzero(own)
    arcs = arcs[
        np.argsort(machines.machine[machines.source[arcs]] * width + slot[arcs], kind="stable")
    ]
    keys = machines.machine[machines.source[arcs]] * width + slot[arcs]
    wanted = found.sentence * width + found.slot
    low, high = np.searchsorted(keys, wanted), np.searchsorted(keys, wanted, "right")
    return arcs[ranges(low, high - low)], np.repeat(np.arange(len(wanted)), high - low)


def _with_arcs(
    machines: Columns, slot: Ints, source: Ints, target: Ints, row: Ints, found: Respellings
) -> tuple[Columns, Ints, Ints]:
    """The machines with an arc, or two and a state between them, for each row."""
    pair = found.second[row] >= 0
    order = np.argsort(source[pair], kind="stable")
    before = source[pair][order]
    renumbered = np.arange(machines.states) + np.searchsorted(before, np.arange(machines.states))
    middle = np.empty(len(order), dtype=np.int64)
    middle[order] = before + np.arange(len(order)) + 1  # behind its source, before all that follow
    source, target = renumbered[source], renumbered[target]
    end = target.copy()
    end[pair] = middle
    wide = found.span[row] == 2
    code = np.where(pair, np.where(wide, MOVED, FIRST), np.where(wide, JOINED, REPLACED))
    size = machines.size + np.bincount(machines.machine[before], minlength=len(machines.size))
    place = found.slot[row]
    columns = machines._replace(
        start=renumbered[machines.start],
        final=renumbered[machines.final],
        size=size,
        source=_joined(renumbered[machines.source], source, middle),
        next=_joined(renumbered[machines.next], end, target[pair]),
        word=_joined(machines.word, found.first[row], found.second[row][pair]),
        ngram=_joined(machines.ngram, np.zeros(len(row)), np.zeros(len(middle))),
        bias=np.append(machines.bias, np.zeros(len(row) + len(middle)))
        if len(machines.bias)
        else machines.bias,
    )
    plain = np.full(len(slot), PLAIN)
    behind = np.where(wide, MOVED, np.where(found.contracted[row], PIECE, SECOND))[pair]
    codes = np.concatenate((plain, code, behind))
    return columns, np.concatenate((slot, place, place[pair] + wide[pair])), codes


def _joined(*columns: NDArray[Any]) -> Ints32:
    return np.concatenate(columns).astype(np.int32)
