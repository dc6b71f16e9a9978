"""The options that experiments share, and a run that is reported as it goes."""

from __future__ import annotations

import select
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fstce.console.options import Jobs, argument, helped, option
from fstce.console.output import Interruption, facts, is_quiet, remark, seconds, tables
from fstce.console.parameters import Given, Parameters
from fstce.console.progress import Describe, Record, trials_shown
from fstce.kinds import imported

if TYPE_CHECKING:
    from fstce.reporting.tables import Table

Corpus = Annotated[
    str | None,
    argument("CORPUS", "A corpus; by default the paper's, from NLTK, or the sample with --quick."),
]
Report = Annotated[
    Path | None,
    option(
        "--output -o FOLDER", "The folder for log, tables and page; by default EXPERIMENT-report."
    ),
]
Quick = Annotated[
    bool,
    option("--quick", "A small version on the bundled sample, in minutes; options still hold."),
]
_GOES_ON = """\
Every trial is a line of trials.jsonl in the folder: run the same command again after an
interruption, and it goes on. Charts need matplotlib (pip install 'fstce[report]')."""


def experiment(
    name: str,
    plan: str,
    small: Given,
    about: str,
    examples: Sequence[str],
) -> Callable[..., None]:
    """The verb of an experiment.

    ``plan``: its class, whose fields are options but for the corpus, which is an argument.
    ``small``: what the plan has with --quick. ``about``, ``examples``: its help.
    """
    options = Parameters(f"fstce.reproduction.{plan}", panel="Experiment")
    lines = "".join(f"  fstce reproduce {name} {example}\n" for example in ("--quick", *examples))

    @helped(f"{about}\n\n{_GOES_ON}\n\n\b\nExamples:\n{lines}")
    def verb(
        settings: Given,
        corpus: Corpus = None,
        output: Report = None,
        quick: Quick = False,
        jobs: Jobs = -1,
    ) -> None:
        if quick:
            settings = {**small, **settings}
        if corpus:
            settings = {**settings, "corpus": corpus}

        folder = output or Path(f"{name}-report")
        module = import_module(f"fstce.reproduction.{name}")
        chosen = imported(options.cls)(**settings)
        run = partial(module.EXPERIMENT.reproduce, chosen, folder, jobs=jobs)
        _carry_out(run, folder, module.EXPERIMENT.describe)

    verb.__annotations__["settings"] = Annotated[Given, options]
    return verb


def _is_unread() -> bool:
    """Whether standard output is a pipe whose reader has gone, for a report takes hours."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    with suppress(OSError, ValueError):  # no file
        poll.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _carry_out(run: Callable[..., Sequence[Path]], folder: Path, describe: Describe) -> None:
    """Run an experiment with its trials shown, and print its first table."""
    if find_spec("matplotlib") is None:
        remark("matplotlib is not installed: no charts (pip install 'fstce[report]')")
    command = shlex.join(["fstce", *sys.argv[1:]])
    began = time.perf_counter()
    made: list[Table] = []

    try:
        with trials_shown("trials", describe) as monitor:

            def heard(done: int, total: int, record: Record | None) -> None:
                monitor(done, total, record)
                if done < total and _is_unread():
                    raise BrokenPipeError

            written = run(command=command, monitor=heard, show=made.extend)
    except (KeyboardInterrupt, BrokenPipeError) as end:
        cause = "nobody reads the output" if isinstance(end, OSError) else "interrupted"
        raise Interruption(
            f"{cause}; {folder} keeps the trials that are done: run the same command again to go on"
        ) from None
    if not is_quiet():
        facts([("time", seconds(time.perf_counter() - began)), ("page", str(written[-1]))])
        tables(made[:1])
