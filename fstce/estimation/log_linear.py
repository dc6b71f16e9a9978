"""Small log-linear models with a Gaussian prior: of a few weights, and of what words have.

Softmax regression is P(t | w) ∝ exp(W_t · f(w)). What a feature is, and what is learned from, is up
to who asks: the unknown-word models of taggers and the lexicons of latent grammars.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from fstce.estimation.maximize import take_blas_buffers
from fstce.numeric.types import Floats, Ints, Term

if TYPE_CHECKING:
    import scipy.sparse as sp

Floats32 = NDArray[np.float32]

SIGMA2 = 1.0
TOLERANCE = 5e-4  # a tighter one tags no better: docs/results/tagging.md
ITERATIONS = 100
HISTORY = 6
CURVATURE = 0.2  # P (1 − P), about, that a word adds to the curvature of its features' weights
LEAST_LENGTH = 1e-3  # of a step: where a shorter one gains nothing, four bytes say no more


def numbered(described: Iterable[Iterable[str]], number: Mapping[str, int]) -> tuple[Ints, Ints]:
    """The features of some words as numbers, end to end, and how many each has; others are left out.

    >>> [column.tolist() for column in numbered([("s", "un"), ("x",)], {"un": 0, "s": 1})]
    [[1, 0], [2, 0]]
    """
    numbers = [[number[name] for name in names if name in number] for names in described]
    column = np.array(list(chain.from_iterable(numbers)), dtype=np.int64)
    return column, np.array([*map(len, numbers)], dtype=np.int64)


def indicators(described: Iterable[Iterable[str]], number: Mapping[str, int]) -> sp.csr_matrix:
    """The numbered features of each word, shape (words, F).

    >>> indicators([("s", "un"), ("x",)], {"un": 0, "s": 1}).toarray().tolist()
    [[1.0, 1.0], [0.0, 0.0]]
    """
    from scipy.sparse import csr_matrix  # takes a tenth of a second; applying a model need not wait

    column, sizes = numbered(described, number)
    ends = np.append(0, np.cumsum(sizes))
    return csr_matrix((np.ones(len(column)), column, ends), shape=(len(sizes), len(number)))


def softmax_regression(features: sp.csr_matrix, target: Floats) -> Floats:
    """The weights that maximize Σ_w Σ_t target(w, t) log P(t | w) − ‖W‖² / 2σ², from zero.

    L-BFGS in four bytes, each feature scaled by how many words have it: steps that suit frequent
    features suit rare ones, too, and scipy's spends most of its time on copies of the weights.

    ``features`` is (words, F). ``target`` (words, T): rows sum to 1. Returns an array (F, T).

    >>> from scipy.sparse import csr_matrix
    >>> weights = softmax_regression(csr_matrix(np.eye(2)), np.eye(2))
    >>> bool(weights[0, 0] > weights[0, 1])
    True
    """
    shape = (features.shape[1], target.shape[1])
    if 0 in features.shape:
        return np.zeros(shape)

    # W = scale · V; the curvature of V is near one
    frequency = np.asarray(features.multiply(features).sum(axis=0)).ravel()
    scale = (1 / SIGMA2 + CURVATURE * frequency) ** -0.5
    scaled = features.multiply(scale).astype(np.float32).tocsr()
    transpose = scaled.T.tocsr()
    gold = target.astype(np.float32)
    stiffness = (scale**2 / SIGMA2).astype(np.float32)[:, None]

    def loss(weights: Floats32) -> tuple[float, Floats32]:
        scores = scaled @ weights
        scores -= scores.max(axis=1, keepdims=True)
        fit = float(np.vdot(gold, scores))
        probability = np.exp(scores, out=scores)
        mass = probability.sum(axis=1, keepdims=True)
        probability /= mass

        # ∂/∂V of the loss: fᵀ (P − target) + stiffness · V, shape (F, T)
        pull = stiffness * weights
        value = float(np.log(mass).sum(dtype=np.float64)) - fit + float(np.vdot(pull, weights)) / 2
        return value, transpose @ (probability - gold) + pull

    take_blas_buffers()
    with threadpool_limits(1, "blas"):  # with more, sums depend on their number
        return scale[:, None] * _minimized(loss, np.zeros(shape, dtype=np.float32))


def _minimized(loss: Callable[[Floats32], tuple[float, Floats32]], start: Floats32) -> Floats32:
    """Where a convex function is least, to the tolerance, by L-BFGS (Nocedal & Wright 2006, §7.2).

    ``loss``: from a point to the value and the gradient there.
    """
    point = start
    value, slope = loss(point)
    changes: deque[tuple[Floats32, Floats32]] = deque(maxlen=HISTORY)

    for _ in range(ITERATIONS):
        step = _towards_minimum(slope, changes)
        length = 1.0
        while (new := loss(point + length * step))[0] > value and length > LEAST_LENGTH:
            length /= 2

        changes.append((length * step, new[1] - slope))
        gained = value - new[0]
        point = point + length * step
        value, slope = new
        if gained <= TOLERANCE * max(abs(value), 1.0):
            break
    return point


def _towards_minimum(slope: Floats32, changes: Sequence[tuple[Floats32, Floats32]]) -> Floats32:
    """−H⁻¹ slope, H the curvature by what steps have changed: the two loops over (step, change)."""
    step = -slope
    shares = []
    for moved, change in reversed(changes):
        shares.append(np.vdot(moved, step) / np.vdot(moved, change))
        step -= shares[-1] * change

    if changes:
        moved, change = changes[-1]
        step *= np.vdot(moved, change) / np.vdot(change, change)
    for (moved, change), share in zip(changes, reversed(shares), strict=True):
        step += (share - np.vdot(change, step) / np.vdot(moved, change)) * moved
    return step


def log_softmax(scores: Floats) -> Floats:
    """log P of each row's entries, shape as `scores`; −inf stays.

    >>> log_softmax(np.array([[0.0, 0.0, -np.inf]])).round(2).tolist()
    [[-0.69, -0.69, -inf]]
    """
    shifted = scores - scores.max(axis=1, keepdims=True, initial=-np.inf)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def most_likely(
    likelihood: Term,
    mean: Floats,
    variance: float | Floats,
    lowest: float | Floats = -np.inf,
    highest: float | Floats = np.inf,
) -> Floats:
    """The weights that maximize log-likelihood(θ) − Σ (θ − mean)² / 2σ² within bounds, shape
    (weights,).

    ``variance``: of each weight, or of all; an infinite one is no prior.

    >>> def coin(theta):  # seven heads in ten throws, log odds θ
    ...     p = 1 / (1 + np.exp(-theta[0]))
    ...     return 7 * np.log(p) + 3 * np.log(1 - p), np.array([7 - 10 * p])
    >>> most_likely(coin, np.zeros(1), variance=1e6).round(2).tolist()
    [0.85]
    """
    from scipy.optimize import Bounds, minimize  # takes half a second, which applying need not

    def loss(theta: Floats) -> tuple[float, Floats]:
        value, gradient = likelihood(theta)
        away = (theta - mean) / variance
        return float(away @ (theta - mean) / 2 - value), away - gradient

    bounds = Bounds(*(np.broadcast_to(bound, mean.shape) for bound in (lowest, highest)))
    return np.asarray(minimize(loss, mean, jac=True, method="L-BFGS-B", bounds=bounds).x)
