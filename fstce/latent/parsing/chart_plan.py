"""The order of work over a pruned forest: one step a span width, one group a rule.

All grammars of the same rules share a plan, so that its cost is paid once a batch. Sums need
no more than the runs of edges of one width and rule; the groups, with the row of each node
among those of its symbol, are for the best derivations.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.pruned_forest import PrunedForest, RuleEdges
from fstce.numeric.types import Floats, Ints


class EdgeRuns(NamedTuple):
    """The edges of one width: which they are, and the rule and number of each run of equal rules."""

    edges: slice
    runs: list[tuple[int, int]]


class BinaryGroup(NamedTuple):
    """Edges of one width and rule; rows number the nodes of one symbol.

    ``begins`` holds the first edge of each parent, or is None where no parent is twice.
    """

    edges: slice
    rule: int
    symbols: tuple[int, int, int]
    parent: Ints
    parents: Ints
    begins: Ints | None
    left: Ints
    right: Ints
    factor: Floats


class UnaryGroup(NamedTuple):
    """Unary edges of one width and rule; no parent and no child is twice."""

    edges: slice
    rule: int
    symbols: tuple[int, int]
    parent: Ints
    child: Ints


class IdentityGroup(NamedTuple):
    """Nodes of one symbol and width that stand in both layers."""

    symbol: int
    above: Ints
    below: Ints


class WidthStep(NamedTuple):
    """What is done for the spans of one width."""

    binary: list[BinaryGroup]
    identity: list[IdentityGroup]
    unary: list[UnaryGroup]


class ChartPlan:
    """The order of work for a forest, which all grammars of the same rules share.

    ``grammar``: its rules count, its probabilities do not. ``binary``, ``unary``: one a span width, from 0.
    ``same``: a width's identities: nodes above and below. ``words``: the spans of the words that each tag may
    stand over.
    """

    def __init__(self, forest: PrunedForest, grammar: SplitGrammar) -> None:
        self.forest, self._grammar = forest, grammar
        n = forest.n_widths
        self.binary, self.unary = _runs(forest.binary, n), _runs(forest.unary, n)
        self.same = forest.identities_by_width()
        first = forest.below.first
        self.words = {int(tag): forest.below.span[first[tag] : first[tag + 1]] for tag in grammar.tags}

    @cached_property
    def steps(self) -> list[WidthStep]:
        """What is done for each span width, by rows of nodes."""
        forest, grammar = self.forest, self._grammar
        found = [WidthStep([], [], []) for _ in self.binary]
        for group in _binary_groups(forest, grammar):
            found[int(forest.binary.width[group.edges.start])].binary.append(group)
        for chain in _unary_groups(forest, grammar):
            found[int(forest.unary.width[chain.edges.start])].unary.append(chain)
        for width, identity in _identity_groups(forest):
            found[width].identity.append(identity)
        return found


def _runs(edges: RuleEdges, n: int) -> list[EdgeRuns]:
    """The edges of each of n widths."""
    bounds = edges.groups()
    begins = bounds[:-1]
    rules, counts = edges.rule[begins].tolist(), np.diff(bounds).tolist()
    runs = list(zip(rules, counts, strict=True))
    cuts = np.searchsorted(edges.width[begins], np.arange(n + 1)).tolist()
    ends = bounds.tolist()
    return [EdgeRuns(slice(ends[a], ends[b]), runs[a:b]) for a, b in pairwise(cuts)]


def _binary_groups(forest: PrunedForest, grammar: SplitGrammar) -> list[BinaryGroup]:
    edges, bounds = forest.binary, forest.binary.groups()
    rows = [forest.below.row(edges.parent), forest.above.row(edges.left), forest.above.row(edges.right)]
    fresh = np.diff(edges.parent, prepend=-1) != 0
    fresh[bounds[:-1]] = True
    first = np.flatnonzero(fresh)
    parents = np.searchsorted(first, bounds)
    groups = []
    for (a, b), (c, d) in zip(pairwise(bounds.tolist()), pairwise(parents.tolist()), strict=True):
        rule = int(edges.rule[a])
        begins = first[c:d] - a if d - c < b - a else None
        parent, left, right = (row[a:b] for row in rows)
        unique = parent if begins is None else parent[begins]
        symbols = tuple(grammar.binary[rule].tolist())
        factor = edges.factor[a:b, None]
        groups.append(BinaryGroup(slice(a, b), rule, symbols, parent, unique, begins, left, right, factor))
    return groups


def _unary_groups(forest: PrunedForest, grammar: SplitGrammar) -> list[UnaryGroup]:
    edges, bounds = forest.unary, forest.unary.groups()
    parent, child = forest.above.row(edges.parent), forest.below.row(edges.left)
    groups = []
    for a, b in pairwise(bounds.tolist()):
        rule = int(edges.rule[a])
        p, c = grammar.unary[rule].tolist()
        groups.append(UnaryGroup(slice(a, b), rule, (p, c), parent[a:b], child[a:b]))
    return groups


def _identity_groups(forest: PrunedForest) -> list[tuple[int, IdentityGroup]]:
    above, below = forest.identity
    symbol, width = forest.above.symbol[above], forest.width[forest.above.span[above]]
    fresh = (np.diff(symbol, prepend=-1) != 0) | (np.diff(width, prepend=-1) != 0)
    bounds = np.append(np.flatnonzero(fresh), len(symbol))
    rows = forest.above.row(above), forest.below.row(below)
    return [
        (int(width[a]), IdentityGroup(int(symbol[a]), rows[0][a:b], rows[1][a:b]))
        for a, b in pairwise(bounds.tolist())
    ]
