"""Scores on known answers, and laws that hold for all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.evaluation.correction import (
    CorrectionScores,
    Ratio,
    correction_scores,
    is_mark,
    word_errors,
)

WORDS = st.lists(st.sampled_from(["a", "b", "c", ","]), min_size=1, max_size=6)


def test_a_known_answer() -> None:
    """Four mistakes: one put right, one found but not put right, two missed; one clean word spoilt."""
    observed = ["teh", "cta", "sat", "onn", "teh", "mat"]
    true = ["the", "cat", "sat", "on", "the", "mat"]
    corrected = ["the", "cut", "sat", "onn", "teh", "met"]
    scores = correction_scores([observed], [true], [corrected])
    assert scores == CorrectionScores(
        words=6,
        clean=2,
        wanted=4,
        proposed=3,
        detected=2,
        corrected=1,
        damaged=1,
        before=4,
        after=4,
    )
    assert scores.detection.precision == pytest.approx(2 / 3)
    assert scores.detection.recall == 0.5
    assert scores.correction.precision == pytest.approx(1 / 3)
    assert scores.correction.recall == 0.25
    assert scores.correction.f(0.5) == pytest.approx(1.25 * (1 / 3) * 0.25 / (0.25 / 3 + 0.25))
    assert (scores.error_rate_before, scores.error_rate, scores.damage_rate) == pytest.approx(
        (400 / 6, 400 / 6, 50.0)
    )


def test_marks_that_are_missing_are_changes_too() -> None:
    scores = correction_scores(
        [["yes", "no"]], [["yes", ",", "no", "."]], [["yes", ",", "no", "!"]]
    )
    assert (scores.wanted, scores.proposed, scores.detected, scores.corrected) == (2, 2, 2, 1)
    assert (scores.before, scores.after, scores.damaged, scores.clean) == (2, 1, 0, 2)


def test_deleted_commas() -> None:
    observed, true = [["a", "b", "c", "d"]], [["a", ",", "b", "c", ",", "d"]]
    corrected = [["a", ",", "b", ",", "c", "d", "."]]
    scores = correction_scores(observed, true, corrected, ",".__eq__).correction
    assert (scores.wanted, scores.proposed, scores.hits) == (2, 2, 1)
    assert correction_scores(observed, true, corrected, is_mark).proposed == 3
    assert scores.f(1) == 0.5


@given(WORDS, WORDS, WORDS)
def test_laws(observed: list[str], true: list[str], corrected: list[str]) -> None:
    scores = correction_scores([observed], [true], [corrected])
    assert scores.corrected <= scores.detected <= min(scores.wanted, scores.proposed)
    assert scores.damaged <= scores.clean
    assert scores.before == word_errors(observed, true)
    perfect = correction_scores([observed], [true], [true])
    assert perfect.corrected == perfect.wanted == perfect.proposed
    assert perfect.error_rate == 0.0 and perfect.damaged == 0
    idle = correction_scores([observed], [true], [observed])
    assert idle.proposed == 0 and idle.error_rate == idle.error_rate_before
    both = correction_scores([observed] * 2, [true] * 2, [corrected, true])
    assert both == tuple(a + b for a, b in zip(scores, perfect, strict=True))


@given(WORDS, WORDS, WORDS)
def test_punctuation_counts_no_more_than_all_changes(
    observed: list[str], true: list[str], corrected: list[str]
) -> None:
    every = correction_scores([observed], [true], [corrected])
    marks = correction_scores([observed], [true], [corrected], is_mark).correction
    assert marks.hits <= min(marks.wanted, marks.proposed)
    assert marks.wanted <= every.wanted and marks.proposed <= every.proposed


def test_nothing_to_find_and_nothing_proposed() -> None:
    assert (Ratio(0, 0, 0).f(0.5), Ratio(0, 0, 3).f(0.5), Ratio(0, 3, 0).f(1)) == (1.0, 0.0, 0.0)
    assert correction_scores([], [], []).error_rate == 0.0


def test_numbers_of_sentences_must_agree() -> None:
    with pytest.raises(ValueError):
        correction_scores([["a"]], [["a"], ["b"]], [["a"]])
