"""``fstce reproduce tagging``: the tagging paper's figures and table on any corpus."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from fstce.cli.options import MaxIterations, Order, Quiet, Tolerance, names, relative_change, row, variance
from fstce.cli.output import note
from fstce.cli.reproduce.experiment import (
    Fresh,
    QuickMinutes,
    TrialJobs,
    carry_out,
    plan_of,
    smoothing_and_variance,
)
from fstce.errors import ParameterError

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
    order: Order = 3,
    restarts: Annotated[
        int, typer.Option("--restarts", min=0, help="Random restarts of TRANS1, for products.")
    ] = 4,
    tolerance: Tolerance = 1e-4,
    max_iterations: MaxIterations = 200,
    quick: QuickMinutes = False,
    fresh: Fresh = False,
    jobs: TrialJobs = -1,
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
    from fstce.reproduction.tagging_trials import TaggingPlan

    given: dict[str, Any] = {
        "corpus": corpus,
        "words": row("--words", words, _positive),
        "held_out": held_out,
        "coarse": coarse,
        "criteria": names("--criteria", criteria),
        "dictionaries": names("--dictionaries", dictionaries),
        "sigma2": row("--sigma2", sigma2, variance),
        "smoothing": row("--smoothing", smoothing, float),
        "order": order,
        "restarts": restarts,
        "tolerance": relative_change(tolerance),
        "max_iterations": max_iterations,
    }
    plan = plan_of(TaggingPlan, given, QUICK if quick else None)
    run = partial(reproduce, plan, output, jobs=jobs, fresh=fresh, told=None if quiet else note)
    carry_out(run, output, _told, ("figure2.md", "table3.md"), quiet)


def _told(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    settings, result = record["settings"], record["result"]
    seed = f" seed {settings['seed']}" if "seed" in settings else ""
    features = " + spelling" if settings["spelling"] else ""
    where = f"{settings['table']} {settings['words']:,} words, {settings['dictionary']}{features}"
    given = f"{settings['criterion']} {smoothing_and_variance(settings)}{seed}"
    return f"{where}: {given}  {result['ambiguous']:.1f} % of ambiguous, {result['all']:.1f} % of all"


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ParameterError(f"--words {text}: give at least one word")
    return value
