"""The compiled loops and their numpy twins do the same sums."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from fstce.numeric import kernels

needs_scipy = pytest.mark.skipif(
    kernels.compiled() is None, reason="scipy has moved its sparse kernels"
)
Floats = NDArray[np.float64]
NUMBERS = st.lists(st.integers(0, 40), max_size=30).map(lambda row: np.array(row, dtype=np.int64))


@contextmanager
def by_numpy() -> Iterator[None]:
    """While it lasts there are no compiled loops."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "compiled", lambda: None)
        yield


def some(rng: np.random.Generator, size: int) -> Floats:
    return rng.normal(size=size)


@st.composite
def graphs(
    draw: st.DrawFn,
) -> tuple[NDArray[np.int32], NDArray[np.int32], int, np.random.Generator]:
    """indptr, source, the number of states, and a generator of numbers."""
    inward = draw(st.lists(st.integers(0, 4), min_size=1, max_size=8))
    indptr = np.append(0, np.cumsum(inward)).astype(np.int32)
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    return indptr, rng.integers(0, len(inward), indptr[-1]).astype(np.int32), len(inward), rng


@needs_scipy
@given(graphs())
def test_scale_agrees(graph) -> None:
    indptr, source, states, rng = graph
    data, factor = some(rng, len(source)), some(rng, states)
    ours, theirs = data.copy(), data.copy()
    with by_numpy():
        kernels.scale(indptr, source, ours, factor)
    kernels.scale(indptr, source, theirs, factor)
    assert_allclose(ours, theirs, rtol=1e-14)


@needs_scipy
@given(graphs(), st.data())
def test_gather_and_scatter_agree_on_any_run_of_rows(graph, data) -> None:
    indptr, source, states, rng = graph
    a = data.draw(st.integers(0, states - 1))
    b = data.draw(st.integers(a + 1, states))
    rows, weights, x = indptr[a : b + 1], some(rng, len(source)), some(rng, states)
    for kernel, vector, out in (
        (kernels.gather, x, some(rng, b - a)),
        (kernels.scatter, x[a:b], x),
    ):
        ours, theirs = out.copy(), out.copy()
        with by_numpy():
            kernel(rows, source, weights, vector, ours)
        kernel(rows, source, weights, vector, theirs)
        assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("loops", [pytest.param(nullcontext, marks=needs_scipy), by_numpy])
def test_a_small_sum_by_hand(loops) -> None:
    indptr, source = np.array([0, 0, 1, 3], np.int32), np.array([0, 0, 1], np.int32)
    weight, out = np.array([2.0, 3.0, 5.0]), np.array([1.0, 0.0])
    back = np.zeros(3)
    with loops():
        kernels.gather(indptr[1:], source, weight, np.array([1.0, 10.0, 0.0]), out)
        kernels.scatter(indptr[1:], source, weight, np.array([1.0, 10.0]), back)
    assert out.tolist() == [3.0, 53.0]
    assert back.tolist() == [32.0, 50.0, 0.0]


class Elsewhere:
    """A module without the loops."""


class OtherArguments:
    """Loops that take something else."""

    @staticmethod
    def csr_scale_columns(matrix, factor):
        raise NotImplementedError


class WithoutSums:
    """Loops that leave what they are given."""

    @staticmethod
    def csr_scale_columns(*arguments): ...

    csr_matvec = csc_matvec = csr_scale_columns


@pytest.mark.parametrize("tools", [None, Elsewhere, OtherArguments, WithoutSums])
def test_loops_that_are_gone_or_changed_are_not_used(tools) -> None:
    assert not kernels.are_usable(tools)


@needs_scipy
def test_loops_that_are_here_are_used() -> None:
    assert kernels.are_usable(kernels.compiled())


@given(NUMBERS)
def test_distinct_numbers_are_those_of_numpy(numbers):
    assert kernels.without_repeats(numbers).tolist() == np.unique(numbers).tolist()


@given(NUMBERS, st.sampled_from([0, 1 << 40, 1 << 61]))
def test_numbers_are_sorted_with_their_places_as_numpy_does(numbers, more):
    """Beyond what fits with a place into eight bytes, too."""
    numbers = np.abs(numbers) + more
    ordered, place = kernels.sorted_places(numbers)
    assert place.tolist() == np.argsort(numbers, kind="stable").tolist()
    assert ordered.tolist() == np.sort(numbers).tolist()


@given(NUMBERS, st.data())
def test_ranges_are_those_of_python(first, data):
    length = data.draw(st.lists(st.integers(0, 5), min_size=len(first), max_size=len(first)))
    found = kernels.ranges(first, np.array(length, dtype=np.int64))
    rows = zip(first.tolist(), length, strict=True)
    assert found.tolist() == [number for begin, n in rows for number in range(begin, begin + n)]
