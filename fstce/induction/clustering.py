"""DAcluster: a new class joins the existing class whose expressions overlap most with its own."""

from __future__ import annotations

from collections import Counter

from fstce.induction.options import Options
from fstce.numeric.types import Ints32


class ClassIndex:
    """The distinct expressions of every class, and which classes hold an expression.

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
