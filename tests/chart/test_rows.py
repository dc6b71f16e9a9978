"""Sums over listed hyperedges against a loop over each of them, in every semiring."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from fstce.chart.rows import Rows, flat, sums_at
from fstce.numeric.semirings import LOG, REAL, TROPICAL, Semiring
from fstce.numeric.types import Floats

SUMS = [(REAL, np.sum), (LOG, np.logaddexp.reduce), (TROPICAL, np.max)]


def drawn(seed: int, counts: list[int]) -> tuple[Rows, Floats, Floats]:
    """Hyperedges, so many into each of some items of one width, and the values of operands."""
    rng = np.random.default_rng(seed)
    indptr = np.append(0, np.cumsum(counts)).astype(np.int32)
    left, right = (rng.integers(5, size=indptr[-1]).astype(np.int32) for _ in "lr")
    values = rng.random((2, 5, 1)) + 0.1
    return Rows(indptr, left, right, (0, len(counts))), values[0], values[1]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.integers(0, 99))
@pytest.mark.parametrize(("semiring", "reduce"), SUMS, ids=["real", "log", "tropical"])
def test_sums(
    semiring: Semiring, reduce: Callable[..., Floats], counts: list[int], seed: int
) -> None:
    rows, left, right = drawn(seed, counts)
    out = np.full((len(counts), 1), np.nan)
    rows.add_products(0, semiring, (left, right), out, np.empty(rows.room(1)))
    join = np.multiply if semiring is REAL else np.add
    for item, begin, end in zip(out[:, 0], rows.indptr[:-1], rows.indptr[1:], strict=True):
        terms = join(left[rows.left[begin:end], 0], right[rows.right[begin:end], 0])
        assert_allclose(item, reduce(terms), rtol=1e-12)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6), st.integers(0, 99))
def test_the_hyperedges_into_items_are_theirs(counts: list[int], seed: int) -> None:
    rows, _, _ = drawn(seed, counts)
    items = np.arange(len(counts))[::-1]
    into = rows.into(items)
    assert into.counts.tolist() == counts[::-1]
    expected = [rows.left[rows.indptr[i] : rows.indptr[i + 1]] for i in items.tolist()]
    assert into.left.tolist() == np.concatenate(expected).tolist()


def test_values_of_an_item_that_comes_again_add_up() -> None:
    values = np.array([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]])
    assert sums_at(np.array([2, 0, 2]), values, 3).tolist() == [[10, 20], [0, 0], [101, 202]]
    assert flat(np.array([1]), 2).tolist() == [[2, 3]]
