"""What the experiments of ``fstce reproduce`` share: grids as options, and a run told as it goes."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from fstce.cli.output import Interruption, facts, note, seconds
from fstce.cli.trials import Describe, trial_watcher

Value = TypeVar("Value")
Quick = Annotated[
    bool, typer.Option("--quick", help="A small version on the bundled sample; options still hold.")
]
QuickMinutes = Annotated[
    bool,
    typer.Option(
        "--quick", help="A small version on the bundled sample, under three minutes; options still hold."
    ),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Throw earlier trials in the folder away.")]
TrialJobs = Annotated[int, typer.Option("--jobs", help="Trials at a time; -1 for one a core.")]


def plan_of(kind: Callable[..., Value], given: dict[str, Any], quick: dict[str, Any] | None) -> Value:
    """A plan with what was given, else what the quick version takes, else the defaults."""
    return kind(**{**(quick or {}), **{name: value for name, value in given.items() if value is not None}})


def smoothing_and_variance(settings: dict[str, Any]) -> str:
    """The one of λ and σ² that a trial has.

    >>> smoothing_and_variance({"sigma2": None}), smoothing_and_variance({"smoothing": 0.1})
    ('σ²=none', 'λ=0.1')
    """
    name = "λ" if "smoothing" in settings else "σ²"
    value = settings.get("smoothing", settings.get("sigma2"))
    return f"{name}={'none' if value is None else format(value, 'g')}"


def carry_out(
    run: Callable[..., list[Path]], output: Path, describe: Describe, shown: Sequence[str], quiet: bool
) -> None:
    """Run an experiment, telling of its trials, and print its first table.

    Parameters
    ----------
    run : callable
        Takes `command` and `monitor`; gives the files of the report, the page last.
    output : Path
        The folder, for messages.
    describe : callable
        A finished trial in a few words.
    shown : sequence of str
        The file names of tables; the first that was written is printed.
    quiet : bool

    Raises
    ------
    Interruption
        On Ctrl-C; the trials that are done stay in the log.
    """
    if not quiet and find_spec("matplotlib") is None:
        note("matplotlib is not installed: no charts (pip install 'fstce[plot]')")
    began = time.perf_counter()
    try:
        with trial_watcher("trials", describe, quiet) as monitor:
            files = run(command=shlex.join(["fstce", *sys.argv[1:]]), monitor=monitor)
    except KeyboardInterrupt:
        raise Interruption(
            f"interrupted; {output} keeps the trials that are done: run the same command again to go on"
        ) from None
    if not quiet:
        facts([("time", seconds(time.perf_counter() - began)), ("page", str(files[-1]))])
        written = {file.name: file for file in files}
        tables = [written[name] for name in shown if name in written]
        print("\n".join(file.read_text(encoding="utf-8") for file in tables[:1]))
