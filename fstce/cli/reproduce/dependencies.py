"""``fstce reproduce dependencies``: the grammar paper's Table 2 on any treebank, as a folder with a page."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from fstce.cli.options import MaxIterations, Quiet, Tolerance, names, relative_change, row, variance
from fstce.cli.parser.treebanks import Currency, Tags, TagSource
from fstce.cli.reproduce.experiment import (
    Fresh,
    QuickMinutes,
    TrialJobs,
    carry_out,
    plan_of,
    smoothing_and_variance,
)

QUICK: dict[str, Any] = {
    "corpus": "sample",
    "folds": 3,
    "sigma2": (0.1, 1.0, 10.0),
    "smoothing": (10.0, 1.0, 0.1),
}


def dependencies(
    corpus: Annotated[
        str | None,
        typer.Argument(help="A treebank; by default nltk:dependency_treebank, or the sample with --quick."),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder for log, table and page.")
    ] = Path("dependencies-report"),
    max_length: Annotated[
        int,
        typer.Option("--max-length", min=1, help="The most words of a sentence, without punctuation."),
    ] = 10,
    currency: Currency = True,
    tags: Tags = TagSource.tag,
    criteria: Annotated[
        str | None,
        typer.Option(
            "--criteria",
            help="Rows without trees: em, viterbi-em, or neighbourhoods; or none.",
            show_default="em,length,trans1,delortrans1",
        ),
    ] = None,
    supervised: Annotated[
        str | None,
        typer.Option(
            "--supervised",
            help="Rows with trees: joint, conditional, correction; or none.",
            show_default="joint,conditional",
        ),
    ] = None,
    starts: Annotated[
        str | None,
        typer.Option(
            "--starts", help="Where rows without trees start.", show_default="klein-manning,uniform"
        ),
    ] = None,
    sigma2: Annotated[
        str | None,
        typer.Option("--sigma2", help="The grid of prior variances.", show_default="0.1,1,10,none"),
    ] = None,
    smoothing: Annotated[
        str | None, typer.Option("--smoothing", help="The grid of λ.", show_default="10,1,0.1,0")
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option("--folds", min=1, max=10, help="How many of the ten folds.", show_default="10"),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Shuffles the sentences into folds.")] = 0,
    tolerance: Tolerance = 1e-5,
    max_iterations: MaxIterations = 500,
    quick: QuickMinutes = False,
    fresh: Fresh = False,
    jobs: TrialJobs = -1,
    quiet: Quiet = False,
) -> None:
    """Redraw Table 2 of Smith & Eisner (IJCAI workshop 2005).

    Of ten folds eight are trained on, one is for development, one for the test. Every trial
    is a line of trials.jsonl in the folder: run the same command again after an
    interruption, and it goes on. σ² and λ are chosen on the development fold without trees
    (sel.). Charts need matplotlib (pip install 'fstce[plot]'); without it the table is
    written all the same.

    \b
    Examples:
      fstce reproduce dependencies --quick
      fstce reproduce dependencies nltk:dependency_treebank -o report
      fstce reproduce dependencies ud/train.conllu --criteria em,trans1 --folds 2 -o ud-report
    """
    from fstce.reproduction.dependencies import reproduce
    from fstce.reproduction.dependency_trials import DependencyPlan

    given: dict[str, Any] = {
        "corpus": corpus,
        "max_length": max_length,
        "currency": currency,
        "tags": tags.value,
        "criteria": names("--criteria", criteria),
        "supervised": names("--supervised", supervised),
        "starts": row("--starts", starts, str.lower),
        "sigma2": row("--sigma2", sigma2, variance),
        "smoothing": row("--smoothing", smoothing, float),
        "folds": folds,
        "seed": seed,
        "tolerance": relative_change(tolerance),
        "max_iterations": max_iterations,
    }
    plan = plan_of(DependencyPlan, given, QUICK if quick else None)
    run = partial(reproduce, plan, output, jobs=jobs, fresh=fresh)
    carry_out(run, output, _told, ("table2.md",), quiet)


def _told(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    settings, result = record["settings"], record["result"]
    given = f"{settings['criterion']} {smoothing_and_variance(settings)} from {settings['start']}"
    return f"fold {settings['fold'] + 1}: {given}  {result['test']:.1f} % directed"
