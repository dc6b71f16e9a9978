"""A schedule of training, its steps, and the estimates that are split and merged.

Merging undoes the splits that matter least to the likelihood (Petrov et al. 2006). If the twins 1
and 2 of one symbol were one subcategory at a node n, the tree's probability would be that of n's
other subcategories, and P_IN · P_OUT of the merged one, with

    P_IN = p1 · IN1 + p2 · IN2        P_OUT = OUT1 + OUT2

where p1 and p2 are their relative frequencies. The loss of merging is the product over all nodes of
the symbol, as if each were merged alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from fstce.latent.model.lexicon import emissions
from fstce.latent.model.rule_layout import RuleLayout, offsets_of
from fstce.latent.training.tree_insideoutside import TreeInsideOutside
from fstce.numeric.types import Bools, Floats, Ints

Stage = Literal["split", "merge", "smooth"]


@dataclass(frozen=True, slots=True)
class EMStep:
    """One iteration of EM.

    ``cycle``: from 1. ``stage``: what came before these iterations. ``iteration``: from 0 in each
    stage. ``log_likelihood``: of the training trees before the iteration's update, in nats.
    """

    cycle: int
    stage: Stage
    iteration: int
    log_likelihood: float
    subcategories: int


# Called after every iteration.
EMMonitor = Callable[[EMStep], None]


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how hard to train: what :class:`fstce.LatentGrammar` has of these names."""

    cycles: int = 4
    split_iterations: int = 50
    merge_iterations: int = 20
    smooth_iterations: int = 10
    rule_smoothing: float = 0.01
    lexicon_smoothing: float = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """The numbers of a grammar in training.

    ``rules``: rule probabilities, as the layout has them. ``units`` (n_units, n_columns): expected
    counts of lexical units with tag subcategories.
    """

    layout: RuleLayout
    rules: Floats
    units: Floats


# The share of splits that is undone; how wide an interval around 0 holds what twins, relative to
# their mean, are moved by.
MERGED = 0.5
NOISE = 0.01
_SIGNS = np.array([1.0, -1.0])


def split(estimates: Estimates, rng: np.random.Generator) -> Estimates:
    """The estimates with twice as many subcategories; i of a symbol becomes 2i and 2i + 1."""
    before = estimates.layout
    sizes = 2 * before.sizes
    sizes[0] = 1
    layout = RuleLayout(before.binary, before.unary, sizes)
    rules = np.empty(int(layout.starts[-1]))

    for old, new in zip(before.arrays(estimates.rules), layout.arrays(rules), strict=True):
        new[:] = _split(old.repeat(len(new) // len(old), axis=0), rng)
    return Estimates(layout, rules, estimates.units.repeat(2, axis=1) / 2)


def _split(base: Floats, rng: np.random.Generator) -> Floats:
    """The probabilities of a rule, its parent's twins apart, with its children split."""
    width = NOISE / 2
    if base.ndim == 2:
        factor = 1 + rng.uniform(-width, width, (*base.shape, 1)) * _SIGNS
        return (base[:, :, None] * factor / 2).reshape(len(base), -1)

    # Axes: parent, left, left twin, right, right twin.
    parents, lefts, rights = base.shape
    of_left = rng.uniform(-width, width, (parents, lefts, 1, rights, 1)) * _SIGNS[:, None, None]
    of_right = rng.uniform(-width, width, (parents, lefts, 2, rights, 1)) * _SIGNS

    # p(A_x → B_y C_z) / 4 for each of four pairs of twins, times 1 ± noise that sums to 4 over them
    factor = 1 + of_left + of_right
    return (base[:, :, None, :, None] * factor / 4).reshape(parents, 2 * lefts, 2 * rights)


def merge_losses(
    shared: TreeInsideOutside,
    apart: Iterable[TreeInsideOutside],
    estimates: Estimates,
    n_frequent: int,
) -> tuple[Ints, Floats, Floats]:
    """The log-likelihood that merging each pair of twins would lose, −log Δ in nats.

    Returns the flat positions of the pairs' first twins, their losses, both (n_pairs,), and the
    expected counts of subcategories, (n_subcategories,).

    ``shared``: over the forest of the observed trees, of which frequencies are summed. ``apart``:
    over parts of the same trees, with no subtrees shared: a loss is no sum over places. Each is
    asked for when the one before it is done with. ``n_frequent``: the number of lexical units that
    are words.
    """
    sizes = estimates.layout.sizes
    words = emissions(estimates.units, n_frequent)

    shared.fill(estimates.rules, words)
    frequencies = shared.expected()
    shared.clear()

    losses = [np.zeros(size // 2) for size in sizes[1:].tolist()]
    for passes in apart:
        passes.fill(estimates.rules, words)
        for at in range(1, len(sizes)):
            losses[at - 1] += _losses(passes.inside[at], passes.outside[at], frequencies[at])
        passes.clear()

    begins = offsets_of(sizes)
    first_twins = [np.arange(begin, end, 2) for begin, end in pairwise(begins[1:].tolist())]
    return np.concatenate(first_twins), np.concatenate(losses), np.concatenate(frequencies)


def _losses(inside: Floats, outside: Floats, frequencies: Floats) -> Floats:
    """The losses of one symbol's pairs, by its subcategories' frequencies; rows are nodes."""
    posterior = inside * outside
    posterior /= posterior.sum(axis=1, keepdims=True)
    outside = np.divide(posterior, inside, out=outside.copy(), where=inside > 0)

    # P_IN · P_OUT = (p1 IN1 + p2 IN2)(OUT1 + OUT2) against IN1 OUT1 + IN2 OUT2 of the twins,
    # (nodes, pairs); posteriors sum to 1 over the subcategories: Δ of a node is 1 + merged − apart
    weighted = inside * _weights(np.arange(len(frequencies)) % 2 == 0, frequencies)
    merged = (weighted[:, 0::2] + weighted[:, 1::2]) * (outside[:, 0::2] + outside[:, 1::2])
    apart = posterior[:, 0::2] + posterior[:, 1::2]
    return -np.log1p(np.maximum(merged - apart, -1 + 1e-300)).sum(axis=0)


def least(first: Ints, losses: Floats, share: float) -> Ints:
    """The first twins of the pairs that lose least, the given share of all."""
    order = np.argsort(losses, kind="stable")
    return np.sort(first[order[: int(len(order) * share)]])


def merge(estimates: Estimates, tags: Ints, pairs: Ints, frequencies: Floats) -> Estimates:
    """The estimates with pairs of twins made one.

    A merged parent's rules are the twins' in proportion of their frequencies; where a merged
    subcategory is a child, or takes words, the twins' numbers add up.

    ``pairs``: the flat positions of first twins. ``frequencies`` is (n_subcategories,).
    """
    before = estimates.layout
    keep = np.ones(int(before.sizes.sum()), dtype=bool)
    keep[pairs + 1] = False
    first = np.flatnonzero(keep)
    symbols = np.repeat(np.arange(len(before.sizes)), before.sizes)
    layout = RuleLayout(before.binary, before.unary, np.bincount(symbols[first]))

    bounds = offsets_of(before.sizes)[1:-1]
    shares_of_symbol = np.split(_weights(keep, frequencies), bounds)
    starts_of_symbol = [np.flatnonzero(kept) for kept in np.split(keep, bounds)]

    rules = np.empty(int(layout.starts[-1]))
    tables = before.arrays(estimates.rules), layout.arrays(rules)
    for rule, old, new in zip(layout.productions, *tables, strict=True):
        # p(A_X → B_Y C_Z) = Σ over x in X, y in Y, z in Z of share(x) · p(A_x → B_y C_z)
        shares = shares_of_symbol[rule[0]]
        merged = old * shares.reshape(-1, *[1] * (old.ndim - 1))
        for axis, symbol in enumerate(rule):
            merged = np.add.reduceat(merged, starts_of_symbol[symbol], axis=axis)
        new[:] = merged

    columns = np.flatnonzero(keep[np.isin(symbols, tags)])
    return Estimates(layout, rules, np.add.reduceat(estimates.units, columns, axis=1))


def _weights(keep: Bools, frequencies: Floats) -> Floats:
    """Each old subcategory's share of the new one that it goes to, that of the last one kept."""
    group = np.cumsum(keep) - 1
    totals = np.bincount(group, frequencies)[group]
    members = np.bincount(group)[group]
    return np.divide(frequencies, totals, out=1.0 / members, where=totals > 0)
