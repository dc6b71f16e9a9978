"""What a parsed corrector learns from a text but its exponents, and typed sentences read with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from fstce.correction.factors.spelled import SpellingModel
from fstce.correction.mistakes.spelling import Spell
from fstce.correction.parsed.emissions import Emissions
from fstce.correction.parsed.pairs import Pairs, columns_of, pairs_of, strongest
from fstce.correction.parsed.readings import Grammar, ParsedReadings, read_parsed
from fstce.correction.tuning import LearnedExponents, learned_exponents
from fstce.errors import MachineError
from fstce.numeric.types import Bools, Floats, Rows
from fstce.parsing.parser import DependencyParser

Found = TypeVar("Found")

BATCH = 50


@dataclass(frozen=True)
class ParsedModel:
    """All that scores a (sentence, tags, tree) triple.

    ``spell``: with the costs of the channel, not weighted.
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

    def learn_exponents(
        self, typed: Rows, true: Rows, first: Floats, most: int
    ) -> tuple[LearnedExponents, list[int]]:
        """The exponents under which the true sentences are the most probable, as their words are typed.

        Sentences whose chart exceeds its limit are left out, as correction leaves them to others.

        ``used``: the sentences that it is learnt from, numbered from 0.
        """

        def charts(numbers: Sequence[int]) -> tuple[ParsedReadings, ParsedReadings]:
            pairs, columns = self.read([typed[i] for i in numbers])
            is_meant = self.meant(pairs, [true[i] for i in numbers])
            kept = self._strongest(pairs, columns, first, most, is_meant)
            return self._compiled(pairs, columns, kept), self._compiled(pairs, columns, is_meant)

        whole, only = [], []
        used: list[int] = []
        for numbers, found in in_batches(range(len(typed)), charts):
            if not isinstance(found, MachineError):
                whole.append(found[0])
                only.append(found[1])
                used += numbers
        return learned_exponents(whole, only, first), used

    def _strongest(
        self, pairs: Pairs, columns: Floats, exponents: Floats, most: int, always: Bools | None = None
    ) -> Bools:
        return strongest(pairs, exponents[1:] @ columns, self.emissions.log_prior, most, always)

    def _compiled(
        self, pairs: Pairs, columns: Floats, kept: Bools, numbers: Sequence[int] | None = None
    ) -> ParsedReadings:
        grammar = Grammar(self.parser.model_, self.parser.theta_)
        return read_parsed(pairs.only(kept), columns[:, kept], grammar, self.emissions.tags, numbers)


def in_batches(
    numbers: Sequence[int], work: Callable[[Sequence[int]], Found]
) -> Iterator[tuple[Sequence[int], Found | MachineError]]:
    """Work on sentences batch by batch, and on the halves of a batch that exceeds a limit.

    ``work``: of the numbers of a batch; raises MachineError where a chart exceeds its limit. Returns what
    `work` says of these; of a single sentence whose chart exceeds its limit, the error.
    """
    for at in range(0, len(numbers), BATCH):
        yield from _halved(numbers[at : at + BATCH], work)


def _halved(
    numbers: Sequence[int], work: Callable[[Sequence[int]], Found]
) -> Iterator[tuple[Sequence[int], Found | MachineError]]:
    try:
        found: Found | MachineError = work(numbers)
    except MachineError as error:
        if len(numbers) > 1:
            half = len(numbers) // 2
            yield from _halved(numbers[:half], work)
            yield from _halved(numbers[half:], work)
            return
        found = error
    yield numbers, found
