"""Neighbourhoods that are no transducers: their lattices are made directly.

``training-set``
    Every sentence is contrasted with all sentences of the corpus (Riezler 1999; Smith &
    Eisner 2005a, Eq. 8): one lattice, the union of the corpus, shared by all.
``half:…``
    A half of each sentence is predicted from the other (conditional EM, Jebara & Pentland
    1998; 2005a, §3.2): the words of the user's half become wildcards, the others stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from fstce.errors import NeighborhoodError
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice, linear
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.machines.trie import union
from fstce.neighborhoods.base import Neighborhood, numbered
from fstce.transducers import identity

Half = Callable[[Sequence[str]], Sequence[bool]]


class TrainingSet(Neighborhood):
    """The sentences of the corpus itself, as one lattice.

    >>> sorted(TrainingSet().whole(["a b".split(), "a".split()]).strings())
    [('a',), ('a', 'b')]
    """

    corpus_wide = True

    def __init__(self) -> None:
        super().__init__(identity.build, "training-set")

    def whole(self, sentences: Sequence[Sequence[str]]) -> Lattice:
        """The lattice of a corpus."""
        return next(self.expand(sentences, Symbols(word for sentence in sentences for word in sentence)))

    def expand(
        self,
        sentences: Iterable[Sequence[str]],
        symbols: Symbols,
        numbers: Iterable[int] | None = None,
    ) -> Iterator[Lattice]:
        """One lattice, whatever the number of sentences."""
        rows = [sentence for _, sentence in numbered(sentences, numbers)]
        if not rows:
            raise NeighborhoodError("a corpus of no sentences has no training-set neighbourhood")
        arrays = union([symbols.ids(list(sentence)) for sentence in rows])
        yield Lattice(arrays, symbols, f"{len(rows)} sentences ∘ {self.name}")


class ConditionalHalf(Neighborhood):
    """Sentences that differ in the user's half: its words may be any of the vocabulary.

    ``half``: from a sentence to a truth value for each word: whether it is predicted.

    >>> capitals = ConditionalHalf(lambda words: [word.istitle() for word in words], "names")
    >>> capitals("the cat saw Kim".split(), vocabulary=["Lee"]).count()
    5
    """

    def __init__(self, half: Half, name: str) -> None:
        super().__init__(identity.build, name)
        self.half = half

    def arrays_of(self, sentence: Sequence[str], symbols: Symbols) -> Arrays:
        """A chain of the sentence's words and of wildcards."""
        predicted = np.asarray(self.half(sentence), dtype=bool)
        if predicted.shape != (len(sentence),):
            raise NeighborhoodError(
                f"the half {self.name!r} gives {predicted.size} truth values for {len(sentence)} words"
            )
        return linear(np.where(predicted, SIGMA_ID, symbols.ids(list(sentence))).astype(np.int32))


def _first(words: Sequence[str]) -> list[bool]:
    """The first half of the words, predicted from the second."""
    return [2 * i < len(words) for i in range(len(words))]


def _second(words: Sequence[str]) -> list[bool]:
    """The second half of the words, predicted from the first."""
    return [2 * i >= len(words) for i in range(len(words))]


def _odd(words: Sequence[str]) -> list[bool]:
    """The first word and every other, predicted from the rest."""
    return [i % 2 == 0 for i in range(len(words))]


def _even(words: Sequence[str]) -> list[bool]:
    """The second word and every other, predicted from the rest."""
    return [i % 2 == 1 for i in range(len(words))]


HALVES: dict[str, Half] = {"first": _first, "second": _second, "odd": _odd, "even": _even}
