"""SPELL≤k: every word replaced by its candidates (Smith & Eisner 2005b, Eq. 4).

The lattice of a sentence is a sausage: a state between any two words, and one arc for
each candidate of a word. It is deterministic and minimal as it stands, so it is laid out
as arrays; OpenFst's composition gives the same machine and is what the tests compare with.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.correction.mistakes.candidates import Candidates
from fstce.errors import MachineError
from fstce.estimation.rules import EXPONENT
from fstce.machines.image import Arrays
from fstce.machines.symbols import END_ID, UNKNOWN_ID, Symbols
from fstce.neighborhoods.base import Neighborhood, NoTransducer
from fstce.numeric.rules import Rule, instance
from fstce.numeric.types import Floats, Ints
from fstce.wfsa.batch import Columns

NOT_ASKED = -1  # of a spelling that was not yet looked up in the alphabet


class Sausages(NamedTuple):
    """The candidates of many sentences end to end.

    ``sentence`` (sentences + 1,): the first position of each sentence. ``position`` (positions + 1,): the
    first arc of each position; it is the typed word itself. ``spelling`` (arcs,): the candidate, as its
    number among ``candidates.spellings``. ``cost`` (arcs,): what the channel says of it, in nats.
    """

    sentence: Ints
    position: Ints
    spelling: Ints
    cost: Floats


class Spell(Neighborhood):
    """The sentences that could have been mistyped so.

    A candidate that the alphabet of a lattice lacks is left out of it: a model that never saw
    a word says nothing of it. Each position has at most ``candidates.limit`` arcs.

    ``exponent``: makes the lattice weighted: arcs carry exponent · cost. By default a set of sentences.
    ``name``: by default ``spell1`` and so on, by the number of edits of a word.

    >>> spell = Spell(Candidates({"the": 5, "tea": 2, "ten": 1, "cups": 2}))
    >>> lattice = spell("tea caps".split())
    >>> lattice.count(), sorted(lattice.strings())[0]
    (4, ('tea', 'caps'))
    """

    def __init__(self, candidates: Candidates, exponent: float | None = None, name: str = "") -> None:
        instance("Candidates", "Candidates").check(candidates=candidates)
        EXPONENT.check(exponent=exponent)
        Rule("text").check(name=name)
        self.candidates = candidates
        weighted, exponent = exponent is not None, 1.0 if exponent is None else exponent
        super().__init__(NoTransducer(), name or f"spell{candidates.k}", weighted=weighted, exponent=exponent)

    def introduced(self, words: Sequence[str]) -> tuple[str, ...]:
        """The candidates of these words."""
        spellings = self.candidates.spellings
        entries = self.candidates.entries(words)
        return tuple(dict.fromkeys(spellings[i] for entry in entries for i in entry.spelling.tolist()))

    def sausages(self, sentences: Sequence[Sequence[str]]) -> Sausages:
        """The candidates of many sentences, every spelling included; for decoding.

        >>> spell = Spell(Candidates({"the": 5, "ten": 1}))
        >>> found = spell.sausages([["te", "7"]])
        >>> found.position.tolist(), [spell.candidates.spellings[i] for i in found.spelling]
        ([0, 3, 4], ['te', 'the', 'ten', '7'])
        """
        entries = self.candidates.entries(list(chain.from_iterable(sentences)))
        spelling = np.concatenate([np.zeros(0, np.int64), *(entry.spelling for entry in entries)])
        cost = np.concatenate([np.zeros(0), *(entry.cost for entry in entries)])
        position = np.cumsum([0, *(len(entry.cost) for entry in entries)])
        return Sausages(np.cumsum([0, *map(len, sentences)]), position, spelling, cost)

    def columns(self, sentences: Sequence[Sequence[str]], symbols: Symbols) -> Columns:
        """The weighted sausages of many sentences end to end, each with ``</s>`` behind its last word."""
        lengths = np.array([len(words) for words in sentences])
        for number in np.flatnonzero(lengths >= self.limit)[:1].tolist():
            raise MachineError(f"sentence {number + 1}: {self._too_long()}")
        sausages = self.sausages(sentences)
        label, cost = self._labels(sausages.spelling, symbols), sausages.cost
        size = lengths + 2  # a state between any two words, one before </s> and one behind it
        first = np.cumsum(size) - size
        last = first + lengths
        state = np.delete(np.arange(size.sum()), np.concatenate((last, last + 1)))
        source = np.repeat(state, np.diff(sausages.position))
        known = label != UNKNOWN_ID
        source = np.concatenate((source[known], last))
        order = np.argsort(source, kind="stable")
        source = source[order].astype(np.int32)
        word = np.concatenate((label[known], np.full(len(last), END_ID)))[order].astype(np.int32)
        bias = np.concatenate((-self.exponent * cost[known], np.zeros(len(last))))[order]
        return Columns(first, last + 1, size, source, source + np.int32(1), word, word, bias)

    def _too_long(self) -> str:
        return f"{self.name} needs more than {self.limit:,} states; raise the limit or shorten the sentence"

    def weighted_arcs(self, words: Sequence[str], symbols: Symbols) -> tuple[Ints, Ints, NDArray[Any]]:
        """Of each arc the position, the word's id in the alphabet, exponent · cost, or float32 zeros."""
        found = self.sausages([words])
        label = self._labels(found.spelling, symbols)
        known = label != UNKNOWN_ID
        if not all(known[found.position[:-1]]):
            symbols.ids(list(words))  # raises the error that names the word
        weight = self.exponent * found.cost if self.weighted else np.zeros(len(label), np.float32)
        return np.repeat(np.arange(len(words)), np.diff(found.position))[known], label[known], weight[known]

    def arrays_of(self, words: Sequence[str], symbols: Symbols) -> Arrays:
        """The sausage."""
        if len(words) >= self.limit:
            raise MachineError(self._too_long())
        position, label, weight = self.weighted_arcs(words, symbols)
        final = np.full(len(words) + 1, np.inf, dtype=weight.dtype)
        final[-1] = 0.0
        source, label = position.astype(np.int32), label.astype(np.int32)
        return Arrays(0, final, source, label, label, weight, source + np.int32(1))

    def _remember(self) -> None:
        super()._remember()
        self._alphabet: Symbols | None = None
        self._label = np.zeros(0, np.int64)

    def _labels(self, spelling: Ints, symbols: Symbols) -> Ints:
        """The ids in the alphabet of these spellings, each looked up once an alphabet."""
        spellings = self.candidates.spellings
        if symbols is not self._alphabet:
            self._alphabet, self._label = symbols, np.zeros(0, np.int64)
        if len(self._label) < len(spellings):
            more = np.full(len(spellings) - len(self._label), NOT_ASKED)
            self._label = np.concatenate((self._label, more))
        new = spelling[self._label[spelling] == NOT_ASKED]
        if len(new):
            self._label[new] = symbols.ids([spellings[i] for i in new.tolist()], unknown=True)
        return self._label[spelling]
