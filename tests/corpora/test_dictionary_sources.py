"""Counting words and tags."""

from __future__ import annotations

from fstce.corpora import Sentence
from fstce.corpora.dictionary_sources import count_tags

_CORPUS = [
    Sentence(["a", "a", "b"], tags=["X", "Y", "Z"]),
    Sentence(["b", "c"], tags=["Z", "W"]),
]


def test_counts_are_of_words_whatever_their_tags() -> None:
    assert count_tags(_CORPUS, min_count=2)[0] == {"a": {"X": 1, "Y": 1}, "b": {"Z": 2}}


def test_the_first_sentences_count_alone_but_the_tagset_is_of_all() -> None:
    listed, productive, tagset = count_tags(_CORPUS, first=1, min_count=2)
    assert listed == {"a": {"X": 1, "Y": 1}}
    assert productive == {"Z"}
    assert tagset == {"W", "X", "Y", "Z"}


def test_a_tag_that_takes_a_rare_word_now_and_then_is_no_open_class():
    nouns = [Sentence([f"n{i}"], tags=["N"]) for i in range(300)]
    closed = [Sentence(["hitherto"], tags=["IN"]), Sentence(["of", "of"], tags=["IN", "IN"])]
    assert count_tags([*nouns, *closed])[1] == {"N"}


def test_equally_frequent_tags_are_open_together():
    nouns = [Sentence([f"n{i}"], tags=["N"]) for i in range(198)]
    rare = [Sentence(["x"], tags=["X"]), Sentence(["y"], tags=["Y"])]
    assert count_tags([*nouns, *rare])[1] == {"N"}
    assert count_tags([*nouns[:100], *rare])[1] == {"N", "X", "Y"}
