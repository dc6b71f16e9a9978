"""The hyperedges of lattices of any shapes end to end, and the sums over those into each item.

Item values are arrays (items, 1), which compiled loops sum. Plain sentences have many columns, and
no lists of hyperedges: :mod:`fstce.chart.rectangles` sums them by the same calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fstce.numeric.kernels import gather, ranges, scatter, total, whole
from fstce.numeric.semirings import REAL, Semiring
from fstce.numeric.types import Floats, Ints, Ints32


class Incoming(NamedTuple):
    """How many hyperedges come into each of some items, and the two operands of each, in a row."""

    counts: Ints
    left: Ints | Ints32
    right: Ints | Ints32


class Rows(NamedTuple):
    """Hyperedges: those into item i are ``indptr[i]:indptr[i + 1]`` of ``left`` and ``right``.

    A half's two operands are a link and the far half of its child; a link's are a half of its head,
    which goes on, and the near half of its child, which stops. The items of width w are
    ``bounds[w]:bounds[w + 1]``, once they are in order of width.
    """

    indptr: Ints32
    left: Ints32
    right: Ints32
    bounds: Sequence[int] = ()

    @property
    def size(self) -> int:
        """How many hyperedges there are."""
        return len(self.left)

    def items(self, width: int) -> slice:
        """The items of a width."""
        return slice(*self.bounds[width : width + 2])

    def choices(self, width: int) -> slice:
        """The factors of a width's halves: each has its own."""
        return self.items(width)

    def choices_of(self, items: Ints) -> Ints:
        """The factor of each of some halves."""
        return items

    def into(self, nodes: Ints, columns: int = 1) -> Incoming:
        """The hyperedges into some nodes, which are items, as there is one column."""
        begin = self.indptr[nodes].astype(np.int64)
        counts = self.indptr[nodes + 1] - begin
        edges = ranges(begin, counts)
        return Incoming(counts, self.left[edges], self.right[edges])

    def room(self, columns: int) -> int:
        """The numbers that sums keep: the left operands of one column."""
        return self.size

    def add_products(
        self,
        width: int,
        semiring: Semiring,
        operands: tuple[Floats, Floats],
        out: Floats,
        buffer: Floats,
    ) -> None:
        """Write to each item the ⊕-sum over its hyperedges of left ⊗ right, if it has any.

        ``buffer``: for the left operands, which :meth:`send_products` finds there.
        """
        edges, indptr = self._edges(width)
        if edges.start == edges.stop:
            return
        left, right = (values[:, 0] for values in operands)
        sums = out[self.items(width), 0]
        if semiring is REAL:
            sums[:] = 0.0
            np.take(left, self.left[edges], out=buffer[edges], mode="clip")
            gather(indptr, self.right, buffer, right, sums)
        else:
            products = semiring.times(left[self.left[edges]], right[self.right[edges]])
            sums[:] = semiring.plus_reduce(products, indptr[:-1] - indptr[0])

    def send_products(
        self,
        width: int,
        adjoint: Floats,
        operands: tuple[Floats, Floats],
        to: tuple[Floats, Floats],
        buffer: Floats,
    ) -> None:
        """Add adjoint · right to the left operands, adjoint · left to the right ones."""
        edges, indptr = self._edges(width)
        row = adjoint[:, 0]
        scatter(indptr, self.right, buffer, row, to[1][:, 0])
        np.take(operands[1][:, 0], self.right[edges], out=buffer[edges], mode="clip")
        scatter(indptr, self.left, buffer, row, to[0][:, 0])

    def share_out(
        self,
        width: int,
        operands: tuple[Floats, Floats],
        sums: Floats,
        mass: Floats,
        to: tuple[Floats, Floats],
    ) -> None:
        """Add to the operands their parts of each item's mass, by the shares in its sum.

        ``operands`` are log weights; ``sums`` (items, 1) log sums, +∞ without a derivation.
        """
        edges, indptr = self._edges(width)
        counts = np.diff(indptr)
        places = self.left[edges], self.right[edges]
        products = operands[0][places[0], 0] + operands[1][places[1], 0]
        part = np.exp(products - np.repeat(sums, counts)) * np.repeat(mass, counts)

        for values, place in zip(to, places, strict=True):
            scatter(whole(place), place, part, np.ones(1), values[:, 0])

    def _edges(self, width: int) -> tuple[slice, Ints32]:
        """The hyperedges into the items of a width, and where those of each begin."""
        a, b = self.bounds[width : width + 2]
        return slice(int(self.indptr[a]), int(self.indptr[b])), self.indptr[a : b + 1]


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
