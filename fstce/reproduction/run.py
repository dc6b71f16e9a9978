"""What all experiments do: a folder, a log that is taken up again, a page.

An `Experiment` declares what differs; its trials, tables and page go through the same steps.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from fstce.errors import MissingToolError, ParameterError
from fstce.processes.trial_log import Record, Settings, TrialLog, discard
from fstce.processes.trials import Group, TrialMonitor, run_trials
from fstce.reporting import Page, Picture, Table, write_report
from fstce.reporting.files import make_folder
from fstce.reporting.page import PAGE, SUFFIXES, check_page
from fstce.reporting.tables import Cell, Divider
from fstce.version import __version__

LOG = "trials.jsonl"
Plan = TypeVar("Plan")
Key = TypeVar("Key", bound=Hashable)
Columns = Mapping[str, str | Callable[[Record], Cell]]
Trial = Callable[[Settings], Mapping[str, Any]]


@dataclass(frozen=True)
class Experiment(Generic[Plan]):
    """A paper's experiment, from a plan to a folder with a page.

    ``name``: its verb after ``fstce reproduce``. ``title``: the page's. ``about``: from the plan to what all
    trials depend on and no setting tells: fingerprints of the corpus; raises CorpusError or ParameterError
    where the corpus does not fit. ``groups``: the plan's trials. ``prepare``: from the folder and what the
    trials of a group share to what runs one. ``trial``: a trial's settings in words, for the list of those
    that failed. ``summary``: of the records in a sentence or two. ``facts``: of the plan. ``fill``: adds
    sections to the page. ``trials``: all trials as a table. ``then``: trials that need what the others gave.
    ``kept``: from a trial's settings to what it keeps in the folder, if anything: a trial whose
    file or folder is gone is run again, and a fresh run removes it.
    """

    name: str
    title: str
    about: Callable[[Plan], Mapping[str, str]]
    groups: Callable[[Plan], Sequence[Group]]
    prepare: Callable[[Path, Settings], Trial]
    trial: Callable[[Settings], str]
    summary: Callable[[Plan, Sequence[Record]], str]
    facts: Callable[[Plan], Mapping[str, Cell]]
    fill: Callable[[ReportPage, Plan, Sequence[Record]], None]
    trials: Callable[[Sequence[Record]], Table]
    then: Callable[[Plan, Sequence[Record]], Sequence[Group]] | None = None
    kept: Callable[[Settings], Path | None] | None = None

    def reproduce(
        self,
        plan: Plan,
        folder: str | os.PathLike[str],
        *,
        jobs: int | None = None,
        fresh: bool = False,
        command: str | None = None,
        monitor: TrialMonitor | None = None,
        client: Any = None,
    ) -> list[Path]:
        """Run what is not yet run, and write the tables, the pictures and the page.

        ``folder``: made where it is missing; holds ``trials.jsonl``, what the trials keep, and the report.
        ``jobs``: processes; −1 for one a core. ``fresh``: whether earlier trials in the folder are thrown
        away, with the files that they kept and no others. ``monitor``: called after every trial. ``client``:
        a Dask client; its workers see folder and corpus under the same paths. Returns the files of the
        report, the page last.
        """
        about = {**self.about(plan), "fstce": __version__}
        place = make_folder(Path(folder) if client is None else Path(folder).absolute())
        _check_folder(place)
        if fresh:
            self._discard(place / LOG)
        with TrialLog(place / LOG, about) as log:
            for name, record in list(log.records.items()):
                kept = self.kept and self.kept(record["settings"])
                if kept is not None and not (place / kept).exists():
                    del log.records[name]
            prepare = partial(self.prepare, place)
            run = partial(run_trials, prepare=prepare, log=log, jobs=jobs, monitor=monitor, client=client)
            records = run(self.groups(plan))
            if not ended(records):
                failed = self.failures(records)
                raise ParameterError(f"no trial came to an end: {failed[0] if failed else 'there is none'}")
            if self.then is not None:
                records += run(self.then(plan, records))
            page = self.page(plan, records, command or f"fstce reproduce {self.name}")
            return write_report(place, page, [self.trials(records)])

    def page(self, plan: Plan, records: Sequence[Record], command: str) -> Page:
        """The page, which begins with what was run, on what, and what failed."""
        page = ReportPage(self.title, self.summary(plan, records), sortable=True)
        page.section("What was run")
        page.code(command)
        page.facts(self.facts(plan))
        failed = list(dict.fromkeys(self.failures(records)))
        if failed:
            number = "1 trial" if len(failed) == 1 else f"{len(failed)} trials"
            page.text(f"{number} failed, and what they would say is missing below; the next run tries again:")
            page.items(failed)
        self.fill(page, plan, records)
        return page

    def failures(self, records: Iterable[Record]) -> list[str]:
        """The trials that failed, each with the reason."""
        return [f"{self.trial(one['settings'])}: {one['error']}" for one in records if "error" in one]

    def _discard(self, log: Path) -> None:
        """Empty the log, and remove the files that the trials in it kept."""
        for record in discard([log]):
            kept = self.kept and self.kept(record["settings"])
            if kept is not None:
                path = log.parent / kept
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)
                with suppress(OSError):  # others are left in the folder, or it was removed
                    path.parent.rmdir()


def _check_folder(place: Path) -> None:
    """Raise ParameterError where the report might replace files that are not of an earlier run."""
    check_page(place)
    if not any((place / name).exists() for name in (LOG, PAGE)):
        foreign = sorted(path.name for path in place.iterdir() if path.suffix in SUFFIXES)
        if foreign:
            raise ParameterError(
                f"{place / foreign[0]}: is of no earlier run, and the report writes such files; "
                "choose an empty folder"
            )


class ReportPage(Page):
    """The page of an experiment."""

    def add(self, title: str, *tables: Table) -> None:
        """Begin a section with the tables that have rows; nothing where none has."""
        filled = [table for table in tables if any(not isinstance(row, Divider) for row in table.rows)]
        if filled:
            self.section(title)
        for table in filled:
            self.table(table)

    def chart(self, caption: str, draw: Callable[..., Picture], *data: Any, **options: Any) -> None:
        """Draw a picture and add it; nothing where matplotlib is missing."""
        with suppress(MissingToolError):
            self.picture(draw(*data, **options), caption)


def name_of_file(settings: Mapping[str, Any]) -> str:
    """The name of what a trial keeps: a fingerprint of its settings."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:20]


def at(record: Record, path: str) -> Any:
    """What a record has under names joined by points, as ``result.words.hits``; None where it has none."""
    found: Any = record
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def table_of(name: str, title: str, records: Iterable[Record], columns: Columns, **options: Any) -> Table:
    """A row for each record; ``columns``: by heading its path, see :func:`at`, or what makes a cell of it."""
    rows = [[at(one, of) if isinstance(of, str) else of(one) for of in columns.values()] for one in records]
    return Table(name, title, list(columns), rows, **options)


def ended(records: Iterable[Record]) -> list[Record]:
    """The trials that came to an end."""
    return [record for record in records if "result" in record]


@cache
def published(name: str, *keys: str) -> dict[tuple[str, ...], dict[str, Any]]:
    """A paper's numbers by these columns of their file; a range is text, None stands where there is none."""
    text = files("fstce.reproduction").joinpath(f"published_{name}.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return {
        tuple(row.pop(key) for key in keys): {column: _number(cell) for column, cell in row.items()}
        for row in rows
    }


def _number(cell: str) -> float | str | None:
    try:
        return float(cell) if cell else None
    except ValueError:
        return cell


def grouped(records: Iterable[Record], key: Callable[[Settings], Key]) -> dict[Key, list[Record]]:
    """The trials that came to an end by what `key` makes of their settings."""
    groups: dict[Key, list[Record]] = {}
    for record in ended(records):
        groups.setdefault(key(record["settings"]), []).append(record)
    return groups


def best(records: Iterable[Record], name: str) -> Record:
    """The trial with the greatest result of this name, NaN the least."""
    return max(records, key=lambda one: np.nan_to_num(one["result"][name], nan=-np.inf, neginf=-np.inf))


def named(*names: str) -> Callable[[Settings], str]:
    """What says these settings of a trial, those that it has."""
    return lambda settings: ", ".join(f"{name} {settings[name]}" for name in names if name in settings)


def smoothing_of(settings: Settings) -> float | None:
    """The λ or σ² of a trial; None for no prior."""
    value: float | None = settings["smoothing"] if "smoothing" in settings else settings["sigma2"]
    return value
