"""log Z and expected counts of every machine in a batch: the inner loop of training.

The sums run in the real semiring over *reweighted* arcs, exp(w + φ(p) − φ(q)) for an
arc p → q, with φ the log-forward potential of some earlier evaluation: weight pushing
with a stale potential, exact for any φ, which keeps every forward sum near one. φ is a
whole multiple of log 2, so that the factor exp(φ(p) − φ(q)) is a power of two, which four
bytes hold exactly. It is kept between evaluations and renewed, in log space, only when the
sums have drifted: what comes out is a function of the scores and of those of the last
renewal alone (`anchor`), to the bit, wherever and in whichever order it is computed.

A score of −inf closes a cell (probability zero, exactly). States that only closed cells
lead to are *dead*: their sums are zero and must not look like drift, so the potential is
renewed whenever the set of closed cells changes, and arcs of dead states have factor zero.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.numeric import kernels
from fstce.numeric.semirings import LOG
from fstce.numeric.types import Bools, Floats, Ints32
from fstce.wfsa.batch import Batch
from fstce.wfsa.distance import shortest_distance

DRIFT = 1e50  # forward sums beyond this, or below its inverse, renew the potential
SAFE_SCORE = (
    400.0  # up to here an arc that matters within the drift has a factor above the least normal double
)
LOG2 = np.log(2.0)
LEAST_POWER, MOST_POWER = -126, 127  # of two, among normal numbers of four bytes
Allocate = Callable[[int, Any], NDArray[Any]]


class _Workspace(threading.local):
    """The weights of the arcs at hand: as large as the largest batch, whatever their number, a thread."""

    def __init__(self) -> None:
        self.array = np.empty(0)

    def first(self, size: int) -> Floats:
        if len(self.array) < size:
            self.array = np.empty(size)
        return self.array[:size]


_workspace = _Workspace()


class BatchSums(NamedTuple):
    """log Z of each machine (shape (M,), nats) and the weighted expected count of each cell (shape (C,))."""

    log_z: Floats
    counts: Floats


class SumProduct:
    """The forward–backward algorithm over one batch, with the memory that it needs.

    Parameters
    ----------
    batch : Batch
        The automata; their structure stays, the scores change with every call.
    allocate : callable, optional
        From a length and a type to an array that is kept between calls; by default in memory.

    Attributes
    ----------
    renewed : bool
        Whether the last call has renewed the potential.
    """

    def __init__(self, batch: Batch, allocate: Allocate = np.empty) -> None:
        self.batch = batch
        self.renewed = False
        self._allocate = allocate
        self._rows = batch.rows()
        self._power: Ints32 | None = None  # φ / log 2 of each state, (S,); None is zero
        self._factor: NDArray[np.floating[Any]] | None = None if batch.bias is None else np.exp(batch.bias)
        self._closed: Bools | None = None
        self._dead: Floats | None = None

    def __call__(self, cell_scores: Floats, coefficient: Floats | None = None) -> BatchSums:
        """Sum over all paths.

        Parameters
        ----------
        cell_scores : ndarray, shape (C,)
            The log weight of each cell.
        coefficient : ndarray, shape (M,), optional
            How much each machine's expectations count; one by default.

        Returns
        -------
        BatchSums
            log Z, and Σ over machines of coefficient · E[cell count].
        """
        alpha, beta = self._forward_backward(cell_scores, coefficient)
        batch, weight = self.batch, self._weight()
        # E[c] = Σ over arcs p → q of cell c of α(p) · w(arc) · β(q); weight (A,) becomes α(p) · w(arc)
        kernels.scale(batch.indptr, batch.source, weight, alpha)
        counts = kernels.count(batch.cell, batch.target, weight, beta, len(cell_scores))
        return BatchSums(self._log_z(alpha), counts)

    def log_z(self, cell_scores: Floats) -> Floats:
        """log Z of each machine alone, shape (M,)."""
        return self._log_z(self._forward(cell_scores))

    def posteriors(self, cell_scores: Floats) -> Floats:
        """The posterior probability of each arc within its machine, shape (A,)."""
        alpha, beta = self._forward_backward(cell_scores, None)
        return alpha[self.batch.source] * self._weight() * beta[self.batch.target]

    def inward(self, cell_scores: Floats) -> Floats:
        """The probability of each arc given that the path comes to its target, shape (A,)."""
        alpha = self._forward(cell_scores)
        reached = np.where(alpha > 0, alpha, 1.0)
        return alpha[self.batch.source] * self._weight() / reached[self.batch.target]

    def _forward_backward(self, cell_scores: Floats, coefficient: Floats | None) -> tuple[Floats, Floats]:
        alpha = self._forward(cell_scores)
        beta = np.zeros_like(alpha)
        mass = alpha[self.batch.final]
        possible = mass > 0
        share = np.ones(len(mass)) if coefficient is None else coefficient
        # β(final) = coefficient / Z, so that α · w · β is a weighted posterior; β(p) += w(arc) · β(q)
        beta[self.batch.final[possible]] = share[possible] / mass[possible]
        weight = self._weight()
        for a, b, indptr in reversed(self._rows):
            kernels.scatter(indptr, self.batch.source, weight, beta[a:b], beta)
        return alpha, beta

    def anchor(self, cell_scores: Floats) -> None:
        """Renew the potential by these scores."""
        self._renew(cell_scores)

    def _forward(self, cell_scores: Floats) -> Floats:
        """α(q)·exp(−φ(q)) for every state, by the stale potential if it serves, else by a fresh one."""
        self.renewed = False
        if self._in_range(cell_scores):
            alpha = self._forward_by_factor(cell_scores)
            if self._within(alpha, DRIFT):
                return alpha
        change = self._renew(cell_scores)
        self.renewed = True
        if self._in_range(cell_scores):
            alpha = self._forward_by_factor(cell_scores)  # as a repeated call would, to the bit
            if self._within(alpha, DRIFT):
                return alpha
        np.exp(self.batch.arc_scores(cell_scores) + change, out=self._weight())
        return self._sum_levels()

    def _weight(self) -> Floats:
        """The weights of the arcs as the last pass of this thread has left them, shape (A,)."""
        return _workspace.first(self.batch.n_arcs)

    def _forward_by_factor(self, cell_scores: Floats) -> Floats:
        """The same with the factor at hand."""
        weight = self._weight()
        if self._factor is None:
            weight.fill(1.0)
        else:
            np.copyto(weight, self._factor)
        kernels.scale(self.batch.indptr, self.batch.cell, weight, np.exp(cell_scores))
        return self._sum_levels()

    def _within(self, alpha: Floats, bound: float) -> bool:
        """Whether the sums of all states but the dead lie between 1/bound and bound."""
        least = alpha.min() if self._dead is None else (alpha + self._dead).min()
        return bool(least > 1 / bound and alpha.max() < bound)

    def _in_range(self, cell_scores: Floats) -> bool:
        """Whether the open cells' scores are moderate and the closed cells are those of the last renewal."""
        low, high = cell_scores.min(), cell_scores.max()
        if low > -SAFE_SCORE:
            return bool(high < SAFE_SCORE) and self._closed is None
        if low > -np.inf or self._closed is None or not high < SAFE_SCORE:
            return False
        closed = np.isneginf(cell_scores)
        return np.array_equal(closed, self._closed) and bool(np.all(cell_scores[~closed] > -SAFE_SCORE))

    def _renew(self, cell_scores: Floats) -> Floats:
        """Set potential and factor by these scores in log space; returns φ(p) − φ(q) of each arc."""
        closed = np.isneginf(cell_scores)
        self._closed = closed if np.any(closed) else None
        return self._push(shortest_distance(self.batch, self.batch.arc_scores(cell_scores), LOG))

    def _push(self, potential: Floats) -> Floats:
        """Set potential, −∞ at dead states, and factor; returns φ(p) − φ(q) of each arc."""
        batch = self.batch
        dead = np.isneginf(potential)
        self._dead = dead.astype(np.float64) if np.any(dead) else None
        self._power = np.rint(np.where(dead, 0.0, potential) / LOG2).astype(np.int32)
        powers = self._power[batch.source] - self._power[batch.target]
        change = powers * LOG2
        exact = batch.bias is None and bool(np.all((powers >= LEAST_POWER) & (powers <= MOST_POWER)))
        if self._factor is None or self._factor.dtype != (np.float32 if exact else np.float64):
            self._factor = self._allocate(batch.n_arcs, np.float32 if exact else np.float64)
        with np.errstate(over="ignore", under="ignore"):
            np.copyto(self._factor, np.ldexp(1.0, powers), casting="same_kind")
            if batch.bias is not None:
                self._factor[:] = np.exp(change + batch.bias)
        if self._dead is not None:
            away = dead[batch.source] | dead[batch.target]
            change[away] = -np.inf
            self._factor[away] = 0.0
        return change

    def _sum_levels(self) -> Floats:
        # α(start) = 1; α(q) = Σ over arcs p → q of α(p) · w(arc); (S,), the states of one level at a time
        alpha = np.zeros(self.batch.n_states)
        alpha[self.batch.start] = 1.0
        weight = self._weight()
        for a, b, indptr in self._rows:
            kernels.gather(indptr, self.batch.source, weight, alpha, alpha[a:b])
        return alpha

    def _log_z(self, alpha: Floats) -> Floats:
        # log Z = log α(final) + φ(final) − φ(start): what the reweighting by φ has cost every path
        start, final = self.batch.start, self.batch.final
        with np.errstate(divide="ignore"):
            mass = np.log(alpha[final])
        return mass if self._power is None else mass + LOG2 * (self._power[final] - self._power[start])
