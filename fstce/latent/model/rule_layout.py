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


def of_tags(values: Ints, sizes: Ints, tags: Ints) -> Ints:
    """Of a number for each subcategory, (n_subcategories,), those of tags."""
    chosen: Ints = values[np.isin(np.repeat(np.arange(len(sizes)), sizes), tags)]
    return chosen


def mixing(sides: Ints, weight: float) -> Floats:
    """The matrix W with p′ = W p over subcategories whose sides these are.

    ``sides`` is (n,). ``weight``: α: what goes to the siblings; a subcategory without siblings
    keeps all.

    >>> mixing(np.array([0, 0, 0, 1]), 0.1)
    array([[0.9 , 0.05, 0.05, 0.  ],
           [0.05, 0.9 , 0.05, 0.  ],
           [0.05, 0.05, 0.9 , 0.  ],
           [0.  , 0.  , 0.  , 1.  ]])
    """
    same = (sides[:, None] == sides[None, :]).astype(np.float64)
    siblings = same - np.eye(len(sides))
    counts = siblings.sum(axis=1)
    share = np.divide(weight, counts, out=np.zeros(len(sides)), where=counts > 0)
    matrix = siblings * share[:, None]
    np.fill_diagonal(matrix, 1.0 - matrix.sum(axis=1))
    return matrix


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
