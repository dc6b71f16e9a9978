"""Both substitutions solve their systems."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from fstce.numeric.kernels import Triangle


@st.composite
def systems(draw: st.DrawFn) -> tuple[Triangle, np.ndarray, np.ndarray]:
    """A graph of levels, its weights, and the matrix W of them."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    levels = np.append(0, np.cumsum(sizes))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    first = np.repeat(levels[:-1], sizes)  # of each state's level
    source = [
        np.sort(rng.integers(0, first[q], rng.integers(0, 4))) if first[q] else []
        for q in range(len(first))
    ]
    indptr = np.append(0, np.cumsum([len(row) for row in source])).astype(np.int32)
    columns = np.concatenate(source).astype(np.int32)
    weight = rng.normal(size=len(columns))
    matrix = np.zeros((len(first), len(first)))
    np.add.at(matrix, (np.repeat(np.arange(len(first)), np.diff(indptr)), columns), weight)
    return Triangle(indptr, columns, levels), weight, matrix


@given(system=systems(), seed=st.integers(0, 1000))
def test_substitution_solves_the_system(system, seed: int) -> None:
    triangle, weight, matrix = system
    right = np.random.default_rng(seed).normal(size=len(matrix))
    identity = np.eye(len(matrix))
    assert_allclose(
        triangle.solve(weight, right.copy()), np.linalg.solve(identity - matrix, right), atol=1e-9
    )
    back = np.linalg.solve(identity - matrix.T, right)
    assert_allclose(triangle.solve_transposed(weight, right.copy()), back, atol=1e-9)
