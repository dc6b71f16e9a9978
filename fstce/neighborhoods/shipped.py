"""The neighborhoods that come with fstce, by name: transducers, and what is no small transducer.

The lattices of these are made directly:

``training-set``
    Every sentence is contrasted with all sentences of the corpus (Riezler 1999; Smith &
    Eisner 2005a, Eq. 8): one lattice, the union of the corpus, shared by all.
``half:…``
    A half of each sentence is predicted from the other (conditional EM, Jebara & Pentland
    1998; 2005a, §3.2): the words of the user's half become wildcards, the others stay.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from types import ModuleType

import numpy as np

import fstce.transducers
from fstce.errors import NeighborhoodError
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice, linear, of_sentences
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.neighborhoods.base import Neighborhood, numbered
from fstce.neighborhoods.over_vocabulary import OverVocabulary
from fstce.numeric.types import Bools, Sentences, Words
from fstce.transducers import identity

Half = Callable[[Sequence[str]], Sequence[bool] | Bools]


class TrainingSet(Neighborhood):
    """The sentences of the corpus itself, as one lattice.

    >>> lattice = next(TrainingSet().expand(["a b".split(), "a".split()], Symbols("ab")))
    >>> sorted(lattice.strings())
    [('a',), ('a', 'b')]
    """

    corpus_wide = True

    def __init__(self) -> None:
        super().__init__(identity.build, "training-set")

    def expand(
        self, sentences: Sentences, symbols: Symbols, numbers: Iterable[int] | None = None
    ) -> Iterator[Lattice]:
        """One lattice, whatever the number of sentences."""
        rows = [sentence for _, sentence in numbered(sentences, numbers)]
        if not rows:
            raise NeighborhoodError("a corpus of no sentences has no training-set neighborhood")
        arrays = of_sentences([symbols.ids(list(sentence)) for sentence in rows])
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

    def arrays_of(self, sentence: Words, symbols: Symbols) -> Arrays:
        """A chain of the sentence's words and of wildcards."""
        predicted = np.asarray(self.half(sentence), dtype=bool)
        if predicted.shape != (len(sentence),):
            raise NeighborhoodError(
                f"the half {self.name!r} gives {predicted.size} truth values for {len(sentence)} "
                "words"
            )
        return linear(np.where(predicted, SIGMA_ID, symbols.ids(list(sentence))).astype(np.int32))


def _first(words: Words) -> Bools:
    """The first half of the words, predicted from the second."""
    return 2 * np.arange(len(words)) < len(words)


def _second(words: Words) -> Bools:
    """The second half of the words, predicted from the first."""
    return ~_first(words)


HALVES: dict[str, Half] = {"first": _first, "second": _second}


@cache
def shipped(name: str) -> Neighborhood | None:
    """The neighborhood of this name in lower case, None where fstce has none.

    >>> shipped("trans1"), shipped("half:first"), shipped("trans7")
    (<Neighborhood trans1>, <Neighborhood half:first>, None)
    """
    if name == "training-set":
        return TrainingSet()
    half = name.removeprefix("half:")
    if half in HALVES and half != name:
        return ConditionalHalf(HALVES[half], name)
    if name not in _names():
        return None

    module = shipped_module(name)
    size = _names()[name]
    options = {} if size is None else {"size": size}
    if hasattr(module, "NEEDS"):
        readers = getattr(module, "OPTIONS", {})
        over_vocabulary = OverVocabulary(module.build, module.introduces, name, readers=readers)
        return over_vocabulary.changed(options=options)

    introduced = getattr(module, "INTRODUCES", ())
    return Neighborhood(
        partial(module.build, **options) if options else module.build,
        name,
        equivariant=getattr(module, "EQUIVARIANT", False),
        introduces=introduced() if callable(introduced) else introduced,
    )


def names() -> list[str]:
    """The names of the transducers that come with fstce and need nothing but a sentence.

    Of those of several sizes the least stands for all: ``punc1``.
    """
    return [name for name in _least_sizes() if not hasattr(shipped_module(name), "NEEDS")]


def names_over_vocabulary() -> list[str]:
    """The names of those that take words from a vocabulary."""
    return [name for name in _least_sizes() if hasattr(shipped_module(name), "NEEDS")]


def _least_sizes() -> list[str]:
    """The names, of several of one file the first."""
    least: dict[ModuleType, str] = {}
    for name in _names():
        least.setdefault(shipped_module(name), name)
    return list(least.values())


def direct_names() -> list[str]:
    """The names of those that are no transducers."""
    return ["training-set", *(f"half:{half}" for half in HALVES)]


def shipped_module(name: str) -> ModuleType:
    """The file of a transducer that comes with fstce."""
    size = _names()[name]
    module = name if size is None else name.removesuffix(str(size))
    return importlib.import_module(f"fstce.transducers.{module}")


@cache
def _names() -> dict[str, int | None]:
    """The name of each transducer, with its size where its file has several (spell1, spell2)."""
    names: dict[str, int | None] = {}
    for file in sorted(file.name for file in pkgutil.iter_modules(fstce.transducers.__path__)):
        module = importlib.import_module(f"fstce.transducers.{file}")
        sizes = getattr(module, "SIZES", None)
        names |= {file: None} if sizes is None else {f"{file}{size}": size for size in sizes}
    return names
