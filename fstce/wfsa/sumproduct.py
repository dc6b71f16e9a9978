"""log Z and expected counts of every machine in a batch: the inner loop of training.

The sums run in the real semiring over *reweighted* arcs, exp(w + φ(p) − φ(q)) for an
arc p → q, with φ the log-forward potential of some earlier evaluation: weight pushing
with a stale potential, exact for any φ, which keeps every forward sum near one. φ is a
whole multiple of log 2, so that the factor exp(φ(p) − φ(q)) is a power of two, which takes
four bytes. It is kept between evaluations and refreshed, in log space, only when the
sums have drifted: what comes out is a function of the scores and of those of the last
refreshment, to the bit, wherever and in whichever order it is computed.

A score of −inf closes a cell (probability zero, exactly). States that only closed cells
lead to are *dead*: their sums are zero and must not look like drift, so the potential is
refreshed whenever the set of closed cells changes, and arcs of dead states have factor zero.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.estimation.resources import STORED_IN_MEMORY, ArrayStore
from fstce.numeric import kernels
from fstce.numeric.kernels import workspace
from fstce.numeric.semirings import LOG, Semiring
from fstce.numeric.types import Bools, Floats, Ints, Ints32
from fstce.wfsa.batch import Batch

DRIFT = 1e50  # forward sums beyond this, or below its inverse, refresh the potential
# Nats: to here an arc that matters within the drift has a normal number as its factor.
MODERATE = 400.0
LOG2 = np.log(2.0)
# Of two, among normal numbers of four bytes.
LEAST_POWER = -126
MOST_POWER = 127
Allocate = Callable[[int, Any], NDArray[Any]]


class LogWeights:
    """The log weights of a batch's cells: rows, or sums of two rows, which are fewer.

    ``pairs`` (2 · C,): the first row of each cell, then the second; by default each cell is a row.
    """

    def __init__(self, rows: Floats, pairs: Ints32 | None = None) -> None:
        self.rows = rows
        self._pairs = None if pairs is None else np.split(pairs, 2)

    @cached_property
    def scores(self) -> Floats:
        """The log weight of each cell, shape (C,)."""
        if self._pairs is None:
            return self.rows
        first, second = self._pairs
        return np.asarray(self.rows[first] + self.rows[second])

    def are_moderate(self, closed: Bools | None) -> bool:
        """Whether the open cells' scores are, and the closed cells are these."""
        if closed is None and self._are_half_moderate:
            return True

        closed_now = np.isneginf(self.scores)
        if closed is None:
            closed = np.zeros_like(closed_now)
        are_open = np.abs(self.scores) < MODERATE  # a score that is no number is neither
        return np.array_equal(closed_now, closed) and bool(np.all(are_open | closed))

    @cached_property
    def _are_half_moderate(self) -> bool:
        return bool(max(-self.rows.min(), self.rows.max()) < MODERATE / 2)

    def exp(self) -> Floats:
        """The weights, the thread's own array where cells are sums."""
        if self._pairs is None or not self._are_half_moderate:
            return np.exp(self.scores)

        first, second = self._pairs
        rows = np.exp(self.rows)
        weights = workspace.first("cells", len(first))
        np.take(rows, first, out=weights, mode="clip")
        kernels.scale(kernels.whole(second), second, weights, rows)
        return weights


class BatchSums(NamedTuple):
    """log Z of each machine, (M,), nats, and the weighted expected count of each cell, (C,)."""

    log_z: Floats
    counts: Floats


class SumProduct:
    """The forward–backward algorithm over one batch, with the memory that it needs.

    ``batch``: the automata; their structure stays, the scores change with every call. ``allocate``:
    from a length and a type to an array that is kept between calls; by default in memory.
    ``refreshed``: whether the last call has refreshed the potential.
    """

    def __init__(self, batch: Batch, allocate: Allocate = np.empty) -> None:
        self.batch = batch
        self.refreshed: bool = False
        self._allocate = allocate
        self._power: Ints32 | None = None  # φ / log 2 of each state, (S,); None is zero
        self._factor: NDArray[np.floating[Any]] | None = None
        if batch.bias is not None:
            self._factor = np.exp(batch.bias)
        self._closed: Bools | None = None
        self._dead: Floats | None = None

    def sums(self, weights: LogWeights, coefficient: Floats | None = None) -> BatchSums:
        """log Z, and Σ over machines of coefficient · E[cell count], (M,) ones by default.

        The counts are the thread's own array: the next call overwrites them.
        """
        weight, alpha, beta = self._forward_backward(weights, coefficient)
        batch = self.batch

        # E[c] = Σ over arcs p → q of cell c of α(p) · w(arc) · β(q); weight (A,) becomes α(p) ·
        # w(arc)
        kernels.scale(batch.indptr, batch.source, weight, alpha)
        counts = workspace.table("counts", batch.ngram.shape, 0.0)
        kernels.scatter(batch.indptr, batch.cell, weight, beta, counts)
        return BatchSums(self._log_z(alpha), counts)

    def log_z(self, cell_scores: Floats) -> Floats:
        """log Z of each machine alone, shape (M,)."""
        return self._log_z(self._forward(LogWeights(cell_scores))[1])

    def posteriors(self, cell_scores: Floats) -> Floats:
        """The posterior probability of each arc within its machine, shape (A,)."""
        weight, alpha, beta = self._forward_backward(LogWeights(cell_scores), None)
        return np.asarray(alpha[self.batch.source] * weight * beta[self.batch.target])

    def inward(self, cell_scores: Floats) -> Floats:
        """The probability of each arc given that the path comes to its target, shape (A,)."""
        weight, alpha = self._forward(LogWeights(cell_scores))
        reached = np.where(alpha > 0, alpha, 1.0)
        return np.asarray(alpha[self.batch.source] * weight / reached[self.batch.target])

    def _forward_backward(
        self, weights: LogWeights, coefficient: Floats | None
    ) -> tuple[Floats, ...]:
        weight, alpha = self._forward(weights)
        batch = self.batch
        beta = workspace.table("beta", alpha.shape, 0.0)
        mass = alpha[batch.final]
        possible = mass > 0
        share = np.ones(len(mass)) if coefficient is None else coefficient

        # β(final) = coefficient / Z, so that α · w · β is a weighted posterior; β(p) += Σ over arcs
        # p → q of w(arc) · β(q), descending levels of q; (S,)
        beta[batch.final[possible]] = share[possible] / mass[possible]
        for a, b, indptr in reversed(batch.rows()):
            kernels.scatter(indptr, batch.source, weight, beta[a:b], beta)
        return weight, alpha, beta

    def _forward(self, weights: LogWeights) -> tuple[Floats, Floats]:
        """The weight of every arc and α(q)·exp(−φ(q)) of every state, both the thread's own arrays.

        By the stale potential if it serves, else by a fresh one.
        """
        self.refreshed = False
        sums = self._by_factor(weights)
        if sums is None:
            change = self.refresh(weights.scores)
            self.refreshed = True
            sums = self._by_factor(weights)  # as a repeated call would, to the bit
        if sums is None:
            weight = workspace.first("weight", len(self.batch.cell))
            np.exp(self.batch.arc_scores(weights.scores) + change, out=weight)
            sums = weight, self._reach(weight)
        return sums

    def _by_factor(self, weights: LogWeights) -> tuple[Floats, Floats] | None:
        """Weights and α by the factor at hand.

        None where the sums leave the range that it holds.
        """
        if not weights.are_moderate(self._closed):
            return None

        of_cells = weights.exp()
        weight = workspace.first("weight", len(self.batch.cell))
        weight[:] = 1.0 if self._factor is None else self._factor
        kernels.scale(self.batch.indptr, self.batch.cell, weight, of_cells)

        alpha = self._reach(weight)
        least = alpha.min() if self._dead is None else (alpha + self._dead).min()
        if least > 1 / DRIFT and alpha.max() < DRIFT:  # not so where a sum is no number
            return weight, alpha
        return None

    def refresh(self, cell_scores: Floats) -> Floats:
        """Set potential, −∞ at dead states, and factor by these scores in log space.

        Returns φ(p) − φ(q) of each arc.
        """
        batch = self.batch
        closed = np.isneginf(cell_scores)
        self._closed = closed if np.any(closed) else None
        potential = shortest_distance(batch, batch.arc_scores(cell_scores), LOG)
        dead = np.isneginf(potential)
        self._dead = dead.astype(np.float64) if np.any(dead) else None

        self._power = np.rint(np.where(dead, 0.0, potential) / LOG2).astype(np.int32)
        powers = self._power[batch.source] - self._power[batch.target]
        change = powers * LOG2

        are_small = np.all((powers >= LEAST_POWER) & (powers <= MOST_POWER))
        dtype = np.float32 if batch.bias is None and are_small else np.float64
        if self._factor is None or self._factor.dtype != dtype:
            self._factor = self._allocate(batch.n_arcs, dtype)
        with np.errstate(over="ignore", under="ignore"):
            if batch.bias is None:
                self._factor[:] = np.ldexp(1.0, powers)
            else:
                self._factor[:] = np.exp(change + batch.bias)

        if self._dead is not None:
            away = dead[batch.source] | dead[batch.target]
            change[away] = -np.inf
            self._factor[away] = 0.0
        return change

    def _reach(self, weight: Floats) -> Floats:
        # α(start) = 1; α(q) = Σ over arcs p → q of α(p) · w(arc), ascending levels of q; (S,)
        batch = self.batch
        alpha = workspace.table("alpha", batch.machine.shape, 0.0)
        alpha[batch.start] = 1.0
        for a, b, indptr in batch.rows():
            kernels.gather(indptr, batch.source, weight, alpha, alpha[a:b])
        return alpha

    def _log_z(self, alpha: Floats) -> Floats:
        # log Z = log α(final) + φ(final) − φ(start): what the reweighting by φ has cost every path
        start, final = self.batch.start, self.batch.final
        with np.errstate(divide="ignore"):
            log_mass = np.log(alpha[final])
        if self._power is None:
            return log_mass
        return log_mass + LOG2 * (self._power[final] - self._power[start])


_ONE = np.ones(1)


class ShardAnswer(NamedTuple):
    """Σ coefficient · log Z (nats), expected counts of rows, whether the potential is fresh."""

    value: float
    counts: Floats
    refreshed: bool


def cell_rows(ngram: Ints, emission: Ints) -> tuple[Ints32, Ints32]:
    """The scores that cells depend on, ascending, and their places: all first, all second.

    ``ngram``, ``emission`` (cells,): which two of the scores make up each cell.
    """
    pairs = np.concatenate((ngram, emission))
    used = kernels.marked(int(pairs.max(initial=0)) + 1, pairs)
    place = (np.cumsum(used) - 1)[pairs]
    return np.flatnonzero(used).astype(np.int32), place.astype(np.int32)


class ShardSum:
    """One shard's part of a sum, as a function of the scores of n-grams and emissions end to end.

    ``rows`` (R,), ``pairs`` (2 · cells,): as of :func:`cell_rows`. ``coefficient`` is (machines,).
    ``store``: where arrays lie that are kept between two calls.
    """

    def __init__(
        self,
        rows: Ints32,
        pairs: Ints32,
        batch: Batch,
        coefficient: Floats,
        store: ArrayStore = STORED_IN_MEMORY,
    ) -> None:
        self.coefficient = coefficient
        self.sums: SumProduct = SumProduct(batch, store.allocate)
        self.rows: NDArray[Any] = store.keep(rows)
        self.pairs: NDArray[Any] = store.keep(pairs)

    def __call__(self, scores: Floats) -> ShardAnswer:
        """The part's value, and the expected counts of its rows."""
        weights = LogWeights(scores[self.rows], self.pairs)
        log_z, counts = self.sums.sums(weights, self.coefficient)

        # E[row] = Σ over the cells c of the row of E[c], (R,)
        of_rows = np.zeros(len(weights.rows))
        for row in np.split(self.pairs, 2):
            kernels.scatter(kernels.whole(row), row, counts, _ONE, of_rows)

        # Without BLAS, whose sums may depend on its threads.
        return ShardAnswer(float(np.sum(self.coefficient * log_z)), of_rows, self.sums.refreshed)

    def refresh(self, scores: Floats) -> None:
        """Refresh the potential by these scores."""
        self.sums.refresh(LogWeights(scores[self.rows], self.pairs).scores)


def shortest_distance(batch: Batch, weights: Floats, semiring: Semiring) -> Floats:
    """The ⊕-sum of all paths from the start to each state, (states,) or (states, 2).

    α(q) = ⊕ over arcs p → q of α(p) ⊗ w(arc), with α(start) = 1 (Mohri 2002).

    ``weights`` (arcs,) or (arcs, 2): the weight of each arc, as the semiring has it. ``semiring``:
    REAL, LOG, TROPICAL or EXPECTATION.
    """
    alpha = np.broadcast_to(semiring.zero, (batch.n_states, *semiring.zero.shape)).copy()
    alpha[batch.start] = semiring.one
    for a, b, indptr in batch.rows():
        # arcs into the states a:b; through: α(p) ⊗ w(arc), (arcs,); α(q) = ⊕ of those into q
        arcs = slice(indptr[0], indptr[-1])
        through = semiring.times(alpha[batch.source[arcs]], weights[arcs])
        alpha[a:b] = semiring.plus_reduce(through, indptr[:-1] - indptr[0])
    return alpha
