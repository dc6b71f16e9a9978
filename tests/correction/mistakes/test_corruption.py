"""Mistakes made on purpose: of the right kind, at the right rate, the same for the same seed."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_edits import edit_cost

from examples.experiments.keyboard import keyboard_edit, keyboard_edits, neighboring_keys
from fstce.corpora import sample
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.corruption import (
    Corruption,
    confusables,
    corrupted,
    drop_accents,
    drop_marks,
    random_edit,
    random_edits,
    real_words,
    respaced,
)
from fstce.errors import ParameterError
from fstce.speller.channel import Channel

TEXT = [list(sentence.words) for sentence in sample()]
MARKS = [",", ".", ";"]
KINDS = (
    random_edits(2),
    real_words(confusables()),
    respaced(0.5),
    drop_marks(MARKS),
)


def mistakes(row: Corruption) -> int:
    return sum(true != observed for true, observed in row.pairs)


@pytest.mark.parametrize("kind", KINDS)
def test_the_truth_is_kept_and_the_seed_decides(kind) -> None:
    rows = corrupted(TEXT, kind, 3, 0.3)
    assert [row.true for row in rows] == TEXT
    assert rows == corrupted(TEXT, kind, 3, 0.3)
    assert rows != corrupted(TEXT, kind, 4, 0.3)
    assert rows[:20] == corrupted(TEXT[:20], kind, 3, 0.3)
    assert all(row.observed == row.true for row in corrupted(TEXT, kind, 3, 0.0))


@pytest.mark.parametrize("make", [random_edits, keyboard_edits])
def test_one_edit_in_a_tenth_of_the_long_alphabetic_words(make) -> None:
    rows = corrupted(TEXT * 10, make())
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


def test_neighbouring_keys_are_neighbours_of_each_other() -> None:
    keys = neighboring_keys()
    assert sorted(keys) == list("abcdefghijklmnopqrstuvwxyz")
    assert all(a in keys[b] for a in keys for b in keys[a])
    assert all(a not in keys[a] for a in keys)


def test_a_slip_on_the_keyboard_is_a_neighbouring_key() -> None:
    keys = neighboring_keys()
    replaced = {
        f"{'wOrd'[:i]}{key.upper() if i == 1 else key}{'wOrd'[i + 1 :]}"
        for i in range(4)
        for key in keys["word"[i]]
    }
    inserted = {
        f"{'wOrd'[:j]}{key}{'wOrd'[j:]}"
        for i in range(4)
        for key in keys["word"[i]]
        for j in (i, i + 1)
    }
    assert {keyboard_edit("wOrd", Random(seed)) for seed in range(3_000)} == replaced | inserted
    assert keyboard_edit("1-2", Random(0)) == "1-2"


def test_real_words_are_words_and_keep_their_capitals() -> None:
    table = confusables()
    pairs = [pair for row in corrupted(TEXT, real_words(table), rate=1.0) for pair in row.pairs]
    changed = [(true, observed) for true, observed in pairs if true != observed]
    assert changed
    assert all(observed.lower() in table[true.lower()] for true, observed in changed)
    assert all(true[0].isupper() == observed[0].isupper() for true, observed in changed)
    assert all(true.lower() not in table for true, observed in pairs if true == observed)


def test_the_vocabulary_gives_real_words_at_distance_one() -> None:
    near = Candidates({"cat": 2, "car": 1, "dog": 1, "Zat": 0}).of(["cat", "dog", "Cat"])
    known = {word: [row.word for row in rows[1:] if row.frequency] for word, rows in near.items()}
    rows = corrupted([["cat", "dog", "Cat"]] * 20, real_words(known), rate=1.0)
    assert {tuple(row.observed) for row in rows} <= {
        ("car", "dog", w) for w in ("cat", "car", "Car")
    }


def test_confusables_are_mutual() -> None:
    table = confusables()
    assert all(word in table[other] for word in table for other in table[word])
    assert all(word not in others for word, others in table.items())


def test_accents_go_from_some_words_that_have_any() -> None:
    rows = [["Été", "à", "Łódź", "the", "end"]] * 40
    typed = corrupted(rows, drop_accents(), 3, 0.5)
    assert {word for row in typed for word in row.observed} == {
        *("Été", "à", "Łódź", "the", "end"),
        *("Ete", "a", "Lodz"),
    }
    assert [row.true for row in typed] == rows
    assert 0.4 < sum(map(mistakes, typed)) / (3 * len(rows)) < 0.6


def test_marks_go() -> None:
    [dropped] = corrupted([["a", ",", "b", "."]], drop_marks(MARKS), rate=1.0)
    assert dropped.observed == ["a", "b"] and mistakes(dropped) == 2


@pytest.mark.parametrize("rate", [-0.1, 1.1, math.nan])
def test_a_rate_is_a_probability(rate: float) -> None:
    with pytest.raises(ParameterError, match="rate"):
        corrupted(TEXT, random_edits(), rate=rate)
