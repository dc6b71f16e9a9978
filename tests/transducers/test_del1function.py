"""The shipped transducer del1function against its definition; the list of function words."""

from __future__ import annotations

import oracles_neighbors
from hypothesis import given
from hypothesis import strategies as st

from fstce import neighborhood
from fstce.corpora import sample
from fstce.corpora.tables import bundled_rows
from fstce.machines import check_lattice
from fstce.transducers.del1function import function_words

FUNCTION = ["the", "The", "of", "is", "n't"]
OTHERS = ["cat", "runs", "7", ",", "theory"]


@given(st.lists(st.sampled_from(FUNCTION + OTHERS), min_size=1, max_size=8))
def test_it_equals_the_definition(words: list[str]) -> None:
    lattice = neighborhood("del1function")(words)
    assert set(lattice.strings()) == oracles_neighbors.without(words, FUNCTION)
    check_lattice(lattice.to_fst(), "del1function")


@given(st.integers(0, 40), st.integers(1, 40))
def test_the_number_of_neighbours_counts_the_function_words(m: int, others: int) -> None:
    distinct = sorted(function_words())[:m]
    assert (
        neighborhood("del1function")([*distinct, *(f"w{i}" for i in range(others))]).count()
        == m + 1
    )


def test_a_function_word_alone_is_not_deleted() -> None:
    assert neighborhood("del1function")(["the"]).strings() == [("the",)]


def test_the_list_holds_each_word_once_in_lower_case() -> None:
    words = [word for _, line in bundled_rows("function_words.tsv") for word in line.split(" ")]
    assert len(words) == len(set(words)) == len(function_words())
    assert all(word and word == word.lower() for word in words)


def test_the_list_agrees_with_the_tags_of_a_treebank() -> None:
    """Nearly all words with closed-class tags are listed, and hardly any with open-class tags."""
    closed = {"DT", "PRP", "PRP$", "CC", "MD", "TO", "WDT", "WP", "POS", "IN"}
    open_ = {"NN", "NNS", "NNP", "NNPS", "JJ", "VB", "VBG", "CD"}
    listed = {True: [0, 0], False: [0, 0]}
    for sentence in sample():
        for word, tag in zip(sentence, sentence.tags, strict=True):
            if tag in closed | open_:
                listed[tag in closed][word.lower() in function_words()] += 1
    assert listed[True][1] / sum(listed[True]) > 0.97
    assert listed[False][1] / sum(listed[False]) < 0.05
