"""Splitting: each subcategory but the root's becomes two, with a little noise between the twins.

A rule's probability is shared out evenly among the children's twins; noise of up to half a
per cent, by default, goes from one twin to the other, so that the sums stay as they are
(Petrov et al. 2006, Section 2.1: "1% randomness to break the symmetry").
"""

from __future__ import annotations

import numpy as np

from fstce.latent.model.rule_layout import RuleLayout
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
