"""The text as one array of units that shrinks as the slots of patterns are rewritten.

A token keeps the position of its first word for ever. A rewritten expression lives on at
its first position and the other positions die; links to the next and the previous living
token skip them. So an iteration touches only what it rewrites.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.errors import CorpusError
from fstce.numeric.types import Bools, Ints32, Sentences

START, END, UNKNOWN = 0, 1, 2
BOUNDARIES = ("<s>", "</s>", "<unk>")
FIRST_WORD = len(BOUNDARIES)


class Units:
    """The words of a text as numbers, the most frequent first, and the classes behind them.

    Words are in lower case: ``The`` at a start would say nothing of ``the`` otherwise.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words: tuple[str, ...] = tuple(words)
        self._number = {word: number for number, word in enumerate(self.words, FIRST_WORD)}

    @classmethod
    def of_text(cls, sentences: Sentences) -> Units:
        """The words of a text; equally frequent ones in the order of their spelling."""
        counts = Counter(word.lower() for sentence in sentences for word in sentence)
        return cls(sorted(counts, key=lambda word: (-counts[word], word)))

    @property
    def first_class(self) -> int:
        """The number of class C1."""
        return FIRST_WORD + len(self.words)

    def numbers(self, words: Iterable[str]) -> Ints32:
        """The number of each word, :data:`UNKNOWN` for one outside the text."""
        return np.array([self._number.get(word.lower(), UNKNOWN) for word in words], dtype=np.int32)

    def name(self, unit: int) -> str:
        """A boundary, a word, or a class as ``C1``."""
        if unit < FIRST_WORD:
            return BOUNDARIES[unit]
        if unit < self.first_class:
            return self.words[unit - FIRST_WORD]
        return f"C{unit - self.first_class + 1}"


class Slots(NamedTuple):
    """Places of alignment patterns, each by the positions of its tokens; arrays of one length.

    ``left``, ``first``, ``last``, ``right``: the left context unit, the first and the last token of
    the expression, the right context unit.
    """

    left: Ints32
    first: Ints32
    last: Ints32
    right: Ints32
    length: Ints32

    def where(self, chosen: Bools | NDArray[np.intp]) -> Slots:
        """The chosen slots."""
        return Slots(*(column[chosen] for column in self))


def joined(parts: list[Slots]) -> Slots:
    """Several collections as one, by position and then by length."""
    slots = Slots(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    return slots.where(np.lexsort((slots.length, slots.left)))


def leftmost(slots: Slots, used_until: Ints32) -> Bools:
    """Which slots remain when they are rewritten from left to right, their contexts untouched.

    A slot stays if its left context unit lies behind all that the slots before it use.

    ``slots``: by position and then by length, so that the shorter of two expressions goes first.
    ``used_until``: the position behind the last token that each rewriting makes its own.
    """
    # next_slot[i]: the first slot whose left unit lies behind what slot i uses
    next_slot = np.searchsorted(slots.left, used_until).tolist()
    chosen = []
    at = 0
    while at < len(next_slot):
        chosen.append(at)
        at = next_slot[at]

    stays = np.zeros(len(next_slot), dtype=bool)
    stays[chosen] = True
    return stays


DEAD = -1
PLAIN, CONTEXT, OPENER, CLOSER, BARRIER = range(5)


class Text:
    """Sentences of units between boundaries, rewritten in place.

    ``units`` (positions,): all sentences end to end, each from :data:`START` to :data:`END`.
    ``context_expressions``: whether a run of context units may be an expression. ``unit``: the unit
    at each position, :data:`DEAD` where a token has gone into a class. ``next``, ``previous``,
    ``end``: the positions of the living neighbors, and where the words of a token end. ``kind``:
    PLAIN, CONTEXT, a boundary that may open or close a slot, or BARRIER to all slots.
    """

    def __init__(self, units: Ints32, max_length: int, context_expressions: bool = True) -> None:
        self.unit: Ints32 = units.copy()
        self.max_length = max_length
        self.context_expressions = context_expressions

        self.starts: Ints32 = np.flatnonzero(units == START).astype(np.int32)
        self.ends: Ints32 = np.flatnonzero(units == END).astype(np.int32)
        self.next: Ints32 = np.arange(1, len(units) + 1, dtype=np.int32)
        self.previous: Ints32 = np.arange(-1, len(units) - 1, dtype=np.int32)
        # Walking back stays within the sentence.
        self.previous[self.starts] = self.starts
        self.end: Ints32 = self.next.copy()

        self.kind: NDArray[np.int8] = np.zeros(int(units.max(initial=END)) + 1, dtype=np.int8)
        self.kind[[START, END]] = BARRIER

    def set_kind(self, units: Ints32 | list[int], kind: int) -> None:
        """Say what units are; others stay as they are, and are plain at first."""
        self.make_room(int(np.max(units, initial=-1)) + 1)
        self.kind[units] = kind

    def make_room(self, size: int) -> None:
        """Expect units below `size`."""
        if size > len(self.kind):
            self.kind = np.concatenate((self.kind, np.zeros(size, np.int8)))

    def slots(self, openers: NDArray[np.integer]) -> Slots:
        """All slots that open at these positions, by position and then by length."""
        unit = self.unit[openers]
        opener_kind = self.kind[unit]
        opens = (unit != DEAD) & ((opener_kind == CONTEXT) | (opener_kind == OPENER))
        opened = openers[opens].astype(np.int32)

        # An expression is a run of units of one kind.
        at = self.next[opened]
        run_kind = self.kind[self.unit[at]]
        is_run = (run_kind == PLAIN) | ((run_kind == CONTEXT) & self.context_expressions)
        opened = opened[is_run]
        at = at[is_run]
        run_kind = run_kind[is_run]

        slots = []
        for length in range(1, self.max_length + 1):
            # ⟨left [u₁ … u_n] right⟩, n = length: closed where a context follows, else it may grow
            behind = self.next[at]
            next_kind = self.kind[self.unit[behind]]
            closed = (next_kind == CONTEXT) | (next_kind == CLOSER)
            opening = opened[closed]
            lengths = np.full(len(opening), length, np.int32)
            starts = self.next[opening]
            slots.append(Slots(opening, starts, at[closed], behind[closed], lengths))

            grows = next_kind == run_kind
            opened = opened[grows]
            at = behind[grows]
            run_kind = run_kind[grows]
        return joined(slots)

    def places(self, left: int, right: int, class_of_pattern: int | None) -> Slots:
        """All slots of the pattern ⟨left [ ] right⟩ but those that hold only its class."""
        slots = self.slots(np.flatnonzero(self.unit == left))
        is_pattern = self.unit[slots.right] == right
        if class_of_pattern is not None:
            is_pattern &= (slots.length > 1) | (self.unit[slots.first] != class_of_pattern)
        return slots.where(is_pattern)

    def compatible(self, slots: Slots, attachment: int) -> Slots:
        """The slots of a pattern that can all be rewritten, taken from left to right."""
        return slots.where(leftmost(slots, self.end[self._last(slots, attachment)]))

    def before(self, positions: Ints32) -> Ints32:
        """Every living token from which a slot may reach these positions, each once, in order."""
        marked = np.zeros(len(self.unit), dtype=bool)
        at = positions
        marked[at] = True
        for _ in range(self.max_length + 1):
            at = self.previous[at]
            marked[at] = True
        return np.flatnonzero(marked).astype(np.int32)

    def expressions(self, slots: Slots, attachment: int) -> Ints32:
        """The units that would be rewritten, a row a slot, :data:`DEAD` behind the last."""
        rows = np.full((len(slots.left), self.max_length + 1), DEAD, dtype=np.int32)
        row = np.arange(len(rows))
        at = self._first(slots, attachment)
        stop = self._last(slots, attachment)
        for column in range(self.max_length + 1):
            rows[row, column] = self.unit[at]
            grows = at != stop
            row, at, stop = row[grows], self.next[at[grows]], stop[grows]
        return rows

    def rewrite(self, slots: Slots, unit: int, attachment: int) -> Ints32:
        """Make one token of each expression, with its left (−1), right (1) or no (0) context unit.

        Returns the positions of the new tokens.
        """
        self.make_room(unit + 1)
        start = self._first(slots, attachment)
        end = self._last(slots, attachment)

        at, stop = start, end
        while len(at):
            self.unit[at] = DEAD
            grows = at != stop
            at, stop = self.next[at[grows]], stop[grows]

        after = self.next[end]
        self.end[start] = self.end[end]
        self.unit[start] = unit
        self.next[start] = after
        self.previous[after] = start
        return start

    @staticmethod
    def _first(slots: Slots, attachment: int) -> Ints32:
        """The first tokens of what is rewritten."""
        return slots.left if attachment < 0 else slots.first

    @staticmethod
    def _last(slots: Slots, attachment: int) -> Ints32:
        """The last tokens of what is rewritten."""
        return slots.right if attachment > 0 else slots.last


def packed(sentences: Sentences, units: Units) -> Ints32:
    """Sentences as units end to end, each between :data:`START` and :data:`END`."""
    pieces: list[Ints32] = []
    start = np.array([START], np.int32)
    end = np.array([END], np.int32)
    for number, sentence in enumerate(sentences, start=1):
        if isinstance(sentence, str):
            raise CorpusError(
                f"sentence {number} is the string {sentence!r:.40}; give a list of words"
            )
        pieces += (start, units.numbers(sentence), end)
    if not pieces:
        raise CorpusError("the corpus is empty; give at least one sentence")
    return np.concatenate(pieces)
