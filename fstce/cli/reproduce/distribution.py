"""``fstce reproduce distribution``: Brooks' experiments on any treebank, as a folder with a page."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from fstce.cli.options import Quiet, names, row
from fstce.cli.reproduce.experiment import Fresh, TrialJobs, carry_out, plan_of

QUICK: dict[str, Any] = {"corpus": "sample", "iterations": 100, "course": (5, 10, 25, 50), "resamples": 200}


def distribution(
    corpus: Annotated[
        str | None,
        typer.Argument(help="A treebank of phrases; by default nltk:treebank, or the sample with --quick."),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder for log, tables and page.")
    ] = Path("distribution-report"),
    systems: Annotated[
        str | None, typer.Option("--systems", help="The systems.", show_default="fwb,da,da-cluster,da-stop")
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option("--iterations", min=1, help="The iterations of the tables.", show_default="500"),
    ] = None,
    course: Annotated[
        str | None,
        typer.Option(
            "--course",
            help="Further numbers of iterations, for the curves; or none.",
            show_default="5,10,25,50,100,200,300,400,750,1000",
        ),
    ] = None,
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity/--no-sensitivity", help="Change each open option by itself.")
    ] = True,
    resamples: Annotated[
        int | None,
        typer.Option("--resamples", min=1, help="Of the bootstrap.", show_default="1000"),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of random trees and the bootstrap.")] = 0,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="A small version on the bundled sample, under a minute; options still hold."
        ),
    ] = False,
    fresh: Fresh = False,
    jobs: TrialJobs = -1,
    quiet: Quiet = False,
) -> None:
    """Redraw the tables of Brooks (CoNLL 2006) on a treebank.

    The systems see words without punctuation; the trees serve for scores alone. Every trial
    is a line of trials.jsonl in the folder: run the same command again after an
    interruption, and it goes on. Charts need matplotlib (pip install 'fstce[plot]');
    without it the tables are written all the same.

    \b
    Examples:
      fstce reproduce distribution --quick
      fstce reproduce distribution nltk:treebank -o report
      fstce reproduce distribution trees.mrg --systems fwb,da-stop --no-sensitivity -o small
    """
    from fstce.reproduction.distribution import reproduce
    from fstce.reproduction.distribution_trials import DistributionPlan

    given: dict[str, Any] = {
        "corpus": corpus,
        "systems": names("--systems", systems),
        "iterations": iterations,
        "course": None
        if course is None
        else ()
        if course.lower() == "none"
        else row("--course", course, int),
        "sensitivity": sensitivity,
        "resamples": resamples,
        "seed": seed,
    }
    plan = plan_of(DistributionPlan, given, QUICK if quick else None)
    run = partial(reproduce, plan, output, jobs=jobs, fresh=fresh)
    carry_out(run, output, _told, ("systems.md",), quiet)


def _told(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    settings, result = record["settings"], record["result"]
    changed = "" if settings["value"] is None else f" {settings['option']}={settings['value']}"
    about = f"{settings['system']}{changed}, {settings['iterations']} iterations"
    return f"{about}: F1 {result['f1']:.1f} %"
