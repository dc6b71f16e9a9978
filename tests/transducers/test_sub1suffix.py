"""The shipped transducer sub1suffix against its definition."""

from __future__ import annotations

import oracles_neighbors
from hypothesis import given
from hypothesis import strategies as st

from fstce import neighborhood
from fstce.machines import check_lattice

WORDS = st.lists(
    st.sampled_from(
        ["talking", "Nothing", "MOVING", "ing", "ring", "this", "is", "Paris", "cat", "7", "."]
    ),
    min_size=1,
    max_size=7,
)


@given(WORDS)
def test_it_equals_the_definition(words: list[str]) -> None:
    lattice = neighborhood("sub1suffix")(words)
    assert set(lattice.strings()) == oracles_neighbors.sub1suffix(words)
    check_lattice(lattice.to_fst(), "sub1suffix")


@given(WORDS)
def test_every_neighbour_has_the_suffixes_of_the_sentence(words: list[str]) -> None:
    for string in neighborhood("sub1suffix")(words).strings():
        assert [word.lower()[-2:] for word in string] == [word.lower()[-2:] for word in words]


@given(st.integers(1, 12), st.integers(0, 12))
def test_the_number_of_neighbours(m: int, others: int) -> None:
    """Each of m distinct words of one suffix is replaced by m − 1 others."""
    words = [*(f"w{i}xing" for i in range(m)), *(f"other{i:02d}" for i in range(others))]
    assert neighborhood("sub1suffix")(words).count() == m * (m - 1) + 1


def test_short_words_are_never_replaced() -> None:
    assert neighborhood("sub1suffix")(["is", "his", "this", "7is"]).strings() == [
        ("is", "his", "this", "7is")
    ]
