"""Checked operations: what OpenFst does quietly is an error that says where."""

from __future__ import annotations

import math
from itertools import product
from random import Random

import numpy as np
import pynini
import pytest
import pywrapfst
from machine_cases import lattice_fst

from fstce.errors import MachineError
from fstce.machines import Arrays, Symbols, algebra, arrays_to_fst
from fstce.machines.image import rows_to_arrays


def _labelled(text: str, words: str) -> pynini.Fst:
    table = Symbols(words.split()).table
    return pynini.accep(text, token_type=table).set_input_symbols(table).set_output_symbols(table)


def test_composition_is_openfst_composition() -> None:
    result = algebra.compose(pynini.accep("ab"), pynini.cross("ab", "xyz"), "here")
    assert result.project("output").string() == "xyz"


def test_composition_of_different_arc_types_names_both() -> None:
    wide = pynini.arcmap(pynini.accep("a"), map_type="to_log64")
    with pytest.raises(MachineError, match=r"sentence 3 ∘ mine: arc types 'standard' and 'log64'"):
        algebra.compose(pynini.accep("a"), wide, "sentence 3 ∘ mine")


def test_composition_over_different_symbols_is_refused() -> None:
    with pytest.raises(MachineError, match=r"here: the machines spell .* different symbol tables"):
        algebra.compose(_labelled("a", "a b"), _labelled("a", "b a"), "here")


def test_composition_with_one_table_or_equal_tables_is_allowed() -> None:
    assert algebra.compose(_labelled("a", "a b"), _labelled("a", "a b"), "here").num_states() == 2
    assert algebra.compose(
        _labelled("a", "a b"), pynini.accep("5", token_type=Symbols("5").table), "here"
    )


def test_an_empty_composition_is_an_error_not_a_start_of_minus_one() -> None:
    with pytest.raises(MachineError, match="here: the composition accepts nothing"):
        algebra.compose(pynini.accep("a"), pynini.accep("b"), "here")


def test_a_composition_over_the_limit_names_it() -> None:
    with pytest.raises(MachineError, match="here: the composition needs more than 3 states"):
        algebra.compose(pynini.accep("abcd"), pynini.accep("abcd"), "here", limit=3)


def test_determinization_over_the_limit_stops() -> None:
    any_letter = pynini.union("a", "b")
    # The subset construction of (a|b)* a (a|b)^30 has 2^31 states.
    monster = pynini.closure(any_letter) + "a" + any_letter**30
    with pytest.raises(
        MachineError, match="here: the determinization needs more than 1,000 states"
    ):
        algebra.determinize(monster.rmepsilon(), "here", limit=1_000)


def test_determinization_that_never_ends_stops_at_the_limit() -> None:
    # Siblings without the twins property: a cycle of weight 1 beside one of weight 2.
    one, two = (
        pynini.closure(pynini.accep("a", weight=w)) + end for w, end in ((1, "b"), (2, "c"))
    )
    with pytest.raises(MachineError, match="determinization"):
        algebra.determinize(pynini.union(one, two).rmepsilon(), "here", limit=500)


def test_determinization_of_log64_weights_sums_over_paths() -> None:
    fst = pynini.arcmap(pynini.union("ab", "ab", "ac").optimize(), map_type="to_log64")
    twice = pynini.union(fst, fst).rmepsilon()
    lattice = algebra.determinize(twice, "here")
    assert lattice.properties(pywrapfst.I_DETERMINISTIC, True) == pywrapfst.I_DETERMINISTIC
    total = pywrapfst.shortestdistance(lattice, reverse=True)[lattice.start()]
    assert float(total) == pytest.approx(-math.log(4))


def test_determinization_of_log64_weights_is_bounded_too() -> None:
    any_letter = pynini.union("a", "b")
    monster = pynini.closure(any_letter, 0, 20) + "a" + any_letter**20
    wide = pynini.arcmap(monster.rmepsilon(), map_type="to_log64")
    with pytest.raises(
        MachineError, match="here: the determinization needs more than 1,000 states"
    ):
        algebra.determinize(wide, "here", limit=1_000)
    with pytest.raises(MachineError, match="here: a cycle with log64 weights"):
        algebra.determinize(pynini.arcmap(pynini.closure("a"), map_type="to_log64"), "here")


def test_a_lattice_holds_the_output_side_once() -> None:
    relation = pynini.union(pynini.cross("a", "x"), pynini.cross("b", "x"), pynini.cross("c", "xy"))
    lattice = algebra.to_lattice(relation, "here")
    assert sorted(lattice.paths().ostrings()) == ["x", "xy"]
    assert lattice.num_states() == 3


def test_making_a_lattice_leaves_the_machine_as_it_was() -> None:
    relation = pynini.cross("a", "x")
    before = relation.copy()
    algebra.to_lattice(relation, "here")
    assert pynini.isomorphic(relation, before)


def test_a_cycle_is_no_lattice() -> None:
    with pytest.raises(MachineError, match="here: the neighborhood has a cycle, so it is infinite"):
        algebra.to_lattice(pynini.closure("a"), "here")


def test_too_many_arcs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    fst = lattice_fst()
    monkeypatch.setattr(algebra, "ARC_LIMIT", 10)
    with pytest.raises(
        MachineError, match="here: the removal of ε needs more than 10 arcs; shorten"
    ):
        algebra.to_lattice(fst, "here")


def test_a_lattice_of_the_empty_string_alone_has_nothing_left() -> None:
    with pytest.raises(MachineError, match="here: the removal of the empty string accepts nothing"):
        algebra.without_empty_string(algebra.to_lattice(pynini.accep(""), "here"), "here")


def test_an_arc_to_a_missing_state_is_found() -> None:
    unsound = pynini.accep("a")
    unsound.add_arc(0, pynini.Arc(1, 1, 0, 99))
    with pytest.raises(MachineError, match="here: the machine is unsound: an arc of state 0"):
        algebra.verified(unsound, "here")


def test_machines_of_arc_type_log_go_on_in_double_precision() -> None:
    assert algebra.verified(pynini.accep("a", arc_type="log"), "here").arc_type() == "log64"


def test_what_is_no_machine_is_refused() -> None:
    with pytest.raises(MachineError, match="here: expected a machine, not NoneType"):
        algebra.verified(None, "here")  # type: ignore[arg-type]


def _ring(weights: list[float], arc_type: str, output: int = 0) -> pynini.Fst:
    """ε-arcs round in a circle, the first state start and end."""
    n = len(weights)
    states = np.arange(n)
    final = np.where(states == 0, 0.0, np.inf)
    label = np.zeros(n, dtype=np.int32)
    return arrays_to_fst(
        Arrays(0, final, states, label, label + output, np.array(weights), (states + 1) % n),
        arc_type,
    )


@pytest.mark.parametrize(
    ("weights", "arc_type", "ends"),
    [
        ([-0.5], "standard", False),
        ([1.0, -0.5], "standard", True),  # each round is worse
        ([0.5, -0.75, 0.125], "standard", False),
        ([0.5, -0.75, 0.25], "standard", True),
        ([0.5, 0.0], "standard", True),
        ([0.0], "log64", False),
        ([0.25, -0.25], "log64", False),
        ([0.5, -0.25], "log64", True),
        ([0.0] * 501, "log64", False),
        ([0.125] * 501, "log64", True),
    ],
)
def test_cycles_of_epsilon_without_a_sum_are_refused(
    weights: list[float], arc_type: str, ends: bool
) -> None:
    ring = _ring(weights, arc_type)
    if not ends:
        with pytest.raises(
            MachineError,
            match=r"here: a cycle of ε at state \d+ has a (negative weight|weight of 0 or below)",
        ):
            algebra.without_epsilon(ring, "here")
        return
    total = pynini.shortestdistance(algebra.without_epsilon(ring, "here"), reverse=True)[0]
    once = 0.0 if arc_type == "standard" else math.log1p(-math.exp(-sum(weights)))
    assert float(str(total)) == pytest.approx(once, abs=1e-5)


@pytest.mark.parametrize(("weight", "ends"), [(0.1, False), (3.6, False), (3.8, True)])
def test_weights_above_0_do_not_bound_many_rounds(weight: float, ends: bool) -> None:
    """Forty arcs of a state with a fortieth or more each: OpenFst summed them for ever."""
    arcs = [(i, 1, 1, (7 * i + step) % 600, weight) for i in range(600) for step in range(40)]
    fst = arrays_to_fst(rows_to_arrays(arcs, {0: 0.0}, 0), "log64")
    if ends:  # 40 exp(−3.8) = .895
        return algebra.check_cycles(fst, "here")
    with pytest.raises(MachineError, match="here: a cycle at state 0 has a weight of 0 or below"):
        algebra.check_cycles(fst, "here")


@pytest.mark.parametrize("size", [5, 150])
def test_a_radius_is_bounded_as_eigenvalues_tell(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(size)
    for _ in range(10):
        weights = [random.uniform(0.3, 3) for _ in range(3 * size)]
        arcs = [
            (i, 1, 1, (i + step * random.randrange(1, size)) % size if step else (i + 1) % size, w)
            for (i, step), w in zip(product(range(size), range(3)), weights, strict=True)
        ]
        said = []
        for most in (0, 1000):
            monkeypatch.setattr("fstce.machines.algebra._MOST_STATES", most)
            try:
                fst = arrays_to_fst(rows_to_arrays(arcs, {0: 0.0}, 0), "log64")
                algebra.check_cycles(fst, "here")
                said.append(True)
            except MachineError:
                said.append(False)
        assert said[0] == said[1]


def test_a_negative_loop_is_found_among_many_states() -> None:
    """It took as many rounds as there are states."""
    ring = [(i, 1, 1, (i + 1) % 20_000, 0.5) for i in range(20_000)]
    with pytest.raises(MachineError, match="a cycle at state 7 has a negative weight"):
        loop = rows_to_arrays([*ring, (7, 1, 1, 7, -1.0)], {0: 0.0}, 0)
        algebra.check_cycles(arrays_to_fst(loop), "here")


def test_what_writes_is_no_silent_cycle() -> None:
    assert algebra.without_epsilon(_ring([-0.5], "standard", output=7), "here").num_arcs(0) == 1


def test_weights_are_refused_where_they_would_be_lost() -> None:
    with pytest.raises(
        MachineError, match=r"here: the machine has weights; .* declare WEIGHTED = True"
    ):
        algebra.unweighted(pynini.accep("a", weight=0.5), "here")
    wide = pynini.arcmap(pynini.accep("a"), map_type="to_log64")
    assert algebra.unweighted(wide, "here").arc_type() == "standard"
    assert algebra.in_log(wide) is wide


def test_what_openfst_refuses_is_told_with_the_operation(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(MachineError, match=r"here: OpenFst refused the determinization \("):
        algebra.determinize(pynini.union(pynini.cross("a", "b"), pynini.cross("a", "c")), "here")
