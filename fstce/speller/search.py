"""The words that may have been meant: what was typed ∘ error model ∘ lexicon, the cheapest outputs."""

from __future__ import annotations

from typing import NamedTuple

from fstce.machines.openfst import pynini
from fstce.speller.error_model import OTHER, ErrorModel
from fstce.speller.lexicon import Lexicon, acceptor, strings


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
        rows = [Suggestion(word, cost) for word, cost in strings(best) if word != typed]
        return sorted(rows, key=lambda row: (row.cost, row.word))[:number]
