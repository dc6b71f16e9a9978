"""The steps of all experiments: a plan, a folder, a log that is taken up again, a page.

An `Experiment` declares what differs; its trials, tables and page go through the same steps.
"""

from __future__ import annotations

import csv
import hashlib
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from fstce.errors import MissingToolError, ParameterError
from fstce.estimation.maximize import Training
from fstce.numeric.types import PathName
from fstce.parameters.rules import Rule, check, sequence
from fstce.parameters.rules import Table as Rules
from fstce.parameters.tables import NOT_NEGATIVE, STOPPING, VARIANCE
from fstce.processes.trial_log import Record, Result, Settings, TrialLog, key
from fstce.processes.trials import Group, TrialMonitor, run_trials
from fstce.reporting.charts import Points, line_chart
from fstce.reporting.page import PAGE, SUFFIXES, Page, check_page, make_folder, write_report
from fstce.reporting.tables import Cell, Divider, Table
from fstce.reproduction.material import digest, read
from fstce.version import __version__

LOG = "trials.jsonl"
Key = TypeVar("Key", bound=Hashable)
Trial = Callable[[Settings], Result]
# Options of plans with a grid of priors.
GRIDS: Rules = {
    "sigma2": sequence(VARIANCE, least=1).says("The grid of prior variances."),
    "smoothing": sequence(NOT_NEGATIVE, least=1).says("The grid of λ."),
    "tag_column": Rule("text")
    .or_none()
    .says("Of CoNLL: xpos or upos; by default xpos where it is filled."),
    **STOPPING,
}


@dataclass(frozen=True)
class Plan:
    """The part of an experiment that is run; ``rules``: of its fields, for the verb, too."""

    rules: ClassVar[Rules] = {}
    corpus: str

    def __post_init__(self) -> None:
        check(self.rules, **{name: getattr(self, name) for name in self.rules})
        criteria = getattr(self, "criteria", None)
        if criteria is not None:  # names as the papers spell them; a path stays
            spelt = (name if {".", "/"} & set(name) else name.lower() for name in criteria)
            object.__setattr__(self, "criteria", tuple(spelt))


AnyPlan = TypeVar("AnyPlan", bound=Plan)


@dataclass(frozen=True)
class Experiment(Generic[AnyPlan]):
    """A paper's experiment, from a plan to a folder with a page.

    ``name``: its verb after ``fstce reproduce``. ``title``: the page's. ``groups``: the plan's
    trials. ``prepare``: from the folder and what the trials of a group share to what runs one.
    ``named_by``: the settings that name a trial. ``outcome``: its result in words. ``facts``: of
    the plan's text, next to the plan itself; raises CorpusError where the corpus does not fit.
    ``fill``: adds sections to the page. ``then``: trials that need what the others gave.
    """

    name: str
    title: str
    groups: Callable[[AnyPlan], Sequence[Group]]
    prepare: Callable[[Path, Settings], Trial]
    named_by: Sequence[str]
    outcome: Callable[[Settings, Result], str]
    facts: Callable[[AnyPlan], Mapping[str, Cell]]
    fill: Callable[[ReportPage, AnyPlan, Sequence[Record]], None]
    then: Callable[[AnyPlan, Sequence[Record]], Sequence[Group]] | None = None

    def reproduce(
        self,
        plan: AnyPlan,
        folder: PathName,
        *,
        jobs: int | None = None,
        command: str | None = None,
        monitor: TrialMonitor | None = None,
        show: Callable[[Sequence[Table]], object] | None = None,
    ) -> list[Path]:
        """Run what is not yet run, and write the tables, the pictures and the page.

        ``folder``: made where it is missing; holds ``trials.jsonl``, what the trials keep, and the
        report. ``jobs``: processes; −1 for one a core. ``monitor``: called after every trial.
        ``show``: called with the tables of the page. Returns the files of the report, the page
        last.
        """
        self.facts(plan)  # whether the corpus fits, before anything is made
        sentences = read(plan.corpus, tag_column=getattr(plan, "tag_column", None))
        about = {"corpus": digest(sentences), "fstce": __version__}
        place = make_folder(Path(folder))
        _check_folder(place)

        with TrialLog(place / LOG, about) as log:
            prepare = partial(self.prepare, place)
            run = partial(run_trials, prepare=prepare, log=log, jobs=jobs, monitor=monitor)
            records = run(self.groups(plan))
            if not ended(records):
                failed = self.failures(records)
                raise ParameterError(
                    f"no trial came to an end: {failed[0] if failed else 'there is none'}"
                )
            if self.then is not None:
                records += run(self.then(plan, records))
            page = self.page(plan, records, command or f"fstce reproduce {self.name}")
            if show is not None:
                show(page.tables)
            return write_report(place, page)

    def describe(self, record: Record) -> str:
        """A trial that came to an end, in a few words."""
        settings = record["settings"]
        return ": ".join(
            filter(None, (self.named(settings), self.outcome(settings, record["result"])))
        )

    def named(self, settings: Settings) -> str:
        """A trial by its settings, spelt as in the log."""
        return " ".join(f"{name}={settings[name]}" for name in self.named_by if name in settings)

    def page(self, plan: AnyPlan, records: Sequence[Record], command: str) -> Page:
        """The page, which begins with what was run, on what, and what failed."""
        page = ReportPage(self.title, sortable=True)
        page.section("What was run")
        page.code(command)
        page.facts(
            {**{name: _spelt(value) for name, value in vars(plan).items()}, **self.facts(plan)}
        )

        failed = list(dict.fromkeys(self.failures(records)))
        if failed:
            number = "1 trial" if len(failed) == 1 else f"{len(failed)} trials"
            page.text(
                f"{number} failed, and what they would say is missing below; the next run tries "
                "again:"
            )
            page.items(failed)

        self.fill(page, plan, records)
        return page

    def failures(self, records: Iterable[Record]) -> list[str]:
        """The trials that failed, each with the reason."""
        return [
            f"{self.named(record['settings'])}: {record['error']}"
            for record in records
            if "error" in record
        ]


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
        filled = [table for table in tables if {*map(type, table.rows)} - {Divider}]
        if filled:
            self.section(title)
        for table in filled:
            self.table(table)

    def chart(self, caption: str, series: Mapping[str, Points], **options: Any) -> None:
        """Draw a :func:`line_chart` and add it; nothing where matplotlib is missing."""
        with suppress(MissingToolError):
            self.picture(line_chart(series, **options), caption)


def _spelt(value: Any) -> str:
    """A value of a plan as its option has it."""
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    return str(value)


def name_of_file(settings: Settings) -> str:
    """The name of what a trial keeps: a fingerprint of its settings."""
    return hashlib.sha256(key(settings).encode()).hexdigest()[:20]


def ended(records: Iterable[Record]) -> list[Record]:
    """The trials that came to an end."""
    return [record for record in records if "result" in record]


@cache
def published(name: str, *keys: str) -> dict[tuple[str, ...], dict[str, Any]]:
    """A paper's numbers by these columns of their file; a range is text, nothing None."""
    text = files("fstce.reproduction").joinpath(f"published_{name}.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    numbers = {}
    for row in rows:
        name_of_row = tuple(row.pop(key) for key in keys)
        numbers[name_of_row] = {column: _number(cell) for column, cell in row.items()}
    return numbers


def is_papers(corpus: str) -> bool:
    """Whether a corpus is, by its name, the Wall Street Journal of the published numbers."""
    return corpus in ("nltk:dependency_treebank", "nltk:treebank") or "wsj" in corpus.lower()


def _number(cell: str) -> float | str | None:
    try:
        return float(cell)
    except ValueError:
        return cell or None


def grouped(records: Iterable[Record], key: Callable[[Settings], Key]) -> dict[Key, list[Record]]:
    """The trials that came to an end by what `key` makes of their settings."""
    groups: dict[Key, list[Record]] = {}
    for record in ended(records):
        groups.setdefault(key(record["settings"]), []).append(record)
    return groups


def best(records: Iterable[Record], name: str) -> Record:
    """The trial with the greatest result of this name, NaN the least."""
    return max(
        records,
        key=lambda record: np.nan_to_num(record["result"][name], nan=-np.inf, neginf=-np.inf),
    )


def grid(plan: Any, local: bool) -> list[Settings]:
    """The trials of a criterion: a λ each where the model is normalized locally, else a σ²."""
    name = "smoothing" if local else "sigma2"
    return [{name: value} for value in getattr(plan, name)]


def smoothing_of(settings: Settings) -> float:
    """The λ or σ² of a trial; ∞ for no prior."""
    value = settings.get("smoothing", settings.get("sigma2"))
    return math.inf if value is None else float(value)


def course(training: Training) -> Result:
    """How a training went, for the log."""
    return {"objective": training.objective, "iterations": training.steps[-1].iteration}
