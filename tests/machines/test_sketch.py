"""What a drawing shows of a machine: labels, the order of states, posteriors."""

from __future__ import annotations

import re

import pynini
import pytest

from fstce import neighborhood
from fstce.errors import MachineError
from fstce.machines.drawing import to_dot, to_svg


def test_reserved_symbols_look_as_in_the_papers() -> None:
    assert 'label="?"' in to_dot(neighborhood("length")(["a"]).to_fst())
    assert 'label="97:ε"' in to_dot(pynini.cross("a", "").rmepsilon())
    assert 'label="97:98"' in to_dot(pynini.cross("a", "b"))


def test_states_are_listed_from_left_to_right() -> None:
    fst = pynini.Fst()
    fst.add_states(3)
    fst.set_start(2)
    fst.set_final(1)
    fst.add_arc(2, pynini.Arc(1, 1, 0, 0))
    fst.add_arc(0, pynini.Arc(1, 1, 0, 1))
    assert re.findall(r"^  (\d) \[", to_dot(fst), re.M) == ["2", "0", "1"]


def test_posteriors_are_probabilities_one_an_arc() -> None:
    fst = pynini.accep("a")
    for draw in (to_svg, to_dot):
        with pytest.raises(MachineError, match="for each of the 1 arcs; these are 2"):
            draw(fst, posteriors=[0.5, 0.5])
        for wrong in (-0.5, 1.5, float("nan")):
            with pytest.raises(MachineError, match="are a number from 0 to 1 for each"):
                draw(fst, posteriors=[wrong])
    # Rounding is no fault
    assert to_svg(fst, posteriors=[1 + 1e-9]) == to_svg(fst, posteriors=[1.0])
