"""The shipped transducer del1content against its definition."""

from __future__ import annotations

import oracles_neighbors
from hypothesis import given
from hypothesis import strategies as st

from fstce import neighborhood
from fstce.machines import check_lattice

CONTENT = ["cat", "Runs", "7", "x-ray", "theory"]
OTHERS = ["the", "The", "'s", ",", "--", "$"]


@given(st.lists(st.sampled_from(CONTENT + OTHERS), min_size=1, max_size=8))
def test_it_equals_the_definition(words: list[str]) -> None:
    lattice = neighborhood("del1content")(words)
    assert set(lattice.strings()) == oracles_neighbors.without(words, CONTENT)
    check_lattice(lattice.to_fst(), "del1content")


@given(st.integers(0, 40))
def test_the_number_of_neighbours_counts_the_content_words(m: int) -> None:
    assert neighborhood("del1content")([*(f"w{i}" for i in range(m)), "of", "."]).count() == m + 1


@given(st.lists(st.sampled_from(CONTENT + OTHERS), min_size=2, max_size=8))
def test_function_words_content_words_and_punctuation_divide_the_deletions(
    words: list[str],
) -> None:
    """Each deletion of DEL1WORD is one of a function word, of a content word, or of punctuation."""
    parts = [set(neighborhood(name)(words).strings()) for name in ("del1function", "del1content")]
    punctuation = oracles_neighbors.without(words, [",", "--", "$"])
    assert set.union(*parts, punctuation) == set(neighborhood("del1word")(words).strings())
