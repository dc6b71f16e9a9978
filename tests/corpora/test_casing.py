"""Capitals taken off and put back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora.casing import capitalized, capitals

LETTERS = st.text(st.sampled_from("abzéABZÉ1-"), min_size=1, max_size=6)


@given(LETTERS)
def test_capitals_put_back_on_the_lower_case_form_give_the_word(word: str) -> None:
    how = capitals(word)
    assert capitalized(word.lower() if how else word, how) == word


@given(LETTERS)
def test_a_word_without_capitals_has_none_to_give(word: str) -> None:
    assert capitals(word.lower()) == ""
