"""Sums over an acyclic graph as two triangular systems.

With states in topological order the weights of the arcs are a strictly lower triangular matrix W,
α = (I − W)⁻¹ start and β = (I − Wᵀ)⁻¹ final. scipy's product of a matrix and a vector takes one row after
another, so that it is forward substitution when what it reads and what it adds to are one array: one
call for a whole graph forward, in place of one for each level, which holds Python's lock at its ends alone.
That is seen by trying; where a loop takes rows in another order, levels are summed one at a time.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from fstce.numeric import kernels
from fstce.numeric.types import Floats, Ints, Ints32

CHAINS = 512, 100_000  # states: a loop may take blocks, or threads, from some size on


def takes_rows_in_order(tools: Any) -> bool:
    """Whether the compiled loops add to a row after all rows before it: on chains of few and of many states.

    >>> takes_rows_in_order(None)
    False
    """
    try:
        return tools is not None and all(_solves_a_chain(tools, states) for states in CHAINS)
    except Exception:  # the loops are scipy's own: whatever they raise, levels are summed one at a time
        return False


def _solves_a_chain(tools: Any, states: int) -> bool:
    indptr = np.append(0, np.arange(states)).astype(np.int32)
    source, weight = np.arange(states - 1, dtype=np.int32), np.ones(states - 1)
    rows = np.zeros(states)
    rows[0] = 1.0
    kernels.gather(indptr, source, weight, rows, rows, tools)
    return bool(np.all(rows == 1.0))


in_order = takes_rows_in_order(kernels.compiled)


class Triangle:
    """A strictly lower triangular matrix W by rows, its numbers given with each call.

    ``indptr`` (S + 1,): the arcs into state q are ``indptr[q]:indptr[q + 1]``. ``source`` (A,): the state
    that each arc leaves; less than that which it enters. ``levels`` (L + 1,): no arc joins two of the states
    ``levels[l]:levels[l + 1]``.

    >>> chain = Triangle(np.array([0, 0, 1, 2], np.int32), np.array([0, 1], np.int32), np.arange(4))
    >>> chain.solve(np.array([2.0, 3.0]), np.array([1.0, 0.0, 0.0])).tolist()
    [1.0, 2.0, 6.0]
    >>> chain.solve_transposed(np.array([2.0, 3.0]), np.array([0.0, 0.0, 1.0])).tolist()
    [6.0, 3.0, 1.0]
    """

    def __init__(self, indptr: Ints32, source: Ints32, levels: Ints) -> None:
        self._indptr, self._source, self._levels = indptr, source, levels

    def solve(self, weight: Floats, x: Floats) -> Floats:
        """(I − W)⁻¹ x, in the place of x."""
        # x(q) += Σ over arcs p → q of w(arc) · x(p), ascending q; (S,)
        if in_order:
            kernels.gather(self._indptr, self._source, weight, x, x)
        else:
            for a, b in pairwise(self._levels[1:].tolist()):
                kernels.gather(self._indptr[a : b + 1], self._source, weight, x, x[a:b])
        return x

    def solve_transposed(self, weight: Floats, x: Floats) -> Floats:
        """(I − Wᵀ)⁻¹ x, in the place of x."""
        # x(p) += Σ over arcs p → q of w(arc) · x(q), descending levels of q; (S,). To turn all arrays round
        # for one call costs more than a call for each level, measured.
        for a, b in reversed(list(pairwise(self._levels[1:].tolist()))):
            kernels.scatter(self._indptr[a : b + 1], self._source, weight, x[a:b], x)
        return x
