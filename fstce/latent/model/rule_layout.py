"""All rule probabilities in one row, with a view for each rule.

Counts have the same layout; an M-step is done a parent at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from fstce.numeric.types import Floats, Ints


def offsets_of(sizes: Ints) -> Ints:
    """Where each block of these sizes begins, and where the last one ends."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)])


def smoothed(table: Floats, sizes: Ints, weight: float) -> Floats:
    """The columns of a table, in blocks of these sizes, moved to the mean of their block.

    ``weight``: α of p′ = (1 − α) p + α p̄.

    >>> smoothed(np.array([[0.2, 0.4, 0.5]]), np.array([2, 1]), 0.1).round(2)
    array([[0.21, 0.39, 0.5 ]])
    """
    means = np.add.reduceat(table, offsets_of(sizes)[:-1], axis=1) / sizes
    return (1.0 - weight) * table + weight * means.repeat(sizes, axis=1)


NEGLIGIBLE = 1e-30


@dataclass(eq=False)
class RuleLayout:
    """Where the numbers of each rule lie, binary ones first.

    A block is by parent, left, right subcategory.

    ``binary`` is (n, 3), ``unary`` (n, 3), ``sizes`` (n_symbols,).
    """

    binary: Ints
    unary: Ints
    sizes: Ints
    starts: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Add up the blocks."""
        blocks = [self.sizes[rules].prod(axis=1) for rules in (self.binary, self.unary)]
        self.starts = offsets_of(np.concatenate(blocks))

    @property
    def productions(self) -> list[list[int]]:
        """The symbols of each rule, the parent first."""
        return [*self.binary.tolist(), *self.unary.tolist()]

    @property
    def parents(self) -> Ints:
        """The parent of each rule."""
        return np.concatenate([self.binary[:, 0], self.unary[:, 0]])

    def matrices(self, flat: Floats) -> list[Floats]:
        """A view of each rule's numbers, shape (parent, children)."""
        n_rows = self.sizes[self.parents].tolist()
        bounds = pairwise(self.starts.tolist())
        return [flat[a:b].reshape(n, -1) for (a, b), n in zip(bounds, n_rows, strict=True)]

    def arrays(self, flat: Floats) -> list[Floats]:
        """A view of each rule's numbers, with an axis a symbol."""
        shapes = [tuple(self.sizes[rule].tolist()) for rule in (*self.binary, *self.unary)]
        return [
            matrix.reshape(shape) for matrix, shape in zip(self.matrices(flat), shapes, strict=True)
        ]

    def by_parent(self) -> list[list[int]]:
        """The numbers of the rules of each symbol that has any."""
        rules_of_parent: dict[int, list[int]] = {}
        for rule, parent in enumerate(self.parents.tolist()):
            rules_of_parent.setdefault(parent, []).append(rule)
        return list(rules_of_parent.values())

    @staticmethod
    def normalize_blocks(counts: Sequence[Floats], rules: Sequence[Floats]) -> None:
        """Make the rules of one parent their counts over the sums of its subcategories.

        Blocks are (parent, children). In place; negligible probabilities become 0, subcategories
        without counts keep theirs.
        """
        total = np.zeros((len(rules[0]), 1))
        for of_rule in counts:
            begins = np.arange(len(of_rule)) * of_rule.shape[1]
            total[:, 0] += np.add.reduceat(of_rule.ravel(), begins)

        for of_rule, block in zip(counts, rules, strict=True):
            np.divide(of_rule, total, out=block, where=total > 0)
            block[block < NEGLIGIBLE] = 0.0
