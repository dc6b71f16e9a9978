"""Machines as arrays and back, exactly."""

from __future__ import annotations

import numpy as np
import pynini
import pytest
import pywrapfst
from hypothesis import given
from hypothesis import strategies as st
from machine_cases import arcs_of, arrays, fsts, lattice_fst

from fstce.errors import MachineError
from fstce.machines import Arrays, arrays_to_fst, fst_to_arrays

ARC_TYPES = st.sampled_from(["standard", "log64"])


def _sorted_by_source(given: Arrays) -> Arrays:
    order = np.argsort(given.source, kind="stable")
    return Arrays(given.start, given.final, *(column[order] for column in given[2:]))


@given(st.data(), ARC_TYPES)
def test_arrays_come_back_bit_for_bit(data: st.DataObject, arc_type: str) -> None:
    given = data.draw(arrays(arc_type))
    back = fst_to_arrays(arrays_to_fst(given, arc_type))
    expected = _sorted_by_source(given)
    for name in Arrays._fields:
        np.testing.assert_array_equal(getattr(back, name), getattr(expected, name), err_msg=name)


@given(st.data(), ARC_TYPES)
def test_arrays_are_what_the_arc_iterator_reads(data: st.DataObject, arc_type: str) -> None:
    fst = data.draw(fsts(arc_type))
    read = fst_to_arrays(fst)
    weights = [
        str(pywrapfst.Weight("tropical" if arc_type == "standard" else "log64", w))
        for w in read.weight
    ]
    columns = (read.source, read.ilabel, read.olabel, weights, read.next)
    listed = [
        tuple(x if isinstance(x, str) else int(x) for x in arc)
        for arc in zip(*columns, strict=True)
    ]
    assert listed == arcs_of(fst)


@given(st.data(), ARC_TYPES)
def test_the_machine_made_is_sound_and_counts_its_epsilons(
    data: st.DataObject, arc_type: str
) -> None:
    fst = data.draw(fsts(arc_type, largest_label=2))
    assert fst.verify()
    for state in fst.states():
        assert fst.num_input_epsilons(state) == sum(arc.ilabel == 0 for arc in fst.arcs(state))
        assert fst.num_output_epsilons(state) == sum(arc.olabel == 0 for arc in fst.arcs(state))


def test_the_record_types_differ_by_arc_type() -> None:
    fst = pynini.accep("a", weight=0.1)
    assert fst_to_arrays(fst).weight.dtype == np.float32
    wide = pynini.arcmap(fst, map_type="to_log64")
    assert fst_to_arrays(wide).weight.dtype == np.float64


def test_symbols_do_not_disturb_the_image_and_stay_where_they_are() -> None:
    fst = lattice_fst()
    read = fst_to_arrays(fst)
    assert len(read.final) == fst.num_states()
    assert fst.input_symbols() is not None


def test_a_const_machine_is_read_as_well() -> None:
    fst = pynini.accep("ab")
    assert fst_to_arrays(pywrapfst.convert(fst, "const")).ilabel.tolist() == [97, 98]


def test_the_empty_machine_has_no_states() -> None:
    read = fst_to_arrays(pynini.Fst())
    assert (read.start, len(read.final), len(read.source)) == (-1, 0, 0)
    assert arrays_to_fst(read).num_states() == 0


@pytest.mark.parametrize(
    ("name", "value"), [("source", 2), ("source", -1), ("next", 2), ("next", -1)]
)
def test_an_arc_from_or_to_a_missing_state_is_refused(name: str, value: int) -> None:
    good = fst_to_arrays(pynini.accep("a"))
    with pytest.raises(
        MachineError, match=f"an arc's {name} state is outside the machine's 2 states"
    ):
        arrays_to_fst(good._replace(**{name: np.array([value], dtype=np.int32)}))


@pytest.mark.parametrize("start", [-2, 2])
def test_a_missing_start_state_is_refused(start: int) -> None:
    good = fst_to_arrays(pynini.accep("a"))
    with pytest.raises(MachineError, match=f"the start state {start} is outside"):
        arrays_to_fst(good._replace(start=start))


def test_other_arc_types_are_refused_both_ways() -> None:
    with pytest.raises(MachineError, match="arc type 'log'"):
        fst_to_arrays(pynini.Fst(arc_type="log"))
    with pytest.raises(MachineError, match="arc type 'tropical'"):
        arrays_to_fst(fst_to_arrays(pynini.accep("a")), "tropical")


def test_weights_to_a_power() -> None:
    arrays = fst_to_arrays(
        pynini.union(pynini.accep("ab", weight=1.5), pynini.accep("b", weight=0.5)).optimize()
    )
    assert arrays.raised(1.0) is arrays
    half = arrays.raised(0.5)
    np.testing.assert_array_equal(half.weight, arrays.weight / 2)
    np.testing.assert_array_equal(half.final, arrays.final / 2)
    flat = arrays.raised(0.0)  # no state becomes final, ∞ · 0 being none
    np.testing.assert_array_equal(np.isfinite(flat.final), np.isfinite(arrays.final))
    assert not flat.weight.any()


def test_an_image_of_another_form_is_refused(monkeypatch) -> None:
    fst_to_arrays(pynini.accep("a"))  # how an image begins is remembered, as it is meant to be
    monkeypatch.setattr(  # which stays a vector machine
        "fstce.machines.openfst.pywrapfst.convert", lambda fst, form: fst
    )
    with pytest.raises(MachineError, match="OpenFst wrote a const image of another form"):
        fst_to_arrays(pynini.accep("a"))
