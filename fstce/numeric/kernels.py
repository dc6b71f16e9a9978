"""Loops over arcs, compiled: scipy's sparse kernels, or plain numpy where scipy has changed them.

The arcs are a sparse matrix W in compressed rows: row q lists the arcs into state q, ``indptr``
where each row begins, ``source`` each arc's column. scipy's public products would do the same sums,
but allocate a result and spend ten microseconds a call, and there are many calls.

With states in topological order W is strictly lower triangular, α = (I − W)⁻¹ start and β = (I −
Wᵀ)⁻¹ final, by substitution: :func:`gather` and :func:`scatter`, a level at a time.
"""

from __future__ import annotations

import math
import threading
import weakref
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from fstce.numeric.types import Bools, Floats, Ints, Ints32

Name = TypeVar("Name", bound=Hashable)
Columns = TypeVar("Columns", bound=Any)


def are_usable(tools: Any) -> bool:
    """Whether the compiled loops are there and sum: they are tried on one arc."""
    indptr = np.array([0, 1], np.int32)
    index = np.zeros(1, np.int32)
    vector = np.ones(1)
    data = np.array([2.0])
    out = np.zeros(1)

    try:
        tools.csr_scale_columns(1, 1, indptr, index, data, np.array([3.0]))
        tools.csr_matvec(1, 1, indptr, index, data, vector, out)
        tools.csc_matvec(1, 1, indptr, index, data, vector, out)
    except (AttributeError, TypeError, ValueError):
        return False

    return data[0] == 6.0 and out[0] == 12.0


@cache
def compiled() -> Any:
    """scipy's loops, or None where none is usable; they take a tenth of a second to load."""
    try:
        from scipy.sparse import _sparsetools  # only where sums are made
    except ImportError:
        return None
    return _sparsetools if are_usable(_sparsetools) else None


def scale(indptr: Ints32, index: Ints32, data: Floats, factor: Floats) -> None:
    """data[arc] *= factor[index[arc]], in place."""
    loops = compiled()
    if loops is None:
        data *= factor[index]
    else:
        loops.csr_scale_columns(len(indptr) - 1, len(factor), indptr, index, data, factor)


def gather(indptr: Ints32, source: Ints32, data: Floats, x: Floats, out: Floats) -> None:
    """out[q] += Σ over arcs into q of data[arc]·x[source[arc]], for the rows of `indptr`."""
    loops = compiled()
    if loops is None:
        rows = np.repeat(np.arange(len(out)), np.diff(indptr))
        arcs = slice(indptr[0], indptr[-1])
        out += np.bincount(rows, data[arcs] * x[source[arcs]], minlength=len(out))
    else:
        loops.csr_matvec(len(out), len(x), indptr, source, data, x, out)


def scatter(indptr: Ints32, source: Ints32, data: Floats, y: Floats, out: Floats) -> None:
    """out[source[arc]] += data[arc]·y[q] over arcs into each q: :func:`gather` transposed."""
    loops = compiled()
    if loops is None:
        arcs = slice(indptr[0], indptr[-1])
        np.add.at(out, source[arcs], data[arcs] * np.repeat(y, np.diff(indptr)))
    else:
        loops.csc_matvec(len(out), len(y), indptr, source, data, y, out)


def whole(index: Ints32) -> Ints32:
    """The rows of all arcs as one, which costs less than a row each."""
    return np.array([0, len(index)], np.int32)


def total(index: NDArray[np.integer[Any]], weight: Floats, size: int) -> Floats:
    """The vector c of the given size with c[index[i]] += weight[i]."""
    return np.asarray(np.bincount(index, weight, size), dtype=np.float64)


class Workspace(threading.local):
    """Arrays of the sums at hand, one set a thread, as large as the largest batch.

    A thread that ends leaves its set to the next: new ones would cost a page fault for every four
    kilobytes.
    """

    _left: ClassVar[list[dict[str, Floats]]] = []

    def __init__(self) -> None:
        self.arrays: dict[str, Floats] = {}
        with suppress(IndexError):
            self.arrays = self._left.pop()
        self._alive: set[str] = set()  # ends with the thread
        weakref.finalize(self._alive, self._left.append, self.arrays)

    def first(self, name: str, size: int) -> Floats:
        """An array of this name, as the last caller has left it."""
        if name not in self.arrays or len(self.arrays[name]) < size:
            self.arrays[name] = np.empty(size)
        return self.arrays[name][:size]

    def table(self, name: str, shape: tuple[int, ...], value: float) -> Floats:
        """An array of this name and shape, filled with a value."""
        array = self.first(name, math.prod(shape)).reshape(shape)
        array.fill(value)
        return array


workspace: Workspace = Workspace()


def marked(size: int, *places: NDArray[np.integer[Any]]) -> Bools:
    """Which of so many numbers are among those of some arrays, shape (size,).

    >>> marked(4, np.array([2]), np.array([0, 2])).tolist()
    [True, False, True, False]
    """
    marks = np.zeros(size, dtype=bool)
    for numbers in places:
        marks[numbers] = True
    return marks


def ranges(start: Ints, length: Ints) -> Ints:
    """The numbers start[i] … start[i] + length[i] − 1, for every i, in one array.

    >>> ranges(np.array([5, 0]), np.array([2, 1])).tolist()
    [5, 6, 0]
    """
    skipped = np.cumsum(length) - length
    return np.repeat(start - skipped, length) + np.arange(length.sum())


def sorted_places(numbers: Ints) -> tuple[Ints, Ints]:
    """Numbers from 0 up, ascending, and the place of each, equal ones in their order.

    A number and its place are sorted as one where both fit, which takes a third of the time that
    numpy's argsort takes, and a tenth of its stable one's.

    >>> [column.tolist() for column in sorted_places(np.array([7, 2, 7]))]
    [[2, 7, 7], [1, 0, 2]]
    """
    bits = len(numbers).bit_length()

    if int(numbers.max(initial=0)).bit_length() + bits > 63:
        by_number = np.argsort(numbers, kind="stable")
        return numbers[by_number], by_number

    keys = np.sort(numbers.astype(np.int64) << bits | np.arange(len(numbers)))
    return keys >> bits, keys & ((1 << bits) - 1)


def places(names: Iterable[Name]) -> dict[Name, int]:
    """The place of each name.

    >>> places("ba")
    {'b': 0, 'a': 1}
    """
    return {name: place for place, name in enumerate(names)}


def without_repeats(numbers: Ints) -> Ints:
    """The distinct numbers, ascending; numpy's own unique, which hashes, takes fifty times as long.

    >>> without_repeats(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    rising = np.sort(numbers, axis=None)
    return rising[np.append(True, rising[1:] != rising[:-1])[: len(rising)]]


def taken(columns: Columns, rows: Ints | Bools) -> Columns:
    """Some rows of named columns."""
    return columns._make(column[rows] for column in columns)


def joined(parts: Sequence[Columns]) -> Columns:
    """Named columns end to end."""
    return parts[0]._make(map(np.concatenate, zip(*parts, strict=True)))
