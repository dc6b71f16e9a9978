"""Mistakes made on purpose: of the right kind, at the right rate, the same for the same seed."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_edits import edit_cost

from fstce.corpora import sample
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.corruption import (
    corrupted,
    drop_accents,
    drop_marks,
    random_edit,
    random_edits,
    respaced,
)
from fstce.errors import ParameterError

TEXT = [list(sentence.words) for sentence in sample()]
MARKS = [",", ".", ";"]
KINDS = (
    random_edits(2),
    respaced(0.5),
    drop_marks(MARKS),
)


@pytest.mark.parametrize("kind", KINDS)
def test_the_truth_is_kept_and_the_seed_decides(kind) -> None:
    rows = corrupted(TEXT, kind, 3, 0.3)
    assert [row.true for row in rows] == TEXT
    assert rows == corrupted(TEXT, kind, 3, 0.3)
    assert rows != corrupted(TEXT, kind, 4, 0.3)
    assert rows[:20] == corrupted(TEXT[:20], kind, 3, 0.3)
    assert all(
        row.observed == row.true and not row.mistakes for row in corrupted(TEXT, kind, 3, 0.0)
    )


def test_one_edit_in_a_tenth_of_the_long_alphabetic_words() -> None:
    rows = corrupted(TEXT * 10, random_edits())
    pairs = [pair for row in rows for pair in row.pairs]
    long = [(true, observed) for true, observed in pairs if true.isalpha() and len(true) >= 4]
    changed = [(true, observed) for true, observed in pairs if true != observed]
    assert set(changed) <= set(long)
    assert abs(len(changed) / len(long) - 0.1) < 4 * math.sqrt(0.09 / len(long))
    assert all(
        edit_cost(observed, true, 1, True, Channel()) == 1.0 for true, observed in set(changed)
    )


@given(st.text("abAB", min_size=1, max_size=6), st.integers(0, 1000))
def test_a_random_edit_always_changes_a_word_by_one_edit(word: str, seed: int) -> None:
    edited = random_edit(word, Random(seed))
    assert edited
    assert edit_cost(edited, word, 1, True, Channel()) == 1.0


def test_all_four_kinds_of_edit_are_made_equally_often() -> None:
    edits = [random_edit("abcdefgh", Random(seed)) for seed in range(2_000)]
    transposed = sum(sorted(edit) == sorted("abcdefgh") for edit in edits)
    kinds = [
        sum(len(edit) == 9 for edit in edits),
        sum(len(edit) == 7 for edit in edits),
        transposed,
        sum(len(edit) == 8 for edit in edits) - transposed,
    ]
    assert all(420 < kind < 580 for kind in kinds), kinds


def test_accents_go_from_some_words_that_have_any() -> None:
    rows = [["Été", "à", "Łódź", "the", "end"]] * 40
    typed = corrupted(rows, drop_accents(), 3, 0.5)
    assert {word for row in typed for word in row.observed} == {
        *("Été", "à", "Łódź", "the", "end"),
        *("Ete", "a", "Lodz"),
    }
    assert [row.true for row in typed] == rows
    assert 0.4 < sum(row.mistakes for row in typed) / (3 * len(rows)) < 0.6


def test_marks_go() -> None:
    [dropped] = corrupted([["a", ",", "b", "."]], drop_marks(MARKS), rate=1.0)
    assert dropped.observed == ["a", "b"] and dropped.mistakes == 2


@pytest.mark.parametrize("rate", [-0.1, 1.1, math.nan])
def test_a_rate_is_a_probability(rate: float) -> None:
    with pytest.raises(ParameterError, match="rate"):
        corrupted(TEXT, random_edits(), rate=rate)
