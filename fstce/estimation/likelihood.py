"""The likelihood of a locally normalized model, and its maximization by EM.

With gradient ∂/∂θ Σ log Z(θ) = E[counts], the E-step is the gradient of a log-linear
term, and the M-step normalizes it (Dempster, Laird & Rubin 1977; for the tagger of
Merialdo 1994, Smith & Eisner 2005a, §2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from fstce.errors import ParameterError
from fstce.estimation.annealing import Annealed
from fstce.estimation.journal import Journal
from fstce.estimation.maximize import Interrupted, Monitor, Recorder, Training
from fstce.estimation.multinomials import Multinomials
from fstce.estimation.rules import NOT_NEGATIVE, STOPPING, check
from fstce.numeric.types import Floats

Term = Callable[[Floats], tuple[float, Floats]]


class Likelihood:
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
        self.journal: Journal | None = None

    def value_and_gradient(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats; and its gradient over the weights, expected counts + λ."""
        return self._sum(theta) if self.journal is None else self.journal.recall(self._sum, theta)

    __call__ = value_and_gradient

    def record(self, journal: Journal) -> None:
        """Keep the evaluations in a journal."""
        self.journal = journal

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
