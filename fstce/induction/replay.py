"""A learnt grammar applied to text: the same patterns, in the order learnt.

A step rewrites whatever stands between its context units, also an expression that the
induction never saw: that what stands in one context is of one class is what the grammar
says. Applied to the text that it was learnt from, it gives the analysis that the induction
left. A word outside that text is a unit that is no context.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fstce.corpora.trees import Tree
from fstce.induction.bracketing import Bracketing
from fstce.induction.grammar import Grammar, InductionStep
from fstce.induction.text import BARRIER, CLOSER, CONTEXT, OPENER, PLAIN, Text, packed
from fstce.induction.units import END, START
from fstce.numeric.types import Ints32

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
    """Rewrite a text by steps: positions, ends and classes of the new tokens, in the order made."""
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
