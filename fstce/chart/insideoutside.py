"""SUMPARSES: log Z, expected feature counts and posteriors of every lattice in a batch.

The expected count of a feature is the sum of the posteriors of the choices that have it.
Each pack runs in the real semiring where that is exact, else in log space.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fstce.chart import semiring
from fstce.chart.batch import ChartBatch, ItemFactors, Pack
from fstce.chart.real import SAFE, RealChart, Workspace
from fstce.numeric.semirings import TROPICAL
from fstce.numeric.types import Bools, Floats
from fstce.processes.workers import in_threads


class ChartSums(NamedTuple):
    """log Z of each lattice (shape (lattices,), nats) and the weighted expected counts (shape of θ)."""

    log_z: Floats
    counts: Floats


class InsideOutside:
    """The inside–outside algorithm over one batch, with the memory that it needs.

    Parameters
    ----------
    batch : ChartBatch
    jobs : int, optional
        Threads that add up, −1 for one a core; the sums are the same to the bit.

    Examples
    --------
    With all weights zero, Z is the number of trees: 1, 2, 7, 30, 143, …

    >>> from fstce.chart import DependencyModel, compile_charts
    >>> from fstce.machines import Lattice, Symbols
    >>> model, symbols = DependencyModel(["N", "V"]), Symbols(["N", "V"])
    >>> batch = compile_charts([Lattice.of_sentence("N V N N".split(), symbols)], model)
    >>> sums = InsideOutside(batch)(np.zeros(model.size))
    >>> np.exp(sums.log_z).round(9).tolist(), sums.counts[:2].round(9).tolist()
    ([30.0], [0.9, 0.1])
    """

    def __init__(self, batch: ChartBatch, jobs: int | None = None) -> None:
        self.batch = batch
        self._jobs = jobs
        self._workspace = Workspace(
            max(len(pack.graph.half_rows.left) for pack in batch.packs),
            max(len(pack.graph.link_rows.left) for pack in batch.packs),
        )
        self._derivable: list[tuple[bytes, tuple[Bools, Bools, Bools]] | None] = [None] * len(batch.packs)

    def __call__(self, theta: Floats, coefficient: Floats | None = None) -> ChartSums:
        """Sum over all trees of all strings.

        Parameters
        ----------
        theta : ndarray, shape (model.size,)
            The weights; −inf for what cannot be.
        coefficient : ndarray, shape (lattices,), optional
            How much each lattice's expectations count; one by default.

        Returns
        -------
        ChartSums
            log Z, −inf where nothing is possible, and Σ of coefficient · E[feature count].
        """
        weight = self.batch.on_distinct(coefficient)
        log_z, counts = np.empty(self.batch.n_distinct), np.zeros(self.batch.model.size)
        for pack, (of_pack, add) in zip(self.batch.packs, self._each(theta, weight), strict=True):
            log_z[pack.lattices] = of_pack
            counts += add
        return ChartSums(log_z[self.batch.index], counts)

    def _each(self, theta: Floats, weight: Floats) -> Iterator[tuple[Floats, Floats]]:
        """log Z of each pack's lattices and its counts, shape of θ, a pack at a time."""

        def sums(number: int) -> tuple[Floats, Floats]:
            pack = self.batch.packs[number]
            log_z, posteriors = self._pack(number, theta, weight[pack.lattices])
            counts = np.zeros(self.batch.model.size)
            pack.add_counts(posteriors, counts)
            return log_z, counts

        return in_threads(sums, range(len(self.batch.packs)), self._jobs)

    def posteriors(self, theta: Floats) -> list[ItemFactors]:
        """The posterior of every item's own choice, a pack at a time."""
        packs = enumerate(self.batch.packs)
        return [self._pack(number, theta, np.ones(len(pack.lattices)))[1] for number, pack in packs]

    def _pack(self, number: int, theta: Floats, coefficient: Floats) -> tuple[Floats, ItemFactors]:
        """log Z of each lattice of a pack and its posteriors times the coefficients."""
        pack = self.batch.packs[number]
        chart = self._real_chart(number, pack, theta)
        if chart is not None:
            with np.errstate(divide="ignore"):
                return np.log(chart.z), chart.posteriors(coefficient)
        scores = pack.scores(theta)
        items = semiring.inside(pack.graph, scores)
        return items.z, semiring.posteriors(pack.graph, scores, items, coefficient)

    def _real_chart(self, number: int, pack: Pack, theta: Floats) -> RealChart | None:
        """The chart in the real semiring, None where that is not exact."""
        if not pack.magnitude(theta) <= SAFE:
            return None
        chart = RealChart(pack.graph, pack.weights(theta), self._workspace)
        return chart if chart.in_range(self._with_derivation(number, pack, theta)) else None

    def _with_derivation(self, number: int, pack: Pack, theta: Floats) -> tuple[Bools, Bools, Bools] | None:
        """Which halves, links and lattices have a tree, given what θ forbids; None if it forbids nothing."""
        forbidden = np.isneginf(theta)
        if not (forbidden.any() or pack.forbids):
            return None
        key, known = forbidden.tobytes(), self._derivable[number]
        if known is None or known[0] != key:
            scores = pack.scores(np.where(forbidden, -np.inf, 0.0))
            items = semiring.inside(pack.graph, scores, TROPICAL)
            known = (key, (items.half > -np.inf, items.link > -np.inf, items.z > -np.inf))
            self._derivable[number] = known
        return known[1]
