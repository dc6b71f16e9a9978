"""The training of a grammar as it goes: a bar on a terminal, else a line now and then, on standard error.

An iteration takes the longer the more subcategories there are. With x of them for each one
of the treebank's, it takes about 1 + 0.004 x³ times what it takes without any split, as
measured on the Penn Treebank sample; the time left is that share of the pace of the last
iterations.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fstce.cli.output import count, note, seconds

if TYPE_CHECKING:
    from rich.progress import Progress

    from fstce.latent.training.schedule import EMMonitor, EMStep, Schedule, Stage

PAUSE = 5.0  # seconds between two lines
WINDOW = 20  # iterations over which the pace is measured
_GROWTH = 0.004


class Forecast:
    """How much work is done, and how long the rest will take.

    Parameters
    ----------
    schedule : Schedule

    Attributes
    ----------
    total : float
        The work of the whole training, in iterations of the unsplit grammar.

    Examples
    --------
    >>> from fstce.latent.training.schedule import EMStep, Schedule
    >>> forecast = Forecast(Schedule(cycles=1, split_iterations=8, merge_iterations=0, smooth_iterations=0))
    >>> for k in range(4):
    ...     forecast.add(EMStep(1, "split", k, -100.0, 9, seconds=2.0 * k))
    >>> forecast.done / forecast.total, forecast.time_left()
    (0.5, 'about 8.0 s left')
    """

    def __init__(self, schedule: Schedule) -> None:
        self.done = self.total = 0.0
        self._begins: dict[tuple[int, Stage], tuple[float, float]] = {}
        self._marks: deque[tuple[float, float]] = deque(maxlen=WINDOW)
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


class Lines:
    """A line for the end of each stage, and one after five seconds."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.forecast = Forecast(schedule)
        self._shown = 0.0

    def __call__(self, step: EMStep) -> None:
        """Take note of an iteration."""
        self.forecast.add(step)
        stage = f"cycle {step.cycle} of {self.schedule.cycles}, {step.stage}"
        if step.warning:
            self.warn(f"warning: {stage} {step.iteration + 1}: {step.warning}")
        self.show(step, stage, getattr(self.schedule, f"{step.stage}_iterations"))

    def warn(self, line: str) -> None:
        """Print a warning."""
        note(line)

    def show(self, step: EMStep, stage: str, iterations: int) -> None:
        """Print a line if it is time for one."""
        done = step.iteration + 1
        if done == iterations or step.seconds - self._shown >= PAUSE:
            self._shown = step.seconds
            size = count(step.subcategories, "subcategory", "subcategories")
            fit = f"log-likelihood {step.log_likelihood:,.0f} nats"
            line = (f"{stage} {done} of {iterations}", size, fit, self.forecast.time_left())
            note("  ".join(filter(None, line)))


class Bar(Lines):
    """A bar over the work, the iteration and the time left beside it."""

    def __init__(self, schedule: Schedule, progress: Progress) -> None:
        super().__init__(schedule)
        self._progress = progress
        self._task = progress.add_task("", total=self.forecast.total, line="", left="")

    def warn(self, line: str) -> None:
        """Print a warning above the bar."""
        from rich.text import Text

        self._progress.console.print(Text(line, style="yellow"), soft_wrap=True)

    def show(self, step: EMStep, stage: str, iterations: int) -> None:
        """Move the bar."""
        self._progress.update(
            self._task,
            completed=self.forecast.done,
            line=f"{stage} {step.iteration + 1}/{iterations}  {step.log_likelihood:,.0f} nats",
            left=self.forecast.time_left(),
        )

    def end(self) -> None:
        """Leave the last state of the bar on the terminal."""
        self._progress.update(self._task, left="")


@contextmanager
def training_shown(schedule: Schedule, quiet: bool) -> Iterator[EMMonitor | None]:
    """A monitor that shows the iterations while the block runs; None if quiet."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        with _progress() as progress:
            bar = Bar(schedule, progress)
            try:
                yield bar
            finally:
                bar.end()
    else:
        yield Lines(schedule)


def _progress() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    whole = Column(no_wrap=True)
    columns = (TextColumn(f"{{task.fields[{name}]}}", table_column=whole) for name in ("line", "left"))
    return Progress(BarColumn(), *columns, console=Console(stderr=True))
