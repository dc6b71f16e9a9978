"""Text in word/TAG notation."""

from __future__ import annotations

from pathlib import Path

import pytest
from text_cases import sentences_of

from fstce.corpora import Sentence, read_corpus
from fstce.errors import CorpusError


def _read(*lines: str) -> list[Sentence]:
    return list(sentences_of(enumerate(lines, start=1), "a.pos", "tagged"))


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


def test_underscores_separate_where_slashes_do_not() -> None:
    (sentence,) = _read("1/2_CD and_CC snake_case_NN")
    assert sentence.words == ("1/2", "and", "snake_case") and sentence.tags == ("CD", "CC", "NN")


VERTICAL = {
    "tabs": "the\tDT\ndog\tNN\n\nit\tPRP\n",
    "corpus manager": '<doc id="1">\n<s>\nthe\tDT\tthe\ndog\tNN\tdog\n</s>\n<s>\nit\tPRP\tit\n</s>\n</doc>\n',
    "shared task": "-DOCSTART- -X- -X- O\n\nthe DT B-NP O\ndog NN I-NP O\n\nit PRP B-NP O\n",
}


@pytest.mark.parametrize("name", VERTICAL)
def test_a_word_a_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(VERTICAL[name], encoding="utf-8")
    # Columns between blanks could be a sentence: that they are columns must be said.
    given = "vertical" if name == "shared task" else None
    found = [(s.words, s.tags) for s in read_corpus(path, given)]
    assert found == [(("the", "dog"), ("DT", "NN")), (("it",), ("PRP",))]


@pytest.mark.parametrize("line", ["dog", "dog\t", "\tNN"])
def test_a_line_without_word_or_tag_is_named(line: str) -> None:
    with pytest.raises(
        CorpusError, match=r"a\.vert:2: the line .* is not of the form word, tab, tag"
    ):
        list(sentences_of(enumerate(["the\tDT", line], 1), "a.vert", "vertical"))


@pytest.mark.parametrize("token", ["<s>/NN", "dog/<s>", "</s>/NN"])
def test_reserved_words_and_tags_are_refused(token: str) -> None:
    with pytest.raises(CorpusError, match=r"a\.pos:1: '</?s>' is a reserved symbol"):
        _read(token)


def test_brown(nltk_brown: list[Sentence]) -> None:
    assert (len(nltk_brown), sum(map(len, nltk_brown))) == (57_340, 1_161_192)
    assert str(nltk_brown[0]).startswith("The Fulton County Grand Jury said")
    assert nltk_brown[0].tags is not None
    assert nltk_brown[0].tags[:3] == ("at", "np-tl", "nn-tl")
