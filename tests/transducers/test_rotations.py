"""Rotations against enumeration, and their laws."""

from __future__ import annotations

import oracles_neighbors
from hypothesis import given
from hypothesis import strategies as st
from neighbor_cases import short_sentences

from fstce import neighborhood
from fstce.machines import check_lattice

WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=7)


DISTINCT = st.integers(1, 30).map(lambda m: [f"w{i}" for i in range(m)])


def test_rotations_of_every_short_sentence() -> None:
    for words in short_sentences():
        lattice = neighborhood("rotations")(words)
        assert set(lattice.strings()) == oracles_neighbors.rotations(words), words
        assert lattice.count() == len(lattice.strings()), words
        check_lattice(lattice.to_fst(), " ".join(words))
        assert lattice.to_fst().minimize().num_states() == len(lattice), words


@given(DISTINCT)
def test_distinct_words_have_as_many_rotations(words: list[str]) -> None:
    lattice = neighborhood("rotations")(words)
    assert lattice.count() == len(words)
    assert len(lattice) == len(words) * (len(words) - 1) + 2


@given(WORDS)
def test_a_rotation_has_the_rotations_of_the_sentence(words: list[str]) -> None:
    one, other = (
        set(neighborhood("rotations")(x).strings()) for x in (words, words[2:] + words[:2])
    )
    assert one == other
