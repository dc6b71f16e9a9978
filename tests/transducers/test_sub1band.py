"""The shipped transducer sub1band against its definition."""

from __future__ import annotations

import oracles_neighbors
from hypothesis import given
from hypothesis import strategies as st

from fstce import neighborhood
from fstce.corpora.vocabulary import Vocabulary
from fstce.machines import check_lattice

WORDS = ["the", "of", "cat", "dog", "sat", "zebra"]
VOCABULARY = Vocabulary({word: 6 - i for i, word in enumerate(WORDS[:-1])})
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7)


@given(SENTENCES, st.integers(1, 6))
def test_it_equals_the_definition(words: list[str], width: int) -> None:
    listed = list(VOCABULARY)

    def band(word: str) -> list[str]:
        if word not in listed:
            return []
        place = listed.index(word)
        others = sorted(listed, key=lambda other: abs(listed.index(other) - place))
        return others[1 : width + 1]

    kind = neighborhood("sub1band").with_vocabulary(VOCABULARY).with_options(width=width)
    lattice = kind(words)
    assert set(lattice.strings()) == oracles_neighbors.sub1(words, band)
    check_lattice(lattice.to_fst(), "sub1band")


@given(st.integers(1, 30))
def test_the_number_of_neighbours_of_distinct_words(m: int) -> None:
    kind = neighborhood("sub1band").with_vocabulary(Vocabulary({f"w{i}": 1 for i in range(300)}))
    assert kind([f"w{7 * i}" for i in range(m)]).count() == 4 * m + 1


def test_words_that_the_vocabulary_lacks_stay() -> None:
    kind = neighborhood("sub1band").with_vocabulary(VOCABULARY)
    assert kind(["zebra", "xerox"]).strings() == [("zebra", "xerox")]
