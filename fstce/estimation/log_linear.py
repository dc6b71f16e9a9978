"""Small log-linear models with a Gaussian prior: of a few weights, and of what words have.

Softmax regression is P(t | w) ∝ exp(W_t · f(w)). What a feature is, and what is learned from, is up
to who asks: the unknown-word models of taggers and the lexicons of latent grammars.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from fstce.estimation.maximize import maximize
from fstce.numeric.types import Floats, Ints, Term, ValueAndGradient

if TYPE_CHECKING:
    import scipy.sparse as sp

TOLERANCE = 1e-4  # one ten times as loose tags Finnish and Czech three points worse
ITERATIONS = 300
HISTORY = 3  # six cost a quarter more: copies of the weights


def numbered(described: Iterable[Iterable[str]], number: Mapping[str, int]) -> tuple[Ints, Ints]:
    """The features of some words as numbers, end to end, and how many each has; others go.

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
    """The weights that maximize Σ_w Σ_t target(w, t) log P(t | w) − ‖W‖² / 2, by L-BFGS.

    ``features`` is (words, F). ``target`` (words, T): rows sum to 1. Returns an array (F, T).

    >>> from scipy.sparse import csr_matrix
    >>> weights = softmax_regression(csr_matrix(np.eye(2)), np.eye(2))
    >>> bool(weights[0, 0] > weights[0, 1])
    True
    """
    shape = (features.shape[1], target.shape[1])
    if 0 in features.shape:
        return np.zeros(shape)

    transpose = features.T.tocsr()

    def objective(flat: Floats) -> ValueAndGradient:
        weights = flat.reshape(shape)
        log_p = log_softmax(features @ weights)
        value = float(np.vdot(target, log_p)) - float(flat @ flat) / 2

        # ∂/∂W: fᵀ (target − P) − W, shape (F, T)
        slope = transpose @ (target - np.exp(log_p)) - weights
        return value, slope.ravel()

    start = np.zeros(shape[0] * shape[1])
    best = maximize(
        objective, start, tolerance=TOLERANCE, max_iterations=ITERATIONS, history=HISTORY
    )
    return best.theta.reshape(shape)


def log_softmax(scores: Floats) -> Floats:
    """log P of each row's entries, shape as `scores`; −inf stays.

    >>> log_softmax(np.array([[0.0, 0.0, -np.inf]])).round(2).tolist()
    [[-0.69, -0.69, -inf]]
    """
    shifted = scores - scores.max(axis=1, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def most_likely(
    likelihood: Term,
    mean: Floats,
    variance: float | Floats,
    lowest: float | Floats = -np.inf,
    highest: float | Floats = np.inf,
) -> Floats:
    """The weights (weights,) that maximize log-likelihood(θ) − Σ (θ − mean)² / 2σ² in bounds.

    ``variance``: of each weight, or of all; an infinite one is no prior.

    >>> def coin(theta):  # seven heads in ten throws, log odds θ
    ...     p = 1 / (1 + np.exp(-theta[0]))
    ...     return 7 * np.log(p) + 3 * np.log(1 - p), np.array([7 - 10 * p])
    >>> most_likely(coin, np.zeros(1), variance=1e6).round(2).tolist()
    [0.85]
    """
    from scipy.optimize import Bounds, minimize  # takes half a second, which applying need not

    def loss(theta: Floats) -> ValueAndGradient:
        value, gradient = likelihood(theta)
        away = (theta - mean) / variance
        return float(away @ (theta - mean) / 2 - value), away - gradient

    bounds = Bounds(*(np.broadcast_to(bound, mean.shape) for bound in (lowest, highest)))
    return minimize(loss, mean, jac=True, method="L-BFGS-B", bounds=bounds).x
