"""The grammar paper's Table 2 (Smith & Eisner 2005b) from a plan to a folder with a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fstce.corpora import read_corpus
from fstce.neighborhoods.registry import neighborhood
from fstce.processes.trial_log import Settings
from fstce.reporting import Page, Series, line_chart
from fstce.reproduction import dependency_tables as tables
from fstce.reproduction.dependency_choice import choice_table
from fstce.reproduction.dependency_trials import (
    GENERATIVE,
    DependencyPlan,
    TaggedTrees,
    groups,
    prepare,
    treebank,
)
from fstce.reproduction.material import digest
from fstce.reproduction.report_page import ReportPage
from fstce.reproduction.run import Experiment, Report, Run

LATTICE = "DT NN VBZ JJ"
CAPTION = (
    "words with the right head, mean over the test folds; a colour a criterion, solid from uniform initial "
    "weights and dashed from others. “none” is no smoothing."
)


def _about(plan: DependencyPlan) -> dict[str, Any]:
    _treebank(plan)
    return {"corpus": digest(read_corpus(plan.corpus))}


def _steps(plan: DependencyPlan, run: Run) -> Report:
    records, failed = run.ended(groups(plan), prepare, _named)
    return build(plan, records, run.command, failed), [tables.trials(records)]


reproduce = Experiment("dependencies", _about, _steps).reproduce


def _treebank(plan: DependencyPlan) -> TaggedTrees:
    return treebank(plan.corpus, plan.max_length, plan.currency, plan.tags, plan.tag_column)


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
    choice = choice_table(plan.rows, records, tables.name_of)
    if choice is not None:
        page.section("Choosing without trees")
        page.table(choice)
    _add_curves(page, plan, records)
    page.section("A neighbourhood")
    page.picture(neighborhood("trans1")(LATTICE.split())._repr_svg_() or "", f"TRANS1 of “{LATTICE}”.")
    return page


def _summary(plan: DependencyPlan, records: Sequence[tables.Record]) -> str:
    means: dict[str, float] = {}
    for (criterion, start, value), found in tables.by_row(records).items():
        if criterion in plan.criteria:
            grid = "λ" if criterion in GENERATIVE else "σ²"
            name = f"{tables.name_of(criterion)} ({start}, {grid} {tables.spelt(criterion, value)})"
            means[name] = _mean_test(found)
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


def _add_curves(page: ReportPage, plan: DependencyPlan, records: Sequence[tables.Record]) -> None:
    """Test accuracy over the grid, a line for each criterion and start."""
    found = tables.by_row(records)
    for name, label, local in (("sigma2", "σ²", False), ("smoothing", "λ", True)):
        place = _places(plan.smoothing if local else plan.sigma2, local)
        series = {
            f"{tables.name_of(criterion)}, {start}": line
            for criterion in plan.criteria
            if (criterion in GENERATIVE) == local
            for start in plan.starts
            if (line := _line(found, criterion, start, place)) is not None
        }
        title = f"Test accuracy by {label}"
        if series:
            page.chart(
                f"{title}: {CAPTION}",
                line_chart,
                series,
                section="Smoothing",
                title=title,
                x_label=label,
                y_label="% of heads",
                log_x=True,
                x_ticks={x: tables.spelt("em" if local else "", value) for value, x in place.items()},
                systems=[tables.name_of(criterion) for criterion in plan.criteria],
                name=f"accuracy-by-{name}",
            )


def _places(grid: Sequence[float | None], local: bool) -> dict[float | None, float]:
    """Where on a logarithmic axis each value stands: no smoothing beyond the weakest."""
    finite = [value for value in grid if value] or [1.0]
    edge = min(finite) / 10 if local else max(finite) * 10
    return {value: float(value or edge) for value in grid}


def _line(
    found: Mapping[tables.Key, list[tables.Record]],
    criterion: str,
    start: str,
    place: Mapping[float | None, float],
) -> Series | None:
    """The line of a row over the grid, if it has two points."""
    rows = [(x, found.get((criterion, start, value))) for value, x in place.items()]
    points = [(x, _mean_test(records)) for x, records in rows if records]
    if len(points) < 2:
        return None
    xs, ys = zip(*points, strict=True)
    return Series(xs, ys, dashed=start != "uniform", like=tables.name_of(criterion))


def _mean_test(records: Sequence[tables.Record]) -> float:
    return sum(float(record["result"]["test"]) for record in records) / len(records)
