"""Small log-linear models with a Gaussian prior: of a few weights, and of what words have.

Softmax regression is P(t | w) ∝ exp(W_t · f(w)). What a feature is, and what is learned from, is up
to who asks: the unknown-word models of taggers and the lexicons of latent grammars.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

import numpy as np
import scipy.sparse as sp

from fstce.estimation.maximize import maximize
from fstce.numeric.types import Floats, Term

SIGMA2 = 1.0
TOLERANCE, ITERATIONS = 1e-3, 100  # a tighter one tags no better: docs/results/tagging.md


def indicators(described: Iterable[Iterable[str]], number: Mapping[str, int]) -> sp.csr_matrix:
    """The numbered features of each word, shape (words, F); others are left out.

    >>> indicators([("s", "un"), ("x",)], {"un": 0, "s": 1}).toarray().tolist()
    [[1.0, 1.0], [0.0, 0.0]]
    """
    numbers = [[number[name] for name in names if name in number] for names in described]
    column = np.array(list(chain.from_iterable(numbers)), dtype=np.int64)
    ends = np.cumsum([0, *map(len, numbers)])
    return sp.csr_matrix((np.ones(len(column)), column, ends), shape=(len(numbers), len(number)))


def softmax_regression(features: sp.csr_matrix, target: Floats) -> Floats:
    """The weights that maximize Σ_w Σ_t target(w, t) log P(t | w) − ‖W‖² / 2σ², by L-BFGS from
    zero.

    ``features`` is (words, F). ``target`` (words, T): rows sum to 1. Returns an array (F, T).

    >>> weights = softmax_regression(sp.csr_matrix(np.eye(2)), np.eye(2))
    >>> bool(weights[0, 0] > weights[0, 1])
    True
    """
    shape = (features.shape[1], target.shape[1])
    transpose = features.T.tocsr()
    if 0 in features.shape:
        return np.zeros(shape)

    def objective(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        log_p = log_softmax(features @ weights)
        # ∂/∂W Σ_w Σ_t target(w, t) log P(t | w) = fᵀ (target − P), shape (F, T)
        gradient = transpose @ (target - np.exp(log_p)) - weights / SIGMA2
        return float((target * log_p).sum()) - float(flat @ flat) / (2 * SIGMA2), gradient.ravel()

    best = maximize(
        objective, np.zeros(shape[0] * shape[1]), tolerance=TOLERANCE, max_iterations=ITERATIONS
    )
    return best.theta.reshape(shape)


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
