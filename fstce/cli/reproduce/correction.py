"""``fstce reproduce correction``: held-out text mistyped, corrected and scored, as a folder with a page."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from fstce.cli.options import Quiet, names
from fstce.cli.reproduce.experiment import Fresh, Quick, TrialJobs, carry_out, plan_of

QUICK: dict[str, Any] = {
    "corpus": "sample",
    "train": 400,
    "spellers": ("alone", "frequent", "ngrams", "ce", "em", "ce-alone"),
    "punctuators": ("alone", "ngrams", "ce", "em"),
    "punctuation": ("comma", "commas"),
    "seeds": 2,
    "max_iterations": 30,
}


def correction(
    corpus: Annotated[
        str | None,
        typer.Argument(help="A clean text; by default nltk:treebank, or the sample with --quick."),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder for log, tables and page.")
    ] = Path("correction-report"),
    train: Annotated[
        int | None,
        typer.Option("--train", min=1, help="Sentences to train on.", show_default="3700"),
    ] = None,
    spellers: Annotated[
        str | None,
        typer.Option(
            "--spellers",
            help="Rows of spelling: alone, frequent, pyspellchecker, symspellpy, ngrams, ce, em, ce-alone, "
            "em-alone, ce-tags, em-tags, ce-classes, em-classes, pyspellchecker-own, ngrams-lexicon, "
            "ce-lexicon; or none.",
            show_default="all",
        ),
    ] = None,
    punctuators: Annotated[
        str | None,
        typer.Option(
            "--punctuators",
            help="Rows of punctuation: alone, ngrams, ce, em, ce-alone, em-alone, ce-tags, em-tags; or none.",
            show_default="all",
        ),
    ] = None,
    spelling: Annotated[
        str | None,
        typer.Option(
            "--spelling",
            help="Spelling mistakes: random, keyboard, confusables; or none.",
            show_default="all",
        ),
    ] = None,
    punctuation: Annotated[
        str | None,
        typer.Option(
            "--punctuation",
            help="Punctuation mistakes: comma, commas, insert, swap; or none.",
            show_default="all",
        ),
    ] = None,
    spell: Annotated[int, typer.Option("--spell", min=1, max=3, help="SPELL: the most edits of a word.")] = 1,
    marks: Annotated[int, typer.Option("--marks", min=1, max=3, help="PUNC: the most edits of marks.")] = 1,
    rate: Annotated[
        float, typer.Option("--rate", min=0.0, max=1.0, help="The share of words that are mistyped.")
    ] = 0.1,
    seeds: Annotated[
        int | None,
        typer.Option("--seeds", min=1, help="How often the test is mistyped.", show_default="5"),
    ] = None,
    max_iterations: Annotated[
        int | None,
        typer.Option(
            "--max-iterations", min=1, help="The greatest number of iterations.", show_default="150"
        ),
    ] = None,
    quick: Quick = False,
    fresh: Fresh = False,
    jobs: TrialJobs = -1,
    quiet: Quiet = False,
) -> None:
    """Correct mistyped text by Smith & Eisner (2005b, §3.3 and 5.4) and others.

    Every trial is a line of trials.jsonl in the folder: run the same command again after an
    interruption, and it goes on. The rows of pyspellchecker and symspellpy, and those with
    its words as extra lexicon, need these packages; without them they are left out. Charts
    need matplotlib (pip install 'fstce[plot]').

    \b
    Examples:
      fstce reproduce correction --quick
      fstce reproduce correction nltk:treebank -o report
      fstce reproduce correction my.txt --train 5000 --spellers alone,frequent,ngrams,ce -o my-report
      fstce reproduce correction --spelling none --punctuation comma --seeds 10 -o commas
    """
    from fstce.reproduction.correction import reproduce
    from fstce.reproduction.correction_trials import CorrectionPlan

    given: dict[str, Any] = {
        "corpus": corpus,
        "train": train,
        "spellers": names("--spellers", spellers),
        "punctuators": names("--punctuators", punctuators),
        "spelling": names("--spelling", spelling),
        "punctuation": names("--punctuation", punctuation),
        "spell": spell,
        "marks": marks,
        "rate": rate,
        "seeds": seeds,
        "max_iterations": max_iterations,
    }
    plan = plan_of(CorrectionPlan, given, QUICK if quick else None)
    run = partial(reproduce, plan, output, jobs=jobs, fresh=fresh)
    carry_out(run, output, _told, ("spelling.md", "punctuation.md"), quiet)


def _told(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    from fstce.reproduction.correction_tables import is_spelling, marks_of, words_of

    settings, result = record["settings"], record["result"]
    about = f"{settings['system']}: {settings['mistake']}, seed {settings['seed']}"
    if is_spelling(record):
        scores = words_of(result)
        return f"{about}  {scores.error_rate_before:.2f} to {scores.error_rate:.2f} % word errors"
    return f"{about}  F1 {100 * marks_of(result).ratio.f(1):.1f}"
