"""How long a run still takes: trials and sentences by their pace, trainings by how they converge."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from fstce.console.output import seconds

if TYPE_CHECKING:
    from fstce.estimation.maximize import Step
    from fstce.latent.training.schedule import EMStep, Schedule, Stage

WINDOW = 10  # iterations over which the decay of the changes is measured
SPLIT_WINDOW = 20  # iterations of split-merge training over which the pace is measured
_GROWTH = 0.004


class Pace:
    """How long what is to come will take, if each takes as long as those of this run.

    ``done``, ``total``: how many there were before this run, and how many there are to be; a total of 0 is
    not known.

    >>> clock = iter([0.0, 30.0, 40.0])
    >>> pace = Pace(done=5, total=8, clock=lambda: next(clock))
    >>> pace.left(6), pace.left(7), pace.left(8)
    ('about 1 min 0 s left', 'about 20 s left', '')
    """

    def __init__(self, done: int, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._found, self._total, self._clock = done, total, clock
        self._began = clock()

    def left(self, done: int) -> str:
        """An estimate in words; nothing before the first of this run and after the last."""
        if not self._found < done < self._total:
            return ""
        return f"about {seconds(self.elapsed() / (done - self._found) * (self._total - done))} left"

    def rate(self, done: int) -> float:
        """How many a second there were in this run."""
        return (done - self._found) / max(self.elapsed(), 1e-9)

    def elapsed(self) -> float:
        """Seconds since this run began."""
        return self._clock() - self._began


class Convergence:
    """How many iterations of a training are to come.

    The relative change of the objective falls roughly geometrically towards the tolerance;
    where it does not fall, the iteration limit is what is certain, and the estimate says
    "at most".

    ``tolerance``: the relative change at which training stops. ``limit``: the greatest number of iterations.

    >>> from fstce.estimation.maximize import Step
    >>> forecast = Convergence(tolerance=1e-6, limit=200)
    >>> for k, value in enumerate([-200.0, -110.0, -101.0, -100.1, -100.01]):
    ...     forecast.add(Step(k, value, 1.0, float(k)))
    >>> forecast.remaining(), forecast.time_left()
    (4, 'about 4.0 s left')
    """

    def __init__(self, tolerance: float, limit: int) -> None:
        self.tolerance = tolerance
        self.limit = limit
        self._steps: list[Step] = []
        self._begun = 0

    def add(self, step: Step) -> None:
        """Take note of an iteration; each stage of a training has the limit anew."""
        if step.iteration and step.stage == self._steps[-1].stage:
            self._steps = [*self._steps[-WINDOW:], step]
        else:
            self._steps, self._begun = [step], step.iteration

    def expected(self) -> float:
        """The iterations to come if the relative change keeps falling as it did; ∞ where it does not."""
        changes = [_relative_change(a, b) for a, b in pairwise(self._steps)]
        if len(changes) < 2 or changes[0] <= 0 or changes[-1] <= 0 or self.tolerance <= 0:
            return math.inf
        decay = math.log(changes[-1] / changes[0]) / (len(changes) - 1)
        return max(1.0, math.log(self.tolerance / changes[-1]) / decay) if decay < 0 else math.inf

    def remaining(self) -> int:
        """The expected iterations, never beyond the limit."""
        done = self._steps[-1].iteration - self._begun if self._steps else 0
        return math.ceil(min(self.expected() - 1e-9, self.limit - done))

    def time_left(self) -> str:
        """An estimate in words, with "at most" where only the limit is known."""
        if len(self._steps) < 2:
            return ""
        last = self._steps[-1]
        certain = self.expected() < self.limit - (last.iteration - self._begun)
        pace = last.seconds / last.iteration
        return f"{'about' if certain else 'at most'} {seconds(self.remaining() * pace)} left"


class SplitMergeWork:
    """How much of a latent grammar's training is done, and how long the rest will take.

    An iteration takes the longer the more subcategories there are. With x of them for each
    one of the treebank's, it takes about 1 + 0.004 x³ times what it takes without any split,
    as measured on the Penn Treebank sample; the time left is that share of the pace of the
    last iterations.

    ``total``: the work of the whole training, in iterations of the unsplit grammar.

    >>> from fstce.latent.training.schedule import EMStep, Schedule
    >>> work = SplitMergeWork(Schedule(cycles=1, split_iterations=8, merge_iterations=0, smooth_iterations=0))
    >>> for k in range(4):
    ...     work.add(EMStep(1, "split", k, -100.0, 9, seconds=2.0 * k))
    >>> work.done / work.total, work.time_left()
    (0.5, 'about 8.0 s left')
    """

    def __init__(self, schedule: Schedule) -> None:
        self.done = self.total = 0.0
        self._begins: dict[tuple[int, Stage], tuple[float, float]] = {}
        self._marks: deque[tuple[float, float]] = deque(maxlen=SPLIT_WINDOW)
        kept = 2.0 - schedule.merged
        for cycle in range(1, schedule.cycles + 1):
            sizes: tuple[tuple[Stage, int, float], ...] = (
                ("split", schedule.split_iterations, 2.0 * kept ** (cycle - 1)),
                ("merge", schedule.merge_iterations, kept**cycle),
                ("smooth", schedule.smooth_iterations, kept**cycle),
            )
            for stage, iterations, size in sizes:
                work = 1.0 + _GROWTH * size**3
                self._begins[cycle, stage] = self.total, work
                self.total += iterations * work

    def add(self, step: EMStep) -> None:
        """Take note of an iteration."""
        before, work = self._begins[step.cycle, step.stage]
        self.done = before + (step.iteration + 1) * work
        self._marks.append((step.seconds, self.done))

    def time_left(self) -> str:
        """An estimate in words; nothing before the second iteration and after the last."""
        (began, some), (now, more) = self._marks[0], self._marks[-1]
        rest = self.total - self.done
        if more <= some or rest < 1e-9 * self.total:
            return ""
        return f"about {seconds((now - began) / (more - some) * rest)} left"


def _relative_change(before: Step, after: Step) -> float:
    """The change by which training is stopped (nats over nats)."""
    size = max(abs(before.objective), abs(after.objective), 1.0)
    return abs(after.objective - before.objective) / size
