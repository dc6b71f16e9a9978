"""Induction, an iteration at a time: the most probable alignment pattern becomes one class.

With attachment a class holds the context unit that it belongs to by its directional preference:
whether it rather begins sentences or ends them.

Only what a rewriting can change is counted anew: the slots that reach a rewritten place
are counted out before and in again after.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from fstce.errors import CorpusError, ParameterError
from fstce.induction.grammar import Grammar, InductionStep, replay, set_contexts
from fstce.induction.parameters import DIRECTED_ALIGNMENT, Options
from fstce.induction.text import CONTEXT, END, FIRST_WORD, PLAIN, START, Slots, Text, Units, packed
from fstce.numeric.types import Ints, Ints32, Sentences
from fstce.parameters.rules import check

SMOOTHING = 0.5  # Jeffreys' prior; without any, preferences may be infinite


def directional_preference(text: Text, unit: int) -> float:
    """dp(w) = MI(w, END) − MI(START, w) in nats (Brooks 2006), in the text; 0 for a boundary.

    MI is pointwise: with N tokens, MI(w, END) = log [c(w END) N / (c(w) c(END))]. As there are as
    many starts as ends, all but two counts cancel: dp(w) = log c(w END) − log c(START w), each
    count smoothed.

    Below 0 the unit rather begins a sentence, so what follows belongs to it (``the``, ``of``);
    above 0 it rather ends one (``million``, ``ago``).
    """
    if unit in (START, END):
        return 0.0
    begins = np.count_nonzero(text.unit[text.next[text.starts]] == unit)
    ends = np.count_nonzero(text.unit[text.previous[text.ends]] == unit)
    # dp(w) = log c(w END) − log c(START w)
    return math.log((ends + SMOOTHING) / (begins + SMOOTHING))


def attachment(left: int, right: int, preference: float, threshold: float = 0.0) -> int:
    """Which context unit goes into the class: the left (−1), the right (1) or neither (0).

    The sum of both contexts' preferences decides: negative attaches the left one, positive
    the right one; one that is not beyond the threshold, in nats, neither, as the paper has it.
    A boundary is never attached.
    """
    if abs(preference) <= threshold:
        return 0
    if preference < 0:
        return 0 if left in (START, END) else -1
    return 0 if right in (START, END) else 1


_NOTHING = np.zeros(0, dtype=np.int32)


# Called after every iteration, the first being 1, with its number and step; StopIteration ends the
# run.
InductionMonitor = Callable[[int, InductionStep], None]


class Induction:
    """Grammar induction by distribution and attachment (Brooks 2006), stepwise and resumable.

    One sentence is a corpus, of any length; a corpus of context words alone has no
    expressions without them, and one in which no pattern occurs ``min_count`` times ends
    the induction at once.

    ``text``: the raw text as units, each sentence between boundaries. ``contexts``: its context
    units.
    """

    def __init__(self, sentences: Sentences, options: Options | None = None) -> None:
        self.options: Options = Options.of_system("da-stop") if options is None else options
        sentences = list(sentences)
        if not any(map(len, sentences)):
            raise CorpusError("the corpus is empty; give at least one sentence with a word")
        self.units: Units = Units.of_text(sentences)
        self.text: Ints32 = packed(sentences, self.units)
        self.steps: list[InductionStep] = []
        self._learn()

    @classmethod
    def of(cls, grammar: Grammar, text: Ints32) -> Induction:
        """An induction that goes on from a grammar and the raw text that it was learned from."""
        induction = cls.__new__(cls)
        induction.options = grammar.options
        induction.units = grammar.units
        induction.text = text
        induction.steps = list(grammar.steps)
        induction._learn()
        return induction

    @property
    def grammar(self) -> Grammar:
        """The grammar learned so far."""
        return Grammar(self.units, self.options, self.contexts, tuple(self.steps))

    def run(self, iterations: int, monitor: InductionMonitor | None = None) -> str:
        """Go on for so many iterations.

        ``monitor``: called after each; may stop it by StopIteration. Returns why it
        ended. An interruption (Ctrl-C) passes through and loses only the iteration under way.
        """
        check(DIRECTED_ALIGNMENT, iterations=iterations)
        for _ in range(iterations):
            try:
                step = self.step()
            except BaseException:
                self._learn()
                raise
            if step is None:
                return "no pattern"

            try:
                if monitor is not None:
                    monitor(len(self.steps), step)
            except StopIteration:
                return "monitor"
        return "iterations"

    def step(self) -> InductionStep | None:
        """One iteration; None if no pattern is left."""
        if not self.options.alignment:
            return None
        admitted = dismissed = _NOTHING
        if self.steps and self.options.refresh:
            admitted, dismissed = self._refresh()
        left, right, count = self._table.best()
        if count < self.options.min_count:
            return None

        # P(C_left, C_right) = Σ_paths P(path) = slots of the pattern / all slots  (Eq. 2)
        probability = count / self._table.total
        preference, side = self._attachment(left, right)

        slots = self._text.places(left, right, self._table.class_of(left, right))
        slots = self._text.compatible(slots, side)
        rows = self._text.expressions(slots, side)
        expressions, counts = np.unique(rows, axis=0, return_counts=True)
        unit = self._rewrite(left, right, slots, side, expressions)

        step = InductionStep(
            left=left,
            right=right,
            unit=unit,
            attachment=side,
            probability=probability,
            preference=preference,
            admitted=admitted,
            dismissed=dismissed,
            expressions=expressions,
            counts=counts.astype(np.int32),
        )
        self.steps.append(step)
        return step

    def _learn(self) -> None:
        """The state after the steps so far, made from the raw text."""
        self._text = Text(self.text, self.options.max_length, self.options.context_expressions)
        self.contexts: Ints32 = self._most_frequent()
        set_contexts(self._text, self.contexts, self.options.boundaries)
        replay(self._text, self.steps)

        classes = [step.unit for step in self.steps]
        self._next_class = max(classes, default=self.units.first_class - 1) + 1

        self._table = PatternTable()
        self._classes = ClassIndex(self.options.overlap_threshold)
        for unit in (START, END, *self.contexts.tolist()):
            self._table.admit(unit)
        for step in self.steps:
            for unit in step.admitted.tolist():
                self._table.admit(unit)
            self._table.set_class(step.left, step.right, step.unit)
            self._classes.add(step.unit, step.expressions)
        self._table.add(self._text, self._text.slots(np.arange(len(self._text.unit))), 1)

    def _most_frequent(self) -> Ints32:
        """The context units by their share.

        The most frequent types, of equals the first by number.
        """
        counts = np.bincount(self._text.unit + 1)[1:]  # without DEAD
        counts[:FIRST_WORD] = 0
        types = np.flatnonzero(counts)
        share = int(np.ceil(len(types) * self.options.context_fraction - 1e-9))
        order = np.lexsort((types, -counts[types]))
        return np.sort(types[order[:share]]).astype(np.int32)

    def _refresh(self) -> tuple[Ints32, Ints32]:
        """Choose the context units anew; which came and which went."""
        text = self._text
        wanted = self._most_frequent()
        present = np.flatnonzero(text.kind == CONTEXT).astype(np.int32)
        admitted = np.setdiff1d(wanted, present)
        dismissed = np.setdiff1d(present, wanted)

        changed = np.concatenate((admitted, dismissed))
        if len(changed):
            marked = np.zeros(self._next_class + 1, dtype=bool)  # the last is DEAD's
            marked[changed] = True
            around = text.before(np.flatnonzero(marked[text.unit]).astype(np.int32))
            self._table.add(text, text.slots(around), -1)
            text.set_kind(admitted, CONTEXT)
            text.set_kind(dismissed, PLAIN)
            for unit in admitted.tolist():
                self._table.admit(unit)
            self._table.add(text, text.slots(around), 1)
        return admitted, dismissed

    def _attachment(self, left: int, right: int) -> tuple[float, int]:
        """The sum of both preferences, and which context unit goes into the class."""
        if self.options.attachment == "none":
            return 0.0, 0
        preference = sum(directional_preference(self._text, unit) for unit in (left, right))
        threshold = self.options.preference_threshold
        return preference, attachment(left, right, preference, threshold)

    def _rewrite(self, left: int, right: int, slots: Slots, side: int, expressions: Ints32) -> int:
        """Rewrite the slots as the pattern's class, and bring the table up to date; the class."""
        text = self._text
        table = self._table
        around = text.before(np.concatenate((slots.left, slots.last, slots.right)))
        table.add(text, text.slots(around), -1)
        unit = table.class_of(left, right)
        if unit is None:  # an overlapping class has it, or a new one
            unit = self._classes.nearest(expressions)
        if unit is None:
            unit = self._next_class
            self._next_class += 1

        table.set_class(left, right, unit)
        self._classes.add(unit, expressions)
        text.rewrite(slots, unit, side)
        table.add(text, text.slots(around), 1)
        return unit


LARGEST = 4096
_NONE = -1


class PatternTable:
    """Counts of patterns as a matrix over the units that are or were context units.

    P(C_left, C_right) = Σ_paths P(path), Brooks (2006), Eq. 2: over the distinct expressions
    between the two, a path's probability being its share of all slots of the text; so the sum is a
    count of slots. A slot whose expression is already the class of its own pattern matches the
    alignment, and is not counted.

    ``counts`` (rows, rows): slots of each pattern, matching ones left out.
    """

    def __init__(self) -> None:
        self.counts: Ints = np.zeros((64, 64), dtype=np.int64)
        self.total: int = 0
        self._class = np.full((64, 64), _NONE, dtype=np.int32)
        self._row = np.full(64, _NONE, dtype=np.int32)
        self._unit: list[int] = []

    def admit(self, unit: int) -> None:
        """Give a context unit its row."""
        if unit >= len(self._row):
            self._row = np.concatenate((self._row, np.full(unit + 1, _NONE, np.int32)))
        if self._row[unit] != _NONE:
            return
        if len(self._unit) == len(self.counts):
            self._enlarge()
        self._row[unit] = len(self._unit)
        self._unit.append(unit)

    def add(self, text: Text, slots: Slots, sign: int) -> None:
        """Count slots in (1) or out (−1)."""
        # c(left, right) ± 1 for each slot that is not its pattern's class already: places in (n, n)
        left = self._row[text.unit[slots.left]].astype(np.int64)
        right = self._row[text.unit[slots.right]].astype(np.int64)
        at = left * len(self.counts) + right

        matching = (slots.length == 1) & (text.unit[slots.first] == self._class.ravel()[at])
        at = at[~matching]
        np.add.at(self.counts.ravel(), at, sign)
        self.total += sign * len(at)

    def best(self) -> tuple[int, int, int]:
        """The most frequent pattern's units and its count.

        Of equals the first by left, then right unit.
        """
        most = int(self.counts.max())
        if not most:
            return 0, 0, 0
        equals = np.argwhere(self.counts == most)
        left, right = min((self._unit[row], self._unit[column]) for row, column in equals)
        return left, right, most

    def class_of(self, left: int, right: int) -> int | None:
        """The class that the pattern was made, or None."""
        unit = int(self._class[self._row[left], self._row[right]])
        return None if unit == _NONE else unit

    def set_class(self, left: int, right: int, unit: int) -> None:
        """Note the class of a pattern; none of its slots may be counted while it changes."""
        self._class[self._row[left], self._row[right]] = unit

    def _enlarge(self) -> None:
        size = len(self.counts)
        if 2 * size > LARGEST:
            raise ParameterError(
                f"more than {LARGEST:,} units became context units; "
                "choose a smaller context_fraction"
            )
        self.counts = np.pad(self.counts, (0, size))
        self._class = np.pad(self._class, (0, size), constant_values=_NONE)


class ClassIndex:
    """The distinct expressions of every class.

    DAcluster: a new class joins the existing class whose expressions overlap most with its own: of
    two sets A, B by |A ∩ B| over min(|A|, |B|). Later patterns are rarer, so their sets are
    smaller: no other measure can then be large.

    ``threshold``: the least overlap; None joins nothing.
    """

    def __init__(self, threshold: float | None) -> None:
        self._threshold = threshold
        self._classes: dict[int, set[bytes]] = {}

    def nearest(self, expressions: Ints32) -> int | None:
        """The class with the largest overlap, if it reaches the threshold; of equals the oldest.

        ``expressions`` (distinct, units): the new class's distinct expressions.
        """
        if self._threshold is None:
            return None

        new = {row.tobytes() for row in expressions}
        overlap_of_class = {
            unit: len(new & old) / min(len(new), len(old))
            for unit, old in sorted(self._classes.items())
        }
        nearest = max(overlap_of_class, key=overlap_of_class.__getitem__, default=0)
        return nearest if overlap_of_class.get(nearest, 0) >= self._threshold else None

    def add(self, unit: int, expressions: Ints32) -> None:
        """Note the distinct expressions that a class was given."""
        if self._threshold is not None:
            self._classes.setdefault(unit, set()).update(row.tobytes() for row in expressions)
