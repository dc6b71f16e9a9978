"""The shipped transducer trans1function against its definition."""

from __future__ import annotations

import oracles_neighbors
from hypothesis import given
from hypothesis import strategies as st

from fstce import neighborhood
from fstce.machines import check_lattice
from fstce.transducers.del1function import function_words

FUNCTION = ["the", "The", "of", "is"]
OTHERS = ["cat", "runs", "7", ","]


@given(st.lists(st.sampled_from(FUNCTION + OTHERS), min_size=1, max_size=8))
def test_it_equals_the_definition(words: list[str]) -> None:
    lattice = neighborhood("trans1function")(words)
    assert set(lattice.strings()) == oracles_neighbors.trans1function(words, FUNCTION)
    check_lattice(lattice.to_fst(), "trans1function")


@given(st.integers(0, 30))
def test_a_function_word_between_two_others_has_two_transpositions(m: int) -> None:
    words = ["w"]
    for i, word in enumerate(sorted(function_words())[:m]):
        words += [word, f"w{i}"]
    assert neighborhood("trans1function")(words).count() == 2 * m + 1


@given(st.lists(st.sampled_from(OTHERS), min_size=1, max_size=8))
def test_a_sentence_without_function_words_has_no_other_neighbour(words: list[str]) -> None:
    assert neighborhood("trans1function")(words).strings() == [tuple(words)]


@given(st.lists(st.sampled_from(FUNCTION), min_size=1, max_size=8))
def test_it_is_trans1_where_all_words_are_function_words(words: list[str]) -> None:
    restricted, free = (neighborhood(name)(words) for name in ("trans1function", "trans1"))
    assert set(restricted.strings()) == set(free.strings())
