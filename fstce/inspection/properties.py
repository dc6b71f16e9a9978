"""Properties of a machine as OpenFst knows them and ``fstinfo`` reports them, and their meaning."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fstce.corpora.tables import bundled_rows
from fstce.machines.image import fst_to_arrays
from fstce.machines.openfst import has, pynini, pywrapfst

PATH_LIMIT = 20_000  # arcs of a machine whose strings and paths are counted
_PAIR_LIMIT = 2_000_000  # of arcs that read the same label: beyond, ambiguity is not tested


class Property(NamedTuple):
    """A property, whether the machine has it, and what that means."""

    name: str
    holds: bool
    meaning: str


def properties(fst: pynini.Fst) -> list[Property]:
    """The properties of a machine, each tested.

    >>> [p.name for p in properties(pynini.accep("ab")) if not p.holds]
    []
    >>> {p.name: p.meaning for p in properties(pynini.cross("a", ""))}["no output epsilons"]
    'an arc writes nothing: it deletes'
    """
    tested = []
    for name, yes, no in bundled_rows("properties.tsv", "fstce.inspection"):
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
