"""Precomputed lattices, one a sentence, of a recognizer or a translator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path

from fstce.errors import MachineError, NeighborhoodError
from fstce.machines import algebra
from fstce.machines.files import read_far
from fstce.machines.image import fst_to_arrays
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood, NoTransducer, naming, with_ids
from fstce.neighborhoods.first_use import beginning
from fstce.numeric.types import Sentences, Words


class PrecomputedLattices(Neighborhood):
    """Lattices that another program made: lattice n is that of sentence n of the corpus.

    ``path``: a FAR of acceptors whose symbols are words. Their weights, −log in nats, count;
    those of equal strings add up as probabilities.
    """

    def __init__(self, name: str, path: Path) -> None:
        machines = read_far(path)
        self.path = path
        self.lattices: list[Lattice] = [
            _lattice_of(fst, f"{path}:{key}") for key, fst in machines.items()
        ]
        weighted = any(lattice.arc_type == "log64" for lattice in self.lattices)
        everything = dict.fromkeys(word for lattice in self.lattices for word in lattice.symbols)
        super().__init__(NoTransducer(), name, introduces=tuple(everything), weighted=weighted)

    def __call__(self, words: Words, vocabulary: Iterable[str] = ()) -> Lattice:
        """The first lattice that holds the sentence."""
        symbols = Symbols([*words, *vocabulary, *self.introduces])
        for lattice in self.lattices:
            if lattice.accepts(words):
                return self._over(lattice, symbols)
        raise NeighborhoodError(
            f"{self.path}: none of {len(self.lattices)} lattices holds {beginning(words)!r}"
        )

    def expand(
        self,
        sentences: Sentences,
        symbols: Symbols,
        numbers: Iterable[int] | None = None,
    ) -> Iterator[Lattice]:
        """The lattice of each sentence by its number in the corpus."""
        number = 0
        for number, sentence in zip(numbers or count(1), sentences, strict=False):
            with naming(number, sentence):
                lattice = self._numbered(number, sentence, symbols)
            yield lattice
        if numbers is None and number < len(self.lattices):
            raise NeighborhoodError(
                f"{self.path} has {len(self.lattices)} lattices for {number} sentences; give one "
                "for each"
            )

    def _numbered(self, number: int, sentence: Words, symbols: Symbols) -> Lattice:
        """The lattice of this number, checked to hold the sentence."""
        if number > len(self.lattices):
            raise NeighborhoodError(
                f"{self.path} has {len(self.lattices)} lattices; give one for each sentence"
            )

        lattice = self.lattices[number - 1]
        try:
            renamed = self._over(lattice, symbols)
        except MachineError as error:
            raise MachineError(f"{lattice.name}: {error}; list it in the dictionary") from None

        if not lattice.accepts(sentence):
            raise NeighborhoodError(
                f"{lattice.name} does not hold it; are the lattices in the corpus's order?"
            )
        return renamed

    def _over(self, lattice: Lattice, symbols: Symbols) -> Lattice:
        """A lattice with the labels of these symbols."""
        ids = symbols.ids([*lattice.symbols])
        return Lattice(with_ids(lattice.arrays, ids), symbols, lattice.name)


def _lattice_of(fst: pynini.Fst, where: str) -> Lattice:
    """The lattice of a machine, without the empty string."""
    if fst.output_symbols() is None:
        raise MachineError(f"{where}: no symbols, so its words are unknown; attach them")
    lattice = Lattice.from_fst(fst, name=where)
    lattice.arrays = fst_to_arrays(algebra.without_empty_string(lattice.to_fst(), where))
    return lattice
