"""What a page says of a machine in words: dead states, large counts, nothing at all."""

from __future__ import annotations

import numpy as np
import pynini
from hypothesis import given
from machine_cases import fsts

from fstce.inspection.records import MachineView, record
from fstce.machines.image import fst_to_arrays
from fstce.machines.reach import leading, reachable


@given(fsts("standard", largest_label=3))
def test_dead_states_are_those_that_connecting_removes(fst: pynini.Fst) -> None:
    arrays = fst_to_arrays(fst)
    useful = reachable(arrays) & leading(arrays)
    assert fst.copy().connect().num_states() == np.count_nonzero(useful)


def test_a_count_of_many_digits_is_rounded() -> None:
    """A ladder of 2^n paths; beyond 18 digits their number had lines of its own."""
    for rungs, said in ((40, "1,099,511,627,776"), (100, "about 1.268e+30")):
        fst = pynini.concat(pynini.accep("a"), pynini.union("a", "b") ** rungs)
        assert record(MachineView("m", fst.optimize()))["facts"]["paths"] == said


def test_an_empty_machine_is_said_to_accept_nothing() -> None:
    fst = pynini.Fst()
    fst.set_start(fst.add_state())
    shown = record(MachineView("m", fst))
    assert shown["strings"][0].title == "no path: it accepts nothing"
    assert shown["dead"] == [("lead to no end", [0], 1)]
