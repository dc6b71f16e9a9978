"""Precomputed lattices, one a sentence, that another program made: a recognizer's, or a
translator's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path

import numpy as np

from fstce.errors import MachineError, NeighborhoodError
from fstce.machines import algebra
from fstce.machines.convert import shown_keys
from fstce.machines.files import read_far
from fstce.machines.image import Arrays, fst_to_arrays
from fstce.machines.lattice import Lattice, accepts
from fstce.machines.openfst import has, pynini
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood, NoTransducer, naming
from fstce.neighborhoods.first_use import beginning
from fstce.neighborhoods.word_machines import compiled


def archive(name: str, path: Path, weighted: bool = False) -> Neighborhood:
    """The neighborhood of precomputed lattices, one a sentence; of one machine with a cycle that
    machine.
    """
    machines = read_far(path)
    if all(has(fst, "ACYCLIC") for fst in machines.values()):
        return PrecomputedLattices(name, path, machines)
    if len(machines) > 1:
        raise NeighborhoodError(
            f"{path} holds {len(machines):,} machines, and with a cycle one is no lattice of a "
            f"sentence; say which is the neighborhood, {path}:KEY: {shown_keys(tuple(machines))}"
        )
    return compiled(name, path, None, weighted)


class PrecomputedLattices(Neighborhood):
    """Lattices that another program made: lattice n is that of sentence n of the corpus.

    ``machines``: of a FAR, acceptors whose symbols are words. Their weights, −log in nats, count;
    those of equal strings add up as probabilities.
    """

    def __init__(self, name: str, path: Path, machines: Mapping[str, pynini.Fst]) -> None:
        self.path = path
        self.keys: list[str] = list(machines)
        with_words = [_lattice_of(fst, f"{path}:{key}") for key, fst in machines.items()]
        self.lattices: list[Arrays] = [arrays for arrays, _ in with_words]
        self.words: list[list[str]] = [words for _, words in with_words]
        everything = dict.fromkeys(word for words in self.words for word in words)
        weighted = any(arrays.weight.dtype == np.float64 for arrays in self.lattices)
        super().__init__(NoTransducer(), name, introduces=tuple(everything), weighted=weighted)

    def __call__(self, words: Sequence[str], vocabulary: Iterable[str] = ()) -> Lattice:
        """The first lattice that holds the sentence."""
        symbols = Symbols([*words, *vocabulary, *self.introduces])
        ids = symbols.ids(list(words))
        for number in range(1, len(self.keys) + 1):
            arrays = self._over(number, symbols)
            if accepts(arrays, ids):
                return Lattice(arrays, symbols, f"{self.path}:{self.keys[number - 1]}")
        raise NeighborhoodError(
            f"{self.path}: none of {len(self.keys)} lattices holds {beginning(words)!r}"
        )

    def expand(
        self,
        sentences: Iterable[Sequence[str]],
        symbols: Symbols,
        numbers: Iterable[int] | None = None,
    ) -> Iterator[Lattice]:
        """The lattice of each sentence by its number in the corpus."""
        number = 0
        for number, sentence in zip(numbers or count(1), sentences, strict=False):
            with naming(number, sentence):
                lattice = self._numbered(number, sentence, symbols)
            yield lattice
        if numbers is None and number < len(self.keys):
            raise NeighborhoodError(
                f"{self.path} has {len(self.keys)} lattices for {number} sentences; give one for "
                "each"
            )

    def _numbered(self, number: int, sentence: Sequence[str], symbols: Symbols) -> Lattice:
        """The lattice of this number, checked to hold the sentence."""
        if number > len(self.keys):
            raise NeighborhoodError(
                f"{self.path} has {len(self.keys)} lattices; give one for each sentence"
            )

        key = f"{self.path}:{self.keys[number - 1]}"
        try:
            arrays = self._over(number, symbols)
        except MachineError as error:
            raise MachineError(f"{key}: {error}; list it in the dictionary") from None

        if not accepts(arrays, symbols.ids(list(sentence))):
            raise NeighborhoodError(
                f"{key} does not hold it; are the lattices in the corpus's order?"
            )
        return Lattice(arrays, symbols, key)

    def _over(self, number: int, symbols: Symbols) -> Arrays:
        """A lattice with the labels of these symbols."""
        label = symbols.ids(self.words[number - 1])[self.lattices[number - 1].ilabel]
        return self.lattices[number - 1].raised(self.exponent)._replace(ilabel=label, olabel=label)


def _lattice_of(fst: pynini.Fst, where: str) -> tuple[Arrays, list[str]]:
    """A lattice and its words; its labels are places among them."""
    weighted = not has(fst, "UNWEIGHTED")
    machine = fst
    if weighted:
        machine = algebra.in_log(fst)
    table = machine.output_symbols()
    if table is None:
        raise MachineError(f"{where}: no symbols, so its words are unknown; attach them")
    arrays = fst_to_arrays(algebra.without_empty_string(algebra.to_lattice(machine, where), where))
    used, place = np.unique(arrays.ilabel, return_inverse=True)
    label = place.astype(np.int32)
    return arrays._replace(ilabel=label, olabel=label), list(map(table.find, used.tolist()))
