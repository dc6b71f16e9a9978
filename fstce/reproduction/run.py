"""What all experiments do: a folder, a log that is taken up again, a page.

An `Experiment` holds what differs; its steps from a plan to a page run their trials by a `Run`.
"""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from fstce.errors import MissingToolError, ParameterError
from fstce.processes.trial_log import Record, Settings, TrialLog, discard
from fstce.processes.trials import Group, Prepare, TrialMonitor, run_trials
from fstce.reporting import Page, Picture, Table, write_report
from fstce.reporting.files import make_folder
from fstce.reporting.page import PAGE, SUFFIXES, check_page
from fstce.reporting.tables import Cell, Divider
from fstce.version import __version__

LOG = "trials.jsonl"
Plan = TypeVar("Plan")
Key = TypeVar("Key", bound=Hashable)
Columns = Mapping[str, str | Callable[[Record], Cell]]
Report = tuple[Page, Sequence[Table]]


@dataclass(frozen=True)
class Run:
    """Where the trials of a run are logged, and who hears; an open `log` keeps other runs out."""

    place: Path
    about: Mapping[str, Any]
    command: str
    jobs: int | None = None
    monitor: TrialMonitor | None = None
    notify: Callable[[str], None] | None = None
    log: TrialLog | None = None
    client: Any = None

    def trials(
        self, groups: Iterable[Group], prepare: Prepare, log: str | None = LOG, monitored: bool = True
    ) -> list[Record]:
        """The records of the trials, see `run_trials`; without a log's name all are run, none is logged."""
        path = None if log is None else self.place / log
        book = self.log if log == LOG and self.log is not None else path
        monitor = self.monitor if monitored else None
        return run_trials(
            groups, prepare, book, about=self.about, jobs=self.jobs, monitor=monitor, client=self.client
        )

    def ended(
        self, groups: Iterable[Group], prepare: Prepare, named: Callable[[Settings], str]
    ) -> tuple[list[Record], list[str]]:
        """The records of the trials, and the failures in words; raises ParameterError where all failed."""
        records = self.trials(groups, prepare)
        failed = failures(records, named)
        check_ended(len(failed) < len(records), failed)
        return records, failed

    def tell(self, text: str) -> None:
        """Say what comes next, where anyone listens."""
        if self.notify is not None:
            self.notify(text)


@dataclass(frozen=True)
class Experiment(Generic[Plan]):
    """A paper's experiment, from a plan to a folder with a page.

    ``name``: its verb after ``fstce reproduce``. ``about``: from the plan to what all trials depend on and no
    setting tells: fingerprints of the corpus; raises CorpusError or ParameterError where the corpus does not
    fit. ``steps``: from the plan and a `Run` to the page and to tables that it does not show. ``kept``: from
    a trial's settings to the file in the folder that it keeps, which a fresh run removes. ``logs``: the names
    of all logs; the first is the trials'.
    """

    name: str
    about: Callable[[Plan], Mapping[str, Any]]
    steps: Callable[[Plan, Run], Report]
    kept: Callable[[Settings], Path] | None = None
    logs: tuple[str, ...] = (LOG,)

    def reproduce(
        self,
        plan: Plan,
        folder: str | os.PathLike[str],
        *,
        jobs: int | None = None,
        fresh: bool = False,
        command: str | None = None,
        monitor: TrialMonitor | None = None,
        notify: Callable[[str], None] | None = None,
        client: Any = None,
    ) -> list[Path]:
        """Run what is not yet run, and write the tables, the pictures and the page.

        ``folder``: made where it is missing; holds ``trials.jsonl``, what the trials keep, and the report.
        ``jobs``: processes; −1 for one a core. ``fresh``: whether earlier trials in the folder are thrown
        away, with the files that they kept and no others. ``monitor``: called after every trial. ``notify``:
        hears in words what comes after them. ``client``: a Dask client; its workers see folder and corpus
        under the same paths. Returns the files of the report, the page last.
        """
        about = {**self.about(plan), "fstce": __version__}
        place = make_folder(Path(folder) if client is None else Path(folder).absolute())
        _check_folder(place)
        if fresh:
            self._discard(place)
        shown = command or f"fstce reproduce {self.name}"
        with TrialLog(place / LOG, about) as log:
            run = Run(place, about, shown, jobs, monitor, notify, log, client)
            page, tables = self.steps(plan, run)
            return write_report(place, page, tables)

    def _discard(self, place: Path) -> None:
        """Empty the logs, and remove the files that the trials in them kept."""
        for record in discard([place / name for name in self.logs]):
            if self.kept is not None:
                path = place / self.kept(record["settings"])
                path.unlink(missing_ok=True)
                with suppress(OSError):  # others are left in the folder, or it was removed
                    path.parent.rmdir()


def failures(records: Iterable[Mapping[str, Any]], named: Callable[[Settings], str]) -> list[str]:
    """The trials that failed, each with the reason."""
    return [f"{named(record['settings'])}: {record['error']}" for record in records if "error" in record]


def check_ended(ended: bool, failed: Sequence[str], what: str = "trial") -> None:
    """Raise ParameterError, with the first of the failures, where none of the trials has ended well."""
    if not ended:
        raise ParameterError(f"no {what} came to an end: {failed[0] if failed else 'there is none'}")


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
    """The page of an experiment, which begins with what was run, on what, and which trials failed."""

    def __init__(
        self, title: str, summary: str, command: str, facts: Mapping[str, Cell], failed: Iterable[str] = ()
    ) -> None:
        super().__init__(title, summary, sortable=True)
        self.section("What was run")
        self.code(command)
        self.facts(facts)
        reported = list(dict.fromkeys(failed))
        if reported:
            number = "1 trial" if len(reported) == 1 else f"{len(reported)} trials"
            self.text(f"{number} failed, and what they would say is missing below; the next run tries again:")
            self.items(reported)

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


def published_rows(name: str) -> list[dict[str, str]]:
    """The rows of the file of a paper's numbers; empty text where it has none."""
    text = files("fstce.reproduction").joinpath(f"published_{name}.tsv").read_text(encoding="utf-8")
    return [{k: v or "" for k, v in row.items()} for row in csv.DictReader(text.splitlines(), delimiter="\t")]


def grouped(records: Iterable[Record], key: Callable[[Settings], Key]) -> dict[Key, list[Record]]:
    """The trials that came to an end by what `key` makes of their settings."""
    groups: dict[Key, list[Record]] = {}
    for record in ended(records):
        groups.setdefault(key(record["settings"]), []).append(record)
    return groups


def best(records: Iterable[Record], name: str) -> Record:
    """The trial with the greatest result of this name, NaN the least."""

    def value(record: Record) -> float:
        result = float(record["result"][name])
        return -math.inf if math.isnan(result) else result

    return max(records, key=value)


def mean(records: Iterable[Record], name: str) -> float:
    """The mean of the results of this name."""
    return float(np.mean([record["result"][name] for record in records]))


def smoothing_of(settings: Settings) -> float | None:
    """The λ or σ² of a trial; None for no prior."""
    value: float | None = settings["smoothing"] if "smoothing" in settings else settings["sigma2"]
    return value
