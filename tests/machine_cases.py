"""Machines that several tests of this room share."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pynini
import pytest
from hypothesis import strategies as st
from patience import patience

from fstce import neighborhood
from fstce.machines import Arrays, arrays_to_fst

SENTENCE = ["natural", "language", "is", "a", "delicate", "thing"]


def lattice_fst(name: str = "del1word", words: list[str] = SENTENCE) -> pynini.Fst:
    """A lattice of the papers as a machine."""
    return neighborhood(name)(words).to_fst()


def run(*command: str, **options: str) -> str:
    """What a program of OpenFst or graphviz prints; the test is skipped where it is not installed."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"no program {command[0]}")
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=patience(60), **options
    ).stdout


def exact_weights(arc_type: str) -> st.SearchStrategy[float]:
    """Weights that the arc type holds exactly."""
    return st.floats(-1e6, 1e6, width=32 if arc_type == "standard" else 64)


@st.composite
def arrays(draw: st.DrawFn, arc_type: str, largest_label: int = 2**31 - 1) -> Arrays:
    """Any machine of up to 6 states and 12 arcs, cycles and dead ends included."""
    states = draw(st.integers(1, 6))
    state, label = st.integers(0, states - 1), st.integers(0, largest_label)
    arc = st.tuples(state, label, label, exact_weights(arc_type), state)
    arcs = draw(st.lists(arc, max_size=12))
    columns = list(zip(*arcs, strict=True)) or [()] * 5
    final = draw(
        st.lists(st.just(np.inf) | exact_weights(arc_type), min_size=states, max_size=states)
    )
    ids = [np.array(columns[i], dtype=np.int32) for i in (0, 1, 2, 4)]
    return Arrays(draw(state), np.array(final), *ids[:3], np.array(columns[3], dtype=float), ids[3])


@st.composite
def fsts(draw: st.DrawFn, arc_type: str, largest_label: int = 2**31 - 1) -> pynini.Fst:
    """The same as a machine."""
    return arrays_to_fst(draw(arrays(arc_type, largest_label)), arc_type)


def arcs_of(fst: pynini.Fst) -> list[tuple[int, int, int, str, int]]:
    """Every arc as OpenFst's own iterator reads it, the weight as text."""
    return [
        (state, arc.ilabel, arc.olabel, str(arc.weight), arc.nextstate)
        for state in fst.states()
        for arc in fst.arcs(state)
    ]


def pairs(fst: pynini.Fst) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What an acyclic machine reads and writes, symbol by symbol."""
    if fst.start() < 0:
        return set()
    tables = fst.input_symbols(), fst.output_symbols()
    found = set()
    paths = fst.paths()
    while not paths.done():
        sides = zip((paths.ilabels(), paths.olabels()), tables, strict=True)
        found.add(tuple(tuple(table.find(i) for i in side if i) for side, table in sides))
        paths.next()
    return found
