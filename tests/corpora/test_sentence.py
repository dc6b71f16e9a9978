"""Sentences as sequences of words, and their annotation."""

from __future__ import annotations

import copy
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import Sentence, first_words, parse_tree
from fstce.errors import CorpusError, ParameterError

_WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=6)


@given(_WORDS, st.slices(6))
def test_a_sentence_behaves_as_the_tuple_of_its_words(words: list[str], part: slice) -> None:
    sentence = Sentence(words)
    assert list(sentence) == words
    assert sentence[part] == tuple(words[part])
    assert sentence[-1] == words[-1]
    assert [sentence.count(x) for x in "abc"] == [words.count(x) for x in "abc"]
    assert ("a" in sentence) == ("a" in words)
    assert list(reversed(sentence)) == words[::-1]
    assert str(sentence).split() == words


def test_equality_and_hash_ignore_the_source_and_see_the_annotation() -> None:
    one = Sentence(["a", "b"], tags=["X", "Y"], source="a.txt:1")
    other = replace(one, source="b.txt:9")
    assert one == other
    assert hash(one) == hash(other)
    assert one != replace(one, tags=("X", "X"))
    assert one != replace(one, heads=(0, 1))
    assert copy.deepcopy(one) == one


def test_a_sentence_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Sentence(["a"]).words = ("b",)  # type: ignore[misc]


def test_repr_shows_what_is_there() -> None:
    sentence = Sentence(["go"], tree=parse_tree("(VP (VB go))"), source="a.mrg:2")
    assert repr(sentence) == "Sentence(words=('go',), tree=<Tree (VP (VB go))>, source='a.mrg:2')"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"words": []}, r"a\.txt:4: a sentence needs at least one word"),
        ({"words": "the dog"}, r"a\.txt:4: words is the string 'the dog'; give a list"),
        ({"words": ["a"], "tags": ["X", "Y"]}, r"a\.txt:4: 2 tags for 1 words"),
        ({"words": ["a", "b"], "heads": [0]}, r"a\.txt:4: 1 heads for 2 words"),
        ({"words": ["a", "b"], "deprels": ["x"]}, r"a\.txt:4: 1 deprels for 2 words"),
    ],
)
def test_annotation_must_fit_the_words(values: dict[str, Any], message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        Sentence(**values, source="a.txt:4")


@given(st.lists(_WORDS.map(Sentence), min_size=1, max_size=6), st.integers(1, 20))
def test_first_words_takes_no_sentence_more_than_needed(corpus: list[Sentence], n: int) -> None:
    chosen = first_words(iter(corpus), n)
    assert chosen == corpus[: len(chosen)]
    assert sum(map(len, chosen[:-1])) < n
    assert sum(map(len, chosen)) >= min(n, sum(map(len, corpus)))


def test_first_words_wants_at_least_one() -> None:
    with pytest.raises(ParameterError, match="n=0"):
        first_words([Sentence(["a"])], 0)
