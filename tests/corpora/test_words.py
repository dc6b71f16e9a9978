"""What may be a word, and rows side by side."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fstce.corpora.words import RESERVED, check_aligned, clean_word, is_fit
from fstce.errors import CorpusError


@pytest.mark.parametrize("word", RESERVED)
def test_reserved_spellings_are_refused_where_they_stand(word: str) -> None:
    with pytest.raises(CorpusError, match=rf"a\.txt:3: {word!r} is a reserved symbol"):
        clean_word(word, "a.txt:3")


def test_a_word_that_only_contains_a_reserved_spelling_is_kept() -> None:
    assert clean_word("x<s>", "a.txt:1") == "x<s>"
    assert clean_word("<S>", "a.txt:1") == "<S>"


@pytest.mark.parametrize("word", ["a b", "a\tb", "a \u00a0 b", "a\u2028b", "a\x85b"])
def test_each_stretch_of_white_space_becomes_one_underscore(word: str) -> None:
    assert clean_word(word, "a.txt:1") == "a_b"


@pytest.mark.parametrize(("word", "reason"), [("a\0b", "holds NUL"), ("a\ud800", "lone surrogate")])
def test_what_no_file_can_hold_is_refused(word: str, reason: str) -> None:
    with pytest.raises(CorpusError, match=reason):
        clean_word(word, "a.txt:1")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_a_clean_word_splits_into_itself_and_stays_clean(word: str) -> None:
    assume(word not in RESERVED)
    clean = clean_word(word, "a.txt:1")
    assert clean.split() == [clean]
    assert is_fit(clean)
    assert clean_word(clean, "a.txt:1") == clean


def test_rows_that_do_not_fit_are_named() -> None:
    with pytest.raises(
        CorpusError, match="2 sentences but 1 rows of tags; give each sentence its own"
    ):
        check_aligned([["a"], ["b"]], [["N"]])
    with pytest.raises(CorpusError, match="sentence 2 has 1 words and 2 heads"):
        check_aligned([["a"], ["b"]], [[0], [0, 1]], "heads")
