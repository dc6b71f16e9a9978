"""All rule probabilities in one row, with a view for each rule.

Counts have the same layout, so that an M-step is one division.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fstce.latent.arrays import offsets_of
from fstce.numeric.types import Floats, Ints

NEGLIGIBLE = 1e-30


@dataclass(frozen=True, slots=True, eq=False)
class RuleLayout:
    """Where the numbers of each rule lie, for symbols of given sizes.

    Rules are numbered binary first; a rule's block is in the order of parent, left, right
    subcategory.

    Parameters
    ----------
    binary, unary : ndarray, shape (n, 3) and (n, 2)
    sizes : ndarray, shape (n_symbols,)
    """

    binary: Ints
    unary: Ints
    sizes: Ints
    starts: Ints = field(init=False)
    row_starts: Ints = field(init=False)
    row_parents: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Add up the blocks, and find where each row begins and whose it is."""
        parents = np.concatenate([self.binary[:, 0], self.unary[:, 0]])
        widths = np.concatenate([self.sizes[self.binary[:, 1:]].prod(axis=1), self.sizes[self.unary[:, 1]]])
        rows = self.sizes[parents]
        of_rule = np.repeat(np.arange(len(rows)), rows)
        within = np.arange(len(of_rule)) - np.repeat(offsets_of(rows)[:-1], rows)
        starts = offsets_of(rows * widths)
        object.__setattr__(self, "starts", starts)
        object.__setattr__(self, "row_starts", starts[of_rule] + within * widths[of_rule])
        object.__setattr__(self, "row_parents", offsets_of(self.sizes)[parents[of_rule]] + within)

    def matrices(self, flat: Floats) -> list[Floats]:
        """A view of each rule's numbers, shape (parent, children)."""
        rows = self.sizes[np.concatenate([self.binary[:, 0], self.unary[:, 0]])].tolist()
        starts = self.starts.tolist()
        return [flat[a:b].reshape(row, -1) for a, b, row in zip(starts[:-1], starts[1:], rows, strict=True)]

    def arrays(self, flat: Floats) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
        """Views of binary and of unary rules' numbers, with an axis a symbol."""
        shapes = [tuple(self.sizes[rule].tolist()) for rule in (*self.binary, *self.unary)]
        views = [matrix.reshape(shape) for matrix, shape in zip(self.matrices(flat), shapes, strict=True)]
        return tuple(views[: len(self.binary)]), tuple(views[len(self.binary) :])

    def parent_sums(self, flat: Floats) -> Floats:
        """The sum of the numbers of each parent subcategory, shape (n_subcategories,)."""
        rows = np.add.reduceat(flat, self.row_starts)
        sums: Floats = np.bincount(self.row_parents, rows, int(self.sizes.sum())).astype(np.float64)
        return sums

    def normalize(self, counts: Floats, otherwise: Floats) -> Floats:
        """Divide counts by their parents' sums, in place; negligible probabilities become 0.

        Parameters
        ----------
        counts : ndarray, shape (n,)
        otherwise : ndarray, shape (n,)
            The probabilities of parents that have no counts.

        Returns
        -------
        ndarray
            `counts`, now probabilities: the blocks of many subcategories are too large to copy.
        """
        totals, offsets = self.parent_sums(counts), offsets_of(self.sizes)
        parents = np.concatenate([self.binary[:, 0], self.unary[:, 0]])
        blocks = zip(parents, self.matrices(counts), self.matrices(otherwise), strict=True)
        for parent, block, old in blocks:
            total = totals[offsets[parent] : offsets[parent + 1], None]
            np.divide(block, total, out=block, where=total > 0)
            np.copyto(block, old, where=total <= 0)
            block[block < NEGLIGIBLE] = 0.0
        return counts
