"""A channel learned from misspellings by contrast, as a speller learns.

The neighborhood of a misspelling are its candidates; see :mod:`fstce.speller.contrast`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from string import ascii_lowercase

import numpy as np

from fstce.corpora.tables import bundled_rows
from fstce.correction.mistakes.candidates import Candidates
from fstce.errors import ParameterError
from fstce.numeric.types import Floats
from fstce.speller.channel import LEAST, Channel, Costs
from fstce.speller.contrast import learnt
from fstce.speller.error_model import ErrorModel
from fstce.speller.features import PLACES, letter_class
from fstce.speller.typos import Typo

PENALTY = 1.0  # of edits of strings, as a speller's by default
SHIPPED = ("english",)  # languages whose weights come with fstce
# Stand for letters that the model has not
UNKNOWN = {"vowel": "ѣ", "consonant": "ŋ", "mark": "\ufffd"}


@dataclass(frozen=True)
class LearnedChannel(Channel):
    """The costs of a speller's error model: by letters, classes, place in the word, strings."""

    errors: ErrorModel = field(default_factory=lambda: ErrorModel("", {}))

    def costs(self, symbols: Sequence[str]) -> Costs:
        place = {"": 0, **{letter: i for i, letter in enumerate(self._known.letters, 1)}}
        row = np.array(
            [place.get(s, place.get(UNKNOWN[letter_class(s)] if s else s)) for s in ("", *symbols)]
        )
        return Costs(row, *self._tables, max(self.errors.second, 0.0), self.errors.strings)

    @cached_property
    def _known(self) -> ErrorModel:
        """The model with a letter for all that it has not, of each class."""
        letters = dict.fromkeys((*self.errors.letters, *UNKNOWN.values()))
        return ErrorModel("".join(letters), self.errors.weights)

    @cached_property
    def _tables(self) -> tuple[Floats, Floats]:
        """Costs of edits (places, n + 1, n + 1) and transpositions (places, n, n)."""
        model = self._known
        edits = model.edits[:, :-1].transpose(0, 2, 1).copy()
        swaps = model.swaps.transpose(0, 2, 1).copy()
        for place in range(len(PLACES)):
            for i, letter in enumerate(
                model.letters
            ):  # two letters that the model has not, of one class
                kind = letter_class(letter)
                edits[place, i + 1, i + 1] = model.usual(kind, kind, place)
                swaps[place, i, i] = swaps[place, -1, -2]
        return np.maximum(edits, LEAST), np.maximum(swaps, LEAST)


def learned_channel(pairs: Sequence[Typo], candidates: Candidates) -> LearnedChannel:
    """The channel under which the intended words are most probable among the candidates.

    ``pairs``: observed and intended; those whose intended word is no candidate teach nothing.
    ``candidates``: with a channel of one nat an edit.
    """
    rows = [(a.lower(), b.lower()) for a, b in pairs if a.lower() != b.lower()]
    candidates_of = candidates.of(observed for observed, _ in rows)
    costs = []
    for observed, _ in rows:
        near = candidates_of[observed][1:]
        costs.append({row.word: -math.log(row.frequency + 1) for row in near})
    if not any(intended in words for (_, intended), words in zip(rows, costs, strict=True)):
        raise ParameterError("none of the misspellings is within reach of the intended word")

    weights = learnt(rows, costs, PENALTY).weights
    letters = {*ascii_lowercase, *chain.from_iterable(map("".join, rows))}
    return LearnedChannel(errors=ErrorModel("".join(sorted(letters)), weights))


def shipped_channel(language: str) -> LearnedChannel:
    """The channel of a language whose misspellings fstce has learned; no list is shipped.

    >>> costs = shipped_channel("english").costs("eiq")
    >>> bool(costs.swap(1, 1, 2) < costs.swap(1, 1, 3))  # e and i, e and q, inside a word
    True
    """
    weights = {name: float(weight) for name, weight in bundled_rows(f"{language}_misspellings.tsv")}
    return LearnedChannel(errors=ErrorModel(ascii_lowercase, weights))
