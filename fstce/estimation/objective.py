"""An objective: a sum of terms and a prior, as one function of the weights.

Contrastive estimation maximizes Σ_i log Σ_y p(x_i, y | N(x_i), θ) (Smith & Eisner 2005a,
Eq. 7), whose gradient is the difference of two expectations of the features (Eq. 10).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from fstce.estimation.annealing import Annealed
from fstce.estimation.journal import Journal
from fstce.estimation.prior import GaussianPrior
from fstce.numeric.types import Floats

Term = Callable[[Floats], tuple[float, Floats]]


class Objective:
    """Σ of terms + log prior, to be maximized.

    ``terms``: θ → (value in nats, gradient). ``denominators``: more terms, which hide nothing that is to be
    learnt: annealing leaves them alone. ``l1``: c of −c Σ|θ|, which maximization adds: it has no gradient
    where a weight is zero. ``journal``: keeps evaluations in files, so that a training that is killed can go
    on.

    >>> objective = Objective([lambda theta: (float(theta.sum()), np.ones_like(theta))], GaussianPrior(0.5))
    >>> objective.value_and_gradient(np.array([1.0]))
    (0.0, array([-1.]))
    """

    def __init__(
        self,
        terms: Sequence[Term],
        prior: GaussianPrior,
        denominators: Sequence[Term] = (),
        l1: float = 0.0,
    ) -> None:
        self.numerators = list(terms)
        self.denominators = list(denominators)
        self.prior = prior
        self.l1 = l1
        self.journal: Journal | None = None

    @property
    def terms(self) -> list[Term]:
        """All terms, without the prior."""
        return self.numerators + self.denominators

    def value_and_gradient(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient."""
        return self._sum(theta) if self.journal is None else self.journal.recall(self._sum, theta)

    __call__ = value_and_gradient

    def record(self, journal: Journal) -> None:
        """Keep the evaluations in a journal."""
        self.journal = journal

    def _sum(self, theta: Floats) -> tuple[float, Floats]:
        value, gradient = self.prior(theta)
        for term in self.terms:
            more, slope = term(theta)
            value += more
            gradient += slope  # the prior's own array
        return value, gradient

    def annealed(self, beta: float) -> Objective:
        """The objective at inverse temperature β."""
        cooled = [Annealed(term, beta) for term in self.numerators]
        return Objective(cooled, self.prior, self.denominators, self.l1)


def value_of(terms: Sequence[Term], theta: Floats) -> float:
    """Σ of the terms in nats; −∞ where one is, for −∞ in a numerator and a denominator is no number."""
    values = [term(theta)[0] for term in terms]
    return -np.inf if -np.inf in values else float(sum(values))
