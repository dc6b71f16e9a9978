"""The likelihood of a locally normalized model, and its maximization by EM.

A locally normalized model (an HMM, a generative dependency grammar) is a log-linear one whose weights in
each group are the logarithms of numbers that sum to one. With gradient ∂/∂θ Σ log Z(θ) = E[counts], the
E-step is the gradient of a log-linear term, and the M-step normalizes it (Dempster, Laird & Rubin 1977; for
the tagger of Merialdo 1994, Smith & Eisner 2005a, §2).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.errors import ParameterError
from fstce.estimation.maximize import Interrupted, Monitor, Recorder, Training
from fstce.estimation.objective import Annealed, Recorded
from fstce.estimation.rules import NOT_NEGATIVE, STOPPING, check
from fstce.numeric.types import Floats, Ints, Term


class Multinomials:
    """A partition of the weights into distributions.

    ``group`` (features,): the distribution, 0 … G − 1, that each weight belongs to.

    >>> coins = Multinomials(np.array([0, 0, 1, 1]))
    >>> np.exp(coins.normalize(np.array([3.0, 1.0, 0.0, 2.0]))).round(2).tolist()
    [0.75, 0.25, 0.0, 1.0]
    """

    def __init__(self, group: Ints) -> None:
        self.group = np.asarray(group)
        self.size = np.bincount(self.group)

    def uniform(self) -> Floats:
        """Log-probabilities that are equal within each distribution, shape (features,)."""
        return -np.log(self.size[self.group].astype(np.float64))

    def normalize(self, counts: Floats, smoothing: float = 0.0) -> Floats:
        """The log of (count + λ) over its sum in the distribution, shape (features,).

        A count of zero without smoothing has probability zero, log-probability −inf; a
        distribution of which nothing was counted stays uniform.

        ``counts`` (features,): at least zero. ``smoothing``: λ ≥ 0, added to every count: the mode under a
        flat Dirichlet prior with parameter λ + 1 (add-λ smoothing).
        """
        NOT_NEGATIVE.check(smoothing=smoothing)
        mass = np.maximum(counts, 0.0) + smoothing
        whole = np.bincount(self.group, mass, len(self.size))[self.group]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(whole > 0, np.log(mass) - np.log(whole), self.uniform())

    def perturbed(self, rng: np.random.Generator, deviation: float = 0.1) -> Floats:
        """Log-probabilities near the uniform ones, their logs moved by normal noise."""
        return self.normalize(np.exp(rng.normal(0.0, deviation, len(self.group))))


class Likelihood(Recorded):
    """log-likelihood + λ Σ log(p/u), to be maximized by :func:`expectation_maximization`.

    u is the uniform probability, so that the prior of uniform distributions is zero.

    ``terms``: θ → (log-likelihood in nats, expected counts). ``multinomials``: which weights form a
    distribution. ``smoothing``: λ ≥ 0, the flat Dirichlet prior.
    """

    def __init__(self, terms: Sequence[Term], multinomials: Multinomials, smoothing: float = 0.0) -> None:
        self.terms = list(terms)
        self.multinomials = multinomials
        NOT_NEGATIVE.check(smoothing=smoothing)
        self.smoothing = smoothing
        self._uniform = float(multinomials.uniform().sum())

    def _sum(self, theta: Floats) -> tuple[float, Floats]:
        value = self.smoothing * (float(theta.sum()) - self._uniform) if self.smoothing else 0.0
        counts = np.full_like(theta, self.smoothing)
        for term in self.terms:
            more, expected = term(theta)
            value, counts = value + more, counts + expected
        return value, counts

    def annealed(self, beta: float) -> Likelihood:
        """The likelihood at inverse temperature β."""
        return Likelihood([Annealed(term, beta) for term in self.terms], self.multinomials, self.smoothing)


def expectation_maximization(
    likelihood: Likelihood,
    theta: Floats,
    *,
    tolerance: float = 1e-4,
    max_iterations: int = 200,
    monitor: Monitor | None = None,
) -> Training:
    """Climb from `theta` by EM, until the objective's relative change is at most the tolerance.

    ``theta`` (features,): Log-probabilities; −inf for probabilities of zero, which stay zero. ``tolerance``,
    ``max_iterations``, ``monitor``: as in :func:`fstce.estimation.maximize`; a step's gradient norm is the
    Euclidean norm of the change of the probabilities.
    """
    check(STOPPING, tolerance=tolerance, max_iterations=max_iterations)
    record = Recorder(theta, monitor)
    try:
        value, counts = likelihood(theta)
        if not np.isfinite(value):
            raise ParameterError("a sentence has probability zero under the weights at which EM starts")
        record.keep(theta, value)
        record.report(0.0)
        for _ in range(max_iterations):
            previous, before = value, theta
            theta = likelihood.multinomials.normalize(counts)
            value, counts = likelihood(theta)
            record.keep(theta, value)
            record.report(float(np.linalg.norm(np.exp(theta) - np.exp(before))))
            if abs(value - previous) <= tolerance * max(abs(previous), abs(value), 1.0):
                record.training.stopped = "converged"
                break
        else:
            record.training.stopped = "iteration limit"
    except StopIteration:
        record.training.stopped = "monitor"
    except KeyboardInterrupt:
        raise Interrupted(record.training) from None
    return record.training
