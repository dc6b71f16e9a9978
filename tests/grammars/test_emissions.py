"""The emission machine: the dictionary as one state of arcs."""

from __future__ import annotations

import numpy as np
import pytest

from fstce.grammars import emissions
from fstce.machines.image import fst_to_arrays
from fstce.machines.symbols import END_ID, SIGMA_ID

WORD, TAG = np.array([6, 5, 5]), np.array([2, 0, 2])


def arcs(weight: np.ndarray | None = None) -> dict[tuple[int, int], float]:
    found = fst_to_arrays(emissions.build(WORD, TAG, 4, weight))
    rows = zip(found.ilabel.tolist(), found.olabel.tolist(), found.weight.tolist(), strict=True)
    return {(i, o): weight for i, o, weight in rows}


def test_words_write_their_tags_the_end_the_boundary_and_the_wildcard_all_tags_in_use() -> None:
    assert set(arcs()) == {(5, 1), (5, 3), (6, 3), (END_ID, 5), (SIGMA_ID, 1), (SIGMA_ID, 3)}


def test_one_final_state_sorted_by_word() -> None:
    machine = emissions.build(WORD, TAG, 4)
    assert (machine.num_states(), machine.start()) == (1, 0)
    assert float(machine.final(0)) == 0.0
    assert fst_to_arrays(machine).ilabel.tolist() == sorted(fst_to_arrays(machine).ilabel.tolist())


def test_weights_stand_on_the_pairs_alone() -> None:
    found = arcs(np.array([0.5, 1.5, 2.5]))
    assert found[6, 3] == 0.5
    assert found[5, 1] == 1.5
    assert found[5, 3] == 2.5
    assert [found[pair] for pair in ((END_ID, 5), (SIGMA_ID, 1), (SIGMA_ID, 3))] == [0.0, 0.0, 0.0]
    assert set(arcs().values()) == {0.0}


def test_no_pairs_leave_the_boundary() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert emissions.build(none, none, 2).num_arcs(0) == 1


@pytest.mark.parametrize("n_tags", [1, 45])
def test_the_boundary_follows_the_tags(n_tags: int) -> None:
    found = fst_to_arrays(emissions.build(np.array([5]), np.array([0]), n_tags))
    assert found.olabel[found.ilabel == END_ID].tolist() == [n_tags + 1]
