"""What the experiments of ``fstce reproduce`` share: their options, and a run reported as it goes."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from fstce.console.applying import connected
from fstce.console.options import OF_GROUP, Quiet, argument, helped, option
from fstce.console.output import Interruption, facts, note, seconds
from fstce.console.parameters import Given, Parameters
from fstce.console.progress import Describe, trials_shown

Corpus = Annotated[
    str | None, argument("CORPUS", "A corpus; by default the paper's, from NLTK, or the sample with --quick.")
]
Report = Annotated[
    Path | None,
    option(
        "--output -o FOLDER",
        "The folder for log, tables and page; by default EXPERIMENT-report.",
        OF_GROUP,
    ),
]
Quick = Annotated[
    bool,
    option("--quick", "A small version on the bundled sample, in minutes; options still hold.", OF_GROUP),
]
Fresh = Annotated[bool, option("--fresh", "Throw earlier trials in the folder away.", OF_GROUP)]
TrialJobs = Annotated[int, option("--jobs N", "Trials at a time; -1 for one a core.", OF_GROUP)]
TrialCluster = Annotated[
    str | None,
    option(
        "--dask ADDRESS",
        "A Dask scheduler whose workers run the trials, as tcp://host:8786; they see --output and CORPUS.",
        OF_GROUP,
    ),
]
_GOES_ON = """\
Every trial is a line of trials.jsonl in the folder: run the same command again after an
interruption, and it goes on. Charts need matplotlib (pip install 'fstce[report]')."""


def experiment(
    name: str,
    plan: str,
    tables: Sequence[str],
    small: Given,
    about: str,
    examples: Sequence[str],
    complete: Callable[[Given], Given] = dict,
) -> Callable[..., None]:
    """The verb of an experiment.

    ``plan``: its class, whose fields are options but for the corpus, which is an argument. ``tables``: the
    file names of tables; the first that was written is printed. ``small``: what the plan has with --quick.
    ``about``, ``examples``: its help. ``complete``: what a plan is by default.
    """
    options = Parameters(f"fstce.reproduction.{plan}", panel="Experiment")
    lines = "".join(f"  fstce reproduce {name} {example}\n" for example in ("--quick", *examples))

    @helped(f"{about}\n\n{_GOES_ON}\n\n\b\nExamples:\n{lines}")
    def verb(
        settings: Given,
        corpus: Corpus = None,
        output: Report = None,
        quick: Quick = False,
        fresh: Fresh = False,
        jobs: TrialJobs = -1,
        dask: TrialCluster = None,
        quiet: Quiet = False,
    ) -> None:
        completed = complete(
            {**(small if quick else {}), **settings, **({"corpus": corpus} if corpus else {})}
        )
        folder = output or Path(f"{name}-report")
        module = import_module(f"fstce.reproduction.{name}")
        with connected(dask) as client:
            plan = options.load()(**completed)
            run = partial(module.reproduce, plan, folder, jobs=jobs, fresh=fresh, client=client)
            _carry_out(run, folder, tables, module.EXPERIMENT.describe, quiet)

    verb.__annotations__["settings"] = Annotated[Given, options]
    return verb


def _carry_out(
    run: Callable[..., Sequence[Path]], folder: Path, tables: Sequence[str], describe: Describe, quiet: bool
) -> None:
    """Run an experiment with its trials shown, and print its first table."""
    if not quiet and find_spec("matplotlib") is None:
        note("matplotlib is not installed: no charts (pip install 'fstce[report]')")
    command, began = shlex.join(["fstce", *sys.argv[1:]]), time.perf_counter()
    try:
        with trials_shown("trials", describe, quiet) as monitor:
            written = run(command=command, monitor=monitor)
    except KeyboardInterrupt:
        raise Interruption(
            f"interrupted; {folder} keeps the trials that are done: run the same command again to go on"
        ) from None
    if not quiet:
        facts([("time", seconds(time.perf_counter() - began)), ("page", str(written[-1]))])
        files = [file for name in tables for file in written if file.name == name]
        print("\n".join(file.read_text(encoding="utf-8") for file in files[:1]))
