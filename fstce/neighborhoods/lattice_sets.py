"""Set operations on the lattices of one sentence, with wildcards: what the algebra is made of.

Lattices are arrays over placeholder words; ``<sigma>`` stands for any of the `words` and for
all others that the corpus may have. Every result is a lattice again: deterministic, minimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import NeighborhoodError
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID
from fstce.neighborhoods.alphabet import Words, number_of


def union(first: Arrays, second: Arrays, words: Words, where: str, states: int) -> Arrays:
    """Each sentence once: what the wildcards of one hold is taken from the other first."""
    if not has_wildcard(first):
        first, second = second, first
    left, right = arrays_to_fst(first), arrays_to_fst(second)
    if has_wildcard(first):
        right = _minus(right, _spelt_out(first, words, where, states))
    return minimal(pynini.union(left, right), where, states)


def intersection(first: Arrays, second: Arrays, words: Words, where: str, states: int) -> Arrays:
    """OpenFst's; a wildcard and a word have the word in common."""
    both = has_wildcard(first) and has_wildcard(second)
    left, right = (_spelt_out(part, words, where, states) for part in (first, second))
    found = minimal(algebra.compose(left, right, where, states), where, states)
    return _without_covered(found, where, states) if both else found


def difference(first: Arrays, second: Arrays, x: Arrays, words: Words, where: str, states: int) -> Arrays:
    """OpenFst's, and the sentence again."""
    if has_wildcard(first):
        raise NeighborhoodError(f"{where}: nothing can be taken from <sigma>, which is any word")
    taken = _spelt_out(second, words, where, states)
    rest = _minus(arrays_to_fst(first), taken)
    return minimal(pynini.union(rest, arrays_to_fst(x)), where, states)


def _minus(left: pynini.Fst, right: pynini.Fst) -> pynini.Fst:
    """What the left accepts and the right, sorted and deterministic, does not; it may be nothing."""
    return pynini.Fst.from_pywrapfst(pywrapfst.difference(left, right))


def minimal(fst: pynini.Fst, where: str, states: int) -> Arrays:
    """What a machine accepts, as a lattice."""
    return fst_to_arrays(algebra.to_lattice(fst, where, states))


def _spelt_out(lattice: Arrays, words: Words, where: str, states: int) -> pynini.Fst:
    """The lattice, every wildcard also as each of the words; sorted, deterministic."""
    if not has_wildcard(lattice):
        return arrays_to_fst(lattice).arcsort("ilabel")
    arcs = np.flatnonzero(lattice.ilabel == SIGMA_ID)
    copies = np.repeat(arcs, number_of(words))
    label = np.tile(np.arange(FIRST_WORD_ID, FIRST_WORD_ID + number_of(words)), len(arcs)).astype(np.int32)
    spelt = _arcs(lattice, np.append(np.arange(len(lattice.source)), copies))
    labels = np.append(lattice.ilabel, label)
    spelt = spelt._replace(ilabel=labels, olabel=labels)
    return algebra.to_lattice(arrays_to_fst(spelt), where, states).arcsort("ilabel")


def _without_covered(lattice: Arrays, where: str, states: int) -> Arrays:
    """The lattice without words that stand next to a wildcard to the same state."""
    arc = lattice.source.astype(np.int64) * len(lattice.final) + lattice.next
    wild = lattice.ilabel == SIGMA_ID
    kept = wild | ~np.isin(arc, arc[wild])
    return minimal(arrays_to_fst(_arcs(lattice, kept)), where, states)


def _arcs(lattice: Arrays, chosen: NDArray[Any]) -> Arrays:
    """The machine of these arcs, some perhaps several times."""
    return Arrays(lattice.start, lattice.final, *(column[chosen] for column in lattice[2:]))


def keeping(words: Sequence[int], inside: Sequence[int]) -> pynini.Fst:
    """The acceptor of these words in their order, with any words of the class between them."""
    states = np.arange(len(words) + 1, dtype=np.int32)
    own = np.array(words, dtype=np.int32) + FIRST_WORD_ID
    loops = np.tile(np.array(inside, dtype=np.int32) + FIRST_WORD_ID, len(states))
    at = np.repeat(states, len(inside))
    label = np.append(own, loops)
    final = np.where(states < len(words), np.inf, 0.0).astype(np.float32)
    source, target = np.append(states[:-1], at), np.append(states[1:], at)
    arrays = Arrays(0, final, source, label, label, np.zeros(len(label), np.float32), target)
    return arrays_to_fst(arrays).arcsort("ilabel")


def has_wildcard(lattice: Arrays) -> bool:
    """Whether an arc is ``<sigma>``."""
    return bool(np.any(lattice.ilabel == SIGMA_ID))


def renamed(lattice: Arrays, old: int, new: int) -> Arrays:
    """The lattice with another label in the place of one."""
    label = np.where(lattice.ilabel == old, np.int32(new), lattice.ilabel).astype(np.int32)
    return lattice._replace(ilabel=label, olabel=label)
