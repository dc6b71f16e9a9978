"""Machines over the positions of a sentence, not its words: lattices without a transducer.

It serves where there is no small transducer (rotations, windows). What a neighbor is must
depend on the length of the sentence alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_const, fst_to_arrays
from fstce.machines.symbols import FIRST_WORD_ID
from fstce.numeric.types import Ints


class PositionAutomaton(NamedTuple):
    """A machine without ε whose arcs read positions of a sentence; its start is state 0.

    ``source``, ``position``, ``target`` is (arcs,).
    """

    ends: Sequence[int]
    source: Ints
    position: Ints
    target: Ints


Maker = Callable[[int], PositionAutomaton]


def lattice_of(make: Maker, pattern: tuple[int, ...], where: str, limit: int) -> Arrays:
    """The lattice of a sentence.

    ``make``: from the number of words to the machine. ``pattern``: placeholder words, numbered from
    0. ``limit``: the most states that the lattice may have. Label ``FIRST_WORD_ID + i`` of the
    result is word i.
    """
    automaton = make(len(pattern))
    states = 1 + max(*automaton.ends, int(automaton.source.max()), int(automaton.target.max()))
    final = np.full(states, np.inf, dtype=np.float32)
    final[list(automaton.ends)] = 0.0
    label = (np.array(pattern)[automaton.position] + FIRST_WORD_ID).astype(np.int32)
    weight = np.zeros(len(label), np.float32)
    fst = arrays_to_const(
        Arrays(0, final, automaton.source, label, label, weight, automaton.target)
    )
    # An acyclic acceptor without ε needs no more than this; to_lattice would look for both.
    lattice = algebra.determinize(fst, where, limit)
    lattice.minimize()
    lattice.topsort()
    return fst_to_arrays(lattice)
