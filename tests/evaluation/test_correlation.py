"""Correlations against scipy's."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from fstce.errors import ParameterError
from fstce.evaluation.bootstrap import correlation

SCORES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12)


@given(SCORES)
def test_correlations_are_those_of_scipy(scores: list[tuple[int, int]]) -> None:
    one, two = zip(*scores, strict=True)
    assume(len(set(one)) > 1 and len(set(two)) > 1)
    found = correlation(one, two)
    assert found.pearson == pytest.approx(stats.pearsonr(one, two).statistic)
    assert found.spearman == pytest.approx(stats.spearmanr(one, two).statistic)
    assert found.n == len(scores)


def test_equal_scores_share_a_rank() -> None:
    # Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: Σ of products of deviations 4.5, of squares 4.5 and 5.
    assert correlation([1, 2, 2, 3], [1, 2, 3, 4]).spearman == pytest.approx(4.5 / math.sqrt(4.5 * 5))


def test_a_set_that_does_not_tell_systems_apart_gives_nan() -> None:
    assert math.isnan(correlation([1, 1], [1, 2]).pearson)
    assert math.isnan(correlation([1, 2], [3, 3]).spearman)


@pytest.mark.parametrize(
    ("one", "two"),
    [([1.0], [1.0]), ([1.0, 2.0], [1.0]), ([1.0, math.nan], [1.0, 2.0]), ([[1.0, 2.0]], [[1.0, 2.0]])],
)
def test_scores_that_do_not_fit_are_errors(one: list[float], two: list[float]) -> None:
    with pytest.raises(ParameterError):
        correlation(one, two)
