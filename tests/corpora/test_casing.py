"""Capitals taken off and put back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora.casing import capitalized, capitals, has_accents, without_accents

LETTERS = st.text(st.sampled_from("abzéABZÉ1-"), min_size=1, max_size=6)


@given(LETTERS)
def test_capitals_put_back_on_the_lower_case_form_give_the_word(word: str) -> None:
    how = capitals(word)
    assert capitalized(word.lower() if how else word, how) == word


@given(LETTERS)
def test_a_first_part_with_capitals_begins_as_it_does(word: str) -> None:
    part = word.split("-")[0]
    first = capitalized(word, "first")
    assert first == (word if part != part.lower() else word[0].upper() + word[1:])


@given(LETTERS)
def test_a_word_without_capitals_has_none_to_give(word: str) -> None:
    assert capitals(word.lower()) == ""


def test_accents_are_of_letters_and_syllables_stay_whole() -> None:
    """Hangul came apart, and signs of Hindi and Arabic were taken for accents."""
    for word in ("한국어", "हिन्दी", "كِتَاب", "plain", ""):
        assert not has_accents(word)
    for word, bare in (("été", "ete"), ("Łódź", "Lodz"), ("ёлка", "елка"), ("한국어", "한국어")):
        assert without_accents(word) == bare and not has_accents(bare)
