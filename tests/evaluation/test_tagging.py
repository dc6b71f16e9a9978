"""Accuracy of ambiguous and of all words, of chance, and the errors by kind."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce import TagDictionary
from fstce.errors import CorpusError
from fstce.evaluation import (
    Accuracy,
    accuracy,
    accuracy_by_listing,
    compare_taggings,
    random_accuracy,
    tagging_accuracy,
)
from fstce.evaluation.tagging import confusions, disagreements

DICTIONARY = TagDictionary({"the": "D", "saw": ["N", "V"], "can": ["N", "V", "M"]})
SENTENCES = [["the", "saw", "can"], ["can", "the"]]
GOLD = [["D", "N", "M"], ["V", "D"]]
FOUND = [["D", "V", "M"], ["M", "D"]]
ROWS = st.lists(st.lists(st.sampled_from("DNV"), min_size=1, max_size=5), min_size=1, max_size=4)


def test_accuracy() -> None:
    assert accuracy(GOLD, FOUND) == 0.6


def test_ambiguous_and_all_words() -> None:
    found = tagging_accuracy(SENTENCES, GOLD, FOUND, DICTIONARY)
    assert found == Accuracy(pytest.approx(100 / 3), 60.0, 3, 5)


def test_chance() -> None:
    found = random_accuracy(SENTENCES, GOLD, DICTIONARY)
    assert found.ambiguous == pytest.approx(100 * (1 / 2 + 1 / 3 + 1 / 3) / 3)
    assert found.all == pytest.approx(100 * (2 + 1 / 2 + 1 / 3 + 1 / 3) / 5)
    assert (found.n_ambiguous, found.n_all) == (3, 5)


def test_a_gold_tag_that_the_dictionary_lacks_is_never_chosen() -> None:
    assert random_accuracy([["saw"]], [["D"]], DICTIONARY).all == 0.0


def test_without_ambiguous_words_their_accuracy_is_no_number() -> None:
    assert math.isnan(tagging_accuracy([["the"]], [["D"]], [["D"]], DICTIONARY).ambiguous)


def test_unknown_words_are_ambiguous() -> None:
    assert tagging_accuracy([["wug"]], [["D"]], [["D"]], DICTIONARY).n_ambiguous == 1


def test_confusions() -> None:
    assert confusions([["N", "N", "V", "D"]], [["V", "V", "N", "D"]]) == [
        ("N", "V", 2),
        ("V", "N", 1),
    ]
    assert confusions([["N", "N", "V", "D"]], [["V", "V", "N", "D"]], n=1) == [("N", "V", 2)]
    assert confusions(GOLD, GOLD) == []


@given(ROWS)
def test_laws(rows: list[list[str]]) -> None:
    wrong = [["X"] * len(row) for row in rows]
    assert accuracy(rows, rows) == 1.0
    assert accuracy(rows, wrong) == 0.0
    assert sum(count for *_, count in confusions(rows, wrong)) == sum(map(len, rows))


@pytest.mark.parametrize(
    ("gold", "found", "message"),
    [
        ([["D"]], [["D"], ["D"]], "1 sentences but 2 rows of predicted tags"),
        ([["D"], ["D", "N"]], [["D"], ["D"]], "sentence 2 has 2 gold tags and 1 predicted tags"),
        ([], [], "no tags to compare"),
    ],
)
def test_what_cannot_be_compared(gold, found, message: str) -> None:
    for compare in (accuracy, confusions):
        with pytest.raises(CorpusError, match=message):
            compare(gold, found)


def test_words_and_tags_differ_in_number() -> None:
    with pytest.raises(CorpusError, match="sentence 1 has 2 words and 1 gold tags"):
        tagging_accuracy([["the", "saw"]], [["D"]], [["D"]], DICTIONARY)


@pytest.mark.parametrize(
    ("sentences", "gold"),
    [([["the"]], [["D"], ["D"]]), ([["the", "saw"]], [["D"]])],
    ids=["rows", "row"],
)
def test_chance_of_words_and_tags_that_differ_in_number(sentences, gold) -> None:
    with pytest.raises(CorpusError, match="gold tags"):
        random_accuracy(sentences, gold, DICTIONARY)


class TestByListing:
    DICTIONARY = TagDictionary({"the": "D", "saw": ["N", "V"]}, open_class=["N", "V"])
    SENTENCES = (("the", "saw"), ("zug", "saw"), ("the", "the"))
    GOLD = (("D", "N"), ("V", "V"), ("D", "D"))
    FOUND = (("D", "V"), ("V", "V"), ("D", "D"))

    def test_listed_and_unknown_words_are_told_apart(self):
        found = accuracy_by_listing(self.SENTENCES, self.GOLD, self.FOUND, self.DICTIONARY)
        assert [(name, one.n, one.random, one.model) for name, one in found.items()] == [
            ("listed", 5, 80.0, 80.0),
            ("listed, ambiguous", 2, 50.0, 50.0),
            ("OOV", 1, 50.0, 100.0),
            ("OOV, ambiguous", 1, 50.0, 100.0),
        ]
        assert all(one.low <= one.model <= one.high for one in found.values())

    def test_the_groups_add_up(self):
        found = accuracy_by_listing(self.SENTENCES, self.GOLD, self.FOUND, self.DICTIONARY)
        whole = tagging_accuracy(self.SENTENCES, self.GOLD, self.FOUND, self.DICTIONARY)
        chance = random_accuracy(self.SENTENCES, self.GOLD, self.DICTIONARY)
        listed, oov = found["listed"], found["OOV"]
        for name, value in (("model", whole.all), ("random", chance.all)):
            parts = (one.n * getattr(one, name) for one in (listed, oov))
            assert sum(parts) == pytest.approx(whole.n_all * value)

    def test_of_no_words_nothing_is_known(self):
        found = accuracy_by_listing([("the",)], [("D",)], [("D",)], self.DICTIONARY)
        assert found["OOV"].n == 0 and math.isnan(found["OOV"].model)

    def test_rows_that_do_not_fit_are_refused(self):
        with pytest.raises(CorpusError, match="2 sentences but 1 rows of predicted tags"):
            accuracy_by_listing(self.SENTENCES[:2], self.GOLD[:2], self.FOUND[:1], self.DICTIONARY)


@given(ROWS, st.randoms(use_true_random=False))
def test_two_taggings_are_compared_word_by_word(gold: list[list[str]], random: Random) -> None:
    first, second = ([[random.choice("DNV") for _ in row] for row in gold] for _ in range(2))
    listed = TagDictionary({"a": ["D", "N"], "b": ["D"]}, ["D", "N", "V"])
    words = [["ab"[random.random() < 0.5] for _ in row] for row in gold]
    found = compare_taggings(words, gold, first, second, listed)
    ones, others = (tagging_accuracy(words, gold, tags, listed) for tags in (first, second))
    assert found["all"].difference == pytest.approx(ones.all - others.all)
    assert found["ambiguous"].difference == pytest.approx(
        ones.ambiguous - others.ambiguous, nan_ok=True
    )
    right, apart = disagreements(gold, first, second, 100)
    triples = [t for rows in zip(gold, first, second, strict=True) for t in zip(*rows, strict=True)]
    assert sum(right.values()) == sum(n for *_, n in apart) == sum(a != b for _, a, b in triples)
    assert right["first"] - right["second"] == sum(a == g for g, a, _ in triples) - sum(
        b == g for g, _, b in triples
    )


def test_taggings_that_do_not_fit() -> None:
    with pytest.raises(CorpusError, match="2 sentences but 1 rows of predicted tags"):
        compare_taggings(SENTENCES, GOLD, FOUND, FOUND[:1], DICTIONARY)
