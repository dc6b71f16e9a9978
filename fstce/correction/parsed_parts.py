"""What a parsed corrector learns from a text but its exponents, and typed sentences read with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.rows import Rows
from fstce.correction.parsed_emissions import Emissions
from fstce.correction.parsed_pairs import Pairs, columns_of, pairs_of, strongest
from fstce.correction.parsed_readings import Grammar, ParsedReadings, read_parsed
from fstce.correction.spelled import SpellingModel
from fstce.correction.spelling import Spell
from fstce.correction.tuning import Learnt, learned
from fstce.parsing import DependencyParser

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

BATCH = 50


@dataclass(frozen=True)
class Parts:
    """All that scores a (sentence, tags, tree) triple.

    Attributes
    ----------
    emissions : Emissions
    spelling : SpellingModel
    spell : Spell
        With the costs of the channel, not weighted.
    parser : DependencyParser
        Trained.
    """

    emissions: Emissions
    spelling: SpellingModel
    spell: Spell
    parser: DependencyParser

    @property
    def spellings(self) -> list[str]:
        """The candidates by number."""
        return self.spell.candidates.spellings

    def read(self, rows: Rows) -> tuple[Pairs, Floats]:
        """The pairs of the sentences and their columns."""
        pairs = pairs_of(rows, self.spell, self.emissions)
        typed = [word for row in rows for word in row]
        return pairs, columns_of(pairs, typed, self.spellings, self.emissions, self.spelling)

    def readings(self, rows: Rows, exponents: Floats, most: int, numbers: Sequence[int]) -> ParsedReadings:
        """The charts of sentences, `most` tags a word; messages name them by `numbers`."""
        pairs, columns = self.read(rows)
        return self._compiled(pairs, columns, self._strongest(pairs, columns, exponents, most), numbers)

    def meant(self, pairs: Pairs, rows: Rows) -> Bools:
        """Which pairs are of the words that were meant.

        A word that is out of reach was meant as typed, as far as one can tell.
        """
        number = {word: i for i, word in enumerate(self.spellings)}
        wanted = np.array([number.get(word, -1) for row in rows for word in row])
        found = pairs.spelling == wanted[pairs.place]
        reached = np.bincount(pairs.place[found], minlength=len(wanted)) > 0
        return np.where(reached[pairs.place], found, pairs.typed)

    def learn_exponents(self, typed: Rows, true: Rows, first: Floats, most: int) -> Learnt:
        """The exponents under which the true sentences are the most probable, as their words are typed."""
        whole, only = [], []
        for at in range(0, len(typed), BATCH):
            pairs, columns = self.read(typed[at : at + BATCH])
            is_meant = self.meant(pairs, true[at : at + BATCH])
            kept = self._strongest(pairs, columns, first, most, is_meant)
            whole.append(self._compiled(pairs, columns, kept))
            only.append(self._compiled(pairs, columns, is_meant))
        return learned(whole, only, first)

    def _strongest(
        self, pairs: Pairs, columns: Floats, exponents: Floats, most: int, always: Bools | None = None
    ) -> Bools:
        return strongest(pairs, exponents[1:] @ columns, self.emissions.log_prior, most, always)

    def _compiled(
        self, pairs: Pairs, columns: Floats, kept: Bools, numbers: Sequence[int] | None = None
    ) -> ParsedReadings:
        grammar = Grammar(self.parser.model_, self.parser.theta_)
        return read_parsed(pairs.only(kept), columns[:, kept], grammar, self.emissions.tags, numbers)
