"""How often each alignment pattern ⟨C_left [ ] C_right⟩ occurs, kept up to date as the text is rewritten.

P(C_left, C_right) = Σ_paths P(path), Brooks (2006), Eq. 2: the sum over the distinct
expressions between the two, a path's probability being its share of all slots of the
text; the sum is therefore a count of slots. A slot whose expression is already the class of
its own pattern is a path that matches the current alignment, and is not counted.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from fstce.errors import ParameterError
from fstce.induction.options import Options
from fstce.induction.text import Slots, Text
from fstce.numeric.types import Bools, Ints, Ints32

LARGEST = 4096
_NONE = -1


class PatternTable:
    """Counts of patterns as a matrix over the units that are or were context units.

    ``counts`` (rows, rows): slots of each pattern, matching ones left out.
    """

    def __init__(self) -> None:
        self.counts = np.zeros((64, 64), dtype=np.int64)
        self.total = 0
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
        # c(left, right) ± 1 for each slot that is not its pattern's class already: (slots,) places in (n, n)
        at = self._at(text, slots)
        at = at[~self._matching(text, slots, at)]
        np.add.at(self.counts.ravel(), at, sign)
        self.total += sign * len(at)

    def best(self) -> tuple[int, int, int]:
        """The most frequent pattern's units and its count; of equals the first by left, then right unit."""
        most = int(self.counts.max())
        if not most:
            return 0, 0, 0
        equals = np.argwhere(self.counts == most)
        left, right = min((self._unit[row], self._unit[column]) for row, column in equals)
        return left, right, most

    def class_of(self, left: int, right: int) -> int | None:
        """The class that the pattern was made, or None."""
        found = int(self._class[self._row[left], self._row[right]])
        return None if found == _NONE else found

    def set_class(self, left: int, right: int, unit: int) -> None:
        """Note the class of a pattern; none of its slots may be counted while it changes."""
        self._class[self._row[left], self._row[right]] = unit

    def _matching(self, text: Text, slots: Slots, at: Ints) -> Bools:
        """Which slots hold nothing but the class of their own pattern."""
        return (slots.length == 1) & (text.unit[slots.first] == self._class.ravel()[at])

    def _at(self, text: Text, slots: Slots) -> Ints:
        left, right = (self._row[text.unit[tokens]].astype(np.int64) for tokens in (slots.left, slots.right))
        return left * len(self.counts) + right

    def _enlarge(self) -> None:
        size = len(self.counts)
        if 2 * size > LARGEST:
            raise ParameterError(
                f"more than {LARGEST:,} units became context units; choose a smaller context_fraction"
            )
        self.counts = np.pad(self.counts, (0, size))
        self._class = np.pad(self._class, (0, size), constant_values=_NONE)


class ClassIndex:
    """The distinct expressions of every class, and which classes hold an expression.

    DAcluster: a new class joins the existing class whose expressions overlap most with its own.

    ``options``: measure and threshold of the overlap.
    """

    def __init__(self, options: Options) -> None:
        self._measure, self._threshold = options.overlap, options.overlap_threshold
        self._classes: dict[bytes, list[int]] = {}
        self._sizes: Counter[int] = Counter()

    def nearest(self, expressions: Ints32) -> int | None:
        """The class with the largest overlap, if it reaches the threshold; of equals the oldest.

        ``expressions`` (distinct, units): the new class's distinct expressions.
        """
        if self._threshold is None:
            return None
        shared: Counter[int] = Counter()
        for row in expressions:
            shared.update(self._classes.get(row.tobytes(), ()))
        overlaps = [(-self._overlap(n, len(expressions), self._sizes[c]), c) for c, n in shared.items()]
        best, unit = min(overlaps, default=(0.0, 0))
        return unit if -best >= self._threshold else None

    def add(self, unit: int, expressions: Ints32) -> None:
        """Note the distinct expressions that a class was given."""
        if self._threshold is None:
            return
        for row in expressions:
            classes = self._classes.setdefault(row.tobytes(), [])
            if unit not in classes:
                classes.append(unit)
                self._sizes[unit] += 1

    def _overlap(self, shared: int, new: int, old: int) -> float:
        if self._measure == "containment":
            return shared / min(new, old)
        return shared / (new + old - shared) if self._measure == "jaccard" else 2 * shared / (new + old)
