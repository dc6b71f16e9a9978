"""Properties of a machine as OpenFst knows them and ``fstinfo`` reports them, and their meaning."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fstce.machines.image import fst_to_arrays
from fstce.machines.openfst import has, pynini, pywrapfst

PATH_LIMIT = 20_000  # arcs of a machine whose strings and paths are counted
_PAIR_LIMIT = 2_000_000  # of arcs that read the same label: beyond, ambiguity is not tested


class Property(NamedTuple):
    """A property, whether the machine has it, and what that means."""

    name: str
    holds: bool
    meaning: str


# The meaning of a property and of its absence, by the name that OpenFst's bit has in words.
_MEANINGS = {
    "acceptor": ("a set of strings", "a relation: an arc writes what it does not read"),
    "input deterministic": (
        "a string is read along one path at most",
        "two arcs of a state read the same: reading a string may split",
    ),
    "output deterministic": (
        "an output is written along one path at most",
        "two arcs of a state write the same",
    ),
    "no epsilons": (
        "no arc is ε:ε",
        "an arc of ε:ε neither reads nor writes; fstrmepsilon removes it",
    ),
    "no input epsilons": ("every arc reads", "an arc reads nothing: it inserts"),
    "no output epsilons": ("every arc writes", "an arc writes nothing: it deletes"),
    "input label sorted": (
        "ready to stand on the right of a composition",
        "sort it (fstarcsort) before it stands on the right of a composition",
    ),
    "output label sorted": (
        "ready to stand on the left of a composition",
        "sort its output before it stands on the left of a composition",
    ),
    "unweighted": ("every weight is 0 nats, a probability of 1", "paths differ in weight"),
    "acyclic": ("finitely many paths", "a cycle: infinitely many paths, so it is no lattice"),
    "top sorted": (
        "every arc leads to a state with a higher number",
        "an arc leads back in the numbering",
    ),
    "accessible": ("every state can be reached", "a state cannot be reached"),
    "coaccessible": (
        "every state leads to an end",
        "a state leads to no end; fstconnect removes it",
    ),
    "string": ("one string alone", "not just one string"),
}


def properties(fst: pynini.Fst) -> list[Property]:
    """The properties of a machine, each tested.

    >>> [p.name for p in properties(pynini.accep("ab")) if not p.holds]
    []
    >>> {p.name: p.meaning for p in properties(pynini.cross("a", ""))}["no output epsilons"]
    'an arc writes nothing: it deletes'
    """
    tested = []
    for name, (yes, no) in _MEANINGS.items():
        bit = name.upper().replace("INPUT", "I").replace("OUTPUT", "O").replace(" ", "_")
        holds = has(fst, bit)
        tested.append(Property(name, holds, yes if holds else no))
    return tested


def ambiguous(fst: pynini.Fst) -> bool | None:
    """Whether some input has two paths: the machine composed with itself leaves the diagonal.

    None where ε is read, or the pairs are too many, so that it is not tested.
    """
    if not has(fst, "NO_I_EPSILONS"):
        return None

    plain = pynini.arcmap(pynini.arcmap(fst, map_type="rmweight"), map_type="to_standard")
    reads = plain.set_input_symbols(None).set_output_symbols(None).project("input").connect()
    if reads.start() == pywrapfst.NO_STATE_ID:
        return False

    arrays = fst_to_arrays(reads)
    arcs = np.stack((arrays.source, arrays.next, arrays.ilabel))
    if np.unique(arcs, axis=1).shape[1] < arcs.shape[1]:
        return True
    _, counts = np.unique(arrays.ilabel, return_counts=True)
    if (counts.astype(float) ** 2).sum() > _PAIR_LIMIT:
        return None

    squared = pynini.compose(reads.copy().arcsort("olabel"), reads.arcsort("ilabel")).connect()
    return bool(squared.num_states() != reads.num_states())
