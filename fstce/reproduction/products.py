"""Products of latent grammars (Petrov 2010) from a plan to a folder with a page."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from fstce.errors import ParameterError
from fstce.evaluation import bootstrap
from fstce.evaluation.bracket_scores import BracketCounts, statistic
from fstce.processes.trial_log import Record, Settings
from fstce.reporting import Page, Series, line_chart
from fstce.reporting.files import make_folder
from fstce.reproduction import products_tables as tables
from fstce.reproduction.material import digest
from fstce.reproduction.products_tables import Counts, Scored, f1
from fstce.reproduction.products_trials import (
    PARTS,
    ProductsPlan,
    parses,
    parts,
    trainings,
    untrained,
)
from fstce.reproduction.products_trials import (
    prepare as prepare_trial,
)
from fstce.reproduction.run import Experiment, Report, ReportPage, Run, failures


def _about(plan: ProductsPlan) -> dict[str, Any]:
    whole = [sentence for part in parts(plan.corpus, plan.split) for sentence in part]
    return {"corpus": digest(whole), "trees": _digest_of_trees(plan)}


def _steps(plan: ProductsPlan, run: Run) -> Report:
    make_folder(run.place / "grammars")
    prepare = partial(prepare_trial, run.place)
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


def build(plan: ProductsPlan, records: Sequence[Record], command: str) -> Page:
    """The page."""
    scored = Scored(plan, records)
    failed = failures(records, _trial)
    page = ReportPage("Products of latent grammars", _summary(scored), command, _facts(plan), failed)
    page.add("Cycles", tables.by_cycle(scored))
    cycles = range(plan.cycles + 1)
    counts = {part: [scored.counts(part, [plan.seed], after=cycle) for cycle in cycles] for part in PARTS}
    _add_chart(page, counts, cycles, "cycles", "f1-by-cycle", "cycle 0 is the treebank's own grammar.")
    page.add("Single grammars", tables.singles(scored), tables.correlations(scored))
    page.add("Products", tables.products(scored), tables.gains(scored))
    ways = [(scored.first(n), "product" if n > 1 else "single") for n in scored.sizes]
    counts = {part: [scored.counts(part, seeds, way) for seeds, way in ways] for part in PARTS}
    _add_chart(page, counts, scored.sizes, "grammars", "f1-by-grammars", "1 is a single grammar.")
    page.add("Ways to combine", tables.combinations(scored))
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


def _add_chart(
    page: ReportPage,
    counts: Mapping[str, Sequence[Counts | None]],
    xs: Sequence[int],
    label: str,
    name: str,
    note: str,
) -> None:
    """F1 by a number of cycles or grammars, with its interval as a band; nothing for a single point."""
    series = {}
    for part, row in counts.items():
        points = [
            (x, bootstrap(found, statistic(BracketCounts, "f1")))
            for x, found in zip(xs, row, strict=True)
            if found is not None and len(found)
        ]
        if len(points) > 1:
            series[part] = Series(
                [x for x, _ in points],
                [ends.estimate for _, ends in points],
                low=[ends.low for _, ends in points],
                high=[ends.high for _, ends in points],
            )
    if series:
        title = f"F1 by number of {label}"
        page.chart(
            f"{title}. The band is the 95 % interval over sentences; {note}",
            line_chart,
            series,
            title=title,
            x_label=label,
            y_label="labeled F1",
            x_ticks=list(xs),
            name=name,
        )
