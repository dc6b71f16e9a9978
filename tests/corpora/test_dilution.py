"""Counting words and tags."""

from __future__ import annotations

from fstce.corpora import Sentence
from fstce.corpora.dilution import count_tags

_CORPUS = [
    Sentence(["a", "a", "b"], tags=["X", "Y", "Z"]),
    Sentence(["b", "c"], tags=["Z", "W"]),
]


def test_counts_are_of_words_whatever_their_tags() -> None:
    assert count_tags(_CORPUS, min_count=2).listed == {"a": ["X", "Y"], "b": ["Z"]}


def test_the_first_sentences_count_alone_but_the_tagset_is_of_all() -> None:
    counts = count_tags(iter(_CORPUS), first=1, min_count=2)
    assert counts.listed == {"a": ["X", "Y"]}
    assert counts.once == {"Z"}
    assert counts.tagset == {"W", "X", "Y", "Z"}
