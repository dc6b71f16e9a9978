"""Brooks' experiments (2006) on a treebank, from a plan to a folder with a page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from fstce.processes.trial_log import Settings
from fstce.reporting import Page
from fstce.reproduction import distribution_tables as tables
from fstce.reproduction.distribution_trials import DistributionPlan, groups, prepare, treebank
from fstce.reproduction.material import digest, read
from fstce.reproduction.run import Experiment, Report, ReportPage, Run, check_ended, failures


def _about(plan: DistributionPlan) -> dict[str, Any]:
    treebank(plan.corpus)
    return {"corpus": digest(read(plan.corpus, "tree"))}


def _steps(plan: DistributionPlan, run: Run) -> Report:
    records = run.trials(groups(plan), prepare)
    failed = failures(records, _named)
    check_ended(bool(tables.final(plan, records)), failed, "system")
    return build(plan, records, run.command, failed), [tables.trials(records)]


reproduce = Experiment("distribution", _about, _steps).reproduce


def _named(settings: Settings) -> str:
    """A trial, for messages."""
    cut = " between marks" if settings["cut"] else ""
    return f"{tables.NAMES[settings['system']]}{cut}, {settings['iterations']} iterations"


def build(
    plan: DistributionPlan, records: Sequence[tables.Record], command: str, failed: Sequence[str] = ()
) -> Page:
    """The page."""
    title = "Grammar induction by distribution and attachment"
    page = ReportPage(title, _summary(plan, records), command, _facts(plan), failed)
    page.section("Systems")
    page.table(tables.systems(plan, records))
    page.table(tables.filled_up(plan, records))
    page.table(tables.published_counts(plan, records))
    page.section("Categories")
    page.table(tables.recall(plan, records))
    page.table(tables.edges(plan))
    page.section("Classes")
    page.table(tables.purities(plan, records))
    page.table(tables.largest(plan, records))
    page.section("A sentence")
    for system, result in tables.final(plan, records).items():
        page.text(f"{tables.NAMES[system]}:")
        page.code(result["example"])
    return page


def _summary(plan: DistributionPlan, records: Sequence[tables.Record]) -> str:
    found = tables.final(plan, records)
    order = sorted(found, key=lambda system: -found[system]["f1"])
    scores = ", ".join(f"{tables.NAMES[system]} {found[system]['f1']:.1f}" for system in order)
    paper = sorted(found, key=lambda system: -tables.published()[system]["f1"])
    theirs = ", ".join(tables.NAMES[system] for system in paper)
    agrees = all(found[above]["f1"] >= found[below]["f1"] for above, below in pairwise(paper))
    same = "the paper's order" if agrees else f"the paper's order: {theirs}"
    phrases = ", ".join(
        f"{tables.NAMES[system]} {found[system]['recall_of'].get('PP', float('nan')):.1f}" for system in order
    )
    return f"F1 in percent: {scores} ({same}). Recall of prepositional phrases: {phrases}."


def _facts(plan: DistributionPlan) -> dict[str, Any]:
    bank = treebank(plan.corpus)
    return {
        "treebank": plan.corpus,
        "sentences": len(bank.trees),
        "words": f"{sum(bank.lengths):,} without punctuation",
        "iterations": plan.iterations,
        "bootstrap": f"{plan.resamples:,} resamples of sentences, seed {plan.seed}",
    }
