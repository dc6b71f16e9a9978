"""Merging: the splits that matter least to the likelihood are undone.

If the twins 1 and 2 of one symbol were one subcategory at a node n, the tree's probability
would be that of n's other subcategories, and P_IN · P_OUT of the merged one, with

    P_IN = p1 · IN1 + p2 · IN2        P_OUT = OUT1 + OUT2

where p1 and p2 are their relative frequencies. The loss of merging is the product over all
nodes of the symbol, as if each were merged alone (Petrov et al. 2006, Section 2.2).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from fstce.latent.model.lexicon import emissions
from fstce.latent.model.rule_layout import RuleLayout, offsets_of
from fstce.latent.training.estimates import Estimates
from fstce.latent.training.tree_insideoutside import TreeInsideOutside
from fstce.numeric.types import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """What merging each pair of twins would cost.

    ``first`` (n_pairs,): the flat positions of the pairs' first twins. ``losses`` (n_pairs,): −log Δ in nats:
    how much log-likelihood is lost. ``frequencies`` (n_subcategories,): the expected counts of subcategories.
    """

    first: Ints
    losses: Floats
    frequencies: Floats


def merge_losses(
    shared: TreeInsideOutside, apart: Iterable[TreeInsideOutside], estimates: Estimates, n_frequent: int
) -> Losses:
    """The losses of all pairs of twins.

    ``shared``: over the forest of the observed trees, of which frequencies are summed. ``apart``: over parts
    of the same trees, with no subtrees shared: a loss is no sum over places. Each is asked for when the one
    before it is done with. ``n_frequent``: the number of lexical units that are words.
    """
    words, sizes = emissions(estimates.units, n_frequent), estimates.layout.sizes
    shared.fill(estimates.rules, words)
    frequencies = [
        np.einsum("nx,nx->x", *scores) for scores in zip(shared.inside, shared.outside, strict=True)
    ]
    shared.clear()
    losses = [np.zeros(size // 2) for size in sizes[1:].tolist()]
    for passes in apart:
        passes.fill(estimates.rules, words)
        for at in range(1, len(sizes)):
            losses[at - 1] += _losses(passes.inside[at], passes.outside[at], frequencies[at])
        passes.clear()
    twins = [np.arange(0, size, 2) + start for size, start in zip(sizes, offsets_of(sizes)[:-1], strict=True)]
    return Losses(np.concatenate(twins[1:]), np.concatenate(losses), np.concatenate(frequencies))


def _losses(inside: Floats, outside: Floats, frequencies: Floats) -> Floats:
    """The losses of one symbol's pairs, by its subcategories' frequencies; rows are nodes."""
    posterior = inside * outside
    posterior /= posterior.sum(axis=1, keepdims=True)
    outside = np.divide(posterior, inside, out=outside.copy(), where=inside > 0)
    # P_IN · P_OUT = (p1 IN1 + p2 IN2)(OUT1 + OUT2) against IN1 OUT1 + IN2 OUT2 of the twins, (nodes, pairs);
    # posteriors sum to 1 over the subcategories, so Δ of a node is 1 + merged − apart
    weighted = inside * _shares(frequencies)
    merged = (weighted[:, 0::2] + weighted[:, 1::2]) * (outside[:, 0::2] + outside[:, 1::2])
    apart = posterior[:, 0::2] + posterior[:, 1::2]
    found: Floats = -np.log1p(np.maximum(merged - apart, -1 + 1e-300)).sum(axis=0)
    return found


def _shares(frequencies: Floats) -> Floats:
    """Each twin's share of its pair, shape (n,)."""
    pairs = frequencies.reshape(-1, 2)
    sums = pairs.sum(axis=1, keepdims=True)
    return np.divide(pairs, sums, out=np.full_like(pairs, 0.5), where=sums > 0).ravel()


def least(losses: Losses, share: float) -> Ints:
    """The first twins of the pairs that lose least, the given share of all."""
    order = np.argsort(losses.losses, kind="stable")
    chosen: Ints = np.sort(losses.first[order[: int(len(order) * share)]])
    return chosen


def merge(estimates: Estimates, tags: Ints, pairs: Ints, frequencies: Floats) -> tuple[Estimates, Ints]:
    """The estimates with pairs of twins made one.

    A merged parent's rules are the twins' in proportion of their frequencies; where a merged
    subcategory is a child, or takes words, the twins' numbers add up.

    ``pairs``: the flat positions of first twins. ``frequencies`` is (n_subcategories,). Returns for each new
    subcategory, the flat position of its first old one.
    """
    sizes = estimates.layout.sizes
    keep = np.ones(int(sizes.sum()), dtype=bool)
    keep[pairs + 1] = False
    first = np.flatnonzero(keep)
    symbols = np.repeat(np.arange(len(sizes)), sizes)
    layout = RuleLayout(estimates.layout.binary, estimates.layout.unary, np.bincount(symbols[first]))
    weights = _weights(keep, frequencies)
    blocks = offsets_of(sizes)
    starts = [np.flatnonzero(keep[a:b]) for a, b in pairwise(blocks)]
    shares = [weights[a:b] for a, b in pairwise(blocks)]
    rules = np.empty(int(layout.starts[-1]))
    old, new = estimates.layout.arrays(estimates.rules), layout.arrays(rules)
    for rule, before, after in zip(estimates.layout.binary, old[0], new[0], strict=True):
        after[:] = _merged(before, [starts[symbol] for symbol in rule], shares[rule[0]])
    for rule, before, after in zip(estimates.layout.unary, old[1], new[1], strict=True):
        after[:] = _merged(before, [starts[symbol] for symbol in rule], shares[rule[0]])
    columns = np.flatnonzero(keep[np.isin(symbols, tags)])
    return Estimates(layout, rules, np.add.reduceat(estimates.units, columns, axis=1)), first


def _weights(keep: np.ndarray, frequencies: Floats) -> Floats:
    """Each old subcategory's share of the new one that it goes to."""
    group = np.cumsum(keep) - 1
    totals = np.bincount(group, frequencies)[group]
    members = np.bincount(group)[group]
    return np.divide(frequencies, totals, out=1.0 / members, where=totals > 0)


def _merged(block: Floats, starts: list[Ints], shares: Floats) -> Floats:
    # p(A_X → B_Y C_Z) = Σ over x in X, y in Y, z in Z of share(x) · p(A_x → B_y C_z), an axis at a time
    weighted = block * shares.reshape(-1, *[1] * (block.ndim - 1))
    for axis, first in enumerate(starts):
        weighted = np.add.reduceat(weighted, first, axis=axis)
    return weighted
