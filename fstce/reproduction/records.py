"""Trials as a data frame, from which tables are taken, and the papers' own numbers."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from importlib.resources import files
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from fstce.reporting import Table
from fstce.reporting.tables import Cell

Record = Mapping[str, Any]
Settings = Mapping[str, Any]
Key = TypeVar("Key", bound=Hashable)


def frame_of(records: Iterable[Record], failed: bool = False) -> pd.DataFrame:
    """A row for each trial that came to an end; None where it has no such setting or result.

    Columns are the settings by their names, ``result.NAME`` what came out, and ``record``; with
    `failed` there are rows for the other trials too, and what was wrong is their ``error``.
    """
    rows = [
        {
            **record["settings"],
            **{f"result.{name}": value for name, value in record.get("result", {}).items()},
            "seconds": record.get("seconds"),
            "error": record.get("error"),
            "record": record,
        }
        for record in records
        if failed or "result" in record
    ]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    return pd.DataFrame([[row.get(name) for name in columns] for row in rows], None, columns, dtype=object)


def table_of(name: str, title: str, frame: pd.DataFrame, columns: Mapping[str, str], **options: Any) -> Table:
    """A table of some columns of a frame.

    ``columns``: from the table's headings to the frame's columns; empty cells where it has none.
    """
    return Table(name, title, list(columns), cells_of(frame, columns.values()), **options)


def cells_of(frame: pd.DataFrame, columns: Iterable[str]) -> list[list[Cell]]:
    """The rows of some columns of a frame, as Python's own values; None where it has no such column."""
    chosen = [frame[name].astype(object) if name in frame else [None] * len(frame) for name in columns]
    return [list(row) for row in zip(*chosen, strict=True)]


def published_rows(name: str) -> list[dict[str, str]]:
    """The rows of the file of a paper's numbers; empty text where it has none."""
    text = files("fstce.reproduction").joinpath(f"published_{name}.tsv").read_text(encoding="utf-8")
    return [{k: v or "" for k, v in row.items()} for row in csv.DictReader(text.splitlines(), delimiter="\t")]


def grouped(records: Iterable[Record], key: Callable[[Settings], Key]) -> dict[Key, list[Record]]:
    """The trials that came to an end by what `key` makes of their settings."""
    groups: dict[Key, list[Record]] = {}
    for record in records:
        if "result" in record:
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
