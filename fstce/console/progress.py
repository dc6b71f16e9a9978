"""What takes long as it goes, on standard error: a bar on a terminal, else a line now and then.

`Display` shows what is done, a line about it and the time left as rich's progress judges it by the
pace of this run. `training_shown`, `trials_shown` and `sentences_shown` feed one while their blocks
run; the kinds of model whose training goes otherwise feed their own.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fstce.console.output import count, is_quiet, note, remark, seconds

if TYPE_CHECKING:
    from rich.progress import Progress

    from fstce.estimation.maximize import Step
    from fstce.estimation.resources import Forecast

PAUSE = 5.0  # seconds between two lines
REDRAWN = 0.1  # seconds between two states of a bar
EVERY = 10  # iterations of a training between two lines

Record = dict[str, Any]
Describe = Callable[[Record], str]
TrialMonitor = Callable[[int, int, "Record | None"], None]


def now() -> float:
    """Seconds on the clock of the displays."""
    return time.monotonic()


class Display:
    """A bar on a terminal, lines in a file, nothing with --quiet.

    ``bounded``: whether it may all be done sooner, so that the time left is the most that it can
    be. ``hidden``: whether there is nothing either way.
    """

    def __init__(self, label: str = "", *, bounded: bool = False, hidden: bool = False) -> None:
        self._quiet = hidden or is_quiet()
        self.on_terminal: bool = not self._quiet and sys.stderr.isatty()
        self._word = ("about", "at most")[bounded]
        self._last = now()
        self._progress = _progress(self.on_terminal)
        self._progress.add_task("", total=None, label=label, line="", left="")

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the last state of the bar on the terminal."""
        if self._progress.live.is_started:
            self._update(left="")
            self._progress.stop()

    def _update(self, **what: Any) -> None:
        self._progress.update(self._progress.tasks[0].id, **what)

    def show(self, done: float, total: float | None, line: str, mark: bool = False) -> None:
        """Show how much is done, in words too, and the time left; a total of None is not known.

        Lines are printed at marks and after five seconds; a bar is drawn at marks, and now and
        then. Without a line nothing is printed, and a bar keeps the line that it has.
        """
        if self._quiet:
            return

        task = self._progress.tasks[0]
        if total is None:
            task.total = None  # which `update` takes for no change

        self._update(completed=done, total=total)
        fields = {"left": ""}
        if task.time_remaining:
            fields["left"] = f"{self._word} {seconds(task.time_remaining)} left"
        if line:
            fields["line"] = line
        self._update(**fields)
        self._progress.start()
        pause = (PAUSE, REDRAWN)[self.on_terminal]
        if not mark and now() - self._last < pause:
            return

        self._last = now()
        self._progress.refresh()
        if line and not self.on_terminal:
            note("  ".join(filter(None, (line, fields["left"]))))

    def warn(self, line: str) -> None:
        """Show what went wrong, above the bar."""
        if self.on_terminal:
            self._progress.console.print(
                line, style="yellow", markup=False, highlight=False, soft_wrap=True
            )
        elif not self._quiet:
            note(line)

    def fill(self) -> None:
        """All is done, sooner than was foreseen."""
        self._update(total=self._progress.tasks[0].completed)


def _progress(drawn: bool) -> Progress:
    """A display that tells the time left of all of a run, with a bar where there is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    def text(field: str, **style: Any) -> TextColumn:
        column = Column(no_wrap=True)
        return TextColumn(f"{{task.fields[{field}]}}", markup=False, table_column=column, **style)

    # No thread redraws the bar and nothing is put before the streams: workers are forked
    # from this process, and would inherit a lock that is held or a stream that draws.
    return Progress(
        text("label"),
        BarColumn(),
        text("line"),
        text("left", style="dim"),
        console=Console(stderr=True),
        disable=not drawn,
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
        speed_estimate_period=float("inf"),
        get_time=now,
    )


class TrainingShown:
    """Shows the iterations of a training, what it builds before, and what it does besides."""

    def __init__(self, display: Display, limit: int) -> None:
        self._shown = display
        self._limit = limit
        self._last = ""
        self._built = 0

    def __call__(self, step: Step) -> None:
        """Show an iteration, its objective and gradient, now and then."""
        stage = f"{step.stage}: " if step.stage else ""
        fit = f"objective {step.objective:,.3f}  |gradient| {step.gradient_norm:.3g}"
        line = f"{stage}iteration {step.iteration:3d}  {fit}"
        self._shown.show(step.iteration, self._limit, line, step.iteration % EVERY == 0)

    def reached(self, what: str, done: int, total: int | None) -> None:
        """Show what is being done as it begins, and then, now and then, how much of it is done."""
        begins = what != self._last
        self._last = what
        line = what
        if done:
            line += f": {done:,}"
        if done and total is not None:
            line += f" of {total:,}"
        self._shown.show(done, total, line, begins)

    def built(self, sentences: int, words: int) -> None:
        """Show that the automata of so many sentences more are there."""
        what = "automata of distinct sentences"
        if self._last != what:
            self._built = 0
        self._built += sentences
        self.reached(what, self._built, None)

    def planned(self, forecast: Forecast) -> None:
        """Say how large automata will be, and that a budget cannot be kept, where that is so."""
        if not forecast.arcs:
            return
        if forecast.least:
            remark(
                f"the training takes about {forecast.least / 1e6:,.0f} MB wherever its automata "
                "lie: more than --memory says"
            )

        size = f"{max(forecast.nbytes / 1e9, 0.1):,.1f} GB"  # what is less is as good as nothing
        where = "mapped files" if forecast.on_disk else "memory"
        remark(
            f"{count(forecast.sentences, 'distinct sentence')}, about {forecast.arcs / 1e6:,.1f} "
            f"million arcs, {size} of {where}; about {seconds(forecast.seconds)} of one core to "
            "build"
        )


@contextmanager
def training_shown(limit: int) -> Iterator[TrainingShown]:
    """A monitor that shows the iterations of a training, and its other work; it may end early."""
    with Display(bounded=True) as display:
        yield TrainingShown(display, limit)
        display.fill()


@contextmanager
def trials_shown(label: str, describe: Describe) -> Iterator[TrialMonitor]:
    """A monitor of `run_trials` that shows the trials as they end.

    The time left is judged by the trials of this run; those found in the log took none of it.

    ``describe``: from the record of a trial that has a result to a few words; of a failed one its
    settings and its message are shown.
    """
    with Display(label) as display:

        def monitor(done: int, total: int, record: Record | None) -> None:
            place = f"[{done}/{total}]"
            line = ""
            if record is None and display.on_terminal:
                line = place
            elif record is None:
                line = f"{label}: {count(total, 'trial')}"
                if done:
                    line += f", {done:,} of them found in the log"
            elif "error" in record:
                settings = " ".join(f"{name}={value}" for name, value in record["settings"].items())
                display.warn(f"warning: {place} {settings}: failed: {record['error']}")
            else:
                line = f"{place} {describe(record)}  {seconds(record['seconds'])}"

            display.show(done, total, line, mark=True)

        yield monitor


@contextmanager
def sentences_shown(
    total: int | None = None, noun: str = "sentence", hidden: bool = False
) -> Iterator[Callable[..., None]]:
    """A function that shows how many sentences, and words, are done, and their pace.

    ``total``: how many there are to be, where that is known; then the time left is shown, too.
    """
    began = now()
    done = 0
    words = 0

    with Display(hidden=hidden) as display:

        def advance(more: int, more_words: int = 0) -> None:
            nonlocal done, words
            done = done + more
            words = words + more_words
            spent = max(now() - began, 1e-9)
            reached = count(done, noun)
            if total is not None:
                reached = f"{done:,} of {count(total, noun)}"

            line = f"{reached} ({done / spent:,.1f} a second)"
            if words:
                line += f", {count(words, 'word')} ({words / spent:,.0f} a second)"

            display.show(done, total, line)

        yield advance
        display.fill()
