"""The hyperedges of plain sentences: rectangles of tables, of which no list is kept.

In a sentence of n words a right half of width w at place p is head p with the w words behind it;
the left side is the right side of the reversed sentence, where head h stands at place n − 1 − h.
Items lie by width, then by place, then by side, left first: x = 2p + side. Values of halves are
tables (n, 2n, S) over width and x, for S sentences; those of links (n − 1, 2n − 2, S). Of width w
there are 2(n − w) halves and 2(n − 1 − w) links, and nothing reads what stands beyond them. For
either side, with R̄ = R · stop and R′ = R · go,

    R[w, x]    = Σ_{d < w} link[d, x] · R̄[w − 1 − d, x + 2 + 2d]
    link[w, x] = child[w, x] · Σ_{q ≤ w} R′[q, x] · R̄[w − q, 2(n − 1 − w) − 1 − x]

In the latter the child's near half is of the other side. For one w each operand is a view of a
table, so that sums run over whole rows and nothing is gathered.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fstce.chart.rows import Incoming
from fstce.grammars.dmv import LEFT
from fstce.numeric.semirings import LOG, REAL, Semiring, log_sum
from fstce.numeric.types import Floats, Ints


class Rectangles(NamedTuple):
    """The hyperedges into the halves of a sentence of n words, or into its links.

    ``words``: n. ``of_halves``: into which.
    """

    words: int
    of_halves: bool

    @property
    def size(self) -> int:
        """How many hyperedges there are."""
        widths = range(self.words)
        return sum(self._edges(w) * (self.items(w).stop - self.items(w).start) for w in widths)

    def items(self, width: int) -> slice:
        """The items of a width."""
        if self.of_halves:
            begin = width * 2 * self.words
            return slice(begin, begin + 2 * (self.words - width))
        begin = width * (2 * self.words - 2)
        return slice(begin, begin + 2 * (self.words - 1 - width))

    def choices(self, width: int) -> slice:
        """The factors of a width's halves: those without a child, or with some, share theirs."""
        row = 2 * self.words
        return slice(row * min(width, 1), row * min(width, 1) + 2 * (self.words - width))

    def choices_of(self, items: Ints) -> Ints:
        """The factor of each of some halves."""
        row = 2 * self.words
        return items % row + row * (items >= row)

    def into(self, nodes: Ints, columns: int = 1) -> Incoming:
        """The hyperedges into some nodes, in the order of states: on the left the widest first."""
        items, column = np.divmod(nodes, columns)
        row = 2 * self.words - 2
        if self.of_halves:
            width, x = np.divmod(items, row + 2)
            counts = width
            step = row
            operands = 2 * width + (width - 1) * row + 2 * x  # left + right
        else:
            width, x = np.divmod(items, row)
            counts = width + 1
            step = row + 2
            operands = counts * row - 1

        falling = x % 2 == LEFT
        steps = np.where(falling, -columns * step, columns * step)
        begin = x * columns + column - falling * (counts - 1) * steps
        before = counts.cumsum() - counts
        lefts = (begin - steps * before).repeat(counts)
        lefts += steps.repeat(counts) * np.arange(len(lefts))
        return Incoming(counts, lefts, (operands * columns + 2 * column).repeat(counts) - lefts)

    def room(self, columns: int) -> int:
        """The numbers that sums keep: the products of one width, those of the middle the most."""
        ends = self.words + (not self.of_halves)  # hyperedges of an item, and items of a side
        return 2 * (ends // 2) * (ends - ends // 2) * columns

    def add_products(
        self,
        width: int,
        semiring: Semiring,
        operands: tuple[Floats, Floats],
        out: Floats,
        buffer: Floats,
    ) -> None:
        """Write to each item the ⊕-sum over its hyperedges of left ⊗ right, if it has any."""
        if not self._edges(width):
            return
        lefts, rights = self._views(width, *operands)
        sums = out[self.items(width)]
        if semiring is REAL:
            np.einsum("exs,exs->xs", lefts, rights, out=sums)
        elif semiring is LOG:
            sums[:] = log_sum(lefts + rights)
        else:
            np.max(lefts + rights, axis=0, out=sums)

    def send_products(
        self,
        width: int,
        adjoint: Floats,
        operands: tuple[Floats, Floats],
        to: tuple[Floats, Floats],
        buffer: Floats,
    ) -> None:
        """Add adjoint · right to the left operands, adjoint · left to the right ones."""
        if not self._edges(width):
            return
        lefts, rights = self._views(width, *operands)
        products = buffer[: lefts.size].reshape(lefts.shape)
        to_lefts, to_rights = self._views(width, *to)
        to_lefts += np.multiply(rights, adjoint, out=products)
        to_rights += np.multiply(lefts, adjoint, out=products)

    def share_out(
        self,
        width: int,
        operands: tuple[Floats, Floats],
        sums: Floats,
        mass: Floats,
        to: tuple[Floats, Floats],
    ) -> None:
        """Add to the operands their parts of each item's mass, by the shares in its sum.

        ``operands`` are log weights; ``sums`` (items, S) log sums, +∞ without a derivation.
        """
        if not self._edges(width):
            return
        lefts, rights = self._views(width, *operands)
        to_lefts, to_rights = self._views(width, *to)
        part = np.exp(lefts + rights - sums) * mass
        to_lefts += part
        to_rights += part

    def _edges(self, width: int) -> int:
        """How many hyperedges come into each item of a width."""
        return width if self.of_halves else width + 1

    def _views(self, width: int, left: Floats, right: Floats) -> tuple[Floats, Floats]:
        """The left and the right operands of a width's items, (edges, items, S)."""
        items = self.items(width)
        several = items.stop - items.start
        edges = self._edges(width)
        columns = left.shape[1]
        row = 2 * self.words - 2

        if self.of_halves:
            # R̄[r, x + 2(w − r)] stands at 2w + r(2n − 2) + x
            further = right[2 * width : (row + 2) * width].reshape(width, row, columns)
            lefts = left.reshape(self.words - 1, row, columns)[:edges, :several]
            return lefts, further[::-1][:edges, :several]

        halves = (self.words, row + 2, columns)
        near = right.reshape(halves)[:edges, :several]
        return left.reshape(halves)[:edges, :several], near[::-1, ::-1]
