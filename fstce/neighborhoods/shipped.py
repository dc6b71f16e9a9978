"""The neighborhoods that come with fstce, by name: transducers, and what is no small transducer.

The lattices of these are made directly:

``rotations``
    The sentence, beginning at any of its words: x = uv gives vu. {(uv, vu)} is no regular
    relation, since v must wait until u, of any length, has passed; ``rotate1`` is as far as
    a transducer gets. m strings for m distinct words, in O(m²) states.
``window2`` … ``window9``
    Permutations within a window of w words, the *local constraints* of Kanthak, Vilar,
    Matusov, Zens and Ney (2005, *Novel Reordering Approaches in Phrase-Based Statistical
    Machine Translation*): the next word is one of the first w positions, counted from the
    first that is not yet covered. So no word stands w places or more from its own, though
    not every such permutation is among them (3412 is not, for w = 3). ``window2`` is
    ``transall``. A state is the first position not yet covered and which of the w − 1 behind
    it are: at most m 2^(w − 1) for distinct words, where a transducer would remember words.
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
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from types import ModuleType

import numpy as np

import fstce.transducers
from fstce.errors import NeighborhoodError
from fstce.machines import algebra
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice, linear, of_sentences
from fstce.machines.positions import Maker, PositionAutomaton, lattice_of
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.neighborhoods.alphabet import Words
from fstce.neighborhoods.base import Neighborhood, NoTransducer, numbered
from fstce.neighborhoods.over_vocabulary import OverVocabulary
from fstce.numeric.types import Ints, Sentences
from fstce.transducers import identity

LARGEST = 9
_WINDOW = re.compile(r"window[2-9]")
Half = Callable[[Sequence[str]], Sequence[bool]]


class Reordered(Neighborhood):
    """Orders of the sentence's words that have no small transducer, by a machine over positions.

    ``rows``: the machine's states for each position; None for as many as there are positions.
    """

    def __init__(self, name: str, rows: int | None, orders: Maker) -> None:
        super().__init__(NoTransducer(), name, equivariant=True)
        self.rows = rows
        self.orders = orders

    def _pattern_lattice(self, pattern: tuple[int, ...], words: Words) -> Arrays:
        where = f"sentence ∘ {self.name}"
        length = len(pattern)
        algebra.check_states((self.rows or length) * length + 1, "machine", where, self.limit)
        return lattice_of(self.orders, pattern, where, self.limit)


class Windowed(Reordered):
    """The permutations within a window of so many words, from window2 to window9.

    ``size``: how many positions the next word is taken from, 2 to 9.

    >>> sorted(map("".join, Windowed(3)("abcd").strings()))[-3:]
    ['cabd', 'cadb', 'cbad']
    """

    def __init__(self, size: int) -> None:
        if isinstance(size, bool) or not isinstance(size, int) or not 2 <= size <= LARGEST:
            raise NeighborhoodError(f"a window of {size!r} words: its size is 2 to {LARGEST}")
        super().__init__(f"window{size}", 1 << (size - 1), partial(_permutations, size))


class Rotated(Reordered):
    """All rotations of the sentence.

    >>> sorted(map("".join, Rotated()("abc").strings()))
    ['abc', 'bca', 'cab']
    """

    def __init__(self) -> None:
        super().__init__("rotations", None, _rotations)


def _rotations(length: int) -> PositionAutomaton:
    """State ``i · m + n + 1`` has read n + 1 words from position i on; the start is 0."""
    first, read = np.divmod(np.arange(length * length), length)
    target = np.arange(1, length * length + 1)
    source = np.where(read == 0, 0, target - 1)
    return PositionAutomaton(
        target[length - 1 :: length].tolist(), source, (first + read) % length, target
    )


def _permutations(size: int, length: int) -> PositionAutomaton:
    """State ``first · 2^(w − 1) + covered``: bit i of `covered` is position ``first + 1 + i``."""
    arcs = _window(size)
    masks = 1 << (size - 1)
    first = np.repeat(np.arange(length), len(arcs[0]))
    source, step, moved, covered = np.tile(arcs, length)

    position = first + step
    target = (first + moved) * masks + covered
    # A position beyond the end is never covered, so no state that says so is reached.
    inside = (position < length) & (target <= length * masks)
    return PositionAutomaton(
        [length * masks], (first * masks + source)[inside], position[inside], target[inside]
    )


@cache
def _window(size: int) -> Ints:
    """The arcs of a position: covered before, place in the window, how far the first moves, covered
    after.

    Shape (4, arcs).
    """
    rows = []
    for covered in range(1 << (size - 1)):
        run = 0  # covered positions right behind the first, which it moves past
        while covered >> run & 1:
            run += 1
        rows.append((covered, 0, run + 1, covered >> (run + 1)))
        free = [i for i in range(size - 1) if not covered >> i & 1]
        rows += [(covered, i + 1, 0, covered | 1 << i) for i in free]
    return np.array(rows).T


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

    def arrays_of(self, sentence: Sequence[str], symbols: Symbols) -> Arrays:
        """A chain of the sentence's words and of wildcards."""
        predicted = np.asarray(self.half(sentence), dtype=bool)
        if predicted.shape != (len(sentence),):
            raise NeighborhoodError(
                f"the half {self.name!r} gives {predicted.size} truth values for {len(sentence)} "
                "words"
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


@cache
def shipped(name: str) -> Neighborhood | None:
    """The neighborhood of this name in lower case, None where fstce has none.

    >>> shipped("trans1"), shipped("half:odd"), shipped("trans7")
    (<Neighborhood trans1>, <Neighborhood half:odd>, None)
    """
    if name == "rotations":
        return Rotated()
    if name == "training-set":
        return TrainingSet()
    if name.removeprefix("half:") in HALVES and name.startswith("half:"):
        return ConditionalHalf(HALVES[name.removeprefix("half:")], name)
    if _WINDOW.fullmatch(name):
        return Windowed(int(name[-1]))
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
    return [name for name, size in _names().items() if size in (None, 1)]


def direct_names() -> list[str]:
    """The names of those that are no transducers; ``window3`` stands for all sizes of a window."""
    return ["rotations", "window3", "training-set", *(f"half:{half}" for half in HALVES)]


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
