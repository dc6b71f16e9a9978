"""Several objectives over the same weights, trained one by one: the model is the mean of what they learn.

The mean of the weights of log-linear models is the geometric mean of the models,
p(x, y) ∝ Π p_k(x, y)^(s_k), a product of experts with shares s_k that sum to one (Hinton 2002;
Smith, Cohn & Osborne 2005 for sequence models): one log-linear model again. An HMM is among those
models where its log-probabilities are taken for weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from fstce.estimation.journal import Journal
from fstce.estimation.likelihood import Likelihood
from fstce.estimation.maximize import Interrupted, Monitor, Training
from fstce.estimation.objective import Objective
from fstce.estimation.schedule import Schedule
from fstce.numeric.types import Floats

LEAST = -30.0  # of a mean: a probability of zero forbids nothing that other members allow


class Expert(NamedTuple):
    """One of the models.

    ``share``: how much its weights count beside those of the others.
    """

    name: str
    share: float
    objective: Objective | Likelihood


class AveragedObjective(Objective):
    """An objective whose training climbs that of each expert and takes the mean of their weights.

    ``whole``: what is evaluated, without a part in the training. ``experts``: in the order in which they are
    trained.

    >>> from fstce.estimation.prior import GaussianPrior
    >>> def pull(to):
    ...     return Objective([lambda theta: (float(to * theta.sum()), np.full(1, to))], GaussianPrior(1.0))
    >>> both = AveragedObjective(pull(5.0), [Expert("one", 1, pull(1.0)), Expert("two", 3, pull(5.0))])
    >>> both.train(np.zeros(1), lambda one, theta, monitor: Training(theta + one(theta)[1], 0.0)).theta
    array([4.])
    """

    def __init__(self, whole: Objective, experts: Sequence[Expert]) -> None:
        self.experts = list(experts)
        super().__init__(whole.numerators, whole.prior, whole.denominators, whole.l1)

    def record(self, journal: Journal) -> None:
        """Keep the evaluations of all experts in one journal, one after the other."""
        self.journal = journal
        for expert in self.experts:
            expert.objective.record(journal)

    def train(
        self, theta: Floats, train: Callable[..., Training], monitor: Monitor | None = None
    ) -> Training:
        """Train every expert from the same weights; of a likelihood they are made log-probabilities.

        ``theta`` is (features,). ``train``: of an objective, its start and ``monitor=``. ``monitor``: called
        after every iteration; its steps run on and name the expert. Returns the mean of the weights, with the
        objective of the last expert and the steps of all.
        """
        stages, stopped = Schedule(monitor), "converged"
        learnt: list[Floats] = []
        for expert in self.experts:
            start = _start(expert.objective, theta)
            try:
                training = stages.run(
                    expert.name,
                    lambda on, one=expert, at=start: train(one.objective, at, monitor=on),  # type: ignore[misc]
                )
            except Interrupted as interruption:
                interruption.training.theta = self._mean([*learnt, interruption.training.theta])
                raise
            learnt.append(training.theta)
            stopped = training.stopped if stopped == "converged" else stopped
        training.theta, training.stopped = self._mean(learnt), stopped
        return training

    def _mean(self, learnt: Sequence[Floats]) -> Floats:
        # θ = Σ_k s_k θ_k / Σ_k s_k, (features,)
        share = np.array([expert.share for expert in self.experts[: len(learnt)]], dtype=np.float64)
        whole = sum(
            s * np.maximum(theta, LEAST) for s, theta in zip(share / share.sum(), learnt, strict=True)
        )
        return np.asarray(whole)


def _start(objective: Objective | Likelihood, theta: Floats) -> Floats:
    if isinstance(objective, Likelihood):
        return objective.multinomials.normalize(np.exp(theta))
    return theta
