"""Sums over an acyclic graph as two triangular systems, each solved by one compiled loop.

With states in topological order the weights of the arcs are a strictly lower triangular matrix W,
α = (I − W)⁻¹ start and β = (I − Wᵀ)⁻¹ final. scipy's product of a matrix and a vector takes one row after
another, so that it is forward substitution when what it reads and what it adds to are one array: one
call for a whole graph, which holds Python's lock at its ends alone, in place of one for each level.
That is seen by trying; where a loop takes rows in another order, levels are summed one at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.numeric import kernels
from fstce.numeric.types import Floats, Ints, Ints32

Allocate = Callable[[int, Any], NDArray[Any]]


def takes_rows_in_order(tools: Any, states: int = 512) -> bool:
    """Whether the compiled loops add to a row after all rows before it: on a chain of so many states.

    Examples
    --------
    >>> takes_rows_in_order(None)
    False
    """
    if tools is None:
        return False
    indptr = np.append(0, np.arange(states)).astype(np.int32)
    source, weight = np.arange(states - 1, dtype=np.int32), np.full(states - 1, 1.0)
    rows, columns = np.zeros((2, states))
    rows[0] = columns[0] = 1.0
    kernels.gather(indptr, source, weight, rows, rows, tools)
    # The same chain by columns: state q is reached from column q alone.
    kernels.scatter(indptr[1:], source + 1, weight, columns[:-1], columns, tools)
    return bool(np.all(rows == 1.0) and np.all(columns == 1.0))


in_order = takes_rows_in_order(kernels.compiled)


class Triangle:
    """A strictly lower triangular matrix W by rows, its numbers given with each call.

    Parameters
    ----------
    indptr : ndarray of int32, shape (S + 1,)
        The arcs into state q are ``indptr[q]:indptr[q + 1]``.
    source : ndarray of int32, shape (A,)
        The state that each arc leaves; less than that which it enters.
    levels : ndarray of int64, shape (L + 1,)
        No arc joins two of the states ``levels[l]:levels[l + 1]``.
    allocate : callable, optional
        From a length and a type to an array that is kept between calls.

    Examples
    --------
    >>> chain = Triangle(np.array([0, 0, 1, 2], np.int32), np.array([0, 1], np.int32), np.arange(4))
    >>> chain.solve(np.array([2.0, 3.0]), np.array([1.0, 0.0, 0.0])).tolist()
    [1.0, 2.0, 6.0]
    >>> chain.solve_transposed(np.array([2.0, 3.0]), np.array([0.0, 0.0, 1.0])).tolist()
    [6.0, 3.0, 1.0]
    """

    def __init__(self, indptr: Ints32, source: Ints32, levels: Ints, allocate: Allocate = np.empty) -> None:
        self._indptr, self._source, self._levels = indptr, source, levels
        self._allocate = allocate

    def solve(self, weight: Floats, x: Floats) -> Floats:
        """(I − W)⁻¹ x, in the place of x."""
        # x(q) += Σ over arcs p → q of w(arc) · x(p), ascending q; (S,)
        if in_order:
            kernels.gather(self._indptr, self._source, weight, x, x)
        else:
            for a, b in pairwise(self._levels[1:].tolist()):
                kernels.gather(self._indptr[a : b + 1], self._source, weight, x, x[a:b])
        return x

    def solve_transposed(self, weight: Floats, x: Floats, spare: Floats | None = None) -> Floats:
        """(I − Wᵀ)⁻¹ x, in the place of x; `spare` is overwritten, shape (A + S,), of the type of x."""
        # x(p) += Σ over arcs p → q of w(arc) · x(q), descending q; (S,)
        if in_order:
            indptr, source = self._mirrored
            spare = np.empty(len(weight) + len(x), x.dtype) if spare is None else spare
            back, y = spare[: len(weight)], spare[len(weight) :]
            np.copyto(back, weight[::-1])
            np.copyto(y, x[::-1])
            kernels.scatter(indptr, source, back, y, y)
            np.copyto(x, y[::-1])
        else:
            for a, b in reversed(list(pairwise(self._levels[1:].tolist()))):
                kernels.scatter(self._indptr[a : b + 1], self._source, weight, x[a:b], x)
        return x

    @cached_property
    def _mirrored(self) -> tuple[Ints32, Ints32]:
        """`indptr` and `source` with states and arcs in descending order."""
        indptr = self._allocate(len(self._indptr), np.int32)
        source = self._allocate(len(self._source), np.int32)
        np.subtract(len(self._source), self._indptr[::-1], out=indptr)
        np.subtract(len(self._indptr) - 2, self._source[::-1], out=source)
        return indptr, source
