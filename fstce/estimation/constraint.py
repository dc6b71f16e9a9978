"""A constraint on expected features: posterior regularization with one inequality.

Knowledge that is no label, such as "four of five edges obey these rules", is a bound on an
expectation. Among all distributions q over the hidden structures that keep it, the one nearest to
the model's, in KL divergence, is the model's own with its weights moved along the rules.

Source: Ganchev, Graça, Gillenwater & Taskar (2010), Eq. 7; Naseem, Chen, Barzilay & Johnson (2010).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from fstce.numeric.types import Floats, Term

MOST = 30.0  # λ in nats beyond which q does not change: e³⁰ to one
EXACT = 1e-6  # nats of λ


class Constrained:
    """Σ log Z(θ) − min KL(q ‖ p_θ) over the q that keep E_q[r·f] ≥ b E_q[n·f].

    The minimum is q ∝ p_θ exp(λ (r − b n)·f) with the least λ ≥ 0 that keeps the bound, so that the
    value is min over λ of Σ log Z(θ + λ (r − b n)), a convex function of one scalar, and its gradient
    the expected counts under q. Where no λ keeps the bound, which no q may then, the largest serves:
    b = 1 asks for as much as can be.

    ``terms``: θ → (Σ log Z, expected counts), of all sentences together. ``rewarded`` (features,): r.
    ``counted`` (features,): n. ``share``: b, from 0 to 1.

    Three structures with a feature each; the last two are to have four fifths of the probability:

    >>> def term(theta):
    ...     z = np.exp(theta).sum()
    ...     return float(np.log(z)), np.exp(theta) / z
    >>> constrained = Constrained([term], np.array([0.0, 1, 1]), np.ones(3), 0.8)
    >>> constrained(np.zeros(3))[1].round(3).tolist()
    [0.2, 0.4, 0.4]
    >>> constrained(np.array([-9.0, 0, 0]))[1].round(3).tolist(), constrained.multiplier
    ([0.0, 0.5, 0.5], 0.0)
    """

    def __init__(self, terms: Sequence[Term], rewarded: Floats, counted: Floats, share: float) -> None:
        self.terms = list(terms)
        self.rewarded, self.counted, self.share = rewarded, counted, share
        self._direction = rewarded - share * counted
        self.multiplier = self.reached = 0.0

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and the expected counts under q, shape of θ."""
        # Each λ costs a pass over all charts: what the search has summed is not summed again.
        at = lru_cache(maxsize=None)(lambda multiplier: self._at(theta, multiplier))
        # As much as can be is no bound that some λ keeps: there is nothing to search.
        everything = self.share >= 1.0
        self.multiplier = (
            MOST if everything else self._least(lambda multiplier: float(self._direction @ at(multiplier)[1]))
        )
        value, counts = at(self.multiplier)
        self.reached = float(self.rewarded @ counts) / max(float(self.counted @ counts), 1e-300)
        return value, counts

    def _at(self, theta: Floats, multiplier: float) -> tuple[float, Floats]:
        # θ of −∞ stays, whatever is added.
        moved = theta + multiplier * self._direction if multiplier else theta
        values, counts = zip(*(term(moved) for term in self.terms), strict=True)
        return float(sum(values)), np.sum(counts, axis=0)

    @staticmethod
    def _least(slack: Callable[[float], float]) -> float:
        """λ: d/dλ Σ log Z(θ + λ d) = E_q[d·f], the slack, rises from below 0, or is not below 0 at once."""
        if slack(0.0) >= 0.0:
            return 0.0
        high = 1.0
        while slack(high) < 0.0:
            high *= 2.0
            if high > MOST:
                return MOST
        from scipy.optimize import brentq  # takes half a second; applying a model need not wait

        return float(brentq(slack, 0.0 if high == 1.0 else high / 2, high, xtol=EXACT))
