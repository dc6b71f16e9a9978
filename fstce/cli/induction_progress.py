"""The iterations of a grammar induction as they go: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fstce.cli.output import note
from fstce.cli.trials import Pace

if TYPE_CHECKING:
    from fstce.distribution import Grammar, InductionMonitor, InductionStep

EVERY = 50  # iterations between two lines
PAUSE = 5.0  # seconds between two lines


@contextmanager
def iterations_shown(grammar: Grammar, limit: int, quiet: bool) -> Iterator[InductionMonitor | None]:
    """A monitor that shows the iterations from those of a grammar up to a limit; None if quiet."""
    done = len(grammar.steps)
    if quiet:
        yield None
    elif sys.stderr.isatty():
        with _bar(done, limit) as show:
            yield _monitor(grammar, limit, show, every=1)
    else:
        yield _monitor(grammar, limit, lambda iteration, line: note(line), EVERY)


def described(grammar: Grammar, step: InductionStep) -> str:
    """A step in a few words."""
    return f"{grammar.units.name(step.unit)}: {grammar.pattern(step)}, {step.places:,}×"


def _monitor(grammar: Grammar, limit: int, show: Callable[[int, str], None], every: int) -> InductionMonitor:
    pace, shown = Pace(len(grammar.steps), limit), time.monotonic()

    def monitor(iteration: int, step: InductionStep) -> None:
        nonlocal shown
        if iteration % every == 0 or time.monotonic() - shown >= PAUSE:
            shown = time.monotonic()
            left = pace.left(iteration)
            show(
                iteration, "  ".join(filter(None, (f"[{iteration}/{limit}]", described(grammar, step), left)))
            )

    return monitor


@contextmanager
def _bar(done: int, limit: int) -> Iterator[Callable[[int, str], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(), TextColumn("{task.fields[line]}", markup=False))
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=limit, completed=done, line="")
        yield lambda iteration, line: progress.update(task, completed=iteration, line=line)
