"""Text in word/TAG notation."""

from __future__ import annotations

import pytest

from fstce.corpora import Sentence
from fstce.corpora.tagged import read_tagged
from fstce.errors import CorpusError


def _read(*lines: str) -> list[Sentence]:
    return list(read_tagged(enumerate(lines, start=1), "a.pos"))


def test_the_last_slash_separates() -> None:
    (sentence,) = _read("", "1/2/CD 1\\/2/CD //SYM a_b/NN")
    assert sentence.words == ("1/2", "1\\/2", "/", "a_b")
    assert sentence.tags == ("CD", "CD", "SYM", "NN")
    assert sentence.source == "a.pos:2"


@pytest.mark.parametrize("token", ["dog", "dog/", "/NN", "and\\/or", "/", "dog_NN"])
def test_a_token_without_word_or_tag_is_named(token: str) -> None:
    with pytest.raises(CorpusError) as caught:
        _read("the/DT dog/NN", f"the/DT {token}")
    assert str(caught.value) == f"a.pos:2: the token {token!r} is not of the form word/TAG"


@pytest.mark.parametrize("token", ["<s>/NN", "dog/<s>", "</s>/NN"])
def test_reserved_words_and_tags_are_refused(token: str) -> None:
    with pytest.raises(CorpusError, match=r"a\.pos:1: '</?s>' is a reserved symbol"):
        _read(token)


def test_brown(nltk_brown: list[Sentence]) -> None:
    assert (len(nltk_brown), sum(map(len, nltk_brown))) == (57_340, 1_161_192)
    assert str(nltk_brown[0]).startswith("The Fulton County Grand Jury said")
    assert nltk_brown[0].tags is not None
    assert nltk_brown[0].tags[:3] == ("at", "np-tl", "nn-tl")
