"""Sums over the hyperedges into items, each item's in a row, for all columns of a chart at once.

Item values are arrays (items, S). Lattices of any shapes lie end to end in one column, S = 1, which
compiled loops sum. S sentences of one shape are S columns: there all items of a width have equally
many hyperedges, no two of them with a common operand, so that a width is one array (items, edges,
S).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fstce.numeric.kernels import gather, scatter, total, whole
from fstce.numeric.semirings import LOG, Semiring, log_sum
from fstce.numeric.types import Floats, Ints, Ints32


class Rows(NamedTuple):
    """Hyperedges: those into item i are ``indptr[i]:indptr[i + 1]`` of ``left`` and ``right``.

    A half's two operands are a link and the far half of its child; a link's are a half of its head,
    which goes on, and the near half of its child, which stops.
    """

    indptr: Ints32
    left: Ints32
    right: Ints32

    def edges(self, a: int, b: int) -> slice:
        """The hyperedges into items a … b − 1."""
        return slice(int(self.indptr[a]), int(self.indptr[b]))


def add_products(
    rows: Rows, a: int, b: int, left: Floats, right: Floats, buffer: Floats, out: Floats
) -> None:
    """out[a:b] += Σ over the hyperedges of each row of left · right.

    ``buffer``: for the left operands of one column, which :func:`send_products` finds there.
    """
    edges = rows.edges(a, b)
    if out.shape[1] == 1:
        np.take(left[:, 0], rows.left[edges], out=buffer[edges], mode="clip")
        gather(rows.indptr[a : b + 1], rows.right, buffer, right[:, 0], out[a:b, 0])
    elif edges.start < edges.stop:
        lefts = _even(left, rows.left[edges], b - a)
        np.einsum("ies,ies->is", lefts, _even(right, rows.right[edges], b - a), out=out[a:b])


def send_products(
    rows: Rows,
    a: int,
    b: int,
    adjoint: Floats,
    operands: tuple[Floats, Floats],
    buffer: Floats,
    to_left: Floats,
    to_right: Floats,
) -> None:
    """Add adjoint · right to the left operands of rows a … b − 1,
    adjoint · left to the right ones.
    """
    edges, (left, right) = rows.edges(a, b), operands
    if left.shape[1] == 1:
        indptr = rows.indptr[a : b + 1]
        row = adjoint[:, 0]
        scatter(indptr, rows.right, buffer, row, to_right[:, 0])
        np.take(right[:, 0], rows.right[edges], out=buffer[edges], mode="clip")
        scatter(indptr, rows.left, buffer, row, to_left[:, 0])
    elif edges.start < edges.stop:
        for to, places, values, from_places in (
            (to_left, rows.left[edges], right, rows.right[edges]),
            (to_right, rows.right[edges], left, rows.left[edges]),
        ):
            products = _even(values, from_places, b - a)
            products *= adjoint[:, None]
            to[places] += products.reshape(-1, products.shape[2])


def reduced(rows: Rows, a: int, b: int, left: Floats, right: Floats, semiring: Semiring) -> Floats:
    """⊕ over the hyperedges of each of the rows a … b − 1 of left ⊗ right, (b − a, S)."""
    edges = rows.edges(a, b)
    columns = left.shape[1]
    if edges.start == edges.stop:
        return np.zeros((b - a, columns))

    products = left[rows.left[edges]] + right[rows.right[edges]]
    if columns == 1:
        starts = rows.indptr[a:b] - rows.indptr[a]
        return semiring.plus_reduce(products[:, 0], starts)[:, None]

    even = products.reshape(b - a, -1, columns)
    return log_sum(even, 1) if semiring is LOG else even.max(axis=1)


def share_out(
    rows: Rows,
    a: int,
    b: int,
    operands: tuple[Floats, Floats],
    sums: Floats,
    mass: Floats,
    to_left: Floats,
    to_right: Floats,
) -> None:
    """Add to the operands of rows a … b − 1 their parts of each row's mass, by the shares in its
    sum.

    ``operands`` are log weights; ``sums`` (b − a, S) the rows' log sums, −inf without a derivation.
    """
    edges = rows.edges(a, b)
    counts = np.diff(rows.indptr[a : b + 1])
    left, right = (values[places[edges]] for values, places in zip(operands, rows[1:], strict=True))
    finite = np.where(np.isfinite(sums), sums, np.inf)
    part = np.exp(left + right - np.repeat(finite, counts, axis=0))
    part *= np.repeat(mass, counts, axis=0)

    for to, places in ((to_left, rows.left[edges]), (to_right, rows.right[edges])):
        if to.shape[1] == 1:
            scatter(whole(places), places, part[:, 0], np.ones(1), to[:, 0])
        else:
            to[places] += part


def flat(items: Ints | Ints32, columns: int) -> Ints:
    """The numbers of items in all columns, item · S + column, (items, S).

    >>> flat(np.array([0, 2]), 3).tolist()
    [[0, 1, 2], [6, 7, 8]]
    """
    return np.asarray(items, np.int64)[:, None] * columns + np.arange(columns)


def sums_at(items: Ints | Ints32, values: Floats, size: int) -> Floats:
    """The array (size, S) with the values (N, S) of these items added up."""
    columns = values.shape[1]
    sums = total(flat(items, columns).ravel(), values.ravel(), size * columns)
    return sums.reshape(size, columns)


def _even(values: Floats, places: Ints32, rows: int) -> Floats:
    """The values at these places, equally many for each row, (rows, edges, S)."""
    return values.take(places, axis=0).reshape(rows, -1, values.shape[1])
