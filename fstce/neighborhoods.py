"""Neighbourhoods: sentence ∘ transducer → lattice (Smith & Eisner 2005a, §3.1).

A transducer is built over the words of one sentence, so that its size depends on the
sentence and not on the vocabulary. A transducer that treats all words alike is
*equivariant*: renaming the words renames the neighbours. Its lattice is then computed
once for each pattern of repeated words and relabelled, which changes nothing else.

===========================  ===========================================================
``neighborhood_algebra``     ``|``, ``&``, ``-``, ``@``, ``**``, restrict, limit
``neighborhood_expressions`` the same, written as text
``neighborhood_files``       an author's own: Python files, entry points, machines in files
``neighborhood_text``        machines over words, whose arcs may stand for any word
===========================  ===========================================================
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import count

import numpy as np
import pynini

import fstce.transducers
from fstce.errors import MachineError, NeighborhoodError
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_const, fst_to_arrays
from fstce.machines.lattice import Lattice, accepts, linear
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID, Symbols

Builder = Callable[[Symbols], pynini.Fst]
# How many placeholder words there are; or the words of a sentence and those a machine may introduce.
Words = int | tuple[tuple[str, ...], tuple[str, ...]]


class Alphabet(Symbols):
    """The words of a sentence, and others that have ids but that no ``any()`` stands for.

    Parameters
    ----------
    words, others : iterable of str

    Examples
    --------
    >>> alphabet = Alphabet(["a", "thing"], ["the"])
    >>> list(alphabet), "the" in alphabet, alphabet.any().num_arcs(0)
    (['a', 'thing'], True, 2)
    """

    def __init__(self, words: Iterable[str], others: Iterable[str] = ()) -> None:
        own = tuple(dict.fromkeys(words))
        super().__init__((*own, *others))
        self._size = len(own)

    @property
    def labels(self) -> range:
        """The ids of the sentence's words."""
        return range(FIRST_WORD_ID, FIRST_WORD_ID + self._size)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[str]:
        return iter(self._words[FIRST_WORD_ID : FIRST_WORD_ID + self._size])


class Neighborhood:
    """What a sentence could have been and was not: a transducer, applied to sentences.

    Parameters
    ----------
    build : callable
        From the alphabet of one sentence to its transducer.
    name : str
        The name for messages and files.
    equivariant : bool
        Whether `build` treats all words alike, so that lattices may be shared.
    limit : int
        The number of states a lattice may have.
    introduces : sequence of str
        Words that the machine may introduce where the sentence has them not: the builder
        finds their ids in its alphabet, as far as the corpus has them at all.

    Attributes
    ----------
    corpus_wide : bool
        Whether all sentences of a corpus share one lattice; False for transducers.

    Examples
    --------
    >>> neighborhood("del1word")("a delicate thing".split()).count()
    4
    """

    corpus_wide = False

    def __init__(
        self,
        build: Builder,
        name: str,
        *,
        equivariant: bool = False,
        limit: int = algebra.STATE_LIMIT,
        introduces: Sequence[str] = (),
    ) -> None:
        if equivariant and introduces:
            raise NeighborhoodError(f"{name} introduces words by name, so it does not treat all words alike")
        self.build = build
        self.name = name
        self.equivariant = equivariant
        self.limit = limit
        self.introduces = tuple(dict.fromkeys(introduces))
        self._remember()

    def __call__(self, words: Sequence[str], vocabulary: Iterable[str] = ()) -> Lattice:
        """The lattice of one sentence, over its own words and those of the vocabulary."""
        return next(self.expand([words], Symbols([*words, *vocabulary, *self.introduces])))

    def expand(
        self,
        sentences: Iterable[Sequence[str]],
        symbols: Symbols,
        numbers: Iterable[int] | None = None,
    ) -> Iterator[Lattice]:
        """The lattice of each sentence, in order; messages name them by `numbers`, or from 1.

        Raises
        ------
        NeighborhoodError
            A sentence is empty, or does not belong to its own neighbourhood.
        MachineError
            An operation failed, or a lattice exceeds the limit; names sentence and machine.
        """
        for number, sentence in numbered(sentences, numbers):
            try:
                arrays = self._relabelled(sentence, symbols)
            except (MachineError, NeighborhoodError) as error:
                raise type(error)(f"sentence {number} ({beginning(sentence)}): {error}") from None
            yield Lattice(arrays, symbols, f"sentence {number} ∘ {self.name}")

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)
        self._remember()

    def _remember(self) -> None:
        self._transducer = lru_cache(maxsize=512)(self._placeholder_transducer)
        self._pattern = lru_cache(maxsize=8192)(self._pattern_lattice)

    def __repr__(self) -> str:
        return f"<Neighborhood {self.name}>"

    def __or__(self, other: Neighborhood) -> Neighborhood:
        """The neighbours of either."""
        return _combined("|", self, other)

    def __and__(self, other: Neighborhood) -> Neighborhood:
        """The neighbours of both."""
        return _combined("&", self, other)

    def __sub__(self, other: Neighborhood) -> Neighborhood:
        """The neighbours of the first that are not of the second, and the sentence itself."""
        return _combined("-", self, other)

    def __matmul__(self, other: Neighborhood) -> Neighborhood:
        """The second's neighbours of the first's neighbours."""
        return _combined("@", self, other)

    def __pow__(self, times: int) -> Neighborhood:
        """So many steps, one after another."""
        from fstce.neighborhood_algebra import power

        return power(self, times)

    def limited(self, limit: int) -> Neighborhood:
        """The same, its lattices of at most so many states; one that is larger is an error."""
        same = object.__new__(type(self))
        same.__setstate__({**self.__getstate__(), "limit": limit})
        return same

    def over(self, pattern: tuple[int, ...], words: Words) -> Arrays:
        """The lattice of a pattern of placeholder words, numbered from 0; the same for equal patterns.

        Parameters
        ----------
        pattern : tuple of int
            The sentence: each word as its place among `words`.
        words : int or pair of tuples of str
            How many words there are, or the sentence's words and others that have ids.

        Returns
        -------
        Arrays
            Label ``FIRST_WORD_ID + i`` is word i.
        """
        return self._pattern(pattern, _number_of(words) if self.equivariant else words)

    def transducer(self, words: Words) -> pynini.Fst:
        """The transducer over these words, sorted by input."""
        return self._transducer(_number_of(words) if self.equivariant else words)

    def _relabelled(self, sentence: Sequence[str], symbols: Symbols) -> Arrays:
        """The lattice over placeholder words, its labels renamed to those of `symbols`."""
        first: dict[str, int] = {}
        pattern = tuple(first.setdefault(word, len(first)) for word in sentence)
        others = tuple(word for word in self.introduces if word in symbols and word not in first)
        words = (*first, *others)
        arrays = self.over(pattern, len(words) if self.equivariant else (tuple(first), others))
        label = np.append(np.arange(FIRST_WORD_ID), symbols.ids(words)).astype(np.int32)
        renamed = label[arrays.ilabel]
        return arrays._replace(ilabel=renamed, olabel=renamed)

    def _pattern_lattice(self, pattern: tuple[int, ...], words: Words) -> Arrays:
        """Compose, project, determinize, minimize, exactly as the papers say."""
        where = f"sentence ∘ {self.name}"
        sentence = arrays_to_const(linear(np.array(pattern, dtype=np.int32) + FIRST_WORD_ID))
        neighbours = algebra.compose(sentence, self.transducer(words), where, self.limit)
        lattice = algebra.without_empty_string(algebra.to_lattice(neighbours, where, self.limit), where)
        arrays = fst_to_arrays(lattice)
        _check_keeps(arrays, pattern, where)
        return arrays

    def _placeholder_transducer(self, words: Words) -> pynini.Fst:
        spelt = ((f"x{i}" for i in range(1, words + 1)), ()) if isinstance(words, int) else words
        alphabet = Alphabet(*spelt)
        where = f"transducer {self.name}"
        fst = algebra.unweighted(algebra.verified(self.build(alphabet), where), where)
        _check_labels(fst, FIRST_WORD_ID + _number_of(words), where)
        return algebra.nonempty(fst.copy().rmepsilon().arcsort("ilabel"), "builder", where)


def numbered(
    sentences: Iterable[Sequence[str]], numbers: Iterable[int] | None
) -> Iterator[tuple[int, Sequence[str]]]:
    """Each sentence with its number, from 1 by default; raises NeighborhoodError at an empty one."""
    for number, sentence in zip(numbers or count(1), sentences, strict=False):
        if not len(sentence):
            raise NeighborhoodError(f"sentence {number} is empty and has no neighbourhood")
        yield number, sentence


def neighborhood(name: str | Neighborhood) -> Neighborhood:
    """The neighbourhood of this name, as the papers spell it, in any case; or from a file; or combined.

    Parameters
    ----------
    name : str or Neighborhood
        A name (``trans1``), that of an installed package's entry point, a path (``./mine.py``,
        ``mine.fst``, ``mine.txt``, ``archive.far:key``, ``lattices.far``), or an expression of
        them (``trans1 | del1word``); see :mod:`fstce.neighborhood_expressions`.

    Raises
    ------
    NeighborhoodError
        The name is unknown; the message gives the nearest that is known. Or a file holds no
        neighbourhood, or an expression is none; says where.

    Examples
    --------
    >>> neighborhood("DEL1SUBSEQ")("a b c".split()).count()
    6
    >>> neighborhood("trans1 | del1word")("a b c".split()).count()
    6
    """
    from fstce.neighborhood_expressions import is_expression, parse

    if isinstance(name, Neighborhood):
        return name
    if not isinstance(name, str):
        raise NeighborhoodError(f"a neighbourhood is a name or a Neighborhood, not {type(name).__name__}")
    known = named(name.strip())
    if known is not None:
        return known
    if is_expression(name):
        return parse(name)
    raise NeighborhoodError(unknown(name))


def named(name: str) -> Neighborhood | None:
    """The neighbourhood of a single name or path, None where it is neither."""
    from fstce.neighborhood_files import load, registered

    direct = _direct(name.lower())
    if direct is not None:
        return direct
    if name.lower() in names():
        return _shipped(name.lower())
    return load(name) or registered(name)


def unknown(name: str) -> str:
    """What to say of an unknown name: the nearest, and all that are known."""
    from fstce.neighborhood_files import registered_names

    own = ["training-set", "half:first", "half:second", "half:odd", "half:even"]
    known = [*names(), *registered_names(), *own]
    near = difflib.get_close_matches(name.lower(), known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"unknown neighbourhood {name!r}; {hint}known: {', '.join(known)}"


def names() -> list[str]:
    """The names of the neighbourhoods that ``fstce.transducers`` holds."""
    return sorted(module.name for module in pkgutil.iter_modules(fstce.transducers.__path__))


@cache
def _direct(name: str) -> Neighborhood | None:
    """The neighbourhood of this name that is no transducer, if there is one."""
    from fstce.corpus_neighborhoods import HALVES, ConditionalHalf, TrainingSet

    if name == "training-set":
        return TrainingSet()
    kind, _, half = name.partition(":")
    return ConditionalHalf(HALVES[half], name) if kind == "half" and half in HALVES else None


@cache
def _shipped(name: str) -> Neighborhood:
    from fstce.neighborhood_files import warn_of_namesakes

    warn_of_namesakes(name)
    module = importlib.import_module(f"fstce.transducers.{name}")
    return Neighborhood(
        module.build,
        name,
        equivariant=getattr(module, "EQUIVARIANT", False),
        introduces=getattr(module, "INTRODUCES", ()),
    )


def _combined(operation: str, left: Neighborhood, right: Neighborhood) -> Neighborhood:
    from fstce.neighborhood_algebra import combine

    return combine(operation, left, right) if isinstance(right, Neighborhood) else NotImplemented


def _number_of(words: Words) -> int:
    return words if isinstance(words, int) else len(words[0]) + len(words[1])


def _check_labels(fst: pynini.Fst, end: int, where: str) -> None:
    """Raise where an arc spells something else than ε, ``<sigma>`` or a word of the sentence."""
    arrays = fst_to_arrays(fst)
    labels = np.unique(np.concatenate((arrays.ilabel, arrays.olabel)))
    strange = np.setdiff1d(labels, [0, SIGMA_ID, *range(FIRST_WORD_ID, end)])
    if len(strange):
        raise MachineError(
            f"{where}: label {strange[0]} is no word of the sentence; build from symbols.any() and "
            "symbols.union(labels), for a string in pynini stands for its bytes"
        )


def beginning(sentence: Sequence[str]) -> str:
    """The first words of a sentence, for messages."""
    return " ".join(sentence[:5]) + (" …" if len(sentence) > 5 else "")


def _check_keeps(arrays: Arrays, pattern: tuple[int, ...], where: str) -> None:
    """Raise unless the sentence is among its neighbours: the contrast needs it there."""
    if accepts(arrays, np.array(pattern) + FIRST_WORD_ID):
        return
    raise NeighborhoodError(f"{where}: the sentence is not in its own neighbourhood; let the machine copy it")
