"""Four loops over arcs, compiled: scipy's sparse kernels, or plain numpy where scipy has changed them.

The arcs are a sparse matrix in compressed rows: row q lists the arcs into state q,
``indptr`` where each row begins, ``source`` each arc's column. scipy's public products
would do the same sums, but allocate a result and spend ten microseconds a call, and
there are many calls.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.numeric.types import Floats, Ints32


def are_usable(tools: Any) -> bool:
    """Whether the compiled loops are there, take what they are given here, and sum: tried on one arc."""
    indptr, index, one = np.array([0, 1], np.int32), np.zeros(1, np.int32), np.ones(1)
    data, out = np.array([2.0]), np.zeros(1)
    try:
        tools.csr_scale_columns(1, 1, indptr, index, data, np.array([3.0]))
        tools.csr_matvec(1, 1, indptr, index, data, one, out)
        tools.csc_matvec(1, 1, indptr, index, data, one, out)
    except (AttributeError, TypeError, ValueError):
        return False
    return data[0] == 6.0 and out[0] == 12.0


try:
    from scipy.sparse import _sparsetools

    compiled: Any = _sparsetools if are_usable(_sparsetools) else None
except ImportError:
    compiled = None


def scale(indptr: Ints32, index: Ints32, data: Floats, factor: Floats, tools: Any = compiled) -> None:
    """data[arc] *= factor[index[arc]], in place."""
    if tools is None:
        data *= factor[index]
    else:
        tools.csr_scale_columns(len(indptr) - 1, len(factor), indptr, index, data, factor)


def take(index: Ints32, values: Floats, out: Floats, tools: Any = compiled) -> None:
    """out[arc] = values[index[arc]]; numpy's own copies the index to eight bytes a number first."""
    if tools is None:
        np.take(values, index, out=out, mode="clip")
    else:
        out.fill(1.0)
        tools.csr_scale_columns(1, len(values), np.array([0, len(index)], np.int32), index, out, values)


def gather(
    indptr: Ints32, source: Ints32, data: Floats, x: Floats, out: Floats, tools: Any = compiled
) -> None:
    """out[q] += Σ over arcs into q of data[arc]·x[source[arc]], for the rows that `indptr` covers."""
    if tools is None:
        rows = np.repeat(np.arange(len(out)), np.diff(indptr))
        arcs = slice(indptr[0], indptr[-1])
        out += np.bincount(rows, data[arcs] * x[source[arcs]], minlength=len(out))
    else:
        tools.csr_matvec(len(out), len(x), indptr, source, data, x, out)


def scatter(
    indptr: Ints32, source: Ints32, data: Floats, y: Floats, out: Floats, tools: Any = compiled
) -> None:
    """out[source[arc]] += data[arc]·y[q] over the arcs into each q: the transpose of :func:`gather`."""
    if tools is None:
        arcs = slice(indptr[0], indptr[-1])
        np.add.at(out, source[arcs], data[arcs] * np.repeat(y, np.diff(indptr)))
    else:
        tools.csc_matvec(len(out), len(y), indptr, source, data, y, out)


def total(index: NDArray[np.integer[Any]], weight: Floats, size: int) -> Floats:
    """The vector c of the given size with c[index[i]] += weight[i]."""
    return np.asarray(np.bincount(index, weight, size), dtype=np.float64)
