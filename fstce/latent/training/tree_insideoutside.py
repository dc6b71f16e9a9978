"""Inside and outside scores of the observed trees, all at once, and what is expected of rules.

For a node n of production P → L R

    IN(n, x) = Σ_yz β(P_x → L_y R_z) IN(l, y) IN(r, z)
    OUT(l, y) = Σ_xz OUT(n, x) β(P_x → L_y R_z) IN(r, z)        and so for r

(Petrov et al. 2006, Eq. 1 and 2), linear in the trees. Every node's inside scores are divided
by their maximum, and the logs of these scales summed once a tree; outside scores are kept
divided by the tree's probability, times the scales below: OUT · IN then is the posterior
probability of the subcategory, summed over the places where a shared node stands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fstce.latent.model.lexicon import columns_of
from fstce.latent.model.rule_layout import RuleLayout
from fstce.latent.training.forest import Forest, ForestStep
from fstce.numeric.types import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Expectation:
    """What one pass over the trees finds.

    Attributes
    ----------
    log_likelihood : float
        In nats.
    rules : ndarray
        Expected counts of rules, in the order of :class:`~fstce.latent.model.rule_layout.RuleLayout`.
    units : ndarray, shape (n_units, n_columns)
        Expected counts of lexical units with tag subcategories.
    """

    log_likelihood: float
    rules: Floats
    units: Floats


class TreeInsideOutside:
    """Inside and outside passes over a forest, for symbols of given sizes.

    Parameters
    ----------
    forest : Forest
    layout : RuleLayout
    tags : ndarray
        The symbols that are tags.
    """

    def __init__(self, forest: Forest, layout: RuleLayout, tags: Ints) -> None:
        self.forest = forest
        self.layout = layout
        self.tags = tags
        sizes = layout.sizes.tolist()
        self.inside = [np.empty((n, size)) for n, size in zip(forest.n_rows, sizes, strict=True)]
        self.outside = [np.empty_like(inside) for inside in self.inside]
        self._scale = [np.ones((n, 1)) for n in forest.n_rows]
        self._edges = [np.empty((n, size)) for n, size in zip(forest.n_edges, sizes, strict=True)]
        self._columns = columns_of(tags, layout.sizes)

    def expectation(self, rules: Floats, emissions: Floats) -> Expectation:
        """The log-likelihood and all expected counts.

        Parameters
        ----------
        rules : ndarray
            Rule probabilities, as the layout has them.
        emissions : ndarray, shape (n_units, n_columns)
            P(unit | tag subcategory).
        """
        matrices = self.layout.matrices(rules)
        value = self.run_inside(matrices, emissions)
        self.run_outside(matrices)
        return Expectation(value, self._rule_counts(rules), self._unit_counts(emissions))

    def run_inside(self, matrices: list[Floats], emissions: Floats) -> float:
        """Fill :attr:`inside`; the log-likelihood in nats."""
        for tag, units, columns in zip(self.tags, self.forest.units, self._columns, strict=True):
            self._rescale(int(tag), slice(None), emissions[units, columns])
        for step in self.forest.steps:
            # IN(n, x) = Σ_yz β(P_x → L_y R_z) IN(l, y) IN(r, z): (nodes, y · z) @ (y · z, x)
            below = self._below(step)
            self._rescale(step.parent, step.rows, below @ matrices[step.rule].T)
        pairs = zip(self.forest.multiplicity, self._scale, strict=True)
        return float(sum(count @ np.log(scale[:, 0]) for count, scale in pairs))

    def run_outside(self, matrices: list[Floats]) -> None:
        """Fill :attr:`outside`, after :meth:`run_inside`."""
        self.outside[0][:] = self.forest.multiplicity[0][:, None]
        for step in reversed(self.forest.steps):
            if step.parent:
                self.outside[step.parent][step.rows] = self._gathered(step)
            self._spread(step, matrices[step.rule])
        for tag, starts in zip(self.tags, self.forest.unit_edges, strict=True):
            self.outside[tag][:] = np.add.reduceat(self._edges[tag], starts[:-1], axis=0)

    def _rescale(self, symbol: int, rows: slice, scores: Floats) -> None:
        scale = scores.max(axis=1, keepdims=True)
        self._scale[symbol][rows] = scale
        np.divide(scores, scale, out=self.inside[symbol][rows])

    def _below(self, step: ForestStep) -> Floats:
        """The inside scores of children: their outer products for a binary production."""
        left = self.inside[step.left].take(step.left_rows, axis=0)
        if step.right < 0:
            return left
        right = self.inside[step.right].take(step.right_rows, axis=0)
        return (left[:, :, None] * right[:, None, :]).reshape(len(left), -1)

    def _gathered(self, step: ForestStep) -> Floats:
        """The sum of what the parents of the nodes sent down."""
        edges = self._edges[step.parent][step.edges]
        return edges if step.edge_starts is None else np.add.reduceat(edges, step.edge_starts, axis=0)

    def _spread(self, step: ForestStep, matrix: Floats) -> None:
        """Send outside scores down to the children's edges."""
        # Σ_x OUT(n, x) β(P_x → L_y R_z), (nodes, y · z); OUT(l, y) sums it over z with IN(r, z)
        above = (self.outside[step.parent][step.rows] / self._scale[step.parent][step.rows]) @ matrix
        if step.right < 0:
            self._edges[step.left][step.left_edges] = above
            return
        left = self.inside[step.left].take(step.left_rows, axis=0)
        right = self.inside[step.right].take(step.right_rows, axis=0)
        cube = above.reshape(len(left), left.shape[1], right.shape[1])
        self._edges[step.left][step.left_edges] = (cube @ right[:, :, None])[:, :, 0]
        self._edges[step.right][step.right_edges] = (left[:, None, :] @ cube)[:, 0, :]

    def _rule_counts(self, rules: Floats) -> Floats:
        # E[P_x → L_y R_z] = β · Σ_n OUT(n, x) IN(l, y) IN(r, z): (x, nodes) @ (nodes, y · z)
        counts = np.zeros_like(rules)
        views = self.layout.matrices(counts)
        for step in self.forest.blocks:
            above = self.outside[step.parent][step.rows] / self._scale[step.parent][step.rows]
            views[step.rule][:] += above.T @ self._below(step)
        counts *= rules
        return counts

    def _unit_counts(self, emissions: Floats) -> Floats:
        counts = np.zeros_like(emissions)
        for tag, units, columns in zip(self.tags, self.forest.units, self._columns, strict=True):
            np.add.at(counts[:, columns], units, self.outside[tag] * self.inside[tag])
        return counts
