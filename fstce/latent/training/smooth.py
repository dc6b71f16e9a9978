"""Smoothing among sibling subcategories: a little of what the others are like.

p′(· | x) = (1 − α) p(· | x) + α · mean of p(· | y) over the siblings y ≠ x (Petrov et al. 2006, Section
2.4), where siblings came from the same side of the symbol's first split: what was split
first stays apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.latent.model.rule_layout import RuleLayout, mixing, offsets_of
from fstce.numeric.types import Floats, Ints


def first_split(sizes: Sequence[Ints], ancestors: Sequence[Ints]) -> Ints:
    """The side of its symbol's first split that each subcategory of the last grammar is on.

    ``sizes``: subcategories of each symbol, coarse to fine, the first all 1. ``ancestors``: see
    :class:`~fstce.latent.model.split_grammar.SplitHierarchy`. Returns equal numbers on equal sides; they
    ascend from 0, (n_subcategories,).

    The second symbol is split at once, the third one later.
    """
    sides = np.arange(len(sizes[0]))
    for before, after, ancestor in zip(sizes[:-1], sizes[1:], ancestors[1:], strict=True):
        unsplit = np.repeat(before == 1, after)
        # A symbol's sides all get their numbers at one level, so that none meet by chance.
        sides = np.where(unsplit, np.arange(len(ancestor)), sides[ancestor])
    symbols = np.repeat(np.arange(len(sizes[-1])), sizes[-1])
    changed = (np.diff(symbols) != 0) | (np.diff(sides) != 0)
    return np.concatenate([[0], np.cumsum(changed)])


class Smoother:
    """Mixes the rules of siblings, and their words.

    ``sides`` (n_subcategories,): see :func:`first_split`.
    """

    def __init__(
        self, layout: RuleLayout, tags: Ints, sides: Ints, rule_weight: float, word_weight: float
    ) -> None:
        sizes = layout.sizes
        blocks = np.split(sides, offsets_of(sizes)[1:-1])
        parents = np.concatenate([layout.binary[:, 0], layout.unary[:, 0]])
        of_symbol = [mixing(block, rule_weight) for block in blocks]
        self._layout = layout
        self._of_rule = [of_symbol[parent] for parent in parents]
        columns = np.isin(np.repeat(np.arange(len(sizes)), sizes), tags)
        self._of_words = mixing(sides[columns], word_weight)

    def rules(self, flat: Floats) -> Floats:
        """Smoothed rule probabilities, in the place of those given."""
        for mix, block in zip(self._of_rule, self._layout.matrices(flat), strict=True):
            # p′_x = (1 − α) p_x + α · the mean of x's siblings: (x, x) @ (x, y · z)
            block[:] = mix @ block
        return flat

    def words(self, table: Floats) -> Floats:
        """Smoothed P(unit | tag subcategory)."""
        smoothed: Floats = table @ self._of_words.T
        return smoothed
