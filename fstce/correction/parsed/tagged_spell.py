"""SPELL≤k as its tags see it: the neighbourhood with which a corrector's grammar is trained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from fstce.correction.mistakes.spelling import Spell
from fstce.correction.parsed.emissions import Emissions
from fstce.correction.parsed.pairs import pairs_of, sausages
from fstce.errors import NeighborhoodError
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood, NoTransducer, numbered
from fstce.neighborhoods.first_use import beginning
from fstce.numeric.types import Rows


class TaggedSpell(Neighborhood):
    """SPELL≤k of sentences as their tags see it: any tag of any candidate at each word.

    A grammar of tags is trained with it as with any neighbourhood: the tag sequences of the
    sentences are contrasted with those of what could have been typed. Since tags do not tell
    which words they belong to, it expands the tag sequences of its own sentences only, all of
    them in order.

    ``spell``: if it is weighted the lattices are, by −log Σ p(w | t) · exp(−exponent · cost).

    >>> from fstce.correction.mistakes.candidates import Candidates
    >>> emissions = Emissions([["the", "dog"], ["he", "digs"]], [["D", "N"], ["P", "V"]])
    >>> kind = TaggedSpell([["the", "dog"]], Spell(Candidates(emissions.counts)), emissions)
    >>> lattice, = kind.expand([["D", "N"]], Symbols(emissions.tags))
    >>> sorted(" ".join(tags) for tags in lattice.strings())
    ['D N', 'P N']
    """

    def __init__(self, sentences: Rows, spell: Spell, emissions: Emissions) -> None:
        name = f"tags of {spell.name}"
        super().__init__(NoTransducer(), name, weighted=spell.weighted, exponent=spell.exponent)
        self.sentences, self.spell, self.emissions = sentences, spell, emissions

    def expand(
        self,
        sentences: Iterable[Sequence[str]],
        symbols: Symbols,
        numbers: Iterable[int] | None = None,
    ) -> Iterator[Lattice]:
        """The lattice of each tag sequence, in order; messages name them by `numbers`, or from 1."""
        rows = list(sentences)
        if len(rows) != len(self.sentences):
            raise NeighborhoodError(
                f"{self.name}: {len(rows)} tag sequences for {len(self.sentences)} sentences"
            )
        lattices = self._sausages(symbols)
        for (number, tags), words, arrays in zip(
            numbered(rows, numbers), self.sentences, lattices, strict=True
        ):
            lattice = Lattice(arrays, symbols, f"sentence {number} ∘ {self.name}")
            if not lattice.accepts(tags):
                raise NeighborhoodError(
                    f"sentence {number} ({beginning(words)}) has other words or tags than its neighbourhood"
                )
            yield lattice

    def _sausages(self, symbols: Symbols) -> Iterator[Arrays]:
        pairs = pairs_of(self.sentences, self.spell, self.emissions)
        first, _ = pairs.arcs(len(self.emissions.tags))
        weight = np.zeros(len(first), np.float32)
        if self.spell.weighted:
            weight = -np.logaddexp.reduceat(pairs.log_p - self.spell.exponent * pairs.cost, first)
        label = np.asarray(symbols.ids(list(self.emissions.tags)))[pairs.tag[first]]
        return sausages(pairs, first, label, weight)
