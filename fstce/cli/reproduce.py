"""``fstce reproduce tagging``: a paper's experiments on any tagged corpus, as a folder with a page."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from fstce.cli.options import Quiet, relative_change, variance
from fstce.cli.output import Interruption, facts, note, seconds
from fstce.cli.trials import trial_watcher
from fstce.errors import ParameterError

Value = TypeVar("Value")

QUICK: dict[str, Any] = {
    "corpus": "sample",
    "words": (2_000, 8_000),
    "held_out": 1_000,
    "sigma2": (0.1, 1.0, 10.0),
    "smoothing": (0.01, 0.1, 1.0),
    "dictionaries": ("full", "count:2"),
}


def tagging(
    corpus: Annotated[
        str | None,
        typer.Argument(help="A tagged corpus; by default nltk:treebank, or the sample with --quick."),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder for log, tables and page.")
    ] = Path("tagging-report"),
    words: Annotated[
        str | None,
        typer.Option("--words", help="Amounts of text, as 12000,24000,48000,96000.", show_default="24000"),
    ] = None,
    held_out: Annotated[
        int | None,
        typer.Option(
            "--held-out", min=1, help="Words at the end of CORPUS to choose models on.", show_default="5000"
        ),
    ] = None,
    coarse: Annotated[
        bool, typer.Option("--coarse", help="Figure 2 with the 17 coarse tags; Table 3 always has them.")
    ] = False,
    criteria: Annotated[
        str | None,
        typer.Option(
            "--criteria", help="Figure 2's rows: em, joint, conditional, or neighbourhoods; or none."
        ),
    ] = None,
    dictionaries: Annotated[
        str | None,
        typer.Option(
            "--dictionaries", help="Table 3's dictionaries, as full,first:500,count:2,count:3; or none."
        ),
    ] = None,
    sigma2: Annotated[
        str | None,
        typer.Option("--sigma2", help="The grid of prior variances.", show_default="0.1,1,10,100,none"),
    ] = None,
    smoothing: Annotated[
        str | None, typer.Option("--smoothing", help="The grid of λ.", show_default="0,0.01,0.1,1,10")
    ] = None,
    order: Annotated[int, typer.Option("--order", min=1, max=3, help="The length of a tag n-gram.")] = 3,
    restarts: Annotated[
        int, typer.Option("--restarts", min=0, help="Random restarts of TRANS1, for products.")
    ] = 4,
    tolerance: Annotated[
        float, typer.Option("--tolerance", help="The relative change of the objective at which to stop.")
    ] = 1e-4,
    max_iterations: Annotated[
        int, typer.Option("--max-iterations", min=1, help="The greatest number of iterations.")
    ] = 200,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="A small version on the bundled sample, under three minutes; options still hold."
        ),
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw earlier trials in the folder away.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", help="Trials at a time; -1 for one a core.")] = -1,
    quiet: Quiet = False,
) -> None:
    """Redraw Figures 2 and 3 and Table 3 of Smith & Eisner (ACL 2005).

    Every trial is a line of trials.jsonl in the folder: run the same command again after
    an interruption, and it goes on. Models are chosen on held-out text without labels
    (sel.) and by accuracy (oracle); both are shown. Charts need matplotlib
    (pip install 'fstce[plot]'); without it the tables are written all the same.

    \b
    Examples:
      fstce reproduce tagging --quick
      fstce reproduce tagging nltk:treebank --words 12000,24000,48000,96000 -o report
      fstce reproduce tagging nltk:brown --dictionaries none --criteria em,trans1,del1word -o brown
    """
    from fstce.reproduction.tagging import reproduce
    from fstce.reproduction.tagging_trials import Plan

    given: dict[str, Any] = {
        "corpus": corpus,
        "words": _row("--words", words, _positive),
        "held_out": held_out,
        "coarse": coarse,
        "criteria": _names("--criteria", criteria),
        "dictionaries": _names("--dictionaries", dictionaries),
        "sigma2": _row("--sigma2", sigma2, variance),
        "smoothing": _row("--smoothing", smoothing, float),
        "order": order,
        "restarts": restarts,
        "tolerance": relative_change(tolerance),
        "max_iterations": max_iterations,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    plan = Plan(**{**(QUICK if quick else {}), **chosen})
    if not quiet and find_spec("matplotlib") is None:
        note("matplotlib is not installed: no charts (pip install 'fstce[plot]')")
    began = time.perf_counter()
    try:
        with trial_watcher("trials", _told, quiet) as monitor:
            files = reproduce(
                plan,
                output,
                jobs=jobs,
                fresh=fresh,
                command=_command(),
                monitor=monitor,
                told=None if quiet else note,
            )
    except KeyboardInterrupt:
        raise Interruption(
            f"interrupted; {output} keeps the trials that are done: run the same command again to go on"
        ) from None
    if not quiet:
        facts([("time", seconds(time.perf_counter() - began)), ("page", str(files[-1]))])
        tables = [file for file in files if file.name in ("figure2.md", "table3.md")]
        print("\n".join(file.read_text(encoding="utf-8") for file in tables[:1]))


EXPERIMENTS: dict[str, Callable[..., None]] = {"tagging": tagging}


def application() -> typer.Typer:
    """The experiments as verbs of ``fstce reproduce``."""
    app = typer.Typer(help="Redraw a paper's experiments on any corpus.", rich_markup_mode=None)
    app.callback()(_before)
    for name, experiment in EXPERIMENTS.items():
        app.command(name)(experiment)
    return app


def _before() -> None:
    """Redraw a paper's experiments on any corpus."""


def _told(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    settings, result = record["settings"], record["result"]
    name = "λ" if "smoothing" in settings else "σ²"
    value = settings.get("smoothing", settings.get("sigma2"))
    seed = f" seed {settings['seed']}" if "seed" in settings else ""
    features = " + spelling" if settings["spelling"] else ""
    where = f"{settings['table']} {settings['words']:,} words, {settings['dictionary']}{features}"
    given = f"{settings['criterion']} {name}={'none' if value is None else format(value, 'g')}{seed}"
    return f"{where}: {given}  {result['ambiguous']:.1f} % of ambiguous, {result['all']:.1f} % of all"


def _row(option: str, text: str | None, read: Callable[[str], Value]) -> tuple[Value, ...] | None:
    """An option's values, separated by commas, each once; None where the option is not given."""
    if text is None:
        return None
    try:
        return tuple(dict.fromkeys(read(part.strip()) for part in text.split(",") if part.strip()))
    except ParameterError:
        raise
    except ValueError:
        raise ParameterError(f"{option} {text}: give numbers separated by commas") from None


def _names(option: str, text: str | None) -> tuple[str, ...] | None:
    """An option's names; empty for ``none``."""
    names = _row(option, text, str.lower)
    return () if names == ("none",) else names


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ParameterError(f"--words {text}: give at least one word")
    return value


def _command() -> str:
    return shlex.join(["fstce", *sys.argv[1:]])
