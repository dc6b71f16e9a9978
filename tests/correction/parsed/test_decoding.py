"""Choices and corrections against the sums over every (sentence, tags, tree) triple."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsed_cases import (
    CHANNEL,
    EXPONENTS,
    FIRST,
    MODEL,
    NAMED,
    OBSERVED,
    SENTENCES,
    SOME,
    TAGS,
    TEXT,
    Brute,
    readings_of,
)

from fstce.correction.parsed.corrector import ParsedCorrector
from fstce.correction.parsed.decoding import best_sums, choices_of
from fstce.correction.parsed.readings import COLUMNS


@SOME
@given(SENTENCES, EXPONENTS, st.sampled_from([1, 3, 100]))
def test_the_greatest_sums(sentences: list[list[str]], exponents: np.ndarray, n: int) -> None:
    readings, spellings = readings_of(sentences)
    choices = choices_of(readings, exponents)
    begin = readings.pairs.sentence.tolist()
    for row, a, (chosen, sure) in zip(
        sentences, begin, best_sums(readings, exponents, choices, n), strict=False
    ):
        twin, sums, marginal = Brute(row), defaultdict(float), defaultdict(float)
        for (words, _, _), p in twin.probability(exponents).items():
            sums[words] += p
            for i, word in enumerate(words):
                marginal[i, word] += p
        assert choices.place[chosen].tolist() == list(range(a, a + len(row)))
        words = tuple(spellings[i] for i in choices.spelling[chosen].tolist())
        asked = sorted(sums, key=lambda ws: -math.prod(marginal[i, w] for i, w in enumerate(ws)))[:n]
        if len(sums) <= n:
            assert sure
        if sure:
            assert sums[words] == pytest.approx(max(sums.values()))
        assert sums[words] >= max(sums[ws] for ws in asked[:1]) - 1e-9
        rest = 1 - sum(sums[ws] for ws in asked)
        if abs(max(sums[ws] for ws in asked) - rest) > 1e-6:
            assert sure == (sums[words] > rest)
        for i, word in enumerate(words):
            assert choices.mass[chosen[i]] == pytest.approx(marginal[i, word])


def test_a_greatest_sum_among_too_few_is_not_called_certain() -> None:
    """Without any factor all triples are equally probable, and no sentence has half of them."""
    readings, _ = readings_of([["dgos", "rnu"]])
    nothing = np.zeros(len(COLUMNS))
    choices = choices_of(readings, nothing)
    assert [sure for _, sure in best_sums(readings, nothing, choices, 1)] == [False]
    assert [sure for _, sure in best_sums(readings, nothing, choices, 100)] == [True]


def test_choices_are_the_words_of_each_place_the_most_probable_first() -> None:
    readings, spellings = readings_of([["dgos", "rnu"], ["the"]])
    choices = choices_of(readings, FIRST)
    assert choices.place.tolist() == sorted(choices.place.tolist())
    assert choices.place[choices.first].tolist() == [0, 1, 2]
    for place in range(3):
        mass = choices.mass[choices.place == place]
        assert np.all(np.diff(mass) <= 0) and mass.sum() == pytest.approx(1.0)
    assert np.array_equal(choices.place[choices.of_pair], readings.pairs.place)
    assert np.array_equal(choices.spelling[choices.of_pair], readings.pairs.spelling)
    assert {spellings[i] for i in choices.spelling[choices.place == 0].tolist()} == {"dgos", "dogs"}


@pytest.fixture(scope="module")
def corrector() -> ParsedCorrector:
    return ParsedCorrector(channel=CHANNEL, exponents=NAMED).fit(TEXT, TAGS)


@pytest.fixture(scope="module")
def twins(corrector: ParsedCorrector) -> list[Brute]:
    weights = corrector.parser_.weights()
    theta = np.array([weights[name] for name in MODEL.names])
    return [Brute(row, theta) for row in OBSERVED]


def posteriors(twin: Brute) -> list[dict[str, float]]:
    """The probability of each word at each place."""
    found: list[dict[str, float]] = []
    for (words, _, _), p in twin.probability(FIRST).items():
        found = found or [defaultdict(float) for _ in words]
        for row, word in zip(found, words, strict=True):
            row[word] += p
    return found


def test_alternatives_are_the_posteriors_of_all_triples(
    corrector: ParsedCorrector, twins: list[Brute]
) -> None:
    for found, twin in zip(corrector.correct(OBSERVED, alternatives=100), twins, strict=True):
        expected = posteriors(twin)
        assert [dict(row) for row in found.alternatives] == [pytest.approx(row) for row in expected]
        assert [row[0][0] for row in found.alternatives] == [
            max(row, key=lambda w: row[w]) for row in expected
        ]
        assert found.words == tuple(max(row, key=lambda w: row[w]) for row in expected)
        assert found.decoder == "words"
        for change in found.changes:
            assert change.end == change.start + 1 and change.typed == (found.typed[change.start],)
            assert change.probability == pytest.approx(expected[change.start][change.words[0]])
    assert any(found.changes for found in corrector.correct(OBSERVED))


@pytest.mark.parametrize("decoder", ["best", "sum"])
def test_the_best_triple_and_the_greatest_sum(
    corrector: ParsedCorrector, twins: list[Brute], decoder: str
) -> None:
    other = ParsedCorrector(**{**corrector.get_params(), "decoder": decoder}).fit(TEXT, TAGS)
    for found, twin in zip(other.correct(OBSERVED), twins, strict=True):
        score = twin.score(FIRST)
        if decoder == "best":
            assert found.words == max(score, key=lambda triple: score[triple]).words
        else:
            sums: dict[tuple[str, ...], float] = defaultdict(float)
            for triple, p in twin.probability(FIRST).items():
                sums[triple.words] += p
            assert found.words == max(sums, key=lambda words: sums[words])
        assert found.decoder == decoder


def test_the_best_parse_has_the_best_score(corrector: ParsedCorrector, twins: list[Brute]) -> None:
    for (words, tags, heads), twin in zip(corrector.parse(OBSERVED), twins, strict=True):
        score = twin.score(FIRST)
        best = max(score, key=lambda triple: score[triple])
        assert (tuple(words), tuple(tags), heads) == best
