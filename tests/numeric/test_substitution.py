"""Both substitutions solve their systems, whichever loops do it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from fstce.numeric import kernels
from fstce.numeric.kernels import Triangle, takes_rows_in_order


@st.composite
def systems(draw: st.DrawFn) -> tuple[Triangle, np.ndarray, np.ndarray]:
    """A graph of levels, its weights, and the matrix W of them."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    levels = np.append(0, np.cumsum(sizes))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    first = np.repeat(levels[:-1], sizes)  # of each state's level
    source = [
        np.sort(rng.integers(0, first[q], rng.integers(0, 4))) if first[q] else [] for q in range(len(first))
    ]
    indptr = np.append(0, np.cumsum([len(row) for row in source])).astype(np.int32)
    columns = np.concatenate(source).astype(np.int32)
    weight = rng.normal(size=len(columns))
    matrix = np.zeros((len(first), len(first)))
    np.add.at(matrix, (np.repeat(np.arange(len(first)), np.diff(indptr)), columns), weight)
    return Triangle(indptr, columns, levels), weight, matrix


@pytest.mark.parametrize("in_order", [kernels.in_order, False])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(system=systems(), seed=st.integers(0, 1000))
def test_substitution_solves_the_system(
    system, seed: int, in_order: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "in_order", in_order)
    triangle, weight, matrix = system
    right = np.random.default_rng(seed).normal(size=len(matrix))
    identity = np.eye(len(matrix))
    assert_allclose(
        triangle.solve(weight, right.copy()), np.linalg.solve(identity - matrix, right), atol=1e-9
    )
    back = np.linalg.solve(identity - matrix.T, right)
    assert_allclose(triangle.solve_transposed(weight, right.copy()), back, atol=1e-9)


class FromCopies:
    """Loops that read what the vectors were before the call."""

    @staticmethod
    def csr_matvec(*given):
        kernels.compiled.csr_matvec(*given[:5], given[5].copy(), given[6])

    @staticmethod
    def csc_matvec(*given):
        kernels.compiled.csc_matvec(*given[:5], given[5].copy(), given[6])


class InOrderWhileSmall(FromCopies):
    """Loops that are split where there are many rows."""

    @staticmethod
    def csr_matvec(*given):
        (FromCopies if given[0] > 10_000 else kernels.compiled).csr_matvec(*given)


@pytest.mark.skipif(kernels.compiled is None, reason="scipy has moved its sparse kernels")
def test_loops_that_do_not_take_rows_in_order_are_found_out() -> None:
    assert takes_rows_in_order(kernels.compiled)
    assert not takes_rows_in_order(FromCopies)
    assert not takes_rows_in_order(InOrderWhileSmall)


@pytest.mark.parametrize("error", [TypeError, ValueError, MemoryError, FloatingPointError])
def test_a_trial_that_raises_leaves_the_levels(error: type[Exception]) -> None:
    class Raising:
        @staticmethod
        def csr_matvec(*arguments):
            raise error

    assert not takes_rows_in_order(Raising)
