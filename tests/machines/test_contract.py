"""The contract of a lattice, negative cases first."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pynini
import pytest
from machine_cases import SENTENCE, lattice_fst

from fstce.errors import MachineError
from fstce.machines import Arrays, Symbols, arrays_to_fst, check_lattice
from fstce.machines.contract import CLAUSES
from fstce.neighborhoods.shipped import names

TABLE = Symbols("abc").table
A, B = 5, 6


def _machine(arcs: list[tuple[int, int, int, int]], final: list[int], start: int = 0) -> pynini.Fst:
    """Arcs as (source, input, output, target), with symbols."""
    size = 1 + max(max(arc[0], arc[3]) for arc in arcs)
    weights = np.where(np.isin(np.arange(size), final), 0.0, np.inf)
    source, ilabel, olabel, target = (
        np.array(column, np.int32) for column in zip(*arcs, strict=True)
    )
    fst = arrays_to_fst(Arrays(start, weights, source, ilabel, olabel, np.zeros(len(arcs)), target))
    return fst.set_input_symbols(TABLE).set_output_symbols(TABLE)


def _unsound() -> pynini.Fst:
    fst = _machine([(0, A, A, 1)], [1])
    fst.add_arc(0, pynini.Arc(B, B, 0, 99))
    return fst


def _weighted() -> pynini.Fst:
    return pynini.arcmap(lattice_fst(), map_type="times", weight=0.5)


BROKEN: dict[str, tuple[Callable[[], pynini.Fst], str]] = {
    "sound": (_unsound, "leads to no state"),
    "arc type": (_weighted, "arc type 'standard' must be unweighted"),
    "symbols": (lambda: pynini.accep("a"), "no symbols attached"),
    "start": (lambda: _machine([(1, A, A, 0)], [0], start=1), "the start"),
    "acceptor": (lambda: _machine([(0, A, B, 1)], [1]), "an arc's input and output differ"),
    "acyclic": (lambda: _machine([(0, A, A, 0)], [0]), "it has a cycle"),
    "ε-free": (lambda: _machine([(0, 0, 0, 1)], [1]), "it has an ε arc"),
    "deterministic": (
        lambda: _machine([(0, A, A, 1), (0, A, A, 2), (1, B, B, 2)], [2]),
        "share a word",
    ),
    "accessible": (lambda: _machine([(0, A, A, 2), (1, A, A, 2)], [2]), "cannot be reached"),
    "coaccessible": (
        lambda: _machine([(0, A, A, 1), (0, B, B, 2)], [2]),
        "cannot reach a final state",
    ),
    "top-sorted": (lambda: _machine([(0, A, A, 2), (2, A, A, 1)], [1]), "not in topological order"),
    "minimal": (lambda: _machine([(0, A, A, 1), (0, B, B, 2)], [1, 2]), "accept the same endings"),
}


def test_there_is_a_counterexample_to_every_clause() -> None:
    messages = [message for _, message in BROKEN.values()]
    for message, (_, broken) in zip(messages[1:], CLAUSES, strict=True):  # the first is soundness
        assert re.search(message, broken)


@pytest.mark.parametrize("name", BROKEN)
def test_the_first_broken_clause_is_named(name: str) -> None:
    build, message = BROKEN[name]
    with pytest.raises(MachineError, match=f"machine 7 is no lattice: .*{message}"):
        check_lattice(build(), "machine 7")


def test_the_empty_machine_is_no_lattice() -> None:
    empty = pynini.Fst().set_input_symbols(TABLE).set_output_symbols(TABLE)
    with pytest.raises(MachineError, match="the start is not state 0, or there is none"):
        check_lattice(empty, "it")


@pytest.mark.parametrize("name", names())
def test_every_shipped_neighborhood_keeps_it(name: str) -> None:
    fst = lattice_fst(name, [*SENTENCE, "is", "is"])
    check_lattice(fst, name)


def test_a_weighted_lattice_is_log64() -> None:
    check_lattice(pynini.arcmap(_weighted(), map_type="to_log64"), "it")
