"""The channel: what each mistake costs, in −log (Smith & Eisner 2005b, §3.3 and note 3).

A typist means one symbol and types another. For SPELL symbols are characters, for PUNC punctuation
marks. Copying costs nothing; each kind of edit has a cost of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from fstce.numeric.types import Floats, Ints
from fstce.parameters.rules import real
from fstce.speller.error_model import String
from fstce.speller.features import KINDS, PLACES

LEAST = 1e-6  # nats, of what is learned: what costs nothing is no edit
COST = replace(real(0), words="a cost in nats, finite, and not negative")


class Costs(NamedTuple):
    """The costs of edits of n symbols at the begin of a word, inside and at its end.

    ``row`` (n + 1,): where the tables have ε and each symbol; an alphabet of thousands has few
    rows, for symbols without costs of their own share one. ``edits`` (places, rows, rows): intended
    by observed. ``swaps`` (places, rows − 1, rows − 1): without ε, ``[a, b]`` where ab was intended
    and ba observed. ``second``: what each edit but the first costs more. ``strings``: edits of
    several letters.
    """

    row: Ints
    edits: Floats
    swaps: Floats
    second: float = 0.0
    strings: Sequence[String] = ()

    def edit(self, place: Ints | int, intended: Ints | int, observed: Ints | int) -> Floats:
        """The cost of one symbol, from 1, or ε, 0, for another."""
        return np.asarray(self.edits[place, self.row[intended], self.row[observed]])

    def swap(self, place: Ints | int, first: Ints | int, second: Ints | int) -> Floats:
        """The cost of two symbols, from 1, in the other order."""
        return np.asarray(self.swaps[place, self.row[first] - 1, self.row[second] - 1])


@dataclass(frozen=True)
class Channel:
    """The cost of each kind of edit, in nats.

    A symbol observed for another, observed where none was intended, left out, two adjacent ones in
    the wrong order.

    >>> costs = Channel(deletion=0.5).costs("ab")
    >>> float(costs.edit(0, 1, 2)), float(costs.edit(0, 2, 0)), costs.edits.shape
    (1.0, 0.5, (3, 2, 2))
    """

    substitution: float = 1.0
    insertion: float = 1.0
    deletion: float = 1.0
    transposition: float = 1.0

    def __post_init__(self) -> None:
        for kind in KINDS:
            COST.check(**{kind: getattr(self, kind)})

    def costs(self, symbols: Sequence[str]) -> Costs:
        """The costs of all edits of these symbols, wherever in a word they stand."""
        row = np.minimum(np.arange(len(symbols) + 1), 1)
        edits = np.full((len(PLACES), 2, 2), self.substitution)
        edits[:, 0] = self.insertion
        edits[:, :, 0] = self.deletion
        return Costs(row, edits, np.full((len(PLACES), 1, 1), self.transposition))
