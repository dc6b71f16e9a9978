"""Every subcategory in two, and smoothing among siblings (Petrov et al. 2006, section 2.4).

p′(· | x) = (1 − α) p(· | x) + α · mean of p(· | y) over the siblings y ≠ x, where siblings came
from the same side of the symbol's first split: what was split first stays apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.latent.model.rule_layout import RuleLayout, mixing, offsets_of
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.training.estimates import Estimates
from fstce.numeric.types import Floats, Ints

_SIGNS = np.array([1.0, -1.0])


def split(estimates: Estimates, rng: np.random.Generator, noise: float = 0.01) -> Estimates:
    """The estimates with twice as many subcategories.

    ``noise``: the width of the interval that relative perturbations are drawn from, around 0. Returns
    subcategories 2i and 2i + 1 of a symbol are those that i became.
    """
    sizes = _doubled(estimates.layout.sizes)
    layout = RuleLayout(estimates.layout.binary, estimates.layout.unary, sizes)
    rules = np.empty(int(layout.starts[-1]))
    old_binary, old_unary = estimates.layout.arrays(estimates.rules)
    binary, unary = layout.arrays(rules)
    for old, new in zip(old_binary, binary, strict=True):
        new[:] = _split_binary(old, new.shape[0] // old.shape[0], rng, noise)
    for old, new in zip(old_unary, unary, strict=True):
        new[:] = _split_unary(old, new.shape[0] // old.shape[0], rng, noise)
    return Estimates(layout, rules, estimates.units.repeat(2, axis=1) / 2)


def draws(grammar: SplitGrammar) -> int:
    """How many random numbers :func:`split` draws for a grammar, so that others can pass over them."""
    sizes, twins = grammar.sizes, _doubled(grammar.sizes)
    parent, left, right = grammar.binary.T
    of_binary = 3 * (twins[parent] * sizes[left] * sizes[right]).sum()
    return int(of_binary + (twins[grammar.unary[:, 0]] * sizes[grammar.unary[:, 1]]).sum())


def _doubled(sizes: Ints) -> Ints:
    doubled: Ints = 2 * sizes
    doubled[0] = 1
    return doubled


def _split_binary(old: Floats, copies: int, rng: np.random.Generator, noise: float) -> Floats:
    base = old.repeat(copies, axis=0)
    parents, lefts, rights = base.shape
    # Axes: parent, left, left twin, right, right twin.
    of_left = rng.uniform(-noise / 2, noise / 2, (parents, lefts, 1, rights, 1)) * _SIGNS[:, None, None]
    of_right = rng.uniform(-noise / 2, noise / 2, (parents, lefts, 2, rights, 1)) * _SIGNS
    # p(A_x → B_y C_z) / 4 for each of four pairs of twins, times 1 ± noise that sums to 4 over them
    factor = 1 + of_left + of_right
    split_: Floats = base[:, :, None, :, None] * factor / 4
    return split_.reshape(parents, 2 * lefts, 2 * rights)


def _split_unary(old: Floats, copies: int, rng: np.random.Generator, noise: float) -> Floats:
    base = old.repeat(copies, axis=0)
    factor = 1 + rng.uniform(-noise / 2, noise / 2, (*base.shape, 1)) * _SIGNS
    split_: Floats = base[:, :, None] * factor / 2
    return split_.reshape(len(base), -1)


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
