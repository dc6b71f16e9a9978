"""Corrected words back in their line: what is put, inserted and deleted, and the blanks around it."""

from __future__ import annotations

import pytest

from fstce.corpora.running_text import tokenize
from fstce.correction.decoding import Change
from fstce.correction.spacing import restore


def restored(line: str, start: int, end: int, words: tuple[str, ...]) -> str:
    tokens = tokenize(line, {})
    observed = tuple(token.text for token in tokens[start:end])
    return restore(line, tokens, [Change(start, end, observed, words, 1.0)])


@pytest.mark.parametrize(
    ("line", "start", "end", "words", "wanted"),
    [
        ("The  caat sat.", 1, 2, ("cat",), "The  cat sat."),
        ("He saw alot  today.", 2, 3, ("a", "lot"), "He saw a lot  today."),
        ("He al ways  sings.", 1, 3, ("always",), "He always  sings."),
        ("Well I see.", 1, 1, (",",), "Well, I see."),
        ("Well , I see .", 1, 2, (), "Well I see ."),
        ("Well, I see.", 1, 2, (), "Well I see."),
        ("\tThe caat", 1, 2, ("cat",), "\tThe cat"),
    ],
)
def test_a_change_leaves_the_rest_of_the_line(
    line: str, start: int, end: int, words: tuple[str, ...], wanted: str
) -> None:
    assert restored(line, start, end, words) == wanted


@pytest.mark.parametrize("line", ["", "  ", "The cat , sat .", "A\u00a0b  c!"])
def test_without_changes_a_line_is_as_it_was(line: str) -> None:
    assert restore(line, tokenize(line, {}), []) == line
