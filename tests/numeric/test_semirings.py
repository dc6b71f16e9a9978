"""Every semiring keeps the axioms, the expectation semiring too."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from fstce.numeric.semirings import EXPECTATION, LOG, REAL, TROPICAL, Semiring

Floats = NDArray[np.float64]
NUMBERS = {
    "real": st.floats(0, 10),
    "log": st.floats(-30, 30) | st.just(-np.inf),
    "tropical": st.floats(-30, 30) | st.just(-np.inf),
    "expectation": st.tuples(st.floats(0, 10), st.floats(-10, 10)),
}
SEMIRINGS = (REAL, LOG, TROPICAL, EXPECTATION)
EACH = pytest.mark.parametrize("semiring", SEMIRINGS, ids=lambda semiring: semiring.name)


def plus(semiring: Semiring, a: Floats, b: Floats) -> Floats:
    return semiring.plus_reduce(np.stack((a, b)), np.array([0]))[0]


def check_axioms(semiring: Semiring, a: Floats, b: Floats, c: Floats) -> None:
    """(⊕, 0) is a commutative monoid, (⊗, 1) a monoid, ⊗ distributes over ⊕, 0 annihilates."""

    def same(left: Floats, right: Floats) -> None:
        assert_allclose(left, right, rtol=1e-10, atol=1e-10)

    add, times, zero, one = partial(plus, semiring), semiring.times, semiring.zero, semiring.one
    same(add(add(a, b), c), add(a, add(b, c)))
    same(add(a, b), add(b, a))
    same(add(a, zero), a)
    same(times(times(a, b), c), times(a, times(b, c)))
    same(times(a, one), a)
    same(times(one, a), a)
    same(times(a, add(b, c)), add(times(a, b), times(a, c)))
    same(times(add(a, b), c), add(times(a, c), times(b, c)))
    same(times(a, zero), zero)
    same(times(zero, a), zero)


@EACH
@given(data=st.data())
def test_axioms(semiring: Semiring, data: st.DataObject) -> None:
    a, b, c = (np.array(data.draw(NUMBERS[semiring.name]), dtype=np.float64) for _ in range(3))
    check_axioms(semiring, a, b, c)


@EACH
@given(data=st.data())
def test_plus_reduce_is_a_row_of_pluses(semiring: Semiring, data: st.DataObject) -> None:
    runs = data.draw(
        st.lists(st.lists(NUMBERS[semiring.name], min_size=1, max_size=4), min_size=1, max_size=4)
    )
    values = np.array([value for run in runs for value in run], dtype=np.float64)
    starts = np.cumsum([0, *map(len, runs[:-1])])
    sums = semiring.plus_reduce(values, starts)
    for run, total in zip(runs, sums, strict=True):
        expected = semiring.zero
        for value in np.array(run, dtype=np.float64):
            expected = plus(semiring, expected, value)
        assert_allclose(total, expected, rtol=1e-10, atol=1e-10)


def test_log_sums_of_nothing_and_of_far_numbers() -> None:
    values = np.array([-np.inf, -np.inf, -1000.0, -1000.0, 800.0, -800.0])
    sums = LOG.plus_reduce(values, np.array([0, 2, 4]))
    assert_allclose(sums, [-np.inf, -1000 + np.log(2), 800.0])


def test_the_four_answer_one_question_each() -> None:
    p = np.array([0.25, 0.5])
    start = np.array([0])
    assert REAL.plus_reduce(p, start) == 0.75
    assert TROPICAL.plus_reduce(np.log(p), start) == np.log(0.5)
    pair = EXPECTATION.plus_reduce(np.stack((p, p * [8.0, 2.0]), axis=-1), start)
    assert pair.tolist() == [[0.75, 3.0]]
