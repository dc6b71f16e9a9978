"""Training as it goes: a bar on a terminal, else a line now and then, always on standard error.

The time left is an estimate. The relative change of the objective falls roughly
geometrically towards the tolerance; where it does not fall, the iteration limit is what
is certain, and the estimate says "at most".
"""

from __future__ import annotations

import math
import sys
from itertools import pairwise
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from fstce.cli.output import note, seconds

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from fstce.estimation.maximize import Step

WINDOW = 10  # iterations over which the decay is measured
EVERY = 10  # iterations between two lines
PAUSE = 5.0  # seconds between two lines


class Watcher(Protocol):
    """Shows the iterations while its block runs."""

    def __enter__(self) -> Watcher:
        """Begin."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""

    def __call__(self, step: Step) -> None:
        """Take note of an iteration."""


def watcher(tolerance: float, limit: int, quiet: bool = False) -> Watcher:
    """What shows the iterations here: a bar on a terminal, lines in a file, nothing if quiet."""
    if quiet:
        return Silent()
    forecast = Forecast(tolerance, limit)
    return Bar(forecast) if sys.stderr.isatty() else Lines(forecast)


class Forecast:
    """How many iterations are to come.

    Parameters
    ----------
    tolerance : float
        The relative change at which training stops.
    limit : int
        The greatest number of iterations.

    Examples
    --------
    >>> from fstce.estimation.maximize import Step
    >>> forecast = Forecast(tolerance=1e-6, limit=200)
    >>> for k, value in enumerate([-200.0, -110.0, -101.0, -100.1, -100.01]):
    ...     forecast.add(Step(k, value, 1.0, float(k)))
    >>> forecast.remaining(), forecast.time_left()
    (4, 'about 4.0 s left')
    """

    def __init__(self, tolerance: float, limit: int) -> None:
        self.tolerance = tolerance
        self.limit = limit
        self._steps: list[Step] = []

    def add(self, step: Step) -> None:
        """Take note of an iteration; number 0 begins anew, as each temperature of an annealing does."""
        self._steps = [*self._steps[-WINDOW:], step] if step.iteration else [step]

    def expected(self) -> float:
        """The iterations to come if the relative change keeps falling as it did; ∞ where it does not."""
        changes = [_relative_change(a, b) for a, b in pairwise(self._steps)]
        if len(changes) < 2 or changes[0] <= 0 or changes[-1] <= 0 or self.tolerance <= 0:
            return math.inf
        decay = math.log(changes[-1] / changes[0]) / (len(changes) - 1)
        return max(1.0, math.log(self.tolerance / changes[-1]) / decay) if decay < 0 else math.inf

    def remaining(self) -> int:
        """The expected iterations, never beyond the limit."""
        done = self._steps[-1].iteration if self._steps else 0
        return math.ceil(min(self.expected() - 1e-9, self.limit - done))

    def time_left(self) -> str:
        """An estimate in words, with "at most" where only the limit is known."""
        if len(self._steps) < 2:
            return ""
        last, certain = self._steps[-1], self.expected() < self.limit - self._steps[-1].iteration
        pace = last.seconds / last.iteration
        return f"{'about' if certain else 'at most'} {seconds(self.remaining() * pace)} left"


class Silent:
    """Shows nothing."""

    def __enter__(self) -> Silent:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is to be undone."""

    def __call__(self, step: Step) -> None:
        """Nothing is shown."""


class Lines(Silent):
    """A line every tenth iteration, or after five seconds."""

    def __init__(self, forecast: Forecast) -> None:
        self._forecast = forecast
        self._shown = -math.inf

    def __call__(self, step: Step) -> None:
        """Print a line if it is time for one."""
        self._forecast.add(step)
        if step.iteration % EVERY == 0 or step.seconds - self._shown >= PAUSE:
            self._shown = step.seconds
            note("  ".join(filter(None, (_line(step), self._forecast.time_left()))))


class Bar(Silent):
    """A bar over the iterations that are expected, the objective and the gradient beside it."""

    def __init__(self, forecast: Forecast) -> None:
        self._forecast = forecast
        self._progress, self._task = _progress(forecast.limit)

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the last state of the bar on the terminal, full where training came to its end."""
        bar = self._progress.tasks[0]
        self._progress.update(self._task, left="", total=bar.completed if error is None else bar.total)
        self._progress.stop()

    def __call__(self, step: Step) -> None:
        """Move the bar."""
        self._forecast.add(step)
        self._progress.update(
            self._task,
            completed=step.iteration,
            total=step.iteration + self._forecast.remaining(),
            line=_line(step),
            left=self._forecast.time_left(),
        )


def _progress(limit: int) -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(), TextColumn("{task.fields[line]}"), TextColumn("[dim]{task.fields[left]}[/dim]"))
    progress = Progress(*columns, console=Console(stderr=True))
    return progress, progress.add_task("", total=limit, line="", left="")


def _line(step: Step) -> str:
    return (
        f"iteration {step.iteration:3d}  objective {step.objective:,.3f}  |gradient| {step.gradient_norm:.3g}"
    )


def _relative_change(before: Step, after: Step) -> float:
    """The change by which training is stopped (nats over nats)."""
    size = max(abs(before.objective), abs(after.objective), 1.0)
    return abs(after.objective - before.objective) / size
