"""Training with rules of attachment in stages: first without them, then with all edges that can obey.

Rules say which tag may govern which, and little of order: of the trees that obey, which are many,
EM finds those near its start. A grammar learnt from the same text without rules tells on which side
of its kids a head mostly stands. So the rules come second:

1. a grammar without the rules, θ_F, by EM from the start by headedness;
2. EM under the bound, from the trees that obey, heads on the side where θ_F has most of them: θ_S;
3. where θ_F alone obeys nearly as often as trees can, and EM without the rules from θ_S ends below it,
   the text has said what the rules say, and better: θ_F stands.

Measured in ``docs/results/dependencies.md``, each stage alone too.
"""

from __future__ import annotations

import numpy as np

from fstce.chart import DependencyModel
from fstce.estimation.constraint import Constrained
from fstce.estimation.likelihood import Likelihood, expectation_maximization
from fstce.estimation.maximize import Training
from fstce.grammars.dmv import LEFT, RIGHT
from fstce.numeric.types import Floats

STRENGTH = 20.0  # nats an attachment that obeys, before anything is learnt
SIDE = 1.0  # nats a link on the commoner side
SMOOTHING = 1.0  # added to every count
ENOUGH = 0.8  # of the edges that can obey


class Staged:
    """The sums of a corpus with its rules, and without them.

    Parameters
    ----------
    model : DependencyModel
    constraint : Constrained
        The corpus' sums under the rules.
    objective : Likelihood
        What is to be maximized with them.

    Attributes
    ----------
    free : Likelihood
        What is maximized without them.

    Examples
    --------
    >>> from fstce import DependencyParser
    >>> parser = DependencyParser(attachment_rules="penn")
    >>> objective = parser.compile([["DT", "NN", "VBD"]])
    >>> staged = Staged(parser.model_, objective.terms[0], objective)
    >>> start = staged.start(parser.initial_weights())
    >>> np.exp(start[:3]).round(2).tolist()
    [0.25, 0.25, 0.5]
    """

    def __init__(self, model: DependencyModel, constraint: Constrained, objective: Likelihood) -> None:
        self.model, self.constraint = model, constraint
        self.free = Likelihood(constraint.terms, objective.multinomials, objective.smoothing)

    def start(self, free: Floats) -> Floats:
        """Log-probabilities of trees that obey, heads on the side where θ_F has most of them."""
        counts, tags = self._counts(free), np.arange(self.model.n_tags)
        left, right = (self.model.kid(tags[:, None], tags, side) for side in (LEFT, RIGHT))
        theta = STRENGTH * self.constraint.rewarded
        theta[right] += SIDE * np.sign(counts[right].sum() - counts[left].sum())
        return self.model.log_probabilities(self._counts(theta) + SMOOTHING)

    def obeys(self, free: Floats) -> bool:
        """Whether θ_F, which knows no rule, has ENOUGH of the edges that can obey."""
        own, counts = self.constraint, self._counts(free)
        most = Constrained(own.terms, own.rewarded, own.counted, 1.0)
        most(free)
        return bool(own.rewarded @ counts >= ENOUGH * most.reached * (own.counted @ counts))

    def stands(self, free: Training, ruled: Floats, tolerance: float, max_iterations: int) -> bool:
        """Whether θ_F serves as it is: it obeys, and EM without the rules from θ_S does not pass it."""
        if not self.obeys(free.theta):
            return False
        onward = expectation_maximization(
            self.free, ruled, tolerance=tolerance, max_iterations=max_iterations
        )
        return onward.objective < free.objective

    def _counts(self, theta: Floats) -> Floats:
        """Expected counts without the rules."""
        return np.sum([term(theta)[1] for term in self.constraint.terms], axis=0)
