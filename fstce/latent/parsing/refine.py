"""Inside and outside of a split grammar over the surviving rule instances of a batch.

Edges of one level and rule are one run. With x, y, z subcategories of A, B, C,

    I(A_x, i, j) = Σ_{y,z} p(A_x → B_y C_z) Σ_k I(B_y, i, k) · I(C_z, k, j)

is one product of a (edges, y·z) with a (y·z, x) matrix a run; the outside pass and the posteriors
of the rule instances take one more product in the other direction. The child that a unary rule
lacks is a node of one subcategory and probability 1. All else, what is gathered from nodes and
added to them, is done for a level at once: charts are one row of numbers by node and subcategory.
Numbers keep the coarse pass's scale of their span, so they are near 1 whatever the length of the
sentence.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.pruned_forest import WORD, Level, PrunedForest
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Floats, Ints


class SplitCharts:
    """Inside probabilities of a split grammar, and on demand outside ones and posteriors.

    ``scores`` (n_words, n_subcategories of tags): P(word | subcategory) for the words of all
    sentences, end to end. ``inside``: a number for each subcategory of each node, node after node.
    """

    def __init__(self, forest: PrunedForest, grammar: SplitGrammar, scores: Floats) -> None:
        self.forest = forest
        self._blocks = grammar.blocks
        self._size = np.append(grammar.sizes[forest.symbol], 1)
        self._begin = offsets_of(self._size)

        self.inside: Floats = np.zeros(int(self._begin[-1]))
        self.inside[-1] = 1.0
        self._fill_words(grammar, scores)

        nodes = forest.edges.parent, forest.edges.left, forest.edges.right
        self._levels = []
        for level in forest.levels:
            parent, left, right = (self._at(of_edges[level.rest]) for of_edges in nodes)
            self._levels.append((level, parent, left, right))
            self._inside(level, parent, left, right)

        # The first number of the root, which has one subcategory.
        top = self.inside[self._begin[np.maximum(forest.root, 0)]]
        self.total: NDArray[Any] = np.where(forest.root >= 0, top, 0.0)

    def _fill_words(self, grammar: SplitGrammar, scores: Floats) -> None:
        """Put the scores of words under their tags, the largest of each word 1.

        The forest's factors are of scales that hold the coarse grammar's probabilities of the
        words; with others in their place, all numbers over a span change by one factor.
        """
        forest = self.forest
        peak = scores.max(axis=1, keepdims=True)
        values = scores / np.where(peak > 0.0, peak, 1.0)
        words = forest.edges.parent[forest.edges.rule == WORD]

        column_of_tag = np.zeros(len(grammar.sizes), dtype=np.int64)
        column_of_tag[grammar.tags] = offsets_of(grammar.sizes[grammar.tags])[:-1]
        places = forest.span[words] * scores.shape[1] + column_of_tag[forest.symbol[words]]
        self.inside[self._at(words)] = values.ravel()[ranges(places, self._size[words])]

    def _inside(self, level: Level, parent: Ints, left: Ints, right: Ints) -> None:
        """I of the parents of a level, by the places of its rules' parents and children."""
        edges, same = self.forest.edges, level.same
        self.inside[self._at(edges.parent[same])] = self.inside[self._at(edges.left[same])]

        of_left, of_right = self.inside[left], self.inside[right]
        sums = np.empty(len(parent))
        i = j = k = 0
        for rule, n in level.rules:
            # I(B_y) · I(C_z) as (edges, y · z), times p(A_x → B_y C_z) as (y · z, x)
            table, (x, y, z) = self._blocks[rule]
            of_y = of_left[j : j + n * y].reshape(n, y, 1)
            of_z = of_right[k : k + n * z].reshape(n, 1, z)
            out = sums[i : i + n * x].reshape(n, x)
            np.matmul((of_y * of_z).reshape(n, y * z), table.T, out=out)
            i += n * x
            j += n * y
            k += n * z

        sums *= self._factors(level)
        np.add.at(self.inside, parent, sums)

    def posteriors(self) -> tuple[Floats, Floats]:
        """The posterior probability of every rule instance, its expected count, and of every node.

        (n_edges,) and (n_nodes,), by the outside pass. A sentence without a parse has zeros.
        """
        edges = self.forest.edges
        alive = np.flatnonzero(self.total > 0.0)
        outside = np.zeros_like(self.inside)
        outside[self._begin[self.forest.root[alive]]] = 1.0 / self.total[alive]

        edge = np.zeros(len(edges.rule))
        for level, *places in reversed(self._levels):
            self._outside(outside, edge, level, *places)

        node: Floats = np.add.reduceat(self.inside * outside, self._begin[:-1])[:-1]
        words = np.flatnonzero(edges.rule == WORD)
        edge[words] = node[edges.parent[words]]
        return edge, node

    def _outside(
        self, outside: Floats, edge: Floats, level: Level, parent: Ints, left: Ints, right: Ints
    ) -> None:
        """Add O of the children of a level and the posteriors of its edges to these arrays."""
        edges, same = self.forest.edges, level.same
        child = self._at(edges.left[same])
        outside[child] = outside[self._at(edges.parent[same])]
        edge[same] = self._summed(outside[child] * self.inside[child], edges.left[same])

        of_left, of_right = self.inside[left], self.inside[right]
        of_parent = outside[parent] * self._factors(level)
        to_left = np.empty(len(left))
        to_right = np.empty(len(right))
        i = j = k = 0
        for rule, n in level.rules:
            # pairs: Σ_x O(A_x) · p(A_x → B_y C_z), (edges, y, z)
            # O(B_y) += Σ_z pairs · I(C_z), and so for C
            table, (x, y, z) = self._blocks[rule]
            a, b, c = slice(i, i + n * x), slice(j, j + n * y), slice(k, k + n * z)
            pairs = (of_parent[a].reshape(n, x) @ table).reshape(n, y, z)
            np.matmul(pairs, of_right[c].reshape(n, z, 1), out=to_left[b].reshape(n, y, 1))
            np.matmul(of_left[b].reshape(n, 1, y), pairs, out=to_right[c].reshape(n, 1, z))
            i, j, k = a.stop, b.stop, c.stop

        np.add.at(outside, left, to_left)
        np.add.at(outside, right, to_right)
        edge[level.rest] = self._summed(to_left * of_left, edges.left[level.rest])

    def _factors(self, level: Level) -> Floats:
        """The factor of each edge, as often as its parent has subcategories."""
        edges = self.forest.edges
        return np.repeat(edges.factor[level.rest], self._size[edges.parent[level.rest]])

    def _at(self, nodes: Ints) -> Ints:
        """The places of all subcategories of nodes, node after node."""
        return ranges(self._begin[nodes], self._size[nodes])

    def _summed(self, values: Floats, nodes: Ints) -> Floats:
        """The sum of the values of each node's subcategories."""
        return np.add.reduceat(values, offsets_of(self._size[nodes])[:-1])
