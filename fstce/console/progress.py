"""What takes long as it goes: a bar on a terminal, else a line now and then, always on standard error.

`Display` shows a count, a line and the time left. What verbs do has a function each that feeds
one while its block runs: `training_shown`, `cycles_shown` (latent grammars), `iterations_shown`
(inductions), `trials_shown`, and `sentences_shown` for what goes through a text.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any

from fstce.console.forecasts import Convergence, Pace, SplitMergeWork
from fstce.console.output import count, note, seconds

if TYPE_CHECKING:
    from fstce.estimation.maximize import Step
    from fstce.estimation.resources import Forecast
    from fstce.induction import Grammar, InductionMonitor, InductionStep
    from fstce.latent.training.schedule import EMMonitor, EMStep, Schedule

PAUSE = 5.0  # seconds between two lines
REDRAWN = 0.1  # seconds between two states of a bar
EVERY = 10  # iterations of a training between two lines
EVERY_RULE = 50  # iterations of an induction between two lines

Record = dict[str, Any]
Describe = Callable[[Record], str]
TrialMonitor = Callable[[int, int, "Record | None"], None]


class Display:
    """Shows nothing: what lines and the bar have in common.

    >>> with display(quiet=True) as shown:
    ...     shown.show(3, 10, "the third", "about 7 s left")
    """

    brief = False  # whether a line is to leave room for a bar

    def __enter__(self) -> Display:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""

    def due(self, mark: bool = False, now: float | None = None) -> bool:
        """Whether `show` would show anything: at marks, and after a pause (seconds on any clock)."""
        return False

    def show(self, done: float, total: float | None, line: str, left: str = "") -> None:
        """Show how much is done, in words too, and the time left; a total of None is not known.

        Without a line nothing is printed, and a bar keeps the line that it has.
        """

    def warn(self, line: str) -> None:
        """Show what went wrong."""

    def fill(self) -> None:
        """All is done, sooner than was foreseen."""


class Lines(Display):
    """A line at every mark, or after five seconds."""

    def __init__(self) -> None:
        self._last = self._began = time.monotonic()

    def due(self, mark: bool = False, now: float | None = None) -> bool:
        """At marks, and after five seconds; a clock that is not the system's begins at 0."""
        clock = time.monotonic() if now is None else self._began + now
        if not mark and clock - self._last < PAUSE:
            return False
        self._last = clock
        return True

    def show(self, done: float, total: float | None, line: str, left: str = "") -> None:
        """Print a line."""
        if line:
            note("  ".join(filter(None, (line, left))))

    def warn(self, line: str) -> None:
        """Print a warning."""
        note(line)


class Bar(Display):
    """A bar, the line and the time left beside it, warnings above it."""

    brief = True

    def __init__(self, label: str = "") -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn
        from rich.table import Column

        def text(field: str, **style: Any) -> TextColumn:
            whole = Column(no_wrap=True)
            return TextColumn(f"{{task.fields[{field}]}}", markup=False, table_column=whole, **style)

        # No thread redraws the bar and nothing is put before the streams: workers are forked
        # from this process, and would inherit a lock that is held or a stream that draws.
        self._progress = Progress(
            text("label"),
            BarColumn(),
            text("line"),
            text("left", style="dim"),
            console=Console(stderr=True),
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._progress.add_task("", total=None, label=label, line="", left="")
        self._drawn, self._draws = 0.0, True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the last state of the bar on the terminal."""
        if self._drawn:
            self._progress.update(self._task, left="")
            self._progress.stop()

    def due(self, mark: bool = False, now: float | None = None) -> bool:
        """Always, as the last state is to be seen, whichever it is; those between are drawn now and then."""
        self._draws = time.monotonic() - self._drawn >= REDRAWN
        return True

    def show(self, done: float, total: float | None, line: str, left: str = "") -> None:
        """Move the bar."""
        fields: dict[str, Any] = {"line": line, "left": left} if line else {"left": left}
        self._progress.update(self._task, completed=done, total=total, **fields)
        if not self._drawn:
            self._progress.start()
        if self._draws:
            self._progress.refresh()
            self._drawn = time.monotonic()
        self._draws = True

    def warn(self, line: str) -> None:
        """Print a warning above the bar."""
        from rich.text import Text

        self._progress.console.print(Text(line, style="yellow"), soft_wrap=True)

    def fill(self) -> None:
        """Show the bar full."""
        self._progress.update(self._task, total=self._progress.tasks[0].completed)


def display(quiet: bool = False, label: str = "") -> Display:
    """What shows progress here: a bar on a terminal, with a label, lines in a file, nothing if quiet."""
    return Display() if quiet else Bar(label) if sys.stderr.isatty() else Lines()


class TrainingShown:
    """A monitor that shows the iterations of a training, and what else it does."""

    def __init__(self, shown: Display, forecast: Convergence) -> None:
        self._shown, self._forecast, self._last, self._built = shown, forecast, "", 0

    def __call__(self, step: Step) -> None:
        """Show an iteration, its objective and gradient, now and then."""
        self._forecast.add(step)
        if self._shown.due(step.iteration % EVERY == 0, step.seconds):
            expected = step.iteration + self._forecast.remaining()
            stage = f"{step.stage}: " if step.stage else ""
            fit = f"objective {step.objective:,.3f}  |gradient| {step.gradient_norm:.3g}"
            line = f"{stage}iteration {step.iteration:3d}  {fit}"
            self._shown.show(step.iteration, expected, line, self._forecast.time_left())

    def reached(self, what: str, done: int, total: int | None) -> None:
        """Show what is being done as it begins, and then, now and then, how much of it is done."""
        begins, self._last = what != self._last, what
        if self._shown.due(begins):
            many = f": {done:,}" if total is None else f": {done:,} of {total:,}"
            self._shown.show(done, total, what + many * bool(done))

    def built(self, sentences: int, words: int) -> None:
        """Show that the automata of so many sentences more are there."""
        what = "automata of distinct sentences"
        self._built = sentences + (self._built if self._last == what else 0)
        self.reached(what, self._built, None)


@contextmanager
def training_shown(tolerance: float, limit: int, quiet: bool = False) -> Iterator[TrainingShown]:
    """What shows the iterations of a training up to a limit, and what it does beside them."""
    with display(quiet) as shown:
        yield TrainingShown(shown, Convergence(tolerance, limit))
        shown.fill()


def note_least(nbytes: float) -> None:
    """Tell of a budget that cannot be kept."""
    if nbytes:
        size = f"{nbytes / 1e6:,.0f} MB"
        note(f"the training takes about {size} wherever its automata lie: more than --memory says")


class BuildingShown:
    """Shows what is to be built, and shard after shard how much is."""

    def __init__(self, advance: Callable[..., None], quiet: bool = False) -> None:
        self._advance, self._quiet = advance, quiet

    def planned(self, forecast: Forecast) -> None:
        """Say how large it will be, where that is worth saying."""
        if self._quiet:
            return
        if not forecast.arcs:
            if forecast.bounded and not forecast.on_disk:
                note("the text is small: its automata stay in memory, whatever --memory and --scratch say")
            return
        note_least(forecast.least)
        size = f"{forecast.nbytes / 1e9:,.1f} GB" if forecast.nbytes >= 1e8 else "less than 0.1 GB"
        where = "of mapped files" if forecast.on_disk else "of memory"
        note(
            f"{count(forecast.sentences, 'distinct sentence')}, about {forecast.arcs / 1e6:,.1f} million "
            f"arcs, {size} {where}; about {seconds(forecast.seconds)} of one core to build"
        )

    def built(self, sentences: int, words: int) -> None:
        """So many sentences and words more."""
        self._advance(sentences, words)


@contextmanager
def building_shown(quiet: bool = False) -> Iterator[BuildingShown]:
    """What shows the building of automata."""
    with sentences_shown(quiet=quiet) as advance:
        yield BuildingShown(advance, quiet)


@contextmanager
def cycles_shown(schedule: Schedule, quiet: bool = False) -> Iterator[EMMonitor]:
    """A monitor that shows the training of a latent grammar: the end of each stage, and in between."""
    work = SplitMergeWork(schedule)
    with display(quiet) as shown:

        def monitor(step: EMStep) -> None:
            work.add(step)
            stage = f"cycle {step.cycle} of {schedule.cycles}, {step.stage}"
            done, iterations = step.iteration + 1, getattr(schedule, f"{step.stage}_iterations")
            if step.warning:
                shown.warn(f"warning: {stage} {done}: {step.warning}")
            if shown.due(done == iterations, step.seconds):
                fit = f"{step.log_likelihood:,.0f} nats"
                size = count(step.subcategories, "subcategory", "subcategories")
                line = f"{stage} {done} of {iterations}  {size}  log-likelihood {fit}"
                brief = f"{stage} {done}/{iterations}  {fit}"
                shown.show(work.done, work.total, brief if shown.brief else line, work.time_left())

        yield monitor


@contextmanager
def iterations_shown(grammar: Grammar, limit: int, quiet: bool = False) -> Iterator[InductionMonitor]:
    """A monitor that shows the iterations of an induction, from those of a grammar up to a limit."""
    pace = Pace(len(grammar.steps), limit)
    with display(quiet) as shown:

        def monitor(iteration: int, step: InductionStep) -> None:
            if shown.due(iteration % EVERY_RULE == 0):
                line = f"[{iteration}/{limit}]  {described(grammar, step)}"
                shown.show(iteration, limit, line, pace.left(iteration))

        yield monitor


def described(grammar: Grammar, step: InductionStep) -> str:
    """A step of an induction in a few words."""
    return f"{grammar.units.name(step.unit)}: {grammar.pattern(step)}, {step.places:,}×"


@contextmanager
def trials_shown(label: str, describe: Describe, quiet: bool = False) -> Iterator[TrialMonitor]:
    """A monitor of `run_trials` that shows the trials as they end.

    The time left is judged by the trials of this run; those found in the log took none of it.

    ``describe``: from the record of a trial that has a result to a few words; of a failed one its settings
    and its message are shown.

    >>> from fstce.processes.trials import Group, run_trials
    >>> with trials_shown("powers", lambda record: str(record["result"]), quiet=True) as monitor:
    ...     _ = run_trials([Group({}, [{"n": 2}])], lambda shared: lambda trial: {}, monitor=monitor)
    """
    pace = Pace(0, 0)
    with display(quiet, label) as shown:

        def monitor(done: int, total: int, record: Record | None) -> None:
            nonlocal pace
            place, line = f"[{done}/{total}]", ""
            if record is None:
                pace = Pace(done, total)
                found = f", {done:,} of them found in the log" if done else ""
                line = place if shown.brief else f"{label}: {count(total, 'trial')}{found}"
            elif "error" in record:
                shown.warn(f"warning: {place} {_failure(record)}")
            else:
                line = f"{place} {describe(record)}  {seconds(record['seconds'])}"
            shown.show(done, total, line, pace.left(done))

        yield monitor


def _failure(record: Record) -> str:
    """The settings of a failed trial and what went wrong."""
    settings = " ".join(f"{name}={value}" for name, value in record["settings"].items())
    return f"{settings}: failed: {record['error']}"


@contextmanager
def sentences_shown(
    total: int | None = None, quiet: bool = False, noun: str = "sentence"
) -> Iterator[Callable[..., None]]:
    """A function to be called with how many sentences, and words, are done; both, and their pace, are shown.

    ``total``: how many there are to be, where that is known; then the time left is shown, too.

    >>> with sentences_shown(total=3, quiet=True) as advance:
    ...     for sentence in ("the dog", "a cat", "it barks"):
    ...         advance(1, len(sentence.split()))
    """
    pace, done, words = Pace(0, total or 0), 0, 0
    with display(quiet) as shown:

        def advance(more: int, more_words: int = 0) -> None:
            nonlocal done, words
            done, words = done + more, words + more_words
            if shown.due():
                reached = count(done, noun) if total is None else f"{done:,} of {count(total, noun)}"
                line = f"{reached} ({pace.rate(done):,.1f} a second)"
                if words:
                    line += f", {count(words, 'word')} ({pace.rate(words):,.0f} a second)"
                shown.show(done, total, line, pace.left(done))

        yield advance
        shown.fill()
