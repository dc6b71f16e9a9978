"""Inside and outside scores of the observed trees, all at once, and what is expected of rules.

For a node n of production P → L R

    IN(n, x) = Σ_yz β(P_x → L_y R_z) IN(l, y) IN(r, z)
    OUT(l, y) = Σ_xz OUT(n, x) β(P_x → L_y R_z) IN(r, z)        and so for r

(Petrov et al. 2006, Eq. 1 and 2), linear in the trees. Every node's inside scores are divided
by their maximum, and the logs of these scales summed once a tree; outside scores are kept
divided by the tree's probability, times the scales below: OUT · IN then is the posterior
probability of the subcategory, summed over the places where a shared node stands.

Productions of one height do not depend on one another, nor do the counts of different rules: threads
share them out, each doing what one thread would do, so that the bits are the same for any number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

import numpy as np
from threadpoolctl import threadpool_limits

from fstce.latent.model.lexicon import columns_of
from fstce.latent.model.rule_layout import RuleLayout
from fstce.latent.training.forest import Forest, ForestStep
from fstce.numeric.types import Floats, Ints
from fstce.processes.workers import Crew, crew

# A round of less work is done by one thread: others would wait for Python's lock.
WORK = 2_000_000  # multiplications


@dataclass(frozen=True, slots=True, eq=False)
class Expectation:
    """What one pass over the trees finds.

    ``log_likelihood``: in nats. ``rules``: expected counts of rules, in the order of
    :class:`~fstce.latent.model.rule_layout.RuleLayout`. ``units`` (n_units, n_columns): expected counts of
    lexical units with tag subcategories.
    """

    log_likelihood: float
    rules: Floats
    units: Floats


class TreeInsideOutside:
    """Inside and outside passes over a forest, for symbols of given sizes, by so many threads."""

    def __init__(self, forest: Forest, layout: RuleLayout, tags: Ints, jobs: int | None = None) -> None:
        self.forest = forest
        self._jobs = jobs
        self.layout = layout
        self.tags = tags
        sizes = layout.sizes.tolist()
        self.inside = [np.empty((n, size)) for n, size in zip(forest.n_rows, sizes, strict=True)]
        self.outside = [np.empty_like(inside) for inside in self.inside]
        self._scale = [np.ones((n, 1)) for n in forest.n_rows]
        self._edges = [np.empty((n, size)) for n, size in zip(forest.n_edges, sizes, strict=True)]
        self._columns = columns_of(tags, layout.sizes)
        self._heights = _groups(forest.steps, "height")
        self._rules = _groups(forest.blocks, "rule")

    def expectation(self, rules: Floats, emissions: Floats) -> Expectation:
        """The log-likelihood and all expected counts.

        ``rules``: rule probabilities, as the layout has them. ``emissions`` (n_units, n_columns): P(unit |
        tag subcategory).
        """
        # One thread of BLAS each: with more, sums and so the bits depend on their number.
        with threadpool_limits(1, "blas"), crew(self._jobs) as each:
            matrices = self.layout.matrices(rules)
            value = self._run_inside(matrices, emissions, each)
            self._run_outside(matrices, each)
            return Expectation(value, self._rule_counts(rules, each), self._unit_counts(emissions))

    def em_step(self, rules: Floats, emissions: Floats) -> Expectation:
        """As :meth:`expectation`, but `rules` become what is expected of them, normalized.

        It is done in place, a parent at a time: two arrays of all rules would be most of a training's
        memory. A parent that is not expected at all keeps its rules.
        """
        with threadpool_limits(1, "blas"), crew(self._jobs) as each:
            matrices = self.layout.matrices(rules)
            value = self._run_inside(matrices, emissions, each)
            self._run_outside(matrices, each)
            self._renew(matrices, each)
            return Expectation(value, rules, self._unit_counts(emissions))

    def fill(self, rules: Floats, emissions: Floats) -> None:
        """Fill :attr:`inside` and :attr:`outside`; the parameters are those of :meth:`expectation`."""
        with threadpool_limits(1, "blas"), crew(self._jobs) as each:
            matrices = self.layout.matrices(rules)
            self._run_inside(matrices, emissions, each)
            self._run_outside(matrices, each)

    def clear(self) -> None:
        """Give back the memory of all charts; nothing can be run after it."""
        self.inside, self.outside, self._scale, self._edges = [], [], [], []

    def _run_inside(self, matrices: list[Floats], emissions: Floats, each: Crew) -> float:
        """Fill the inside scores; the log-likelihood in nats."""
        for tag, units, columns in zip(self.tags, self.forest.units, self._columns, strict=True):
            self._rescale(int(tag), slice(None), emissions[units, columns])

        def upwards(step: ForestStep) -> None:
            # IN(n, x) = Σ_yz β(P_x → L_y R_z) IN(l, y) IN(r, z): (nodes, y · z) @ (y · z, x)
            self._rescale(step.parent, step.rows, self._below(step) @ matrices[step.rule].T)

        for steps in self._heights:
            self._share(each, upwards, steps)
        pairs = zip(self.forest.multiplicity, self._scale, strict=True)
        return float(sum(count @ np.log(scale[:, 0]) for count, scale in pairs))

    def _run_outside(self, matrices: list[Floats], each: Crew) -> None:
        """Fill the outside scores, after the inside scores."""
        self.outside[0][:] = self.forest.multiplicity[0][:, None]

        def downwards(step: ForestStep) -> None:
            if step.parent:
                self.outside[step.parent][step.rows] = self._gathered(step)
            self._spread(step, matrices[step.rule])

        for steps in reversed(self._heights):
            self._share(each, downwards, steps)
        for tag, starts in zip(self.tags, self.forest.unit_edges, strict=True):
            self.outside[tag][:] = np.add.reduceat(self._edges[tag], starts[:-1], axis=0)

    def _share(self, each: Crew, work: Callable[[ForestStep], None], steps: list[ForestStep]) -> None:
        """`work` on the steps, which do not depend on one another."""
        if sum(map(self._work, steps)) > WORK:
            each(work, steps)
        else:
            for step in steps:
                work(step)

    def _work(self, step: ForestStep) -> int:
        """How many multiplications a step takes, about."""
        below = self.inside[step.left].shape[1] * (self.inside[step.right].shape[1] if step.right >= 0 else 1)
        return (step.rows.stop - step.rows.start) * self.inside[step.parent].shape[1] * below

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

    def _rule_counts(self, rules: Floats, each: Crew) -> Floats:
        counts = np.zeros_like(rules)
        views = list(zip(self.layout.matrices(counts), self.layout.matrices(rules), strict=True))

        def count(blocks: list[ForestStep]) -> None:
            of_rule, matrix = views[blocks[0].rule]
            of_rule[:] = self._counted(blocks, matrix)

        each(count, self._rules)
        return counts

    def _counted(self, blocks: list[ForestStep], matrix: Floats) -> Floats:
        """The expected counts of one rule, shape (x, y · z)."""
        # E[P_x → L_y R_z] = β · Σ_n OUT(n, x) IN(l, y) IN(r, z): (x, nodes) @ (nodes, y · z)
        counts = np.zeros_like(matrix)
        for step in blocks:
            above = self.outside[step.parent][step.rows] / self._scale[step.parent][step.rows]
            counts += above.T @ self._below(step)
        counts *= matrix
        return counts

    def _renew(self, matrices: list[Floats], each: Crew) -> None:
        """Each parent's rules become their normalized expected counts."""
        blocks = {group[0].rule: group for group in self._rules}

        def renew(rules: list[int]) -> None:
            counts = [self._counted(blocks.get(rule, []), matrices[rule]) for rule in rules]
            RuleLayout.normalize_blocks(counts, [matrices[rule] for rule in rules])

        each(renew, self.layout.by_parent())

    def _unit_counts(self, emissions: Floats) -> Floats:
        counts = np.zeros_like(emissions)
        for tag, units, columns in zip(self.tags, self.forest.units, self._columns, strict=True):
            np.add.at(counts[:, columns], units, self.outside[tag] * self.inside[tag])
        return counts


def _groups(steps: Iterable[ForestStep], name: str) -> list[list[ForestStep]]:
    """Neighboring steps that have this in common."""
    return [list(group) for _, group in groupby(steps, attrgetter(name))]
