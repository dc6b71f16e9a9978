"""The shipped transducer sub1ending against its definition."""

from __future__ import annotations

import oracles_neighbors
from hypothesis import given
from hypothesis import strategies as st

from fstce import neighborhood
from fstce.corpora.vocabulary import Vocabulary
from fstce.machines import check_lattice
from fstce.transducers.sub1stem import english

LISTED = [
    "moving",
    "talked",
    "trying",
    "dogs",
    "Cats",
    "sees",
    "ran",
    "news",
    "1990s",
    "waited",
    "sing",
]
VOCABULARY = Vocabulary(dict.fromkeys(LISTED, 1))
CLASSES = [["moving", "trying"], ["talked", "waited"], ["dogs", "sees"]]


@given(st.lists(st.sampled_from(LISTED), min_size=1, max_size=6))
def test_it_equals_the_definition(words: list[str]) -> None:
    lattice = neighborhood("sub1ending").with_vocabulary(VOCABULARY)(words)
    expected = oracles_neighbors.sub1(
        words, lambda word: next((c for c in CLASSES if word in c), [])
    )
    assert set(lattice.strings()) == expected
    check_lattice(lattice.to_fst(), "sub1ending")


@given(st.integers(1, 40), st.integers(1, 12))
def test_the_words_of_an_ending_are_cut_in_bands(count: int, width: int) -> None:
    listed = [f"{'abcdefghij'[i // 10]}{'abcdefghij'[i % 10]}king" for i in range(count)]
    kind = neighborhood("sub1ending").with_vocabulary(Vocabulary(dict.fromkeys(listed, 1)))
    band = listed[: min(width, count)]
    assert set(kind.with_options(width=width)([listed[0]]).strings()) == {(word,) for word in band}


@given(st.lists(st.sampled_from(LISTED), min_size=1, max_size=6))
def test_every_neighbour_has_the_endings_of_the_sentence(words: list[str]) -> None:
    for string in neighborhood("sub1ending").with_vocabulary(VOCABULARY)(words).strings():
        assert [english().ending(word) for word in string] == [
            english().ending(word) for word in words
        ]
