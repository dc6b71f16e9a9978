"""Shortest distance over a packed batch, in any semiring, one topological level at a time."""

from __future__ import annotations

import numpy as np

from fstce.numeric.semirings import Semiring
from fstce.numeric.types import Floats
from fstce.wfsa.batch import Batch


def shortest_distance(batch: Batch, weights: Floats, semiring: Semiring, *, reverse: bool = False) -> Floats:
    """The ⊕-sum of all paths from the start to each state, or from each state to the end.

    α(q) = ⊕ over arcs p → q of α(p) ⊗ w(arc), with α(start) = 1; in reverse
    β(p) = ⊕ over arcs p → q of w(arc) ⊗ β(q), with β(final) = 1 (Mohri 2002).

    ``weights`` (arcs,) or (arcs, 2): the weight of each arc, as the semiring has it. ``semiring``: REAL, LOG,
    TROPICAL or EXPECTATION. ``reverse``: distances to the end instead of from the start. Returns an array
    (states,) or (states, 2).
    """
    distance = np.broadcast_to(semiring.zero, (batch.n_states, *semiring.zero.shape)).copy()
    distance[batch.final if reverse else batch.start] = semiring.one
    return (_backward if reverse else _forward)(batch, weights, semiring, distance)


def _forward(batch: Batch, weights: Floats, semiring: Semiring, alpha: Floats) -> Floats:
    for a, b, indptr in batch.rows():
        # arcs into the states a:b; through: α(p) ⊗ w(arc), (arcs,); α(q) = ⊕ of those into q
        arcs = slice(indptr[0], indptr[-1])
        through = semiring.times(alpha[batch.source[arcs]], weights[arcs])
        alpha[a:b] = semiring.plus_reduce(through, indptr[:-1] - indptr[0])
    return alpha


def _backward(batch: Batch, weights: Floats, semiring: Semiring, beta: Floats) -> Floats:
    order = batch.by_source
    indptr = np.append(0, np.cumsum(np.bincount(batch.source, minlength=batch.n_states)))
    for level in reversed(range(len(batch.levels) - 1)):
        a, b = batch.levels[level], batch.levels[level + 1]
        states = a + np.flatnonzero(np.diff(indptr[a : b + 1]))
        if len(states):
            # arcs out of the states a:b; through: w(arc) ⊗ β(q), (arcs,); β(p) = ⊕ of those out of p
            arcs = order[indptr[a] : indptr[b]]
            through = semiring.times(weights[arcs], beta[batch.target[arcs]])
            beta[states] = semiring.plus_reduce(through, indptr[states] - indptr[a])
    return beta
