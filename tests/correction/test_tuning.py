"""Exponents: the gradient by finite differences, the likelihood by brute force, the bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from correction_cases import Case

from fstce.correction.factors.columns import COLUMNS, scored_arcs
from fstce.correction.factors.nearest import nearest_arcs
from fstce.correction.factors.pruning import trimmed
from fstce.correction.factors.readings import Readings, read_arcs
from fstce.correction.tuning import PRIOR, tune

FIRST = np.array([0.4, 0.5, 0.3, 2.0, 0.7, 3.0, 0.2, 0.4, 0.1, 0.3, *[0.0] * (len(COLUMNS) - 10)])
TYPED = [["dgos", "rnu", "."], ["The", "dgos"], ["run", ",", "run"]]
TRUE = [["dogs", "run", "."], ["The", "dogs"], ["run", ",", "run"]]


@pytest.fixture(scope="module")
def case() -> Case:
    return Case(TYPED, FIRST, spell=True, punctuate=False, order=0)


@pytest.fixture(scope="module")
def true(case: Case) -> Readings:
    """The lattices with the true sentence alone, at the channel's cost."""
    found, symbols = scored_arcs(case.lattices, case.factors, TYPED, frozenset()), case.lattices[0].symbols
    paths = nearest_arcs(found, symbols, TRUE)
    kept = np.isin(np.arange(len(found.slot)), [arc for path in paths for arc in path or ()])
    only = found.over(trimmed(found.machines, kept))
    names = [lattice.name for lattice in case.lattices]
    return read_arcs(only, symbols, names, case.factors, FIRST, 0.0)


def likelihood(case: Case, exponents: np.ndarray) -> float:
    """Σ log p(true | typed) by brute force."""
    brute = Case(TYPED, exponents, spell=True, punctuate=False, order=0).brute
    return sum(math.log(found.sums()[tuple(row)]) for found, row in zip(brute, TRUE, strict=True))


def test_the_likelihood_is_that_of_the_true_sentences(case: Case, true: Readings) -> None:
    used = ["ngrams", "edited", "channel"]
    found, before, after = tune([case.readings], [true], FIRST, used)
    assert before == pytest.approx(likelihood(case, FIRST))
    assert after == pytest.approx(likelihood(case, found))
    assert after > before


def test_its_gradient_is_that_of_finite_differences(case: Case, true: Readings) -> None:
    def value(exponents: np.ndarray) -> float:
        return float(true.log_z(exponents).sum() - case.readings.log_z(exponents).sum())

    gradient = true.expected(FIRST)[1] - case.readings.expected(FIRST)[1]
    for i in range(len(COLUMNS)):
        step = np.zeros(len(COLUMNS))
        step[i] = 1e-5
        assert gradient[i] == pytest.approx((value(FIRST + step) - value(FIRST - step)) / 2e-5, abs=1e-6)


def test_what_is_found_is_a_maximum_within_the_bounds(case: Case, true: Readings) -> None:
    found, _, _ = tune([case.readings], [true], FIRST, COLUMNS)
    gradient = true.expected(found)[1] - case.readings.expected(found)[1] - 2 * PRIOR * (found - FIRST)
    assert np.all(found >= 0)
    assert np.all(np.abs(gradient[found > 0]) < 1e-2)
    assert np.all(gradient[found == 0] < 1e-6)


def test_columns_that_are_not_used_stay(case: Case, true: Readings) -> None:
    found, _, _ = tune([case.readings], [true], FIRST, ["edited"])
    changed = {name for name, a, b in zip(COLUMNS, found, FIRST, strict=True) if a != b}
    assert changed == {"edited"}


def test_batches_add(case: Case, true: Readings) -> None:
    once = tune([case.readings], [true], FIRST, ["edited", "ngrams"])
    twice = tune([case.readings] * 2, [true] * 2, FIRST, ["edited", "ngrams"])
    assert twice[1] == pytest.approx(2 * once[1])
