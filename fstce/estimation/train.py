"""Training as every estimator does it: L-BFGS or EM, at one temperature or several, of one model or the mean.

Deterministic annealing is a row of smoother problems, each started where the last one ended: at inverse
temperature β the hidden structure's posterior is proportional to u^β, nearly uniform for small β, the
model's own at β = 1 (Rose 1998; Smith & Eisner 2004). Only the numerators hide something that is to be
learned, so only they are annealed: contrastive estimation then begins with an objective nearly concave.

The mean of the weights of log-linear models is the geometric mean of the models, p(x, y) ∝ Π p_k(x, y)^(s_k),
a product of experts with shares s_k that sum to one (Hinton 2002; Smith, Cohn & Osborne 2005 for sequence
models): one log-linear model again. An HMM is among those models where its log-probabilities are taken for
weights.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from fstce.errors import NothingToLearn
from fstce.estimation.journal import Journal
from fstce.estimation.maximize import Interrupted, Monitor, Step, Training, expectation_maximization, maximize
from fstce.estimation.objective import GaussianPrior, Likelihood, Objective
from fstce.estimation.rules import BETAS
from fstce.numeric.types import Floats

LEAST = -30.0  # of a mean: a probability of zero forbids nothing that other members allow
_CERTAIN = 1e-6  # nats: rounding of sums over a whole corpus


class Schedule:
    """The course of a training in stages; a stage's number 0 is the one after the last of the stage before.

    >>> def train(monitor):
    ...     for k in range(2):
    ...         monitor(Step(k, -1.0, 0.0, 0.5 * k))
    ...     return Training(None)
    >>> schedule = Schedule()
    >>> _ = schedule.run("first", train), schedule.run("second", train)
    >>> [(step.iteration, step.seconds, step.stage) for step in schedule.steps]
    [(0, 0.0, 'first'), (1, 0.5, 'first'), (2, 0.5, 'second'), (3, 1.0, 'second')]
    """

    def __init__(self, monitor: Monitor | None = None) -> None:
        self.steps: list[Step] = []
        self._monitor = monitor

    def run(self, stage: str, train: Callable[[Monitor], Training]) -> Training:
        """Run a stage, which gets a monitor: its training, with the steps of all stages so far."""
        done, seconds = (self.steps[-1].iteration + 1, self.steps[-1].seconds) if self.steps else (0, 0.0)

        def on(step: Step) -> None:
            number, clock = done + step.iteration, seconds + step.seconds
            name = f"{stage}, {step.stage}" if step.stage else stage
            self.steps.append(replace(step, iteration=number, seconds=clock, stage=name))
            if self._monitor is not None:
                self._monitor(self.steps[-1])

        try:
            training = train(on)
        except Interrupted as interruption:
            interruption.training.steps = list(self.steps)
            raise
        training.steps = list(self.steps)
        return training


def checked_schedule(betas: Iterable[float]) -> tuple[float, ...]:
    """The inverse temperatures, if they rise to 1.

    >>> checked_schedule([0.25, 0.5, 1])
    (0.25, 0.5, 1.0)
    """
    schedule = tuple(betas) if isinstance(betas, Iterator) else betas
    BETAS.check(annealing=schedule)
    return tuple(map(float, schedule))


def anneal(
    train: Callable[[float, Floats, Monitor], Training],
    betas: Iterable[float],
    theta: Floats,
    monitor: Monitor | None = None,
) -> Training:
    """Train at each inverse temperature in turn.

    ``betas``: rising to 1. ``monitor``: called after every iteration of every temperature, a stage each.
    Returns the last one's weights and objective, with the steps of all numbered on.
    """
    stages, training = Schedule(monitor), Training(theta)
    for beta in checked_schedule(betas):
        training = stages.run(f"β = {beta:g}", partial(train, beta, training.theta))
    return training


class Expert(NamedTuple):
    """One of the models.

    ``share``: how much its weights count against those of the others.
    """

    name: str
    share: float
    objective: Objective | Likelihood


class AveragedObjective(Objective):
    """An objective whose training climbs that of each expert and takes the mean of their weights.

    ``whole``: what is evaluated, without a part in the training. ``experts``: in the order in which they are
    trained.

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
            start = theta
            if isinstance(expert.objective, Likelihood):
                start = expert.objective.multinomials.normalize(np.exp(theta))
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
                "neighborhood that exchanges its words (fstce neighborhood show NAME SENTENCE lists them)"
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
