"""The hyperedges of plain sentences: what is summed of them as views, against a list of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from fstce.chart.rectangles import Rectangles
from fstce.numeric.semirings import LOG, REAL, TROPICAL, Semiring
from fstce.numeric.types import Floats, Ints

COLUMNS = 2
SUMS = [(REAL, np.sum), (LOG, np.logaddexp.reduce), (TROPICAL, np.max)]


def tables(words: int, seed: int) -> tuple[Floats, Floats]:
    """Values of links and of halves, with those of no account."""
    rng = np.random.default_rng(seed)
    links = max(words - 1, 0) * max(2 * words - 2, 0)
    return rng.random((links, COLUMNS)) + 0.1, rng.random((2 * words**2, COLUMNS)) + 0.1


def cases(words: int, of_halves: bool, seed: int) -> tuple[Rectangles, Floats, Floats]:
    """The hyperedges into halves or into links, with the values of both operands."""
    links, halves = tables(words, seed)
    further = tables(words, seed + 1)[1]
    return Rectangles(words, of_halves), links if of_halves else halves, further


def listed(rows: Rectangles, width: int) -> list[tuple[Ints, Ints]]:
    """The left and the right operands of each item of a width."""
    items = rows.items(width)
    counts, left, right = rows.into(np.arange(items.start, items.stop))
    ends = np.cumsum(counts)
    spans = [slice(end - count, end) for end, count in zip(ends, counts, strict=True)]
    return [(left[span], right[span]) for span in spans]


@given(st.integers(1, 6), st.booleans(), st.integers(0, 99))
@pytest.mark.parametrize(("semiring", "reduce"), SUMS, ids=["real", "log", "tropical"])
def test_sums(
    semiring: Semiring, reduce: Callable[..., Floats], words: int, of_halves: bool, seed: int
) -> None:
    rows, lefts, rights = cases(words, of_halves, seed)
    join = np.multiply if semiring is REAL else np.add
    for width in range(words):
        out = np.full_like(tables(words, 0)[1 if of_halves else 0], np.nan)
        rows.add_products(width, semiring, (lefts, rights), out, np.empty(rows.room(COLUMNS)))
        for item, (left, right) in zip(out[rows.items(width)], listed(rows, width), strict=True):
            if len(left):
                expected = reduce(join(lefts[left], rights[right]), axis=0)
                assert_allclose(item, expected, rtol=1e-12)


@given(st.integers(1, 6), st.booleans(), st.integers(0, 99))
def test_what_operands_get_of_an_items_adjoint(words: int, of_halves: bool, seed: int) -> None:
    rows, lefts, rights = cases(words, of_halves, seed)
    for width in range(words):
        items = rows.items(width)
        adjoint = np.random.default_rng(seed).random((items.stop - items.start, COLUMNS))
        to = np.zeros_like(lefts), np.zeros_like(rights)
        expected = np.zeros_like(lefts), np.zeros_like(rights)
        for row, (left, right) in zip(adjoint, listed(rows, width), strict=True):
            np.add.at(expected[0], left, row * rights[right])
            np.add.at(expected[1], right, row * lefts[left])
        rows.send_products(width, adjoint, (lefts, rights), to, np.empty(rows.room(COLUMNS)))
        assert_allclose(to[0], expected[0], rtol=1e-12)
        assert_allclose(to[1], expected[1], rtol=1e-12)


@pytest.mark.parametrize("of_halves", [True, False])
def test_size_is_the_number_of_hyperedges(of_halves: bool) -> None:
    for words in range(1, 7):
        rows = Rectangles(words, of_halves)
        edges = [len(left) for width in range(words) for left, _ in listed(rows, width)]
        assert rows.size == sum(edges)
