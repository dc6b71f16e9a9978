"""Trials as they end: a bar on a terminal, else a line for each, always on standard error.

The time left is judged by the trials of this run; those found in the log took none of it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from fstce.cli.output import count, note, seconds

if TYPE_CHECKING:
    from rich.progress import Progress

Record = dict[str, Any]
Describe = Callable[[Record], str]


def trial_watcher(label: str, describe: Describe, quiet: bool = False) -> TrialWatcher:
    """What shows the trials here, as a monitor of `run_trials` while its block runs.

    Parameters
    ----------
    label : str
        What the trials are for.
    describe : callable
        From the record of a trial that has a result to a few words; a failed one is told by
        its settings and its message.
    quiet : bool
        Show nothing.

    Examples
    --------
    >>> from fstce.processes.trials import Group, run_trials
    >>> with trial_watcher("powers", lambda record: str(record["result"]), quiet=True) as monitor:
    ...     _ = run_trials([Group({}, [{"n": 2}])], lambda shared: lambda trial: {}, monitor=monitor)
    """
    if quiet:
        return TrialWatcher(label, describe)
    return TrialBar(label, describe) if sys.stderr.isatty() else TrialLines(label, describe)


class Pace:
    """How long the trials to come will take, if they take as long as those of this run.

    Examples
    --------
    >>> clock = iter([0.0, 30.0, 40.0])
    >>> pace = Pace(done=5, total=8, clock=lambda: next(clock))
    >>> pace.left(6), pace.left(7), pace.left(8)
    ('about 1 min 0 s left', 'about 20 s left', '')
    """

    def __init__(self, done: int, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._found, self._total, self._clock = done, total, clock
        self._began = clock()

    def left(self, done: int) -> str:
        """An estimate in words; nothing before the first trial of this run and after the last."""
        if not self._found < done < self._total:
            return ""
        each = (self._clock() - self._began) / (done - self._found)
        return f"about {seconds(each * (self._total - done))} left"


class TrialWatcher:
    """Shows nothing: what lines and the bar have in common."""

    def __init__(self, label: str, describe: Describe) -> None:
        self.label = label
        self.describe = describe
        self.pace = Pace(0, 0)

    def __enter__(self) -> TrialWatcher:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is to be undone."""

    def __call__(self, done: int, total: int, record: Record | None) -> None:
        """Take note of the beginning, or of a trial that has ended."""
        if record is None:
            self.pace = Pace(done, total)
            self.begin(done, total)
        elif "error" in record:
            self.warn(f"warning: [{done}/{total}] {_failure(record)}")
            self.step(done, total, "")
        else:
            self.step(done, total, f"{self.describe(record)}  {seconds(record['seconds'])}")

    def warn(self, line: str) -> None:
        """Show a failure."""

    def begin(self, done: int, total: int) -> None:
        """Show how much is to do."""

    def step(self, done: int, total: int, line: str) -> None:
        """Show a trial that has ended; without a line if it failed."""


class TrialLines(TrialWatcher):
    """A line for each trial."""

    def warn(self, line: str) -> None:
        """Print a failure."""
        note(line)

    def begin(self, done: int, total: int) -> None:
        """Print how much is to do."""
        found = f", {done:,} of them found in the log" if done else ""
        note(f"{self.label}: {count(total, 'trial')}{found}")

    def step(self, done: int, total: int, line: str) -> None:
        """Print the line of a trial."""
        if line:
            note("  ".join(filter(None, (f"[{done}/{total}] {line}", self.pace.left(done)))))


class TrialBar(TrialWatcher):
    """A bar over the trials, the last one beside it, failures above it."""

    def __init__(self, label: str, describe: Describe) -> None:
        super().__init__(label, describe)
        self._line = ""
        self._progress = _progress()
        self._task = self._progress.add_task(label, total=None, line="", left="")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the last state of the bar on the terminal."""
        self._progress.update(self._task, left="")
        self._progress.stop()

    def warn(self, line: str) -> None:
        """Print a failure above the bar."""
        from rich.text import Text

        self._progress.console.print(Text(line, style="yellow"), soft_wrap=True)

    def begin(self, done: int, total: int) -> None:
        """Show the bar with what was found in the log."""
        self._progress.update(self._task, completed=done, total=total)
        self._progress.start()

    def step(self, done: int, total: int, line: str) -> None:
        """Move the bar."""
        self._line = line or self._line
        self._progress.update(
            self._task, completed=done, line=self._line, left=self.pace.left(done), refresh=True
        )


def _progress() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.table import Column

    def text(field: str, **style: Any) -> TextColumn:
        return TextColumn(f"{{{field}}}", markup=False, table_column=Column(no_wrap=True), **style)

    # No thread redraws the bar and nothing is put before the streams: workers are forked
    # from this process, and would inherit a lock that is held or a stream that draws.
    return Progress(
        text("task.description"),
        BarColumn(),
        MofNCompleteColumn(),
        text("task.fields[line]"),
        text("task.fields[left]", style="dim"),
        console=Console(stderr=True),
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    )


def _failure(record: Record) -> str:
    """The settings of a failed trial and what went wrong."""
    settings = " ".join(f"{name}={value}" for name, value in record["settings"].items())
    return f"{settings}: failed: {record['error']}"
