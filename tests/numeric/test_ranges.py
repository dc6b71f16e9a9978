"""Runs of numbers and distinct ones, beside numpy's own."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fstce.numeric.kernels import ranges, without_repeats

NUMBERS = st.lists(st.integers(0, 40), max_size=30).map(lambda row: np.array(row, dtype=np.int64))


@given(NUMBERS)
def test_distinct_numbers_are_those_of_numpy(numbers):
    assert without_repeats(numbers).tolist() == np.unique(numbers).tolist()


@given(NUMBERS, st.data())
def test_ranges_are_those_of_python(first, data):
    length = data.draw(st.lists(st.integers(0, 5), min_size=len(first), max_size=len(first)))
    found = ranges(first, np.array(length, dtype=np.int64))
    rows = zip(first.tolist(), length, strict=True)
    assert found.tolist() == [number for begin, n in rows for number in range(begin, begin + n)]
