"""Products of latent grammars (Petrov 2010) from a plan to a folder with a page."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from fstce.errors import MissingToolError, ParameterError
from fstce.evaluation import bootstrap
from fstce.evaluation.bracket_scores import BracketCounts, statistic
from fstce.processes.trial_log import Settings
from fstce.reporting import Page, Picture, Series, line_chart
from fstce.reporting.files import make_folder
from fstce.reproduction import products_tables as tables
from fstce.reproduction.material import digest
from fstce.reproduction.products_scores import Counts, Record, Scored, f1
from fstce.reproduction.products_trials import (
    PARTS,
    ProductsPlan,
    parses,
    parts,
    preparing,
    trainings,
    untrained,
)
from fstce.reproduction.run import Experiment, Report, ReportPage, Run, failures


def _about(plan: ProductsPlan) -> dict[str, Any]:
    whole = [sentence for part in parts(plan.corpus, plan.split) for sentence in part]
    return {"corpus": digest(whole), "trees": _digest_of_trees(plan)}


def _steps(plan: ProductsPlan, run: Run) -> Report:
    make_folder(run.place / "grammars")
    prepare = preparing(run.place)
    trained = run.trials(trainings(plan), prepare)
    # A grammar that the log knows of may have been taken away, or be another plan's.
    again = untrained(plan, run.place)
    failed = failures(run.trials(again, prepare, log=None) if again else [], _grammar)
    if failed:
        raise ParameterError(failed[0])
    parsed = run.trials(parses(plan), prepare)
    if all("error" in record for record in parsed):
        raise ParameterError(f"nothing was parsed: {parsed[0]['error']}")
    records = [*trained, *parsed]
    return build(plan, records, run.command), [tables.trials(records)]


reproduce = Experiment("products", _about, _steps).reproduce


def _grammar(settings: Settings) -> str:
    return f"the grammar of seed {settings['seed']} was not trained"


def _digest_of_trees(plan: ProductsPlan) -> str:
    """A fingerprint of the trees, which `digest` does not look at."""
    found = hashlib.sha256()
    for part in parts(plan.corpus, plan.split):
        for sentence in part:
            found.update(f"{sentence.tree}\n".encode())
        found.update(b"\n")
    return found.hexdigest()[:16]


CAPTIONS = {
    "f1-by-cycle": "The band is the 95 % interval over sentences; cycle 0 is the treebank's own grammar.",
    "f1-by-grammars": "The band is the 95 % interval over sentences; 1 is a single grammar.",
}


def build(plan: ProductsPlan, records: Sequence[Record], command: str) -> Page:
    """The page."""
    scored = Scored(plan, records)
    failed = failures(records, _trial)
    page = ReportPage("Products of latent grammars", _summary(scored), command, _facts(plan), failed)
    sections: list[tuple[str, list[Any], list[Callable[[Scored], Picture | None]]]] = [
        ("Cycles", [tables.by_cycle], [cycles_chart]),
        ("Single grammars", [tables.singles, tables.correlations], []),
        ("Products", [tables.products, tables.gains], [products_chart]),
        ("Ways to combine", [tables.combinations], []),
    ]
    for title, shown, drawn in sections:
        filled = [table for table in (make(scored) for make in shown) if table.rows]
        if filled:
            page.section(title)
        for table in filled:
            page.table(table)
        for draw in drawn:
            with suppress(MissingToolError):
                picture = draw(scored)
                if picture is not None:
                    page.picture(picture, f"{picture.title}. {CAPTIONS[picture.name]}")
    return page


def _summary(scored: Scored) -> str:
    size = max(scored.sizes)
    single = [f1(scored.counts("test", [seed])) for seed in scored.plan.seeds]
    known = [value for value in single if value is not None]
    product = f1(scored.counts("test", scored.first(size), "product"))
    if not known:
        return ""
    found = f"Single grammars score {np.mean(known):.1f} F1 on average on the test set"
    return f"{found}, the product of {size} scores {product:.1f}." if product is not None else f"{found}."


def _facts(plan: ProductsPlan) -> dict[str, Any]:
    divided = parts(plan.corpus, plan.split)
    return {
        "treebank": plan.corpus,
        **{
            name: f"{len(sentences):,} sentences"
            for name, sentences in zip(divided._fields, divided, strict=True)
        },
        "cycles": plan.cycles,
        "EM iterations": f"{'/'.join(map(str, plan.iterations))} after split, merge and smoothing",
        "seeds": f"{plan.seeds[0]} to {plan.seeds[-1]}",
        "scores": f"EVALB with COLLINS.prm, at most {plan.cutoff} words; gold tags say what is punctuation",
        "intervals": "95 %, 1,000 bootstrap resamples of the sentences",
    }


def _trial(settings: Settings) -> str:
    wanted = ("experiment", "part", "combination", "members", "seed", "after")
    return ", ".join(f"{name} {settings[name]}" for name in wanted if name in settings)


def cycles_chart(scored: Scored) -> Picture | None:
    """F1 after each cycle, with its interval as a band."""
    cycles = list(range(scored.plan.cycles + 1))
    return _banded(
        {part: [scored.counts(part, [scored.plan.seed], after=cycle) for cycle in cycles] for part in PARTS},
        cycles,
        "F1 by number of cycles",
        "cycles",
        "f1-by-cycle",
    )


def products_chart(scored: Scored) -> Picture | None:
    """F1 by the number of grammars that are multiplied."""
    sizes = scored.sizes
    counts = {
        part: [scored.counts(part, scored.first(n), "product" if n > 1 else "single") for n in sizes]
        for part in PARTS
    }
    return _banded(counts, sizes, "F1 by number of grammars", "grammars", "f1-by-grammars")


def _banded(
    found: Mapping[str, Sequence[Counts | None]],
    xs: Sequence[int],
    title: str,
    label: str,
    name: str,
) -> Picture | None:
    series = {}
    for part, row in found.items():
        points = [
            (x, bootstrap(counts, statistic(BracketCounts, "f1")))
            for x, counts in zip(xs, row, strict=True)
            if counts is not None and len(counts)
        ]
        if len(points) > 1:
            series[part] = Series(
                [x for x, _ in points],
                [ends.estimate for _, ends in points],
                low=[ends.low for _, ends in points],
                high=[ends.high for _, ends in points],
            )
    if not series:
        return None
    return line_chart(series, title=title, x_label=label, y_label="labeled F1", x_ticks=list(xs), name=name)
