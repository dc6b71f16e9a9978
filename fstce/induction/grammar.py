"""A learned grammar: its rewriting steps in the order learned, its rules, and its file.

``numpy.load`` opens the text and the context units; the bytes of ``described`` are JSON of all
else. The state of an induction is its raw text rewritten by the steps.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fstce.corpora.trees import Tree
from fstce.induction.parameters import Options
from fstce.induction.text import CLOSER, CONTEXT, END, OPENER, PLAIN, START, Text, Units, packed
from fstce.numeric.types import Ints32, Rows
from fstce.storage.arrays import Archive, write_arrays


@dataclass(frozen=True)
class InductionStep:
    """One iteration: which pattern was rewritten as which class.

    ``left``, ``right``: the context units of the alignment pattern. ``attachment``: −1 if the left
    context unit went into the class, 1 the right, 0 neither. ``probability``: P(C_left, C_right),
    Eq. 2. ``preference``: the sum of both contexts' directional preferences (nats); 0 without
    attachment. ``admitted``, ``dismissed``: the units that became, and that ceased to be, context
    units just before. ``expressions`` (distinct, max_length + 1): the unit sequences rewritten,
    contexts included where attached, −1 behind the last unit. ``counts`` (distinct,): how often
    each was.
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

    ``name``: ``C12``. ``contexts``: its alignment patterns in the order found; brackets hold what
    became the class: ``[the _] of`` where ``the`` was attached. ``expressions``: each distinct
    sequence of words and classes, and its count; the most frequent first.
    """

    name: str
    contexts: tuple[str, ...]
    expressions: tuple[tuple[tuple[str, ...], int], ...]

    def __str__(self) -> str:
        """The rule on one line, with counts."""
        choices = " | ".join(f"{' '.join(words)} {count}" for words, count in self.expressions)
        return f"{self.name} → {choices}    in {', '.join(self.contexts)}"


@dataclass(frozen=True)
class Grammar:
    """A learned grammar; :func:`bracket` applies it to new text.

    ``contexts``: the context units of the raw text.
    """

    units: Units
    options: Options
    contexts: Ints32
    steps: tuple[InductionStep, ...] = ()

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes' names in the order learned."""
        units = dict.fromkeys(step.unit for step in self.steps)
        return tuple(map(self.units.name, units))

    def rules(self) -> Iterator[ClassRule]:
        """The classes as rules, in the order learned."""
        steps: dict[int, list[InductionStep]] = {}
        for step in self.steps:
            steps.setdefault(step.unit, []).append(step)
        return (self._rule(unit, of_class) for unit, of_class in steps.items())

    def _rule(self, unit: int, steps: list[InductionStep]) -> ClassRule:
        """The rule of a class, from all its steps."""
        counts = Counter[tuple[int, ...]]()
        for step in steps:
            rows = map(tuple, step.expressions.tolist())
            counts.update(dict(zip(rows, step.counts.tolist(), strict=True)))

        counted = []
        for row, count in counts.items():
            counted.append((tuple(self.units.name(part) for part in row if part >= 0), count))
        counted.sort(key=lambda item: (-item[1], item[0]))

        contexts = tuple(dict.fromkeys(map(self.pattern, steps)))
        return ClassRule(self.units.name(unit), contexts, tuple(counted))

    def pattern(self, step: InductionStep) -> str:
        """The pattern of a step, brackets around what becomes the class: ``[the _] of``."""
        left, right = self.units.name(step.left), self.units.name(step.right)
        patterns = (f"{left} [_] {right}", f"{left} [_ {right}]", f"[{left} _] {right}")
        return patterns[step.attachment]

    def __str__(self) -> str:
        """One rule a line."""
        return "\n".join(map(str, self.rules()))

    def __repr__(self) -> str:
        n_classes = f"{len(self.classes):,} classes of {len(self.steps):,} patterns"
        return f"<Grammar: {n_classes}, print shows them>"


TOP = "TOP"  # EVALB does not score it
WORD = "W"
BETWEEN = -1  # what stands between function words has no class
Span = tuple[str, int, int]  # label, first word, and the word after the last


def tree_of(words: Sequence[str], spans: Sequence[Span]) -> Tree:
    """The tree of one sentence: spans, outer before inner, under ``TOP``, words under ``W``.

    Without recursion, so spans may nest as deep as they like.
    """
    nodes: list[Tree | None] = [Tree(WORD, (word,)) for word in words]  # where each begins
    for label, start, end in reversed(spans):
        children = tuple(filter(None, nodes[start:end]))
        nodes[start:end] = [Tree(label, children), *[None] * (end - start - 1)]
    return Tree(TOP, tuple(filter(None, nodes)))


def bracket(grammar: Grammar, sentences: Rows) -> list[list[Span]]:
    """All constituents that a grammar finds, of each sentence the outer before the inner.

    A span may have several, the last made first, and a word its own.
    """
    raw = packed(sentences, grammar.units)
    text = Text(raw, grammar.options.max_length, grammar.options.context_expressions)
    set_contexts(text, grammar.contexts, grammar.options.boundaries)
    if grammar.options.alignment:
        starts, ends, units = replay(text, grammar.steps)
    else:
        starts, ends = _between(text)
        units = np.full(len(starts), BETWEEN)

    order = np.lexsort((-np.arange(len(starts)), -ends, starts))
    starts, ends = starts[order], ends[order]
    sentence = np.searchsorted(text.starts, starts, side="right") - 1
    first_word = text.starts[sentence] + 1
    columns = (sentence, units[order], starts - first_word, ends - first_word)

    spans: list[list[Span]] = [[] for _ in sentences]
    for number, unit, start, end in zip(*(column.tolist() for column in columns), strict=True):
        label = "C" if unit == BETWEEN else grammar.units.name(unit)
        spans[number].append((label, start, end))
    return spans


def spans_of(grammar: Grammar, sentences: Rows, *, single_words: bool = False) -> list[list[Span]]:
    """The constituents of trees: one a span, with the first class that it was given.

    A later one only renames it. ``single_words``: whether those of one word are among them.
    """
    shortest = 1 if single_words else 2
    rows = []
    for spans in bracket(grammar, sentences):
        labels = {(start, end): label for label, start, end in spans}
        spans = [(label, start, end) for (start, end), label in labels.items()]
        rows.append([span for span in spans if span[2] - span[1] >= shortest])
    return rows


def parse(grammar: Grammar, sentences: Rows) -> list[Tree]:
    """The trees that a grammar gives sentences; words stand under ``W``."""
    spans = spans_of(grammar, sentences, single_words=grammar.options.single_words)
    return list(map(tree_of, sentences, spans))


def set_contexts(text: Text, contexts: Ints32, boundaries: bool) -> None:
    """Tell a text its context units."""
    text.set_kind(contexts, CONTEXT)
    if boundaries:
        text.set_kind([START], OPENER)
        text.set_kind([END], CLOSER)


def replay(text: Text, steps: Sequence[InductionStep]) -> tuple[Ints32, Ints32, Ints32]:
    """Rewrite a text by steps: positions, ends and classes of the new tokens, in the order made.

    A step rewrites whatever stands between its context units, also an expression that the induction
    never saw. Applied to the text that it was learned from, it gives the analysis that the
    induction left.
    """
    class_of_pattern: dict[tuple[int, int], int] = {}
    nothing = np.zeros(0, np.int32)
    starts = [nothing]
    ends = [nothing]
    units = [nothing]
    for step in steps:
        text.set_kind(step.admitted, CONTEXT)
        text.set_kind(step.dismissed, PLAIN)

        pattern = step.left, step.right
        slots = text.places(*pattern, class_of_pattern.get(pattern))
        slots = text.compatible(slots, step.attachment)
        new = text.rewrite(slots, step.unit, step.attachment)
        class_of_pattern[pattern] = step.unit

        starts.append(new)
        ends.append(text.end[new])
        units.append(text.unit[new])
    return np.concatenate(starts), np.concatenate(ends), np.concatenate(units)


def _between(text: Text) -> tuple[Ints32, Ints32]:
    """FWB: every longest run of words between context units or boundaries."""
    plain = np.concatenate(([False], text.kind[text.unit] == PLAIN, [False])).astype(np.int8)
    change = np.diff(plain)
    starts = np.flatnonzero(change == 1).astype(np.int32)
    return starts, np.flatnonzero(change == -1).astype(np.int32)


def write(grammar: Grammar, text: Ints32, path: Path) -> None:
    """Write a grammar with the raw text that it was learned from."""
    content = {
        "options": asdict(grammar.options),
        "words": grammar.units.words,
        "steps": list(map(_to_record, grammar.steps)),
    }
    described = json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")
    arrays = {"contexts": grammar.contexts, "text": text}
    write_arrays(path, {**arrays, "described": np.frombuffer(described, np.uint8)}, compress=True)


def read(archive: Archive) -> tuple[Grammar, Ints32]:
    """A grammar and the raw text that it was learned from."""
    described = archive.array("described", np.uint8, (None,))
    content = json.loads(described.tobytes().decode("utf-8", "surrogatepass"))
    steps = tuple(map(_of_record, content["steps"]))
    units = Units(content["words"])
    contexts = archive.array("contexts", np.int32, (None,))
    text = archive.array("text", np.int32, (None,))

    named = np.concatenate((contexts, text, *map(_units_of, steps)))
    if np.any((named < 0) | (named >= units.first_class + len(steps))):
        raise ValueError("it names units that are neither words nor classes")
    return Grammar(units, Options(**content["options"]), contexts, steps), text


def _to_record(step: InductionStep) -> dict[str, Any]:
    """A step as numbers and lists of numbers."""
    arrays = {name: getattr(step, name).tolist() for name in _ARRAYS}
    return {**vars(step), **arrays}


def _of_record(record: dict[str, Any]) -> InductionStep:
    arrays = {name: np.array(record[name], np.int32) for name in _ARRAYS}
    return InductionStep(**{**record, **arrays})


def _units_of(step: InductionStep) -> Ints32:
    return np.array([step.left, step.right, step.unit, *step.admitted, *step.dismissed], np.int32)


_ARRAYS = ("admitted", "dismissed", "expressions", "counts")
