"""SPELL≤k: every word replaced by its candidates (Smith & Eisner 2005b, Eq. 4).

The lattice of a sentence is a sausage: a state between any two words, and one arc for
each candidate of a word. It is deterministic and minimal as it stands, so it is laid out
as arrays; OpenFst's composition gives the same machine and is what the tests compare with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.correction.mistakes.candidates import Candidates
from fstce.errors import MachineError
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import UNKNOWN_ID, Symbols
from fstce.neighborhoods.base import Neighborhood, NoTransducer
from fstce.numeric.types import Floats, Ints, Rows, Sentences, Words


class Sausages(NamedTuple):
    """The candidates of many sentences end to end.

    ``sentence`` (sentences + 1,): the first position of each sentence. ``position`` (positions +
    1,): the first arc of each position; it is the observed word itself. ``spelling`` (arcs,): the
    candidate, as its number among ``candidates.spellings``. ``cost`` (arcs,): what the channel says
    of it, in nats.
    """

    sentence: Ints
    position: Ints
    spelling: Ints
    cost: Floats


class Spell(Neighborhood):
    """The sentences that could have been mistyped so.

    A candidate that the alphabet of a lattice lacks is left out of it: a model that never saw
    a word says nothing of it. Each position has at most ``candidates.limit`` arcs.

    ``weighted``: whether arcs carry the costs. By default a set of sentences.
    """

    def __init__(self, candidates: Candidates, weighted: bool = False) -> None:
        self.candidates = candidates
        super().__init__(NoTransducer(), f"spell{candidates.k}", weighted=weighted)

    def introduced(self, words: Words) -> tuple[str, ...]:
        """The candidates of these words."""
        spellings = self.candidates.spellings
        entries = self.candidates.entries(words)
        return tuple(
            dict.fromkeys(spellings[i] for entry in entries for i in entry.spelling.tolist())
        )

    def sausages(self, sentences: Rows) -> Sausages:
        """The candidates of many sentences, every spelling included; for decoding."""
        entries = self.candidates.entries(list(chain.from_iterable(sentences)))
        spelling = np.concatenate([np.zeros(0, np.int64), *(entry.spelling for entry in entries)])
        cost = np.concatenate([np.zeros(0), *(entry.cost for entry in entries)])
        position = np.cumsum([0, *(len(entry.cost) for entry in entries)])
        return Sausages(np.cumsum([0, *map(len, sentences)]), position, spelling, cost)

    def expand(
        self, sentences: Sentences, symbols: Symbols, numbers: Iterable[int] | None = None
    ) -> Iterator[Lattice]:
        """The lattice of each sentence, all words looked up together, in a tenth of the time."""
        rows = list(sentences)
        self.candidates.entries(list(chain.from_iterable(rows)))  # which remembers them
        yield from super().expand(rows, symbols, numbers)

    def arrays_of(self, words: Words, symbols: Symbols) -> Arrays:
        """The sausage."""
        if len(words) >= self.limit:
            raise MachineError(
                f"{self.name} needs more than {self.limit:,} states; raise the limit or shorten "
                "the sentence"
            )
        candidates = self.sausages([words])
        spellings = self.candidates.spellings
        label = symbols.ids([spellings[i] for i in candidates.spelling.tolist()], unknown=True)
        known = label != UNKNOWN_ID
        if not all(known[candidates.position[:-1]]):
            symbols.ids(list(words))  # raises the error that names the word

        weight = candidates.cost if self.weighted else np.zeros(len(label), np.float32)
        position = np.repeat(np.arange(len(words)), np.diff(candidates.position))
        return sausage(len(words), position[known], label[known], weight[known])


def sausage(words: int, position: Ints, label: NDArray[Any], weight: NDArray[Any]) -> Arrays:
    """The acceptor of so many words' arcs (arcs,), in order of positions."""
    final = np.full(words + 1, np.inf, dtype=weight.dtype)
    final[-1] = 0.0
    source = position.astype(np.int32)
    label = label.astype(np.int32)
    return Arrays(0, final, source, label, label, weight, source + np.int32(1))
