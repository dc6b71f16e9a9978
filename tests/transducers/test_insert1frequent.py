"""The shipped transducer insert1frequent against its definition."""

from __future__ import annotations

import oracles_neighbors
from hypothesis import given
from hypothesis import strategies as st

from fstce import neighborhood
from fstce.corpora.vocabulary import Vocabulary
from fstce.machines import Symbols, check_lattice

WORDS = ["the", "of", "cat", "dog", "sat"]
VOCABULARY = Vocabulary({word: 5 - i for i, word in enumerate(WORDS)})
SENTENCES = st.lists(st.sampled_from([*WORDS, "zoo"]), min_size=1, max_size=6)


@given(SENTENCES, st.integers(0, 6))
def test_it_equals_the_definition(words: list[str], most: int) -> None:
    kind = neighborhood("insert1frequent").with_vocabulary(VOCABULARY).with_options(most=most)
    lattice = kind(words)
    assert set(lattice.strings()) == oracles_neighbors.insert1(words, WORDS[:most])
    check_lattice(lattice.to_fst(), "insert1frequent")


@given(SENTENCES)
def test_words_that_the_corpus_has_not_are_left_out(words: list[str]) -> None:
    symbols = Symbols([*words, "of"])
    (lattice,) = (
        neighborhood("insert1frequent").with_vocabulary(VOCABULARY).expand([words], symbols)
    )
    known = [word for word in WORDS if word in symbols]
    assert set(lattice.strings()) == oracles_neighbors.insert1(words, known)
