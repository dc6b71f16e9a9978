"""A learned grammar: its rewriting steps in the order learned, and what they come to as rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fstce.corpora.trees import Tree
from fstce.induction.parameters import Options
from fstce.induction.text import BARRIER, CLOSER, CONTEXT, END, OPENER, PLAIN, START, Text, Units, packed
from fstce.numeric.types import Bools, Ints32


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
    """What an induction has learned; :func:`bracket` applies it to new text.

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
        steps: dict[int, list[InductionStep]] = {}
        for step in self.steps:
            steps.setdefault(step.unit, []).append(step)
        return (self._rule(unit, of_class) for unit, of_class in steps.items())

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


WORD = "W"


@dataclass(frozen=True)
class Bracketing:
    """The constituents of some sentences; outer before inner, sentence after sentence.

    ``sentence``, ``start``, ``end`` (brackets,): the sentence (from 0), and the words from `start` to before
    `end`. ``which`` (brackets,): each bracket's place in `label`.
    """

    sentence: Ints32
    start: Ints32
    end: Ints32
    label: tuple[str, ...]
    which: Ints32

    @classmethod
    def of_positions(
        cls, text: Text, start: Ints32, end: Ints32, label: Sequence[str], which: Ints32
    ) -> Bracketing:
        """From positions in a text, in the order in which they were made: inner before outer."""
        order = np.lexsort((-np.arange(len(start)), -end, start))
        start, end = start[order], end[order]
        sentence = np.searchsorted(text.starts, start, side="right").astype(np.int32) - np.int32(1)
        first = text.starts[sentence] + np.int32(1)
        return cls(sentence, start - first, end - first, tuple(label), which[order])

    def __len__(self) -> int:
        """How many there are."""
        return len(self.sentence)

    def where(self, chosen: Bools) -> Bracketing:
        """The chosen ones."""
        spans = (self.sentence[chosen], self.start[chosen], self.end[chosen])
        return Bracketing(*spans, self.label, self.which[chosen])

    def distinct(self) -> Bracketing:
        """One bracket a span, with the first class that it was given; a later one only renames it."""
        spans = np.stack((self.sentence, self.start, self.end))
        repeated = np.zeros(len(self), dtype=bool)
        repeated[:-1] = (spans[:, 1:] == spans[:, :-1]).all(axis=0)
        return self.where(~repeated)

    def longer(self) -> Bracketing:
        """Those of two words or more."""
        return self.where(self.end - self.start > 1)

    def trees(self, sentences: Sequence[Sequence[str]], top: str) -> list[Tree]:
        """A tree a sentence: the brackets under a root with the label `top`, words under ``W``."""
        bounds = np.searchsorted(self.sentence, np.arange(len(sentences) + 1))
        start, end = self.start.tolist(), self.end.tolist()
        names = [self.label[which] for which in self.which.tolist()]
        return [
            _tree(words, list(zip(start[a:b], end[a:b], names[a:b], strict=True)), top)
            for words, a, b in zip(sentences, bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
        ]


def _tree(words: Sequence[str], brackets: list[tuple[int, int, str]], top: str) -> Tree:
    """The tree of one sentence; without recursion, so brackets may nest as deep as they like."""
    opened: list[tuple[str, int, list[Tree | str]]] = [(top, len(words), [])]
    remaining = brackets[::-1]
    for position, word in enumerate(words):
        while remaining and remaining[-1][0] == position:
            _, end, label = remaining.pop()
            opened.append((label, end, []))
        opened[-1][2].append(Tree(WORD, (word,)))
        while len(opened) > 1 and opened[-1][1] == position + 1:
            label, _, children = opened.pop()
            opened[-1][2].append(Tree(label, tuple(children)))
    return Tree(top, tuple(opened[0][2]))


BETWEEN = "C"


def bracket(grammar: Grammar, sentences: Sequence[Sequence[str]], *, flat: bool = False) -> Bracketing:
    """The constituents that a grammar finds.

    ``flat``: only the first layer: runs of words without context units, between context units that are words
    or boundaries. This is the part that is a finite-state machine (:func:`fstce.induction.chunker.chunker`).
    Returns all of them: a span may have several, and a word its own.
    """
    raw = packed(sentences, grammar.units)
    text = Text(raw, grammar.options.max_length, grammar.options.context_expressions and not flat)
    set_contexts(text, grammar.contexts, grammar.options.boundaries)
    if not grammar.options.alignment:
        return _between(text)
    steps = flat_steps(grammar) if flat else grammar.steps
    if flat:
        text.set_kind([step.unit for step in steps], BARRIER)
    starts, ends, units = replay(text, steps)
    made, which = np.unique(units, return_inverse=True)
    names = [grammar.units.name(unit) for unit in made.tolist()]
    return Bracketing.of_positions(text, starts, ends, names, which.astype(np.int32))


def parse(grammar: Grammar, sentences: Sequence[Sequence[str]]) -> list[Tree]:
    """The trees that a grammar gives sentences, one bracket a span; words stand under ``W``.

    ``Options.single_words`` and ``Options.top`` say whether a single word may be a
    constituent, and how the root is called.
    """
    found = bracket(grammar, sentences).distinct()
    shown = found if grammar.options.single_words else found.longer()
    return shown.trees(sentences, grammar.options.top)


def set_contexts(text: Text, contexts: Ints32, boundaries: bool) -> None:
    """Tell a text its context units."""
    text.set_kind(contexts, CONTEXT)
    if boundaries:
        text.set_kind([START], OPENER)
        text.set_kind([END], CLOSER)


def replay(text: Text, steps: Sequence[InductionStep]) -> tuple[Ints32, Ints32, Ints32]:
    """Rewrite a text by steps: positions, ends and classes of the new tokens, in the order made.

    A step rewrites whatever stands between its context units, also an expression that the induction never
    saw. Applied to the text that it was learned from, it gives the analysis that the induction left.
    """
    own: dict[tuple[int, int], int] = {}
    none = np.zeros(0, np.int32)
    starts, ends, units = [none], [none], [none]
    for step in steps:
        text.set_kind(step.admitted, CONTEXT)
        text.set_kind(step.dismissed, PLAIN)
        pattern = step.left, step.right
        slots = text.places(*pattern, own.get(pattern))
        new = text.rewrite(text.compatible(slots, step.attachment), step.unit, step.attachment)
        starts.append(new)
        ends.append(text.end[new])
        units.append(text.unit[new])
        own[pattern] = step.unit
    return np.concatenate(starts), np.concatenate(ends), np.concatenate(units)


def flat_steps(grammar: Grammar) -> list[InductionStep]:
    """The first step of each pattern whose contexts are the raw text's context words or boundaries."""
    words = {*grammar.contexts.tolist(), START, END}
    first: dict[tuple[int, int], InductionStep] = {}
    for step in grammar.steps:
        if step.left in words and step.right in words:
            first.setdefault((step.left, step.right), step)
    nothing = np.zeros(0, np.int32)
    return [replace(step, admitted=nothing, dismissed=nothing) for step in first.values()]


def _between(text: Text) -> Bracketing:
    """FWB: every longest run of words between context units or boundaries."""
    plain = np.concatenate(([False], text.kind[text.unit] == PLAIN, [False])).astype(np.int8)
    change = np.diff(plain)
    starts, ends = (np.flatnonzero(change == sign).astype(np.int32) for sign in (1, -1))
    return Bracketing.of_positions(text, starts, ends, [BETWEEN], np.zeros(len(starts), np.int32))
