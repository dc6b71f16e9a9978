"""The shipped transducer move2 against its definition, and the number of its neighbors."""

from __future__ import annotations

import oracles_neighbors
from hypothesis import given
from hypothesis import strategies as st
from neighbor_cases import assert_equals_oracle, assert_equivariance_is_earned

from fstce import neighborhood
from fstce.transducers import move2


def test_it_equals_the_definition_on_every_short_sentence() -> None:
    assert_equals_oracle(move2, oracles_neighbors.move2)


def test_it_treats_all_words_alike() -> None:
    assert_equivariance_is_earned(move2)


@given(st.integers(2, 30))
def test_the_number_of_neighbours_of_distinct_words(m: int) -> None:
    assert neighborhood("move2")([f"w{i}" for i in range(m)]).count() == 3 * m - 4


def test_three_words_keep_all_orders_but_the_reversed() -> None:
    lattice = neighborhood("move2")(["a", "b", "c"])
    assert lattice.count() == 5
    assert not lattice.accepts(["c", "b", "a"])
