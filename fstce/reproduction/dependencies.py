"""The grammar paper's Table 2 (Smith & Eisner 2005b) from a plan to a folder with a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fstce.neighborhoods.registry import neighborhood
from fstce.processes.trial_log import Settings
from fstce.reporting import Page
from fstce.reproduction import dependency_tables as tables
from fstce.reproduction.dependency_trials import (
    GENERATIVE,
    DependencyPlan,
    TaggedTrees,
    groups,
    prepare,
    treebank,
)
from fstce.reproduction.material import digest, read
from fstce.reproduction.records import mean
from fstce.reproduction.run import Experiment, Report, ReportPage, Run

LATTICE = "DT NN VBZ JJ"


def _about(plan: DependencyPlan) -> dict[str, Any]:
    _treebank(plan)
    return {"corpus": digest(read(plan.corpus))}


def _steps(plan: DependencyPlan, run: Run) -> Report:
    records, failed = run.ended(groups(plan), prepare, _named)
    return build(plan, records, run.command, failed), [tables.trials(records)]


reproduce = Experiment("dependencies", _about, _steps).reproduce


def _treebank(plan: DependencyPlan) -> TaggedTrees:
    return treebank(plan.corpus, plan.max_length, plan.tag_column)


def _named(settings: Settings) -> str:
    """A trial, for messages."""
    grid = "smoothing" if "smoothing" in settings else "sigma2"
    return (
        f"fold {settings['fold'] + 1}, {settings['criterion']}, {settings['start']}, {grid} {settings[grid]}"
    )


def build(
    plan: DependencyPlan, records: Sequence[tables.Record], command: str, failed: Sequence[str] = ()
) -> Page:
    """The page."""
    page = ReportPage("Dependency grammar induction", _summary(plan, records), command, _facts(plan), failed)
    page.section("Criteria and starts (the paper’s Table 2)")
    page.table(tables.table2(plan, records))
    page.section("A neighborhood")
    page.picture(neighborhood("trans1")(LATTICE.split())._repr_svg_() or "", f"TRANS1 of “{LATTICE}”.")
    return page


def _summary(plan: DependencyPlan, records: Sequence[tables.Record]) -> str:
    means: dict[str, float] = {}
    for (criterion, start, value), found in tables.by_row(records).items():
        if criterion in plan.criteria:
            grid = "λ" if criterion in GENERATIVE else "σ²"
            name = f"{tables.name_of(criterion)} ({start}, {grid} {tables.spelt(criterion, value)})"
            means[name] = mean(found, "test")
    if not means:
        return ""
    best = max(means, key=lambda name: means[name])
    return (
        f"Best row without trees: {best}, {means[best]:.1f} % directed on the test folds (chosen with trees)."
    )


def _facts(plan: DependencyPlan) -> dict[str, Any]:
    whole = _treebank(plan)
    return {
        "treebank": plan.corpus,
        "sentences": f"{len(whole.sentences):,} of at most {plan.max_length} words without punctuation",
        "words": sum(map(len, whole.sentences)),
        "tags": len({tag for row in whole.sentences for tag in row}),
        "folds": f"{plan.folds} of 10 (8 to train on, 1 for development, 1 for the test)",
        "stopped at": f"relative change {plan.tolerance:g}, or {plan.max_iterations} iterations",
    }
