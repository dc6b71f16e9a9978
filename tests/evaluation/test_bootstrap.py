"""Bootstrap intervals and paired tests, against loops, formulas and all exchanges."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from fstce.errors import ParameterError
from fstce.evaluation import bootstrap, compare

Floats = NDArray[np.float64]


def share(sums: Floats) -> Floats:
    return sums[..., 0] / sums[..., 1]


def counts(n: int, seed: int, chance: float = 0.7) -> NDArray[np.int64]:
    """Right brackets and brackets of n sentences."""
    generator = np.random.default_rng(seed)
    of = generator.integers(1, 30, size=n)
    return np.stack([generator.binomial(of, chance), of], axis=1)


@given(st.integers(1, 12), st.integers(0, 99))
def test_the_interval_is_that_of_a_loop(n: int, seed: int) -> None:
    table, drawn = counts(n, seed), np.random.default_rng(seed).integers(n, size=(50, n))
    scores = []
    for resample in drawn.tolist():
        rows = [table[place] for place in resample]
        scores.append(sum(int(row[0]) for row in rows) / sum(int(row[1]) for row in rows))
    found = bootstrap(table, share, n_resamples=50, seed=seed)
    assert found.estimate == pytest.approx(table[:, 0].sum() / table[:, 1].sum())
    ends = np.quantile(scores, [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx(tuple(ends))


def test_the_error_of_a_mean_is_known() -> None:
    right = np.array([[1, 1]] * 300 + [[0, 1]] * 100)
    found = bootstrap(right, share, n_resamples=4000)
    # √(p (1 − p) / n) = √(0.75 · 0.25 / 400)
    expected = (0.75 * 0.25 / 400) ** 0.5
    assert (found.low, found.high) == pytest.approx(
        (0.75 - 1.96 * expected, 0.75 + 1.96 * expected), abs=0.004
    )


def test_blocks_and_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    table = counts(20, 1)
    whole, other = bootstrap(table, share), compare(table, counts(20, 2), share)
    monkeypatch.setitem(bootstrap.__globals__, "_CELLS", 77)
    assert bootstrap(table, share) == pytest.approx(whole, abs=1e-12)
    assert compare(table, counts(20, 2), share) == pytest.approx(other, abs=1e-12)
    assert bootstrap(table, share, seed=1) != whole


def test_resamples_without_a_score_do_not_count() -> None:
    with np.errstate(invalid="ignore"):
        found = bootstrap([[1, 1], [0, 0]], share, n_resamples=200)
        none = bootstrap([[0, 0]], share, n_resamples=5)
    assert found == (1.0, 1.0, 1.0)
    assert np.isnan(none).all()


def test_p_is_that_of_all_exchanges() -> None:
    here, there = counts(9, 3, 0.8), counts(9, 4, 0.6)
    there[:, 1] = here[:, 1]
    there[:, 0] = np.minimum(there[:, 0], here[:, 1])
    observed = abs(share(here.sum(axis=0)) - share(there.sum(axis=0)))
    greater = 0
    for swaps in product((False, True), repeat=9):
        swap = np.array(swaps)[:, None]
        one, two = np.where(swap, there, here).sum(axis=0), np.where(swap, here, there).sum(axis=0)
        greater += abs(share(one) - share(two)) >= observed - 1e-12
    found = compare(here, there, share, n_resamples=20_000)
    assert found.p == pytest.approx(greater / 2**9, abs=0.01)
    assert found.difference == pytest.approx(share(here.sum(axis=0)) - share(there.sum(axis=0)))


def test_a_system_does_not_differ_from_itself() -> None:
    table = counts(30, 5)
    assert compare(table, table, share) == (0.0, 0.0, 0.0, 1.0)


def test_order_of_systems_turns_the_sign() -> None:
    here, there = counts(40, 6, 0.8), counts(40, 6, 0.5)
    one, two = compare(here, there, share), compare(there, here, share)
    assert (one.difference, one.low, one.high) == pytest.approx(
        (-two.difference, -two.high, -two.low)
    )
    assert one.low > 0
    # No exchange of 1000 differs as much.
    assert one.p == two.p == 1 / 1001


def test_p_of_no_difference_is_uniform() -> None:
    found = [
        compare(counts(40, 2 * i), counts(40, 2 * i + 1), share, n_resamples=200).p
        for i in range(200)
    ]
    assert 0.01 < np.mean(np.array(found) <= 0.1) < 0.2


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        ([], {}, "a row of counts"),
        ([1, 2], {}, "a row of counts"),
        ([[1, 1]], {"n_resamples": 0}, "n_resamples=0"),
    ],
)
def test_what_cannot_be_resampled_is_an_error(
    table: list[int], options: dict[str, int], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        bootstrap(table, share, **options)
    with pytest.raises(ParameterError, match=message):
        compare(table, table, share, **options)


def test_systems_on_other_sentences_are_not_compared() -> None:
    with pytest.raises(ParameterError, match="compare two systems on the same"):
        compare(counts(3, 0), counts(4, 0), share)
