"""A learned grammar: its rewriting steps in the order learned, and what they come to as rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from fstce.induction.options import Options
from fstce.induction.text import Units
from fstce.numeric.types import Ints32


@dataclass(frozen=True)
class InductionStep:
    """One iteration: which pattern was rewritten as which class.

    ``left``, ``right``: the context units of the alignment pattern. ``attachment``: −1 if the left context
    unit went into the class, 1 the right, 0 neither. ``probability``: P(C_left, C_right), Eq. 2.
    ``preference``: the sum of both contexts' directional preferences (nats); 0 without attachment.
    ``admitted``, ``dismissed``: the units that became, and that ceased to be, context units just before.
    ``expressions`` (distinct, max_length + 1): the unit sequences rewritten, contexts included where
    attached, −1 behind the last unit. ``counts`` (distinct,): how often each was.
    """

    left: int
    right: int
    unit: int
    attachment: int
    probability: float
    preference: float
    admitted: Ints32
    dismissed: Ints32
    expressions: Ints32
    counts: Ints32

    @property
    def places(self) -> int:
        """How many places of the text were rewritten."""
        return int(self.counts.sum())


@dataclass(frozen=True)
class ClassRule:
    """A class as people read it: where it was found, and what it may be.

    ``name``: ``C12``. ``contexts``: its alignment patterns in the order found; brackets hold what became the
    class: ``[the _] of`` where ``the`` was attached. ``expressions``: each distinct sequence of words and
    classes, its count, and its share of the class; the most frequent first.
    """

    name: str
    contexts: tuple[str, ...]
    expressions: tuple[tuple[tuple[str, ...], int, float], ...]

    def __str__(self) -> str:
        """The rule on one line, with counts."""
        choices = " | ".join(f"{' '.join(words)} {count}" for words, count, _ in self.expressions)
        return f"{self.name} → {choices}    in {', '.join(self.contexts)}"


@dataclass(frozen=True)
class Grammar:
    """What an induction has learned; :mod:`~fstce.induction.replay` applies it to new text.

    ``contexts``: the context units of the raw text. ``top``: for each unit outside all classes, in the text
    as it was left: how often it stands before another unit, and how often last in its sentence.
    """

    units: Units
    options: Options
    contexts: Ints32
    steps: tuple[InductionStep, ...] = ()
    top: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes' names in the order learned."""
        return tuple(self.units.name(unit) for unit in dict.fromkeys(step.unit for step in self.steps))

    def rules(self) -> Iterator[ClassRule]:
        """The classes as rules, in the order learned."""
        return (self._rule(unit, steps) for unit, steps in self.steps_by_class().items())

    def steps_by_class(self) -> dict[int, list[InductionStep]]:
        """The steps of each class, by its number, in the order learned."""
        steps: dict[int, list[InductionStep]] = {}
        for step in self.steps:
            steps.setdefault(step.unit, []).append(step)
        return steps

    def _rule(self, unit: int, steps: list[InductionStep]) -> ClassRule:
        rows, which = np.unique(
            np.concatenate([step.expressions for step in steps]), axis=0, return_inverse=True
        )
        counts = np.bincount(which.ravel(), np.concatenate([step.counts for step in steps])).astype(int)
        names = [tuple(self.units.name(part) for part in row if part >= 0) for row in rows.tolist()]
        ordered = sorted(zip(names, counts.tolist(), strict=True), key=lambda item: (-item[1], item[0]))
        total = int(counts.sum())
        contexts = tuple(dict.fromkeys(map(self.pattern, steps)))
        shares = tuple((words, count, count / total) for words, count in ordered)
        return ClassRule(self.units.name(unit), contexts, shares)

    def pattern(self, step: InductionStep) -> str:
        """The pattern of a step, brackets around what becomes the class: ``[the _] of``."""
        left, right = self.units.name(step.left), self.units.name(step.right)
        patterns = (f"{left} [_] {right}", f"{left} [_ {right}]", f"[{left} _] {right}")
        return patterns[step.attachment]

    def __str__(self) -> str:
        """One rule a line."""
        return "\n".join(map(str, self.rules()))

    def __repr__(self) -> str:
        return f"<Grammar: {len(self.classes):,} classes of {len(self.steps):,} patterns, print shows them>"
