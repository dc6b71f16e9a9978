"""The grammar paper's Table 2 (Smith & Eisner 2005b) from a plan to a folder with a page."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from fstce.corpora import read_corpus
from fstce.errors import MissingToolError, ParameterError
from fstce.estimation.trials import TrialMonitor, run_trials
from fstce.neighborhoods import neighborhood
from fstce.parsing_criteria import LOCAL
from fstce.reporting import Page, Picture, Series, line_chart, write_report
from fstce.reporting.files import make_folder
from fstce.reproduction import grammar_tables as tables
from fstce.reproduction.grammar_trials import Plan, groups, prepare, treebank
from fstce.reproduction.material import digest
from fstce.version import __version__

LOG = "trials.jsonl"
LATTICE = "DT NN VBZ JJ"


def reproduce(
    plan: Plan,
    folder: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    fresh: bool = False,
    command: str = "fstce reproduce grammar",
    monitor: TrialMonitor | None = None,
) -> list[Path]:
    """Run what is not yet run, and write the tables, the pictures and the page.

    Parameters
    ----------
    plan : Plan
    folder : path
        Made where it is missing. Holds ``trials.jsonl`` and the report.
    jobs : int, optional
        Processes; −1 for one a core.
    fresh : bool
        Whether earlier trials in the folder are thrown away.
    command : str
        What the page says was run.
    monitor : callable, optional
        Told of every trial.

    Raises
    ------
    CorpusError, ParameterError
        Before any training: the treebank or the log does not fit the plan. After it: every
        trial failed.
    """
    treebank(plan.corpus, plan.max_length, plan.currency, plan.tags)
    place = make_folder(Path(folder))
    if fresh:
        (place / LOG).unlink(missing_ok=True)
    about = {"corpus": digest(read_corpus(plan.corpus)), "fstce": __version__}
    records = run_trials(groups(plan), prepare, place / LOG, about=about, jobs=jobs, monitor=monitor)
    failed = [_failure(record) for record in records if "error" in record]
    if len(failed) == len(records):
        raise ParameterError(f"no trial came to an end: {failed[0] if failed else 'there is none'}")
    return write_report(place, build(plan, records, command, failed), [tables.trials(records)])


def _failure(record: tables.Record) -> str:
    """Which trial failed, and why."""
    settings = record["settings"]
    grid = "smoothing" if "smoothing" in settings else "sigma2"
    named = f"fold {settings['fold'] + 1}, {settings['criterion']}, {settings['start']}"
    return f"{named}, {grid} {settings[grid]}: {record['error']}"


def build(plan: Plan, records: Sequence[tables.Record], command: str, failed: Sequence[str] = ()) -> Page:
    """The page."""
    page = Page("Dependency grammar induction", _summary(plan, records), sortable=True)
    page.section("What was run")
    page.code(command)
    page.facts(_facts(plan))
    if failed:
        page.text(f"{len(failed)} trials failed and are left out:")
        page.items(failed)
    page.section("Table 2")
    page.table(tables.table2(plan, records))
    pictures = _curves(plan, records)
    if pictures:
        page.section("Smoothing")
    for picture in pictures:
        page.picture(picture)
    page.section("A neighbourhood")
    page.picture(neighborhood("trans1")(LATTICE.split())._repr_svg_() or "", f"TRANS1 of “{LATTICE}”.")
    return page


def _summary(plan: Plan, records: Sequence[tables.Record]) -> str:
    means: dict[str, float] = {}
    for (criterion, start, value), found in tables.by_row(records).items():
        if criterion in plan.criteria:
            grid = "λ" if criterion in LOCAL else "σ²"
            name = f"{tables.name_of(criterion)} ({start}, {grid} {tables.spelt(criterion, value)})"
            means[name] = _mean_test(found)
    if not means:
        return ""
    best = max(means, key=lambda name: means[name])
    return (
        f"Best row without trees: {best}, {means[best]:.1f} % directed on the test folds (chosen with trees)."
    )


def _facts(plan: Plan) -> dict[str, Any]:
    whole = treebank(plan.corpus, plan.max_length, plan.currency, plan.tags)
    return {
        "treebank": plan.corpus,
        "sentences": f"{len(whole.sentences):,} of at most {plan.max_length} words without punctuation",
        "words": sum(map(len, whole.sentences)),
        "tags": len({tag for row in whole.sentences for tag in row}),
        "folds": f"{plan.folds} of 10 (8 to train on, 1 for development, 1 for the test)",
        "stopped at": f"relative change {plan.tolerance:g}, or {plan.max_iterations} iterations",
    }


def _curves(plan: Plan, records: Sequence[tables.Record]) -> list[Picture]:
    """Test accuracy over the grid, a line for each criterion and start; none without matplotlib."""
    found = tables.by_row(records)
    pictures = []
    for name, label, local in (("sigma2", "σ²", False), ("smoothing", "λ", True)):
        place = _places(plan.smoothing if local else plan.sigma2, local)
        series = {
            f"{tables.name_of(criterion)}, {start}": line
            for criterion in plan.criteria
            if (criterion in LOCAL) == local
            for start in plan.starts
            if (line := _line(found, criterion, start, place)) is not None
        }
        ticks = {x: tables.spelt("em" if local else "", value) for value, x in place.items()}
        if series:
            with suppress(MissingToolError):
                pictures.append(
                    line_chart(
                        series,
                        title=f"Test accuracy by {label}",
                        x_label=label,
                        y_label="% of heads",
                        log_x=True,
                        x_ticks=ticks,
                        name=f"accuracy-by-{name}",
                    )
                )
    return pictures


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
    return Series([x for x, _ in points], [y for _, y in points], dashed=start != "uniform")


def _mean_test(records: Sequence[tables.Record]) -> float:
    return sum(float(record["result"]["test"]) for record in records) / len(records)
