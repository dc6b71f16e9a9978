"""Scores as ratios of counts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.evaluation.bracket_scores import (
    BracketCounts,
    CategoryCounts,
    columns,
    percent,
    statistic,
)

COUNTS = BracketCounts(
    gold=10,
    predicted=8,
    matched=6,
    sentences=4,
    complete=1,
    crossing=2,
    no_crossing=3,
    two_crossing=4,
    unlabelled_matched=7,
    words=30,
    right_tags=27,
    skipped=1,
    errors=1,
)
SCORES = {
    "precision": 75.0,
    "recall": 60.0,
    "f1": 100 * 12 / 18,
    "exact": 25.0,
    "average_crossing": 0.5,
    "without_crossing": 75.0,
    "two_or_less_crossing": 100.0,
    "unlabelled.precision": 87.5,
    "unlabelled.recall": 70.0,
    "unlabelled.f1": 100 * 14 / 18,
    "tagging_accuracy": 90.0,
}


@pytest.mark.parametrize(("name", "score"), SCORES.items())
def test_scores_by_hand_and_as_functions_of_sums(name: str, score: float) -> None:
    value: object = COUNTS
    for step in name.split("."):
        value = getattr(value, step)
    assert value == pytest.approx(score)
    sums = np.array([[getattr(COUNTS, column) for column in columns(BracketCounts)]] * 2)
    assert statistic(BracketCounts, name)(sums).tolist() == pytest.approx([score, score])
    assert statistic(BracketCounts, name)(sums[0]).shape == ()


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_f1_is_the_harmonic_mean(gold: int, predicted: int, matched: int) -> None:
    counts = CategoryCounts(gold + matched, predicted + matched, matched)
    if matched:
        mean = 2 / (1 / counts.precision + 1 / counts.recall)
        assert counts.f1 == pytest.approx(mean)
    elif gold + predicted:
        assert counts.f1 == 0


def test_a_share_of_nothing_is_nan() -> None:
    assert math.isnan(CategoryCounts(0, 0, 0).f1)
    assert np.isnan(percent(np.array([0, 1]), np.array([0, 2]))).tolist() == [True, False]
