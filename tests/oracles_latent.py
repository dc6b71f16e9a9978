"""Brute-force twins for latent grammars: every assignment of subcategories to the nodes of a tree."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fstce.corpora import Sentence, parse_tree
from fstce.latent.model.rule_layout import RuleLayout, offsets_of
from fstce.latent.training.estimates import Estimates
from fstce.latent.training.treebank import TreebankArrays

Floats = NDArray[np.float64]
Assignment = Mapping[int, int]


def sentences(*trees: str) -> list[Sentence]:
    """Sentences of bracketed trees, the i-th at line i of ``trees``."""
    parsed = [parse_tree(tree) for tree in trees]
    return [Sentence(t.leaves(), tree=t, source=f"trees:{i}") for i, t in enumerate(parsed, 1)]


def columns_of(tags: np.ndarray, sizes: np.ndarray) -> list[slice]:
    """Each tag's columns in the tables of the lexicon."""
    ends = np.cumsum(sizes[tags]).tolist()
    return [slice(end - size, end) for end, size in zip(ends, sizes[tags].tolist(), strict=True)]


def sums_by_parent(layout: RuleLayout, rules: np.ndarray) -> np.ndarray:
    """The sum of the rules of each parent subcategory, symbol after symbol."""
    blocks = layout.matrices(rules)
    totals = [np.zeros(size) for size in layout.sizes]
    for parent, block in zip(layout.parents, blocks, strict=True):
        totals[parent] += block.sum(axis=1)
    return np.concatenate(totals)


def normalized(layout: RuleLayout, counts: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """Counts over their parents' sums, and what there was where a parent has none."""
    rules = otherwise.copy()
    old, new = layout.matrices(counts), layout.matrices(rules)
    for numbers in layout.by_parent():
        layout.normalize_blocks([old[rule] for rule in numbers], [new[rule] for rule in numbers])
    return rules


def random_state(treebank: TreebankArrays, sizes: Sequence[int], seed: int) -> Estimates:
    """A state of random numbers: rules normalized, counts positive, no two alike."""
    rng = np.random.default_rng(seed)
    layout = RuleLayout(treebank.binary, treebank.unary, np.array(sizes))
    numbers = rng.uniform(0.1, 1, int(layout.starts[-1]))
    rules = normalized(layout, numbers, numbers)
    columns = int(layout.sizes[treebank.tags].sum())
    return Estimates(layout, rules, rng.uniform(0.5, 2, (treebank.vocabulary.n_units, columns)))


@dataclass(frozen=True, eq=False)
class TreeOracle:
    """One tree of a treebank with the probabilities of a state, by enumeration.

    `top` is the number of its ROOT node.
    """

    treebank: TreebankArrays
    state: Estimates
    emissions: Floats
    top: int

    @functools.cache  # noqa: B019
    def children(self, node: int) -> tuple[int, ...]:
        """The nodes just below."""
        return tuple(child for child in self.treebank.children[:, node].tolist() if child >= 0)

    @functools.cache  # noqa: B019
    def below(self, node: int) -> list[int]:
        """The node and all below it."""
        return [node, *(found for child in self.children(node) for found in self.below(child))]

    @functools.cache  # noqa: B019
    def block(self, node: int) -> Floats:
        """What a node's subcategory chooses by: its rule's probabilities, or its unit's."""
        symbol, unit = self.treebank.symbol[node], self.treebank.unit[node]
        if unit >= 0:
            place = int(np.flatnonzero(self.treebank.tags == symbol)[0])
            return self.emissions[
                unit, columns_of(self.treebank.tags, self.state.layout.sizes)[place]
            ]
        return self.state.layout.arrays(self.state.rules)[self.treebank.production[node]]

    def factor(self, node: int, assignment: Assignment) -> float:
        """The probability of what the node's subcategory becomes: its rule or its unit."""
        return float(
            self.block(node)[(assignment[node], *(assignment[c] for c in self.children(node)))]
        )

    def column(self, symbol: int, subcategory: int) -> int:
        """The lexicon's column of a tag's subcategory."""
        place = int(np.flatnonzero(self.treebank.tags == symbol)[0])
        return columns_of(self.treebank.tags, self.state.layout.sizes)[place].start + subcategory

    def assignments(self, nodes: Sequence[int]) -> Iterator[dict[int, int]]:
        """All ways to give the nodes subcategories."""
        ranges = [range(int(self.state.layout.sizes[self.treebank.symbol[node]])) for node in nodes]
        return (dict(zip(nodes, chosen, strict=True)) for chosen in itertools.product(*ranges))

    def probability(self, assignment: Assignment) -> float:
        """Of the tree with these subcategories."""
        return math.prod(self.factor(node, assignment) for node in self.below(self.top))

    @functools.cache  # noqa: B019
    def total(self) -> float:
        """P(tree): the sum over all assignments."""
        return sum(map(self.probability, self.assignments(self.below(self.top))))

    @functools.cache  # noqa: B019
    def inside(self, node: int, subcategory: int) -> float:
        """IN(n, x): everything at and below the node, given its subcategory."""
        nodes = self.below(node)
        chosen = (a for a in self.assignments(nodes) if a[node] == subcategory)
        return sum(math.prod(self.factor(n, a) for n in nodes) for a in chosen)

    @functools.cache  # noqa: B019
    def outside(self, node: int, subcategory: int) -> float:
        """OUT(n, x): everything but what is at and below the node, given its subcategory."""
        rest = [n for n in self.below(self.top) if n not in self.below(node)]
        found = ({**a, node: subcategory} for a in self.assignments(rest))
        return sum(math.prod(self.factor(n, a) for n in rest) for a in found)

    def counts(self) -> tuple[Floats, Floats]:
        """Expected counts of rules, laid out flat, and of units with columns."""
        rules, units = np.zeros_like(self.state.rules), np.zeros_like(self.emissions)
        blocks = self.state.layout.arrays(rules)
        nodes = self.below(self.top)
        for assignment in self.assignments(nodes):
            share = self.probability(assignment) / self.total()
            for node in nodes:
                unit = self.treebank.unit[node]
                if unit >= 0:
                    units[unit, self.column(self.treebank.symbol[node], assignment[node])] += share
                    continue
                block = blocks[self.treebank.production[node]]
                block[
                    (assignment[node], *(assignment[child] for child in self.children(node)))
                ] += share
        return rules, units


def oracles(treebank: TreebankArrays, state: Estimates, emissions: Floats) -> list[TreeOracle]:
    """One oracle a tree."""
    tops = np.flatnonzero(treebank.symbol == 0)
    return [TreeOracle(treebank, state, emissions, int(top)) for top in tops]


def frequencies(trees: Sequence[TreeOracle]) -> Floats:
    """The expected count of each subcategory, flat."""
    state, treebank = trees[0].state, trees[0].treebank
    offsets, found = offsets_of(state.layout.sizes), np.zeros(int(state.layout.sizes.sum()))
    for tree in trees:
        for node in tree.below(tree.top):
            symbol = int(treebank.symbol[node])
            for x in range(int(state.layout.sizes[symbol])):
                posterior = tree.inside(node, x) * tree.outside(node, x) / tree.total()
                found[offsets[symbol] + x] += posterior
    return found


def merge_loss(trees: Sequence[TreeOracle], first: int) -> float:
    """−log Π_n P_n / P of merging the twins at flat positions `first` and the next."""
    state, treebank = trees[0].state, trees[0].treebank
    offsets, seen = offsets_of(state.layout.sizes), frequencies(trees)
    symbol = int(np.searchsorted(offsets, first, side="right")) - 1
    x = first - int(offsets[symbol])
    p1, p2 = seen[first : first + 2] / seen[first : first + 2].sum()
    loss = 0.0
    for tree in trees:
        for node in tree.below(tree.top):
            if treebank.symbol[node] != symbol:
                continue
            others = [y for y in range(int(state.layout.sizes[symbol])) if y not in (x, x + 1)]
            apart = sum(tree.inside(node, y) * tree.outside(node, y) for y in others)
            in_ = p1 * tree.inside(node, x) + p2 * tree.inside(node, x + 1)
            out = tree.outside(node, x) + tree.outside(node, x + 1)
            loss -= float(np.log((apart + in_ * out) / tree.total()))
    return loss
