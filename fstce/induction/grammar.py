"""A learned grammar: its rewriting steps in the order learned, its rules, and its file.

``numpy.load`` opens the text and the context units; the bytes of ``described`` are JSON of all
else. The state of an induction is its raw text rewritten by the steps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from fstce.corpora.trees import Tree
from fstce.induction.parameters import Options
from fstce.induction.text import CLOSER, CONTEXT, END, OPENER, PLAIN, START, Text, Units, packed
from fstce.numeric.types import Bools, Ints32, Rows
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
        rows, row_of_count = np.unique(
            np.concatenate([step.expressions for step in steps]), axis=0, return_inverse=True
        )
        counts = np.bincount(row_of_count.ravel(), np.concatenate([step.counts for step in steps]))

        counted = []
        for row, count in zip(rows.tolist(), counts.astype(int).tolist(), strict=True):
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


@dataclass(frozen=True)
class Bracketing:
    """The constituents of some sentences; outer before inner, sentence after sentence.

    ``sentence``, ``start``, ``end`` (brackets,): the sentence (from 0), and the words from `start`
    to before `end`. ``which`` (brackets,): each bracket's place in `label`.
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
        """One bracket a span, with the first class that it was given.

        A later one only renames it.
        """
        spans = np.stack((self.sentence, self.start, self.end))
        repeated = np.zeros(len(self), dtype=bool)
        repeated[:-1] = (spans[:, 1:] == spans[:, :-1]).all(axis=0)
        return self.where(~repeated)

    def longer(self) -> Bracketing:
        """The brackets over two words or more."""
        return self.where(self.end - self.start > 1)

    def restored(self, keep: Sequence[Sequence[bool]]) -> Bracketing:
        """The brackets over all words, of brackets over the words that `keep` says."""
        places = [np.flatnonzero(of_sentence) for of_sentence in keep]
        offsets = np.concatenate(([0], np.cumsum([len(row) for row in places])))
        place = np.concatenate([np.zeros(0, np.int64), *places]).astype(np.int32)

        first = offsets[self.sentence]
        start = place[first + self.start]
        end = place[first + self.end - 1] + np.int32(1)
        return replace(self, start=start, end=end)

    def trees(self, sentences: Rows) -> list[Tree]:
        """A tree a sentence: the brackets under ``TOP``, words under ``W``."""
        return list(map(_tree, sentences, self.spans(len(sentences))))

    def spans(self, n: int) -> list[list[tuple[str, int, int]]]:
        """Of each of n sentences the brackets: label, first word, and the word after the last."""
        labels = [self.label[which] for which in self.which.tolist()]
        brackets = list(zip(labels, self.start.tolist(), self.end.tolist(), strict=True))
        bounds = np.searchsorted(self.sentence, np.arange(n + 1)).tolist()
        return [brackets[a:b] for a, b in pairwise(bounds)]


def _tree(words: Sequence[str], brackets: list[tuple[str, int, int]]) -> Tree:
    """The tree of one sentence; without recursion, so brackets may nest as deep as they like."""
    opened: list[tuple[str, int, list[Tree | str]]] = [(TOP, len(words), [])]
    remaining = brackets[::-1]
    for position, word in enumerate(words):
        while remaining and remaining[-1][1] == position:
            label, _, end = remaining.pop()
            opened.append((label, end, []))

        opened[-1][2].append(Tree(WORD, (word,)))
        while len(opened) > 1 and opened[-1][1] == position + 1:
            label, _, children = opened.pop()
            opened[-1][2].append(Tree(label, tuple(children)))
    return Tree(TOP, tuple(opened[0][2]))


BETWEEN = "C"


def bracket(grammar: Grammar, sentences: Rows) -> Bracketing:
    """The constituents that a grammar finds, all of them.

    A span may have several, and a word its own.
    """
    raw = packed(sentences, grammar.units)
    text = Text(raw, grammar.options.max_length, grammar.options.context_expressions)
    set_contexts(text, grammar.contexts, grammar.options.boundaries)
    if not grammar.options.alignment:
        return _between(text)

    starts, ends, units = replay(text, grammar.steps)
    made, which = np.unique(units, return_inverse=True)
    names = [grammar.units.name(unit) for unit in made.tolist()]
    return Bracketing.of_positions(text, starts, ends, names, which.astype(np.int32))


def constituents(grammar: Grammar, sentences: Rows) -> Bracketing:
    """The constituents of trees.

    One a span, and of single words where ``Options.single_words`` says so.
    """
    brackets = bracket(grammar, sentences).distinct()
    return brackets if grammar.options.single_words else brackets.longer()


def parse(grammar: Grammar, sentences: Rows) -> list[Tree]:
    """The trees that a grammar gives sentences; words stand under ``W``."""
    return constituents(grammar, sentences).trees(sentences)


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


def _between(text: Text) -> Bracketing:
    """FWB: every longest run of words between context units or boundaries."""
    plain = np.concatenate(([False], text.kind[text.unit] == PLAIN, [False])).astype(np.int8)
    change = np.diff(plain)
    starts = np.flatnonzero(change == 1).astype(np.int32)
    ends = np.flatnonzero(change == -1).astype(np.int32)
    return Bracketing.of_positions(text, starts, ends, [BETWEEN], np.zeros(len(starts), np.int32))


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
    units, options = Units(content["words"]), Options(**content["options"])
    return Grammar(units, options, archive["contexts"], steps), archive["text"]


def _to_record(step: InductionStep) -> dict[str, Any]:
    """A step as numbers and lists of numbers."""
    arrays = {name: getattr(step, name).tolist() for name in _ARRAYS}
    return {**vars(step), **arrays}


def _of_record(record: dict[str, Any]) -> InductionStep:
    arrays = {name: np.array(record[name], np.int32) for name in _ARRAYS}
    return InductionStep(**{**record, **arrays})


_ARRAYS = ("admitted", "dismissed", "expressions", "counts")
