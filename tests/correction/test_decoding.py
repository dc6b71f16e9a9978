"""Decoding against brute force: the most probable words, the best pair, the greatest sum, thresholds."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from correction_cases import EXPONENTS, MARKS, SENTENCES, SOME, Case
from hypothesis import given
from hypothesis import strategies as st
from oracles_correction import BruteReadings

from fstce.correction.decoding import Correction, corrections
from fstce.correction.factors.columns import COLUMNS

SURE = np.array([0.5, 0.6, 0.3, 2.5, 3.0, 0.3, 0.4, 0.2, *[0.0] * (len(COLUMNS) - 8)])


def corrected(case: Case, **options: object) -> list[Correction]:
    return corrections(case.candidates, case.exponents, case.sentences, marks=case.marks, **options)  # type: ignore[arg-type]


def gain(brute: BruteReadings, words: Sequence[str]) -> float:
    """The expected number of right words."""
    table = brute.fillings()
    return sum(table.get(filling, 0.0) for filling in enumerate(words))


@SOME
@given(SENTENCES, EXPONENTS)
def test_words_have_the_greatest_expected_gain(words: list[str], exponents: np.ndarray) -> None:
    case = Case([words], exponents)
    [correction] = corrected(case)
    [brute] = case.brute
    assert gain(brute, correction.words) == pytest.approx(
        max(gain(brute, row) for row in brute.sums())
    )


@SOME
@given(SENTENCES, EXPONENTS)
def test_marks_are_those_of_the_best_pair(words: list[str], exponents: np.ndarray) -> None:
    """Of Eq. 11."""
    case = Case([words], exponents, punctuate=True)
    [found] = corrected(case)
    score = case.brute[0].score
    assert max(v for (row, _), v in score.items() if row == found.words) == pytest.approx(
        max(score.values())
    )
    assert found.decoder == "best"


@SOME
@given(SENTENCES, EXPONENTS, st.booleans())
def test_changes_lead_from_what_was_observed_to_the_correction(
    words: list[str], exponents: np.ndarray, punctuate: bool
) -> None:
    [found] = corrected(Case([words], exponents, punctuate=punctuate))
    made, at = list[str](), 0
    for change in found.changes:
        assert tuple(words[change.start : change.end]) == change.observed != change.words
        assert 0.0 <= change.probability <= 1.0 and change.start >= at
        made += [*words[at : change.start], *change.words]
        at = change.end
    assert (*made, *words[at:]) == found.words
    assert found.observed == tuple(words)


@SOME
@given(SENTENCES, EXPONENTS, st.booleans(), st.floats(0.05, 1.0))
def test_below_the_threshold_nothing_changes(
    words: list[str], exponents: np.ndarray, punctuate: bool, threshold: float
) -> None:
    [found] = corrected(Case([words], exponents, punctuate=punctuate), threshold=threshold)
    assert all(change.probability >= threshold for change in found.changes)


@SOME
@given(SENTENCES, EXPONENTS)
def test_what_is_certain_alone_changes_at_threshold_one(
    words: list[str], exponents: np.ndarray
) -> None:
    case = Case([words], exponents)
    [found] = corrected(case, threshold=1.0)
    sums = case.brute[0].sums()
    if found.words != tuple(words):
        observed = Counter(words)
        kept = sum(p for row, p in sums.items() if Counter(row) == observed)
        assert kept < 1e-6


@SOME
@given(SENTENCES, EXPONENTS)
def test_a_changed_word_is_as_probable_as_said(words: list[str], exponents: np.ndarray) -> None:
    case = Case([words], exponents)
    [found] = corrected(case)
    table = case.brute[0].fillings()
    for change in found.changes:
        [new] = change.words
        assert change.probability == pytest.approx(table[change.start, new], abs=1e-9)


@SOME
@given(SENTENCES, EXPONENTS, st.booleans())
def test_alternatives_are_posteriors_best_first(
    words: list[str], exponents: np.ndarray, punctuate: bool
) -> None:
    case = Case([words], exponents, punctuate=punctuate)
    [correction] = corrected(case, n=100)
    table, slot = case.brute[0].fillings(), 0
    assert len(correction.alternatives) == len(words)
    for i, (word, row) in enumerate(zip(words, correction.alternatives, strict=True)):
        values = [value for _, value in row]
        assert values == sorted(values, reverse=True)
        if word in case.marks:
            assert [name for name, _ in row] == [word]
            before = words[i - _marks_before(words, i) : i].count(word)
            likely = min(max(table.get((slot, word), 0.0) - before, 0.0), 1.0)
            assert row[0][1] == pytest.approx(likely, abs=1e-9)
        else:
            for name, value in row:
                assert value == pytest.approx(table[slot, name], abs=1e-9)
            assert sum(values) == pytest.approx(1.0)
            slot += 1


def _marks_before(words: list[str], i: int) -> int:
    """How many marks stand side by side before a word."""
    return len(list(itertools.takewhile(MARKS.__contains__, reversed(words[:i]))))


def test_fewer_alternatives_are_the_first_of_more() -> None:
    case = Case([["dgos", "rnu"]], SURE)
    [many], [few] = corrected(case, n=9), corrected(case, n=2)
    assert [row[:2] for row in many.alternatives] == list(few.alternatives)


def test_sentences_do_not_mix() -> None:
    rows = [["dgos", "rnu"], ["The", ",", "wug"], ["run"]]
    together = corrected(Case(rows, SURE))
    assert together == [corrected(Case([row], SURE))[0] for row in rows]


def test_two_commas_are_not_made_three() -> None:
    """The posterior of a first comma says nothing of a second."""
    exponents = np.zeros(len(COLUMNS))
    exponents[2] = 6.0
    for row in (["run", ",", "run"], ["run", ",", ",", "run"]):
        [found] = corrected(Case([row], exponents, punctuate=True, order=0, ngrams=0))
        assert found.words == tuple(row)
