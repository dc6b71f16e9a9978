"""What the experiments of ``fstce reproduce`` share: their options, and a run told as it goes."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from fstce.cli.options import argument, option
from fstce.cli.output import Interruption, facts, note, seconds
from fstce.cli.parameters import Parameters
from fstce.cli.progress import Describe, trials_shown

Corpus = Annotated[
    str | None, argument("CORPUS", "A corpus; by default the paper's, from NLTK, or the sample with --quick.")
]
Report = Annotated[
    Path | None,
    option("--output -o FOLDER", "The folder for log, tables and page; by default EXPERIMENT-report."),
]
Quick = Annotated[
    bool, option("--quick", "A small version on the bundled sample, in minutes; options still hold.")
]
Fresh = Annotated[bool, option("--fresh", "Throw earlier trials in the folder away.")]
TrialJobs = Annotated[int, option("--jobs N", "Trials at a time; -1 for one a core.")]


def smoothing_and_variance(settings: dict[str, Any]) -> str:
    """The one of λ and σ² that a trial has.

    >>> smoothing_and_variance({"sigma2": None}), smoothing_and_variance({"smoothing": 0.1})
    ('σ²=none', 'λ=0.1')
    """
    name = "λ" if "smoothing" in settings else "σ²"
    value = settings.get("smoothing", settings.get("sigma2"))
    return f"{name}={'none' if value is None else format(value, 'g')}"


def carry_out(
    experiment: str,
    options: Parameters,
    given: Mapping[str, Any],
    output: Path | None,
    shown: Sequence[str],
    describe: Describe,
    quiet: bool,
    **settings: Any,
) -> None:
    """Run an experiment, telling of its trials, and print its first table.

    Parameters
    ----------
    experiment : str
        Its name; `reproduce` is in ``fstce.reproduction.NAME``.
    options : Parameters
        Those of the plan's class.
    given : mapping
        What the plan has other than by default.
    output : Path or None
        The folder; by default named for the experiment.
    shown : sequence of str
        The file names of tables; the first that was written is printed.
    describe : callable
        A finished trial in a few words.
    quiet : bool
    **settings
        What `reproduce` takes beside.

    Raises
    ------
    Interruption
        On Ctrl-C; the trials that are done stay in the log.
    """
    plan = options.load()(**given)
    reproduce = import_module(f"fstce.reproduction.{experiment}").reproduce
    folder = output or Path(f"{experiment}-report")
    if not quiet and find_spec("matplotlib") is None:
        note("matplotlib is not installed: no charts (pip install 'fstce[report]')")
    command, began = shlex.join(["fstce", *sys.argv[1:]]), time.perf_counter()
    try:
        with trials_shown("trials", describe, quiet) as monitor:
            written = reproduce(plan, folder, command=command, monitor=monitor, **settings)
    except KeyboardInterrupt:
        raise Interruption(
            f"interrupted; {folder} keeps the trials that are done: run the same command again to go on"
        ) from None
    if not quiet:
        facts([("time", seconds(time.perf_counter() - began)), ("page", str(written[-1]))])
        tables = [file for name in shown for file in written if file.name == name]
        print("\n".join(file.read_text(encoding="utf-8") for file in tables[:1]))
