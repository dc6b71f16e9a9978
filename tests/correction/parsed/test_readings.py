"""Parsed readings against every (sentence, tags, tree) triple of tiny sentences, one by one."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from parsed_cases import (
    EMISSIONS,
    EXPONENTS,
    FIRST,
    MODEL,
    SENTENCES,
    SOME,
    THETA,
    Brute,
    Triple,
    readings_of,
)

from fstce.correction.parsed.readings import COLUMNS, LEAST


@SOME
@given(SENTENCES, EXPONENTS)
def test_sums_posteriors_and_expectations(sentences: list[list[str]], exponents: np.ndarray) -> None:
    readings, spellings = readings_of(sentences)
    brute = [Brute(row) for row in sentences]
    assert readings.log_z(exponents) == pytest.approx([twin.log_z(exponents) for twin in brute])
    total, expected = readings.expected(exponents)
    assert total == pytest.approx(sum(twin.log_z(exponents) for twin in brute))
    assert expected == pytest.approx(np.sum([twin.expected(exponents) for twin in brute], axis=0), abs=1e-9)
    mass: dict[tuple[int, str, str], float] = defaultdict(float)
    for begin, twin in zip(readings.pairs.sentence.tolist(), brute, strict=False):
        for (words, tags, _), p in twin.probability(exponents).items():
            for i, (word, tag) in enumerate(zip(words, tags, strict=True)):
                mass[begin + i, word, tag] += p
    columns = (readings.pairs.place, readings.pairs.spelling, readings.pairs.tag, readings.mass(exponents))
    found = {
        (place, spellings[s], EMISSIONS.tags[t]): p
        for place, s, t, p in zip(*(column.tolist() for column in columns), strict=True)
    }
    assert found == pytest.approx(dict(mass), abs=1e-12)


@SOME
@given(SENTENCES, EXPONENTS)
def test_the_best_triple(sentences: list[list[str]], exponents: np.ndarray) -> None:
    readings, spellings = readings_of(sentences)
    for row, (pairs, heads) in zip(sentences, readings.best(exponents), strict=True):
        words = tuple(spellings[i] for i in readings.pairs.spelling[pairs].tolist())
        tags = tuple(EMISSIONS.tags[t] for t in readings.pairs.tag[pairs].tolist())
        score = Brute(row).score(exponents)
        assert score[Triple(words, tags, heads)] == pytest.approx(max(score.values()))


def test_equal_sentences_have_charts_of_their_own() -> None:
    readings, _ = readings_of([["dgos", "rnu"]] * 3)
    assert readings.batch.n_distinct == 3
    log_z = readings.log_z(FIRST)
    assert log_z == pytest.approx([Brute(["dgos", "rnu"]).log_z(FIRST)] * 3)


def test_impossible_features_leave_the_other_trees() -> None:
    """A tree that θ forbids weighs nothing; without the model's exponent it is forgiven."""
    theta = THETA.copy()
    theta[MODEL.kid(1, 2, 0)] = -np.inf
    readings, _ = readings_of([["the", "dgos"]], theta=theta)
    clamped = np.maximum(theta, LEAST)
    assert readings.log_z(FIRST) == pytest.approx(Brute(["the", "dgos"], clamped).log_z(FIRST))
    without = np.array([0.0, *FIRST[1:]])
    assert readings.log_z(without) == pytest.approx(Brute(["the", "dgos"]).log_z(without))


def test_the_gradient_is_that_of_finite_differences() -> None:
    readings, _ = readings_of([["dgos", "rnu"], ["the", "dgo"], ["ran"]])
    _, gradient = readings.expected(FIRST)
    for i in range(len(COLUMNS)):
        step = np.zeros(len(COLUMNS))
        step[i] = 1e-5
        slope = (readings.log_z(FIRST + step) - readings.log_z(FIRST - step)).sum() / 2e-5
        assert gradient[i] == pytest.approx(slope, abs=1e-6)
