"""Decoding against brute force: the most probable words, the best pair, the greatest sum, thresholds."""

from __future__ import annotations

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
from fstce.correction.parameters import CORRECTOR

SURE = np.array([0.5, 0.6, 0.3, 2.5, 3.0, 0.3, 0.4, 0.2, *[0.0] * (len(COLUMNS) - 8)])


def corrected(case: Case, **options: object) -> list[Correction]:
    return corrections(case.candidates, case.exponents, case.sentences, marks=case.marks, **options)  # type: ignore[arg-type]


def keys(words: Sequence[str]) -> Counter[tuple[int, str, int]]:
    """The slot of each word, the word, and, of a mark, how many of the two marks before are the same."""
    found: Counter[tuple[int, str, int]] = Counter()
    slot = 0
    for i, word in enumerate(words):
        found[slot, word, _copies(list(words), i) if word in MARKS else 0] += 1
        slot += word not in MARKS
    return found


def gain(brute: BruteReadings, words: Sequence[str], least: float = 0.5) -> float:
    """The expected number of right words, a mark counted above `least`."""
    table = brute.fillings()
    counted = keys(words).items()
    return sum(n * (table.get(key, 0.0) - least * (key[1] in MARKS)) for key, n in counted)


def is_doubtful(brute: BruteReadings, observed: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a mark comes that is more improbable than not."""
    come = [key for key in keys(words) - keys(observed) if key[1] in MARKS]
    return any(brute.fillings().get(key, 0.0) < 0.5 - 1e-9 for key in come)


@SOME
@given(SENTENCES, EXPONENTS)
def test_words_have_the_greatest_expected_gain(words: list[str], exponents: np.ndarray) -> None:
    case = Case([words], exponents)
    [found] = corrected(case)
    [brute] = case.brute
    best = max(gain(brute, row) for row in brute.sums())
    # A doubtful mark may only set equal ones further apart, so that they are not told from each other.
    sound = [row for row in brute.sums() if not is_doubtful(brute, words, row)]
    assert not is_doubtful(brute, words, found.words)
    if max(gain(brute, row) for row in sound) == pytest.approx(best):
        assert gain(brute, found.words) == pytest.approx(best)


@SOME
@given(SENTENCES, EXPONENTS)
def test_the_best_pair_is_that_of_eq_11(words: list[str], exponents: np.ndarray) -> None:
    case = Case([words], exponents)
    [found] = corrected(case, decoder="best")
    score = case.brute[0].score
    assert max(v for (row, _), v in score.items() if row == found.words) == pytest.approx(
        max(score.values())
    )
    assert found.decoder == "best"


@SOME
@given(SENTENCES, EXPONENTS, st.sampled_from(CORRECTOR["decoder"].choices))
def test_changes_lead_from_what_was_observed_to_the_correction(
    words: list[str], exponents: np.ndarray, decoder: str
) -> None:
    [found] = corrected(Case([words], exponents), decoder=decoder)
    made, at = list[str](), 0
    for change in found.changes:
        assert tuple(words[change.start : change.end]) == change.observed != change.words
        assert 0.0 <= change.probability <= 1.0 and change.start >= at
        made += [*words[at : change.start], *change.words]
        at = change.end
    assert (*made, *words[at:]) == found.words
    assert found.observed == tuple(words)


@SOME
@given(SENTENCES, EXPONENTS, st.sampled_from(CORRECTOR["decoder"].choices), st.floats(0.05, 1.0))
def test_below_the_threshold_nothing_changes(
    words: list[str], exponents: np.ndarray, decoder: str, threshold: float
) -> None:
    [found] = corrected(
        Case([words], exponents), decoder=decoder, threshold=threshold, of_marks=threshold
    )
    assert all(change.probability >= threshold for change in found.changes)


@SOME
@given(SENTENCES, EXPONENTS)
def test_what_is_certain_alone_changes_at_threshold_one(
    words: list[str], exponents: np.ndarray
) -> None:
    case = Case([words], exponents)
    [found] = corrected(case, threshold=1.0, of_marks=1.0)
    sums = case.brute[0].sums()
    if found.words != tuple(words):
        observed = Counter(words)
        kept = sum(p for row, p in sums.items() if Counter(row) == observed)
        assert kept < 1e-6


@SOME
@given(SENTENCES, EXPONENTS)
def test_a_changed_word_is_as_probable_as_said(words: list[str], exponents: np.ndarray) -> None:
    case = Case([words], exponents, punctuate=False)
    [found] = corrected(case)
    table = case.brute[0].fillings()
    for change in found.changes:
        [new] = change.words
        assert change.probability == pytest.approx(table[change.start, new, 0], abs=1e-9)


@SOME
@given(SENTENCES, EXPONENTS)
def test_alternatives_are_posteriors_best_first(words: list[str], exponents: np.ndarray) -> None:
    case = Case([words], exponents)
    [found] = corrected(case, n=100)
    table, slot = case.brute[0].fillings(), 0
    assert len(found.alternatives) == len(words)
    for i, (word, row) in enumerate(zip(words, found.alternatives, strict=True)):
        values = [value for _, value in row]
        assert values == sorted(values, reverse=True)
        if word in MARKS:
            copies = _copies(words, i)
            assert [name for name, _ in row] == [word]
            expected = table.get((slot, word, copies), 0.0)  # of marks further apart, more than one
            assert row[0][1] == pytest.approx(min(expected, 1.0), abs=1e-9)
        else:
            for name, value in row:
                assert value == pytest.approx(table[slot, name, 0], abs=1e-9)
            assert sum(values) == pytest.approx(1.0)
            slot += 1


def _copies(words: list[str], i: int) -> int:
    """How many of the mark are among the two before it in its slot."""
    start = max((j + 1 for j in range(i) if words[j] not in MARKS), default=0)
    return words[max(start, i - 2) : i].count(words[i])


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
    exponents[2] = 4.0
    for row in (["run", ",", "run"], ["run", ",", ",", "run"]):
        [found] = corrected(Case([row], exponents, spell=False, order=0, ngrams=0))
        assert found.words == tuple(row)
