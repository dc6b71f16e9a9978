"""Maximization by L-BFGS, or of a likelihood by EM, with a monitor that the caller may replace.

Training stops when the objective's relative change falls to the tolerance, as in the
papers, or at an iteration limit. An interruption (Ctrl-C) loses nothing: the best
weights so far travel with the exception.

For EM the gradient of a log-linear term, E[counts], is the E-step, and the M-step normalizes it
(Dempster, Laird & Rubin 1977; for the tagger of Merialdo 1994, Smith & Eisner 2005a, §5.1).

Deterministic annealing is a row of smoother problems, each started where the last one ended: at
inverse temperature β the hidden structure's posterior is proportional to u^β, nearly uniform for
small β, the model's own at β = 1 (Rose 1998; Smith & Eisner 2004).
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

import numpy as np
from threadpoolctl import threadpool_limits

from fstce.errors import ParameterError
from fstce.numeric.types import Floats, Term, ValueAndGradient
from fstce.parameters.rules import check
from fstce.parameters.tables import BETAS, STOPPING
from fstce.processes.memory import check_room
from fstce.storage.state import typed

ROOM = 192 << 20  # bytes: what OpenBLAS and what is loaded with it take, measured: 174 MB
GROWTH = 1.2  # of the changes of EM's objective from step to step next to a saddle, at least
ROUNDING = 1e-12  # of an objective, relative
_STOPPED = {0: "converged", 1: "iteration limit", 99: "monitor"}  # by scipy's status


@dataclass(frozen=True)
class Step:
    """One iteration: its number, the objective (nats), the gradient's norm, seconds so far.

    Of a training in stages numbers and seconds run on, and `stage` says which it is.
    """

    iteration: int
    objective: float
    gradient_norm: float
    seconds: float
    stage: str = ""


class Monitor(Protocol):
    """Anything that wants to hear of the iterations."""

    def __call__(self, step: Step) -> None:
        """Called after every iteration, with the first at the start (iteration 0)."""


@dataclass
class Training:
    """The outcome of a maximization: the weights, its history, and why it stopped.

    ``objective``: their objective in nats. ``stopped``: ``monitor`` where the monitor raised
    StopIteration, ``saddle`` where a tagger's tags are alike. ``criterion``: the name of a
    criterion of the caller's own.
    """

    theta: Floats
    objective: float = -np.inf
    steps: list[Step] = field(default_factory=list)
    stopped: str = "interrupted"
    criterion: str = ""

    @property
    def iterations(self) -> int:
        """How many there were after the start."""
        return max((step.iteration for step in self.steps), default=0)

    def __repr__(self) -> str:
        return (
            f"<Training: {self.objective:,.2f} nats after {self.iterations} iterations, "
            f"{self.stopped}; {len(self.theta):,} weights>"
        )


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during training; `training` holds the best weights so far."""

    def __init__(self, training: Training) -> None:
        super().__init__("training was interrupted")
        self.training = training


def maximize(
    objective: Term,
    theta: Floats,
    *,
    tolerance: float = 1e-4,
    max_iterations: int = 200,
    monitor: Monitor | Course | None = None,
    history: int = 6,
) -> Training:
    """Climb from `theta` by L-BFGS.

    ``objective``: θ → (value, gradient); the value is maximized. ``tolerance``: the relative change
    of the objective at which to stop. ``max_iterations``: the greatest number of iterations.
    ``history``: the number of gradient pairs that L-BFGS keeps.
    """
    take_blas_buffers()
    from scipy.optimize import minimize  # takes half a second, which applying need not

    check(STOPPING, tolerance=tolerance, max_iterations=max_iterations)
    climb = _Climb(objective, theta, monitor)
    training = climb.training

    try:
        options = {
            "ftol": tolerance,
            "gtol": 1e-9,
            "maxcor": history,
            "maxfun": 100 * max_iterations,
            "maxiter": max_iterations,
        }
        # with more threads sums, and so the bits of θ, depend on their number
        with threadpool_limits(1, "blas"):
            result = minimize(
                climb.negative,
                theta,
                jac=True,
                method="L-BFGS-B",
                callback=climb.step,
                options=options,
            )
    except KeyboardInterrupt:
        raise Interrupted(training) from None

    training.stopped = _STOPPED.get(int(result.status), "line search")
    if training.stopped == "line search" and climb.iterations < 1:
        warnings.warn(
            "no step along the gradient raises the objective: is it the gradient of what is "
            "maximized, and its sign right?",
            stacklevel=2,
        )
    return training


@cache
def take_blas_buffers() -> None:
    """Have OpenBLAS take its buffers while there is room.

    Where it finds none, it waits for ever.
    """
    check_room(ROOM)
    from scipy.linalg.lapack import dpotrf  # takes a while; applying a model need not wait

    dpotrf(np.eye(2))


class Course:
    """The steps of a training in stages, numbered on, and who hears of them.

    `stage` is the one that runs.

    >>> course = Course()
    >>> for course.stage in ("first", "second"):
    ...     parabola = lambda theta: (-float(theta @ theta), -2 * theta)
    ...     _ = maximize(parabola, np.ones(1), monitor=course)
    >>> [(step.iteration, step.stage) for step in course.steps]
    [(0, 'first'), (1, 'first'), (2, 'second'), (3, 'second')]
    """

    def __init__(self, monitor: Monitor | None = None) -> None:
        self.monitor: Monitor | None = monitor
        self.stage: str = ""
        self.steps: list[Step] = []

    @classmethod
    def of(cls, monitor: Monitor | Course | None) -> Course:
        """The course that goes on, or one that begins."""
        return monitor if isinstance(monitor, Course) else cls(monitor)


class Recorder:
    """Keeps the best point and the course of a training, and reports to the monitor."""

    def __init__(self, theta: Floats, monitor: Monitor | Course | None) -> None:
        self._course = Course.of(monitor)
        self.training: Training = Training(theta.copy(), steps=self._course.steps)
        self._first = len(self.training.steps)
        self._began = time.perf_counter() - (
            self.training.steps[-1].seconds if self._first else 0.0
        )
        self._latest = -np.inf

    @property
    def iterations(self) -> int:
        """How many have ended; −1 before the first evaluation."""
        return len(self.training.steps) - self._first - 1

    def keep(self, theta: Floats, value: float) -> None:
        """Note a point and its value."""
        self._latest = value
        if value > self.training.objective:
            self.training.theta, self.training.objective = theta.copy(), value

    def report(self, norm: float) -> None:
        """Note that an iteration has ended at the point noted last."""
        seconds = time.perf_counter() - self._began
        step = Step(len(self.training.steps), self._latest, norm, seconds, self._course.stage)
        self.training.steps.append(step)
        if self._course.monitor is not None:
            self._course.monitor(step)


class _Climb(Recorder):
    """The objective as scipy wants it, its values recorded; the first is that of the start."""

    def __init__(self, objective: Term, theta: Floats, monitor: Monitor | Course | None) -> None:
        super().__init__(theta, monitor)
        self._objective, self._norm = objective, 0.0
        self._slope = np.zeros_like(theta)  # at the best point

    def negative(self, theta: Floats) -> ValueAndGradient:
        value, gradient = self._objective(theta)
        begins = self.iterations < 0
        if begins and not (np.isfinite(value) and np.all(np.isfinite(gradient))):
            raise ParameterError("the objective or its gradient is not finite at the start")
        best = self.training
        if not np.isfinite(value):  # a step so long that sums overflow: a search of shorter ones
            loss = abs(float(self._slope @ (theta - best.theta)))
            return loss - best.objective, np.zeros_like(theta)
        self.keep(theta, value)
        if value == best.objective:
            self._slope = gradient
        self._norm = float(np.linalg.norm(gradient))
        if begins:
            self.report(self._norm)
        return -value, -gradient

    def step(self, intermediate_result: object) -> None:
        self.report(self._norm)


def course(training: Training | None) -> dict[str, Any] | None:
    """The training without its seconds, so that equal models are equal files.

    With stages where there are some.
    """
    if training is None:
        return None
    steps = [
        (step.iteration, step.objective, step.gradient_norm, *([step.stage] if step.stage else []))
        for step in training.steps
    ]
    iterations = max(len(steps) - 1, 0)
    head = {"objective": training.objective, "iterations": iterations, "stopped": training.stopped}
    if training.criterion:
        head["criterion"] = training.criterion
    return {**head, "steps": steps}


def training_of(saved: Mapping[str, Any], theta: Floats) -> Training:
    """The training that :func:`course` wrote, with the weights that it left."""
    steps = []
    for iteration, value, norm, *named in saved["steps"]:
        for number in (value, norm):
            typed(number, "the course of the training", int, float)
        (stage,) = named or [""]
        typed(stage, "the stage of an iteration", str)
        steps.append(Step(typed(iteration, "an iteration", int), value, norm, math.nan, stage))
    objective = typed(saved["objective"], "the objective", int, float)
    stopped = typed(saved["stopped"], "the end of the training", str)
    criterion = typed(saved.get("criterion", ""), "the criterion", str)
    return Training(theta.copy(), objective, steps, stopped, criterion)


def expectation_maximization(
    likelihood: Term,
    normalize: Callable[[Floats], Floats],
    theta: Floats,
    *,
    tolerance: float = 1e-4,
    max_iterations: int = 200,
    monitor: Monitor | Course | None = None,
) -> Training:
    """Climb from `theta` by EM.

    Until the objective's relative change is at most the tolerance, and that of the step ahead no
    greater by a fifth.

    ``likelihood``: θ → (value, expected counts). ``normalize``: from counts to log-probabilities,
    the M-step. ``theta`` (features,): Log-probabilities; −inf for probabilities of zero, which stay
    zero. ``tolerance``, ``max_iterations``, ``monitor``: as in :func:`fstce.estimation.maximize`; a
    step's gradient norm is the Euclidean norm of the change of the probabilities.
    """
    check(STOPPING, tolerance=tolerance, max_iterations=max_iterations)
    record = Recorder(theta, monitor)
    try:
        value, counts = likelihood(theta)
        if not np.isfinite(value):
            raise ParameterError(
                "a sentence has probability zero under the weights at which EM starts"
            )
        record.keep(theta, value)
        record.report(0.0)

        for _ in range(max_iterations):
            previous = value
            before = theta
            theta = normalize(counts)
            value, counts = likelihood(theta)
            record.keep(theta, value)
            record.report(float(np.linalg.norm(np.exp(theta) - np.exp(before))))

            change = value - previous
            size = max(abs(previous), abs(value), 1.0)
            if abs(change) <= tolerance * size:
                # next to a saddle changes are small, too, but they grow
                ahead = likelihood(normalize(counts))[0] - value
                if ahead <= max(GROWTH * change, ROUNDING * size):
                    record.training.stopped = "converged"
                    break
        else:
            record.training.stopped = "iteration limit"
    except StopIteration:
        record.training.stopped = "monitor"
    except KeyboardInterrupt:
        raise Interrupted(record.training) from None
    return record.training


def checked_schedule(betas: Iterable[float]) -> tuple[float, ...]:
    """The inverse temperatures, if they rise to 1.

    >>> checked_schedule([0.25, 0.5, 1])
    (0.25, 0.5, 1.0)
    """
    schedule = tuple(betas) if isinstance(betas, Iterator) else betas
    BETAS.check(annealing=schedule)
    return tuple(map(float, schedule))
