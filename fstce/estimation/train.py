"""Training as every estimator does it: L-BFGS or EM, at one temperature or several."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import partial
from typing import Any

from fstce.errors import NothingToLearn
from fstce.estimation.annealing import anneal
from fstce.estimation.averaged import AveragedObjective
from fstce.estimation.likelihood import Likelihood, expectation_maximization
from fstce.estimation.maximize import Monitor, Training, maximize
from fstce.estimation.objective import Objective
from fstce.estimation.prior import GaussianPrior
from fstce.numeric.types import Floats

_CERTAIN = 1e-6  # nats: rounding of sums over a whole corpus


def train(
    objective: Objective | Likelihood,
    theta: Floats,
    annealing: Iterable[float] | None = None,
    monitor: Monitor | None = None,
    **rule: Any,
) -> Training:
    """Climb from `theta`: a likelihood by EM, any other objective by L-BFGS, an averaged one by its experts.

    ``theta`` is (features,). ``annealing``: inverse temperatures that rise to 1. ``**rule``: ``tolerance``
    and ``max_iterations``, as in :func:`maximize`.
    """

    if isinstance(objective, AveragedObjective):
        return objective.train(theta, partial(train, annealing=annealing, **rule), monitor)

    def climb(beta: float, start: Floats, listener: Monitor | None) -> Training:
        problem = objective if beta == 1 else objective.annealed(beta)
        if isinstance(problem, Likelihood):
            return expectation_maximization(problem, start, monitor=listener, **rule)
        return _something_learnt(maximize(problem, start, l1=problem.l1, monitor=listener, **rule), problem)

    return climb(1.0, theta, monitor) if annealing is None else anneal(climb, annealing, theta, monitor)


def _something_learnt(training: Training, problem: Objective) -> Training:
    """The training itself; a warning where every sentence had all of the probability from the start."""
    certain = training.steps and abs(training.steps[0].objective) < _CERTAIN
    if certain and problem.denominators and not training.iterations:
        warnings.warn(
            NothingToLearn(
                "nothing to learn: what each sentence is contrasted with is the sentence alone; choose a "
                "neighbourhood that exchanges its words (fstce neighborhood show NAME SENTENCE lists them)"
            ),
            stacklevel=2,
        )
    return training


def with_smoothing(
    compiled: Objective | Likelihood, *, sigma2: float | None, smoothing: float
) -> Objective | Likelihood:
    """What was compiled once, under another prior: λ for a likelihood, else σ² around the same mean."""
    if isinstance(compiled, Likelihood):
        return Likelihood(compiled.terms, compiled.multinomials, smoothing)
    prior = GaussianPrior(sigma2, compiled.prior.mean)
    whole = Objective(compiled.numerators, prior, compiled.denominators, compiled.l1)
    if not isinstance(compiled, AveragedObjective):
        return whole
    smoothed = [with_smoothing(one.objective, sigma2=sigma2, smoothing=smoothing) for one in compiled.experts]
    parts = zip(compiled.experts, smoothed, strict=True)
    return AveragedObjective(whole, [one._replace(objective=part) for one, part in parts])
