"""Which states are reached, which lie on cycles, and how many paths there are, by enumeration."""

from __future__ import annotations

import math

import numpy as np
import pynini
from hypothesis import given
from hypothesis import strategies as st

from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.reach import breadth_first, cycles, leading, n_paths, paths_of, reachable

STATES = 5
ARCS = st.lists(st.tuples(st.integers(0, STATES - 1), st.integers(0, STATES - 1)), max_size=12)
FINALS = st.sets(st.integers(0, STATES - 1), max_size=3)


def machine(arcs: list[tuple[int, int]], finals: set[int]) -> Arrays:
    """The machine of these arcs, all labeled 1, which starts in state 0."""
    cost = [0.0 if state in finals else math.inf for state in range(STATES)]
    source, target = np.array(sorted(arcs), dtype=np.int32).reshape(-1, 2).T
    label = np.ones(len(arcs), dtype=np.int32)
    weight = np.zeros(len(arcs), dtype=np.float32)
    return Arrays(0, np.array(cost, dtype=np.float32), source, label, label, weight, target)


def distances(arcs: list[tuple[int, int]], start: int) -> dict[int, int]:
    """How many arcs away each state is that some arcs lead to."""
    found = {start: 0}
    for state in (queue := [start]):
        for source, target in arcs:
            if source == state and target not in found:
                found[target] = found[state] + 1
                queue.append(target)
    return found


@given(ARCS, FINALS)
def test_states_are_reached_and_lead_to_an_end(
    arcs: list[tuple[int, int]], finals: set[int]
) -> None:
    arrays = machine(arcs, finals)
    away = {state: distances(arcs, state) for state in range(STATES)}
    order = breadth_first(arrays).tolist()
    assert np.flatnonzero(reachable(arrays)).tolist() == sorted(away[0]) == sorted(order)
    assert [away[0][state] for state in order] == sorted(away[0].values())
    assert np.flatnonzero(leading(arrays)).tolist() == [
        state for state in range(STATES) if finals & away[state].keys()
    ]


@given(ARCS)
def test_an_arc_is_on_a_cycle_where_its_end_leads_back(arcs: list[tuple[int, int]]) -> None:
    arrays = machine(arcs, {0})
    part, inner = cycles(arrays, np.arange(len(arcs)))
    away = [distances(arcs, state) for state in range(STATES)]
    assert inner.tolist() == [source in away[target] for source, target in sorted(arcs)]
    for one in range(STATES):
        for two in range(STATES):
            assert (part[one] == part[two]) == (one in away[two] and two in away[one])


@given(ARCS, FINALS)
def test_paths_are_counted_and_listed(arcs: list[tuple[int, int]], finals: set[int]) -> None:
    forward = [(min(arc), max(arc)) for arc in arcs if arc[0] != arc[1]]
    arrays = machine(forward, finals)

    def paths(state: int) -> int:
        return (state in finals) + sum(
            paths(target) for source, target in forward if source == state
        )

    fst = arrays_to_fst(arrays)
    assert n_paths(fst) == paths(0) == len(list(paths_of(fst.connect())))


def test_a_cycle_on_a_path_has_no_number_of_paths() -> None:
    fst = pynini.closure(pynini.accep("a"))
    assert n_paths(fst) is None
    assert fst_to_arrays(fst).source.size > 0
