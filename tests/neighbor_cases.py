"""What the tests of the shipped transducers share: every short sentence, and its neighbors each way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from types import ModuleType

from fstce import neighborhood
from fstce.machines import Symbols, check_lattice
from fstce.neighborhoods.base import Neighborhood

Words = tuple[str, ...]
SENTENCE = ["see", "the", "dog"]
ALPHABET = ("a", "b", "c")


def short_sentences(longest: int = 5) -> Iterator[Words]:
    """Every sentence of 1 to `longest` words over three letters, repeated words included."""
    for size in range(1, longest + 1):
        yield from product(ALPHABET, repeat=size)


def assert_equals_oracle(
    module: ModuleType, oracle: Callable[[tuple[str, ...]], set[tuple[str, ...]]]
) -> None:
    """The lattice of every short sentence holds the oracle's strings, each once, and keeps the contract."""
    name = module.__name__.rpartition(".")[2]
    machine = Neighborhood(module.build, name, equivariant=getattr(module, "EQUIVARIANT", False))
    sentences = list(short_sentences())
    for words, lattice in zip(sentences, machine.expand(sentences, Symbols(ALPHABET)), strict=True):
        strings = lattice.strings()
        assert set(strings) == oracle(words), words
        assert len(strings) == len(set(strings)) == lattice.count(), words
        check_lattice(lattice.to_fst(), " ".join(words))


def assert_equivariance_is_earned(module: ModuleType) -> None:
    """A transducer that says EQUIVARIANT gives the same lattices when it is built anew for every sentence."""
    sentences = list(short_sentences(4))
    symbols = Symbols(ALPHABET)
    shared = Neighborhood(module.build, "shared", equivariant=True).expand(sentences, symbols)
    alone = Neighborhood(module.build, "alone", equivariant=False).expand(sentences, symbols)
    for words, left, right in zip(sentences, shared, alone, strict=True):
        assert set(left.strings()) == set(right.strings()), words


def strings(
    name: str, words: Sequence[str] = SENTENCE, vocabulary: Sequence[str] = ()
) -> set[Words]:
    """The strings of a sentence's lattice, which keeps the contract."""
    lattice = neighborhood(name)(words, vocabulary)
    check_lattice(lattice.to_fst(), name)
    return set(lattice.strings())
