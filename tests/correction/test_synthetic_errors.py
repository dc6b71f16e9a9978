"""Learning from synthetic errors: the curve of thresholds by counting, and the threshold chosen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.correction.decoding import Change, Correction
from fstce.correction.synthetic_errors import GRID, curve_of, held_out_size, mistyped, threshold_of

WORDS = ("the", "teh", "tea")
ROWS = st.lists(
    st.tuples(*[st.sampled_from(WORDS)] * 3, st.sampled_from(GRID)), min_size=1, max_size=8
)


@given(ROWS)
def test_the_curve_counts_what_is_fixed_and_damaged(
    rows: list[tuple[str, str, str, float]],
) -> None:
    made, observed, true = [], [], []
    for word, intended, corrected, p in rows:
        changes = (Change(0, 1, (word,), (corrected,), p),) if word != corrected else ()
        made.append(Correction((word,), (corrected,), changes))
        observed.append([word])
        true.append([intended])
    for threshold, fixed, damaged in curve_of(made, observed, true):
        changed = [row for row in rows if row[0] != row[2] and row[3] >= threshold]
        wrong = [row for row in rows if row[0] != row[1]]
        right = sum(row[2] == row[1] for row in changed)
        harm = sum(row[0] == row[1] for row in changed)
        assert fixed == pytest.approx(right / max(len(wrong), 1))
        assert damaged == pytest.approx(harm / max(len(rows) - len(wrong), 1))


def test_a_sentence_that_lost_a_word_is_left_out_of_the_curve() -> None:
    change = Change(0, 1, ("teh",), ("the",), 0.9)
    made = [Correction(("teh",), ("the",), (change,))]
    assert {row[1:] for row in curve_of(made, [["teh"]], [["the", "tea"]])} == {(0.0, 0.0)}


def test_the_threshold_is_at_most_a_half_and_no_dearer_than_the_best() -> None:
    assert threshold_of(((0.0, 0.9, 0.0), (0.5, 0.9, 0.0), (0.9, 0.9, 0.0)), 1000) == 0.5
    assert threshold_of(((0.0, 0.9, 0.0), (0.5, 0.1, 0.0)), 100_000) == 0.0


def test_few_sentences_are_not_held_out() -> None:
    assert [held_out_size(n, 0.1) for n in (0, 99, 100, 10_001)] == [0, 0, 10, 1000]


def test_kinds_of_mistakes_come_one_after_another() -> None:
    rows = [["well", ",", "yesterday", "it", "rained"]] * 20
    made = mistyped(rows, ["random", "drop"], [","], seed=1, rate=1.0)
    assert all("," not in row and len(row) == 4 for row in made)
    assert made == mistyped(rows, ["random", "drop"], [","], seed=1, rate=1.0)
