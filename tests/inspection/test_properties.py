"""Properties of machines against fstinfo and enumeration."""

from __future__ import annotations

import re
from pathlib import Path

import pynini
import pytest
from hypothesis import given
from machine_cases import fsts, lattice_fst, run

from fstce.inspection.properties import ambiguous, properties
from fstce.machines.files import write_fst
from fstce.machines.reach import n_paths


def _paths(fst: pynini.Fst, state: int) -> list[tuple[int, ...]]:
    """What the paths from a state read, one by one; of an acyclic machine."""
    found = [()] if float(fst.final(state)) != float("inf") else []
    for arc in fst.arcs(state):
        found += [(arc.ilabel, *rest) for rest in _paths(fst, arc.nextstate)]
    return found


@pytest.mark.parametrize("fst", [lattice_fst(), pynini.cross("ab", ""), pynini.closure("a")])
def test_properties_are_those_of_fstinfo(fst: pynini.Fst, tmp_path: Path) -> None:
    path = tmp_path / "x.fst"
    write_fst(fst, path)
    printed = run("fstinfo", str(path))
    told = dict(re.findall(r"^(.+?) {2,}(\S+)$", printed, re.M))
    found = {one.name: one.holds for one in properties(fst)}
    for ours, theirs, sense in (
        ("acceptor", "acceptor", "y"),
        ("input deterministic", "input deterministic", "y"),
        ("output deterministic", "output deterministic", "y"),
        ("no epsilons", "input/output epsilons", "n"),
        ("no input epsilons", "input epsilons", "n"),
        ("no output epsilons", "output epsilons", "n"),
        ("input label sorted", "input label sorted", "y"),
        ("unweighted", "weighted", "n"),
        ("acyclic", "cyclic", "n"),
        ("top sorted", "top sorted", "y"),
        ("accessible", "accessible", "y"),
        ("coaccessible", "coaccessible", "y"),
        ("string", "string", "y"),
    ):
        assert found[ours] == (told[theirs] == sense), ours


@given(fsts("standard", largest_label=3))
def test_paths_and_ambiguity_are_those_of_enumeration(fst: pynini.Fst) -> None:
    fst = fst.connect()
    paths = n_paths(fst)
    if paths is None:
        assert not next(one.holds for one in properties(fst) if one.name == "acyclic")
        return
    listed = _paths(fst, fst.start()) if fst.start() >= 0 else []
    assert paths == len(listed)
    found = ambiguous(fst)
    if any(0 in path for path in listed):
        assert found is None
    else:
        assert found == (len(set(listed)) < len(listed))
