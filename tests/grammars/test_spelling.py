"""Spelling features against their definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import spelling_signs

from fstce.grammars import spelling


@pytest.mark.parametrize(
    ("word", "signs"),
    [
        ("a", ["suffix=a"]),
        ("is", ["suffix=s", "suffix=is"]),
        ("running", ["suffix=g", "suffix=ng", "suffix=ing"]),
        ("IBM", ["suffix=M", "suffix=BM", "suffix=IBM", "capital"]),
        ("iPad", ["suffix=d", "suffix=ad", "suffix=Pad"]),
        ("-", ["suffix=-", "hyphen"]),
        ("7", ["suffix=7", "digit"]),
        ("Éa", ["suffix=a", "suffix=Éa", "capital"]),
    ],
)
def test_known_words(word: str, signs: list[str]) -> None:
    assert list(spelling.build(word)) == signs


@given(st.text("aBé-7", min_size=1, max_size=6))
def test_the_definition(word: str) -> None:
    assert sorted(spelling.build(word)) == sorted(spelling_signs(word))
    assert len(set(spelling.build(word))) == len(spelling.build(word))
