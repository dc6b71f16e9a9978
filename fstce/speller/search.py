"""The words that may have been meant: what was typed ∘ error model ∘ lexicon, the cheapest outputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pynini

from fstce.machines.image import fst_to_arrays
from fstce.speller.error_model import OTHER, ErrorModel
from fstce.speller.lexicon import Lexicon, acceptor


class Suggestion(NamedTuple):
    """A word that may have been meant.

    Attributes
    ----------
    word : str
    cost : float
        Of the cheapest way to mistype it so, and of the word itself, in nats.
    """

    word: str
    cost: float


class Search:
    """Two machines, composed with one word after another."""

    def __init__(self, errors: ErrorModel, lexicon: Lexicon, exponent: float) -> None:
        labels = lexicon.labels()
        self.errors = errors.machine(labels)
        self.lexicon = lexicon.raised(exponent)
        self._known = {*labels, *map(ord, errors.letters)}

    def __call__(self, typed: str, number: int) -> list[Suggestion]:
        """At most so many words, cheapest first; of equal ones first in the alphabet. Never the typed one."""
        labels = [label if (label := ord(letter)) in self._known else OTHER for letter in typed]
        edited = pynini.compose(acceptor(labels), self.errors).arcsort("olabel")
        outputs = pynini.compose(edited, self.lexicon).project("output").rmepsilon()
        best = pynini.shortestpath(outputs, nshortest=number + 1, unique=True)
        rows = [row for row in _strings(best) if row.word != typed]
        return sorted(rows, key=lambda row: (row.cost, row.word))[:number]


def _strings(fst: pynini.Fst) -> Iterator[Suggestion]:
    """The strings of a machine of few paths."""
    machine = fst_to_arrays(fst)
    arcs: dict[int, list[tuple[int, float, int]]] = {}
    for source, *arc in zip(
        machine.source.tolist(),
        machine.ilabel.tolist(),
        machine.weight.tolist(),
        machine.next.tolist(),
        strict=True,
    ):
        arcs.setdefault(source, []).append((arc[0], arc[1], arc[2]))
    stack = [(machine.start, "", 0.0)] if machine.start >= 0 else []
    while stack:
        state, word, cost = stack.pop()
        if machine.final[state] != float("inf"):
            yield Suggestion(word, cost + float(machine.final[state]))
        stack += [
            (target, word + (chr(label) if label else ""), cost + weight)
            for label, weight, target in arcs.get(state, ())
        ]
