"""Tables of the records of trials, and the papers' own numbers."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from importlib.resources import files
from typing import Any, TypeVar

import numpy as np

from fstce.reporting import Table
from fstce.reporting.tables import Cell

Record = Mapping[str, Any]
Settings = Mapping[str, Any]
Columns = Mapping[str, str | Callable[[Record], Cell]]
Key = TypeVar("Key", bound=Hashable)


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
