"""The shipped transducer transall against its definition, and the number of its neighbors."""

from __future__ import annotations

import oracles_neighbors
from hypothesis import given
from hypothesis import strategies as st
from neighbor_cases import assert_equals_oracle, assert_equivariance_is_earned

from fstce import neighborhood
from fstce.transducers import transall


def test_it_equals_the_definition_on_every_short_sentence() -> None:
    assert_equals_oracle(transall, oracles_neighbors.transall)


def test_it_treats_all_words_alike() -> None:
    assert_equivariance_is_earned(transall)


@given(st.integers(1, 40))
def test_the_neighbours_of_distinct_words_are_fibonacci_many(m: int) -> None:
    fibonacci = [1, 1]
    while len(fibonacci) < m + 1:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    lattice = neighborhood("transall")([f"w{i}" for i in range(m)])
    assert lattice.count() == fibonacci[m]
    assert len(lattice) == 2 * m  # linear, however many the strings


def test_six_words_by_hand() -> None:
    lattice = neighborhood("transall")(["a", "b", "c", "d", "e", "f"])
    assert lattice.accepts(["b", "a", "d", "c", "f", "e"])
    assert lattice.accepts(["a", "c", "b", "d", "f", "e"])
    assert not lattice.accepts(["b", "c", "a", "d", "e", "f"])
