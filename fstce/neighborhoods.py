"""Neighbourhoods: sentence ∘ transducer → lattice (Smith & Eisner 2005a, §3.1).

A transducer is built over the words of one sentence, so that its size depends on the
sentence and not on the vocabulary. A transducer that treats all words alike is
*equivariant*: renaming the words renames the neighbours. Its lattice is then computed
once for each pattern of repeated words and relabelled, which changes nothing else.
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
        self, build: Builder, name: str, *, equivariant: bool = False, limit: int = algebra.STATE_LIMIT
    ) -> None:
        self.build = build
        self.name = name
        self.equivariant = equivariant
        self.limit = limit
        self._remember()

    def __call__(self, words: Sequence[str], vocabulary: Iterable[str] = ()) -> Lattice:
        """The lattice of one sentence, over its own words and those of the vocabulary."""
        return next(self.expand([words], Symbols([*words, *vocabulary])))

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
        for number, sentence in zip(numbers or count(1), sentences, strict=False):
            if not len(sentence):
                raise NeighborhoodError(f"sentence {number} is empty and has no neighbourhood")
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

    def _relabelled(self, sentence: Sequence[str], symbols: Symbols) -> Arrays:
        """The lattice over placeholder words, its labels renamed to those of `symbols`."""
        first: dict[str, int] = {}
        pattern = tuple(first.setdefault(word, len(first)) for word in sentence)
        arrays = self._pattern(pattern, None if self.equivariant else tuple(first))
        label = np.append(np.arange(FIRST_WORD_ID), symbols.ids(list(first))).astype(np.int32)
        renamed = label[arrays.ilabel]
        return arrays._replace(ilabel=renamed, olabel=renamed)

    def _pattern_lattice(self, pattern: tuple[int, ...], words: tuple[str, ...] | None) -> Arrays:
        """Compose, project, determinize, minimize, exactly as the papers say."""
        where = f"sentence ∘ {self.name}"
        sentence = arrays_to_const(linear(np.array(pattern, dtype=np.int32) + FIRST_WORD_ID))
        neighbours = algebra.compose(sentence, self._transducer(words or max(pattern) + 1), where, self.limit)
        lattice = algebra.without_empty_string(algebra.to_lattice(neighbours, where, self.limit), where)
        arrays = fst_to_arrays(lattice)
        _check_keeps(arrays, pattern, where)
        return arrays

    def _placeholder_transducer(self, words: tuple[str, ...] | int) -> pynini.Fst:
        alphabet = Symbols(words if isinstance(words, tuple) else (f"x{i}" for i in range(1, words + 1)))
        where = f"transducer {self.name}"
        fst = algebra.unweighted(algebra.verified(self.build(alphabet), where), where)
        _check_labels(fst, alphabet, where)
        return algebra.nonempty(fst.copy().rmepsilon().arcsort("ilabel"), "builder", where)


def neighborhood(name: str | Neighborhood) -> Neighborhood:
    """The neighbourhood of this name, as the papers spell it, in any case.

    Raises
    ------
    NeighborhoodError
        The name is unknown; the message gives the nearest that is known.

    Examples
    --------
    >>> neighborhood("DEL1SUBSEQ")("a b c".split()).count()
    6
    """
    if isinstance(name, Neighborhood):
        return name
    if not isinstance(name, str):
        raise NeighborhoodError(f"a neighbourhood is a name or a Neighborhood, not {type(name).__name__}")
    direct = _direct(name.lower())
    if direct is not None:
        return direct
    known = [*names(), "training-set", "half:first", "half:second", "half:odd", "half:even"]
    if name.lower() not in known:
        near = difflib.get_close_matches(name.lower(), known, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise NeighborhoodError(f"unknown neighbourhood {name!r}; {hint}known: {', '.join(known)}")
    return _shipped(name.lower())


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
    module = importlib.import_module(f"fstce.transducers.{name}")
    return Neighborhood(module.build, name, equivariant=getattr(module, "EQUIVARIANT", False))


def _check_labels(fst: pynini.Fst, alphabet: Symbols, where: str) -> None:
    """Raise where an arc spells something else than ε, ``<sigma>`` or a word of the sentence."""
    arrays = fst_to_arrays(fst)
    labels = np.unique(np.concatenate((arrays.ilabel, arrays.olabel)))
    strange = np.setdiff1d(labels, [0, SIGMA_ID, *alphabet.labels])
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
