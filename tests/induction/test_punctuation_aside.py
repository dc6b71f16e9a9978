"""Which words grammar induction sees, and how they come back into trees."""

from itertools import compress, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import Sentence
from fstce.errors import ParameterError
from fstce.induction.inducer import (
    DirectedAlignment,
    english_marks,
    is_no_punctuation,
    over_all_words,
)

WORDS, TAGS = (
    ["He", "paid", "$", "5", ",", "boys", "'", "--"],
    ["PRP", "VBD", "$", "CD", ",", "NNS", "POS", ":"],
)
TAGGED = Sentence(WORDS, tags=TAGS)


@pytest.mark.parametrize(
    ("rule", "sentence", "left"),
    [
        ("auto", TAGGED, "He paid $ 5 boys '"),
        ("none", TAGGED, "He paid $ 5 , boys ' --"),
        ("auto", list(TAGGED), "He paid $ 5 boys"),
        (["$", "5"], TAGGED, "He paid , boys ' --"),
        # Brown's tags spell a mark as itself.
        ("auto", Sentence(["a", "--", "b"], tags=["AT", "--", "NN"]), "a b"),
        ("auto", Sentence(["*T*", "sees"], tags=["-NONE-", "VBZ"]), "sees"),
    ],
)
def test_rules(rule, sentence, left):
    assert list(compress(sentence, is_no_punctuation(sentence, rule))) == left.split()


def test_no_rule():
    with pytest.raises(ParameterError, match="punctuation='comma': choose one of auto, none, or a"):
        DirectedAlignment(punctuation="comma").fit([["a"]])


def test_marks_are_of_one_word_each():
    assert {".", ",", "``", "-LRB-"} <= english_marks()
    assert not english_marks() & {"$", "#", "%", "&"}


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=9), min_size=1, max_size=5), st.data())
def test_a_restored_bracket_holds_the_same_kept_words_and_begins_and_ends_with_one(keep, data):
    spans = []
    for number, row in enumerate(keep):
        for _ in range(data.draw(st.integers(0, 3)) if any(row) else 0):
            start, end = sorted(
                data.draw(st.lists(st.integers(0, sum(row)), min_size=2, max_size=2, unique=True))
            )
            spans.append((number, start, end))
    for number, start, end in spans:
        row = keep[number]
        ((_, a, b),) = over_all_words([("C", start, end)], row)
        assert sum(row[:a]) == start and sum(row[a:b]) == end - start
        assert row[a] and row[b - 1]


def test_brackets_that_nest_still_do():
    spans = [("C", 0, 3), ("C", 0, 2), ("C", 2, 3)]
    rows = [span[1:] for span in over_all_words(spans, [False, True, False, True, True])]
    assert rows == [(1, 5), (1, 4), (4, 5)]
    assert all(a <= c for (a, _), (c, _) in pairwise(rows))
