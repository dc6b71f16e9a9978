"""The shipped transducer rotate1 against its definition, and the number of its neighbors."""

from __future__ import annotations

from collections.abc import Iterable

import oracles_neighbors
import pynini
from hypothesis import given
from hypothesis import strategies as st
from neighbor_cases import assert_equals_oracle, assert_equivariance_is_earned

from fstce import neighborhood
from fstce.machines import Symbols
from fstce.transducers import rotate1


def test_it_equals_the_definition_on_every_short_sentence() -> None:
    assert_equals_oracle(rotate1, oracles_neighbors.rotate1)


def test_it_treats_all_words_alike() -> None:
    assert_equivariance_is_earned(rotate1)


@given(st.integers(1, 40))
def test_distinct_words_have_three_rotations(m: int) -> None:
    assert neighborhood("rotate1")([f"w{i}" for i in range(m)]).count() == min(m, 3)


def test_three_words_by_hand() -> None:
    strings = neighborhood("rotate1")(["a", "b", "c"]).strings()
    assert set(strings) == {("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")}


class Counted(Symbols):
    """An alphabet that counts how often it is asked for a machine of words."""

    unions = 0

    def union(self, labels: Iterable[int]) -> pynini.Fst:
        self.unions += 1
        return super().union(labels)


def test_a_sentence_has_one_first_and_one_last_word() -> None:
    """Machines were made of each word of the sentence, and thrown away: 30 ms for 1,000 words."""
    words = [f"w{i}" for i in range(40)]
    symbols = Counted(words)
    rotate1.build(symbols, symbols.ids(words).tolist())
    assert symbols.unions == 3
