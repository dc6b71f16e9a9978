"""The shipped transducer insert1function against its definition."""

from __future__ import annotations

import oracles_neighbors
from hypothesis import given
from hypothesis import strategies as st

from fstce import neighborhood
from fstce.machines import Symbols, check_lattice
from fstce.transducers.del1function import function_words
from fstce.transducers.insert1function import INTRODUCES

WORDS = st.lists(st.sampled_from(["cat", "runs", ",", "the", "of", "The"]), min_size=1, max_size=7)


@given(WORDS)
def test_it_equals_the_definition(words: list[str]) -> None:
    lattice = neighborhood("insert1function")(words)
    assert set(lattice.strings()) == oracles_neighbors.insert1(words, INTRODUCES)
    check_lattice(lattice.to_fst(), "insert1function")


@given(WORDS)
def test_words_that_the_corpus_has_not_are_left_out(words: list[str]) -> None:
    symbols = Symbols([*words, "to", "elsewhere"])
    (lattice,) = neighborhood("insert1function").expand([words], symbols)
    known = [word for word in INTRODUCES if word in symbols]
    assert set(lattice.strings()) == oracles_neighbors.insert1(words, known)


@given(WORDS)
def test_the_number_of_neighbours(words: list[str]) -> None:
    own = sum(word in INTRODUCES for word in words)
    expected = len(INTRODUCES) * (len(words) + 1) + 1 - own
    assert neighborhood("insert1function")(words).count() == expected


def test_the_words_are_on_the_list_of_function_words() -> None:
    assert len(set(INTRODUCES)) == 10
    assert set(INTRODUCES) <= function_words()
