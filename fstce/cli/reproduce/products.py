"""``fstce reproduce products``: Petrov's (2010) experiments on any treebank, as a folder with a page."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from fstce.cli.options import Quiet, row
from fstce.cli.reproduce.experiment import Quick, TrialJobs, carry_out, plan_of
from fstce.errors import ParameterError

QUICK: dict[str, Any] = {
    "corpus": "sample",
    "cycles": 2,
    "grammars": 3,
    "iterations": (20, 10, 5),
    "k": 10,
}


def products(
    corpus: Annotated[
        str | None,
        typer.Argument(help="A treebank; by default nltk:treebank, or the sample with --quick."),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder for log, grammars, tables and page.")
    ] = Path("products-report"),
    split: Annotated[
        str | None,
        typer.Option(
            "--split",
            help="files: numbered ones to 0159 to train on, to 0179 for development, the rest for the test; "
            "tenths: two of ten sentences are held out.",
            show_default="files for nltk:treebank, else tenths",
        ),
    ] = None,
    cycles: Annotated[
        int | None, typer.Option("--cycles", min=0, max=6, help="Rounds of training.", show_default="4")
    ] = None,
    grammars: Annotated[
        int | None, typer.Option("--grammars", min=1, help="How many seeds.", show_default="8")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="The first.", show_default="1")] = None,
    products: Annotated[
        str | None,
        typer.Option("--products", help="How many grammars are multiplied, or none.", show_default="all"),
    ] = None,
    sums: Annotated[
        str | None,
        typer.Option("--sums", help="How many are added, or none.", show_default="2 and all"),
    ] = None,
    trees: Annotated[
        str | None,
        typer.Option("--trees", help="How many are multiplied tree by tree, or none.", show_default="all"),
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", min=1, help="The length of k-best lists.", show_default="50")
    ] = None,
    quick: Quick = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw earlier trials and grammars away.")] = False,
    jobs: TrialJobs = -1,
    quiet: Quiet = False,
) -> None:
    """Redraw Petrov (NAACL 2010): products of random latent grammars.

    Grammars of several seeds are trained, kept in the folder, and parse development and test
    sentences alone, multiplied, added, and multiplied tree by tree. Every trial is a line of
    trials.jsonl: run the same command again after an interruption, and it goes on. Charts
    need matplotlib (pip install 'fstce[plot]'); without it the tables are written all the same.

    \b
    Examples:
      fstce reproduce products --quick
      fstce reproduce products nltk:treebank --jobs 2 -o report
      fstce reproduce products wsj.mrg --split tenths --grammars 4 --products 2,4 -o wsj-report
    """
    from fstce.reproduction.products import reproduce
    from fstce.reproduction.products_trials import ProductsPlan

    chosen = corpus or (QUICK["corpus"] if quick else "nltk:treebank")
    n = grammars or (QUICK["grammars"] if quick else 8)
    given: dict[str, Any] = {
        "corpus": chosen,
        "split": split or ("files" if chosen == "nltk:treebank" else "tenths"),
        "cycles": cycles,
        "grammars": n,
        "seed": seed,
        "products": _sizes("--products", products, range(2, n + 1)),
        "sums": _sizes("--sums", sums, {2, n} if n > 1 else ()),
        "trees": _sizes("--trees", trees, {n} if n > 1 else ()),
        "k": k,
    }
    plan = plan_of(ProductsPlan, given, QUICK if quick else None)
    run = partial(reproduce, plan, output, jobs=jobs, fresh=fresh)
    carry_out(run, output, _told, ("products.md", "singles.md"), quiet)


def _sizes(option: str, text: str | None, otherwise: Any) -> tuple[int, ...]:
    if text is None:
        return tuple(sorted(otherwise))
    if text.strip().lower() == "none":
        return ()
    found = row(option, text, int) or ()
    if not found or min(found) < 2:
        raise ParameterError(f"{option} {text}: numbers of grammars from 2 on, as 2,4,8; or none")
    return tuple(sorted(found))


def _told(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    from fstce.reproduction.products_scores import counts_of, f1

    settings, result = record["settings"], record["result"]
    if settings["experiment"] == "train":
        return f"trained seed {settings['seed']}: {result['subcategories'][-1]:,} subcategories"
    size = len(settings["members"].split())
    what = f"{settings['combination']} of {size}" if size > 1 else f"seed {settings['members']}"
    score = f1(counts_of(result, None))
    shown = "no score" if score is None else f"{score:.1f} F1"
    listed = " oracle" if settings["experiment"] == "k-best" else ""
    return f"{settings['part']}, {what} after {settings['after']} cycles{listed}: {shown}"
