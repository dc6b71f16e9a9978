"""Unknown words that a text means: the share of its mistakes, and what it repeats."""

from __future__ import annotations

import warnings
from itertools import pairwise
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.correction.corrector import Corrector
from fstce.correction.domain_vocabulary import (
    LIFTED,
    MOST,
    OF_SYNTHETIC,
    mistaken_share,
    prior_shift,
    repetition,
)

LINES = [
    row.split()
    for row in (
        "the old man sat on a mat",
        "and saw the cat",
        "a cat sat there",
        "and the man ran to it",
    )
]
ODDS = st.lists(st.floats(-7, 7), max_size=30).map(np.array)


@pytest.fixture(scope="module")
def corrector() -> Corrector:
    return Corrector(criterion="none", seed=1).fit(LINES * 80)


@given(ODDS, st.floats(0.05, 0.95))
def test_the_share_is_a_fixed_point(odds: np.ndarray, share: float) -> None:
    ratio = exp(prior_shift(odds, share)) * share / (1 - share)
    q = ratio / (1 + ratio)
    moved = [exp(o) * ratio * (1 - share) / share for o in odds.tolist()]
    again = (sum(m / (1 + m) for m in moved) + OF_SYNTHETIC * share) / (len(odds) + OF_SYNTHETIC)
    assert again == pytest.approx(q, abs=1e-4)


@given(ODDS, st.floats(0.1, 0.9), st.integers(0, 40))
def test_words_that_can_be_no_mistake_make_mistakes_rarer(
    odds: np.ndarray, share: float, more: int
) -> None:
    others = np.append(odds, np.full(more, -np.inf))
    assert prior_shift(others, share) <= prior_shift(odds, share) + 1e-4


@pytest.mark.parametrize(("times", "lift"), [(1, 3.0), (3, 0.0), (3, -2.0), (9, 1.5), (400, 2.0)])
def test_each_place_but_one_says_what_fits(times: int, lift: float) -> None:
    said = min(max(sum(LIFTED * lift for _ in range(times - 1)), -MOST), MOST)
    wanted = 0.5 * log(times) - said
    assert repetition(np.array([float(times)]), np.array([lift]))[0] == pytest.approx(wanted)


def test_a_word_that_is_repeated_is_a_term(corrector: Corrector) -> None:
    def stays(times: int) -> float:
        rows = [["the", "old", "catt", "sat"]] * times + [["the", "cat", "sat"]] * 5
        return dict(corrector.correct(rows, alternatives=9)[0].alternatives[2]).get("catt", 0.0)

    assert corrector.predict([["the", "old", "catt", "sat"]])[0][2] == "cat"
    found = [stays(times) for times in (1, 2, 4, 8)]
    assert all(a <= b + 1e-9 for a, b in pairwise(found)) and found[0] < 0.5 < found[-1]


@pytest.mark.parametrize("right", [0, 3, 8])
def test_a_misspelling_that_fits_where_the_word_does_is_no_term(
    corrector: Corrector, right: int
) -> None:
    rows = [["and", "saw", "the", "catt"]] * 8 + [["a", "cat", "sat", "there"]] * right
    assert {row[3] for row in corrector.predict(rows)[:8]} == {"cat"}


def test_among_terms_an_unknown_word_is_rather_a_term(corrector: Corrector) -> None:
    def stays(rows: list[list[str]]) -> float:
        return dict(corrector.correct(rows, alternatives=9)[-1].alternatives[-1])["catt"]

    terms = [["the", f"{a}{b}{c}zx", "sat"] for a in "bdfg" for b in "aeiou" for c in "klmn"]
    row = ["the", "old", "catt"]
    alone, among = stays([row]), stays([*terms, row])
    corrector.set_params(adapt=False)
    assert stays([*terms, row]) == pytest.approx(alone, abs=0.1) and among > 2 * alone
    corrector.set_params(adapt=True)


def test_alternatives_are_no_more_than_are_asked_for(corrector: Corrector) -> None:
    for n in (0, 1, 3):
        found = corrector.correct([["the", "catt", "sat", "onn"]], alternatives=n)
        assert max(len(row) for row in found[0].alternatives) <= max(n, 0)


def test_the_share_is_learnt_saved_and_absent_from_old_models(
    corrector: Corrector, tmp_path
) -> None:
    assert corrector.tuning_ is not None and 0 < corrector.tuning_.unknown < 1
    corrector.save(tmp_path / "model")
    again = Corrector.load(tmp_path / "model")
    assert again.tuning_ == corrector.tuning_
    assert mistaken_share([], str.isalpha) == 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        few = Corrector(criterion="none", held_out=0).fit(LINES * 3)
        assert few.predict([["the", "catt"]]) == [["the", "cat"]]


def test_a_stream_is_judged_by_what_came_before_however_it_comes(corrector: Corrector) -> None:
    rows = [["the", "old", "catt", "sat"]] * 9 + [["the", "cat", "sat"]] * 3
    together = list(corrector.correct_each(rows, domain=corrector.domain_vocabulary()))
    domain, apart = corrector.domain_vocabulary(), []
    for row in rows:
        apart += corrector.correct_each([row], domain=domain)
    assert apart == together
    said = [one.words[2] for one in together[:9]]
    assert said[0] == "cat" and said[-1] == "catt"
    assert corrector.set_params(adapt=False).domain_vocabulary() is None
    corrector.set_params(adapt=True)
