"""Pruning between the unsplit grammar and the finest one: grammars of few subcategories over the forest.

Petrov & Klein (2007), section 4.1, prune with every grammar of the hierarchy in turn. With s
subcategories a symbol at most, s small, all rules have one shape (s, s, s): an edge gathers its
rule, and all edges of a span width are one sum of products over arrays whose last axis is the edge,

    I(A_x, i, j) = Σ_e Σ_{y,z} p(A_x → B_y C_z) · I(B_y, i, k) · I(C_z, k, j)

without a loop over rules. What has a small posterior is left out of the forest.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.pruned_forest import NodeLayer, PrunedForest, RuleEdges
from fstce.latent.parsing.refine import word_scaled
from fstce.numeric.types import Bools, Floats, Ints

# The most subcategories a symbol that a pass between coarse and fine may have.
MOST = 4


class PaddedRules(NamedTuple):
    """The rules of a grammar of at most s subcategories a symbol, zeros where it has fewer.

    ``binary`` is (s, s, s, n_binary), ``unary`` (s, s, n_unary).
    """

    grammar: SplitGrammar
    binary: Floats
    unary: Floats

    @classmethod
    def of(cls, grammar: SplitGrammar) -> PaddedRules:
        """Those of a grammar."""
        s = int(grammar.sizes.max())
        binary = np.zeros((s, s, s, len(grammar.binary_probabilities)))
        for at, table in enumerate(grammar.binary_probabilities):
            x, y, z = table.shape
            binary[:x, :y, :z, at] = table
        unary = np.zeros((s, s, len(grammar.unary_probabilities)))
        for at, table in enumerate(grammar.unary_probabilities):
            unary[: table.shape[0], : table.shape[1], at] = table
        return cls(grammar, binary, unary)


class _Step(NamedTuple):
    """Edges of one width, by parent; ``begins`` is where each parent's begin."""

    edges: Ints
    begins: Ints


class PaddedCharts:
    """Posteriors of the edges and nodes of a forest under a grammar of few subcategories.

    ``scores`` is (n_words, n_subcategories of tags).
    """

    def __init__(self, forest: PrunedForest, rules: PaddedRules, scores: Floats) -> None:
        self.forest, self.rules = forest, rules
        n = forest.n_widths
        self.binary, self.unary = _steps(forest.binary, n), _steps(forest.unary, n)
        self.same = forest.identities_by_width()
        s = len(rules.binary)
        self.below, self.above = (np.zeros((s, len(of.symbol))) for of in (forest.below, forest.above))
        self._factor = forest.binary.factor
        self._set_words(scores)
        for at in range(n):
            self._inside(at)

    def _set_words(self, scores: Floats) -> None:
        """P(word | tag subcategory) at the nodes of tags over words."""
        grammar, nodes = self.rules.grammar, self.forest.below
        values, _ = word_scaled(self.forest, scores)
        columns = offsets_of(grammar.sizes[grammar.tags])
        for column, tag in enumerate(grammar.tags.tolist()):
            of_tag = slice(nodes.first[tag], nodes.first[tag + 1])
            a, b = columns[column : column + 2]
            self.below[: b - a, of_tag] = values[nodes.span[of_tag], a:b].T

    def _inside(self, width: int) -> None:
        forest, rules = self.forest, self.rules
        which, begins = self.binary[width]
        if len(which):
            rule, parent, left, right = (column[which] for column in forest.binary[:4])
            # (x, y, z, edges) and (y, z, edges) summed over y and z, then over the edges of a parent
            pairs = (_at(self.above, left) * self._factor[which])[:, None] * _at(self.above, right)[None]
            sums = np.einsum("xyze,yze->xe", _at(rules.binary, rule), pairs)
            self.below[:, parent[begins]] += np.add.reduceat(sums, begins, axis=1)
        high, low = self.same[width]
        self.above[:, high] = self.below[:, low]
        which, begins = self.unary[width]
        if len(which):
            rule, parent, child, *_ = forest.unary.take(which)
            sums = np.einsum("xye,ye->xe", _at(rules.unary, rule), _at(self.below, child))
            self.above[:, parent[begins]] += np.add.reduceat(sums, begins, axis=1)

    def posteriors(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Of binary and unary edges, and of the nodes below and above."""
        forest = self.forest
        below, above = np.zeros_like(self.below), np.zeros_like(self.above)
        root = forest.root[forest.root >= 0]
        root = root[self.above[0, root] > 0.0]
        above[0, root] = 1.0 / self.above[0, root]
        binary, unary = np.zeros(len(forest.binary.rule)), np.zeros(len(forest.unary.rule))
        for width in reversed(range(len(self.same))):
            self._outside(width, below, above, binary, unary)
        return binary, unary, (below * self.below).sum(axis=0), (above * self.above).sum(axis=0)

    def _outside(self, width: int, below: Floats, above: Floats, binary: Floats, unary: Floats) -> None:
        forest, rules = self.forest, self.rules
        high, low = self.same[width]
        below[:, low] = above[:, high]
        which, _ = self.unary[width]
        if len(which):
            rule, parent, child, *_ = forest.unary.take(which)
            sums = np.einsum("xye,xe->ye", _at(rules.unary, rule), _at(above, parent))
            _add(below, child, sums)
            unary[which] = np.einsum("ye,ye->e", sums, _at(self.below, child))
        which, _ = self.binary[width]
        if len(which):
            rule, parent, left, right = (column[which] for column in forest.binary[:4])
            of_left, of_right = _at(self.above, left), _at(self.above, right)
            # Σ_x O(A_x) · p(A_x → B_y C_z): (y, z, edges)
            of_parent = _at(below, parent) * self._factor[which]
            pairs = np.einsum("xyze,xe->yze", _at(rules.binary, rule), of_parent)
            to_left = np.einsum("yze,ze->ye", pairs, of_right)
            _add(above, left, to_left)
            _add(above, right, np.einsum("yze,ye->ze", pairs, of_left))
            binary[which] = np.einsum("ye,ye->e", to_left, of_left)


def pruned(forest: PrunedForest, rules: PaddedRules, scores: Floats, threshold: float) -> PrunedForest:
    """The forest without the nodes and binary edges whose posterior is at most a threshold.

    ``rules``: of the grammar whose posteriors count. ``scores`` is (n_words, n_subcategories of tags).
    Returns of the same sentences and spans; one that the grammar has no parse of keeps no node.
    """
    binary, _, below, above = PaddedCharts(forest, rules, scores).posteriors()
    return _kept(forest, binary > threshold, below > threshold, above > threshold)


def _kept(forest: PrunedForest, binary: Bools, below: Bools, above: Bools) -> PrunedForest:
    """What is left of a forest; an edge needs all of its nodes."""
    lower, low = _layer(forest.below, below)
    upper, high = _layer(forest.above, above)
    edges, chains, (one, other) = forest.binary, forest.unary, forest.identity
    edges = edges.take(binary & below[edges.parent] & above[edges.left] & above[edges.right])
    chains = chains.take(above[chains.parent] & below[chains.left])
    both = above[one] & below[other]
    root = np.append(high, -1)[forest.root]
    return PrunedForest(
        *(forest.lengths, forest.sentence, forest.start, forest.width, forest.scale),
        lower,
        upper,
        edges._replace(parent=low[edges.parent], left=high[edges.left], right=high[edges.right]),
        chains._replace(parent=high[chains.parent], left=low[chains.left], right=low[chains.left]),
        np.array([high[one[both]], low[other[both]]]),
        root,
    )


def _layer(layer: NodeLayer, kept: Bools) -> tuple[NodeLayer, Ints]:
    """The nodes that are kept, and the new number of each, −1 if it is not."""
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    first = offsets_of(kept.astype(np.int64))[layer.first]
    return NodeLayer(layer.symbol[kept], layer.span[kept], first), number


def _steps(edges: RuleEdges, n: int) -> list[_Step]:
    """The edges of each width, by parent."""
    order = np.lexsort((edges.parent, edges.width))
    parent = edges.parent[order]
    cuts = np.searchsorted(edges.width[order], np.arange(n + 1)).tolist()
    fresh = np.diff(parent, prepend=-1) != 0
    return [_Step(order[a:b], np.flatnonzero(fresh[a:b])) for a, b in pairwise(cuts)]


def _at(values: Floats, columns: Ints) -> Floats:
    """Columns of the last axis; plain indexing would lay them out across the axes that follow."""
    found: Floats = np.take(values, columns, axis=-1)
    return found


def _add(charts: Floats, nodes: Ints, values: Floats) -> None:
    """Add values (s, edges) to the nodes of charts (s, nodes), which may repeat."""
    for row, value in zip(charts, values, strict=True):
        np.add.at(row, nodes, value)
