"""Which cell of a grid to take where there are no trees: the choosers beside the grid's mean and best.

Three choosers see no tree: the criterion on held-out text, which only compares cells of one
criterion; agreement, the share of heads on which a cell's trees and those of the other cells are
one; and stability, the share that is the same when other sentences are learnt from: two folds that
follow each other train on seven eighths of the same text, and neither on the part between them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from fstce.numeric.types import Ints
from fstce.reporting import Table
from fstce.reproduction.dependency_trials import FOLDS, WITH

Record = Mapping[str, Any]
Cell = str | float | None
COLUMNS = ("held-out", "agreement", "stability")


def agreement(members: Sequence[str]) -> list[float]:
    """Of each member's heads, the percentage that another has too, on the mean over the others."""
    heads = np.array([_heads(member) for member in members])
    if len(heads) < 2:
        return [math.nan] * len(heads)
    same = np.array([(heads == own).mean(axis=1).sum() - 1.0 for own in heads])
    return [float(share) for share in 100.0 * same / (len(heads) - 1)]


def stability(records: Sequence[Record]) -> float:
    """Of one cell: the percentage of the same heads on what two folds that follow each other leave out."""
    folds = {record["settings"]["fold"]: record["result"]["trees"] for record in records}
    pairs = [
        float((_heads(trees["development"]) == _heads(folds[(fold - 1) % FOLDS]["test"])).mean())
        for fold, trees in folds.items()
        if (fold - 1) % FOLDS in folds and len(folds) > 1
    ]
    return 100.0 * float(np.mean(pairs)) if pairs else math.nan


def choice_table(rows: Sequence[str], records: Iterable[Record], named: Callable[[str], str]) -> Table | None:
    """The test accuracy that each chooser reaches, by grid: one criterion and start, or all without rules.

    Returns none where no grid has two cells.
    """
    own = [r for r in records if r["settings"]["criterion"] in rows and r.get("result", {}).get("trees")]
    grids: dict[tuple[str, str], list[Record]] = {}
    for record in own:
        settings = record["settings"]
        every = f"all{WITH}rules" if WITH in settings["criterion"] else "all without rules"
        grids.setdefault((named(settings["criterion"]), settings["start"]), []).append(record)
        grids.setdefault((every, "all"), []).append(record)
    lines = [
        [name, start, *_cells(grid, comparable=start != "all")]
        for (name, start), grid in sorted(grids.items(), key=lambda item: item[0][1] == "all")
        if len({_cell(r) for r in grid}) > 1
    ]
    if not lines:
        return None
    columns = ["criterion", "start", "mean of the grid", *(f"by {name}" for name in COLUMNS), "best"]
    note = (
        "Test accuracy in percent, mean over the folds, of the cell that is chosen: in each fold by the "
        "criterion on the development fold or by the agreement of its trees there with those of the other "
        "cells; by stability once for all folds, the share of heads that two folds in a row find alike on "
        "what neither has learnt from. Best: of the cells, on the mean over the folds, chosen with trees. "
        + _not_below(lines)
    )
    return Table("choice", "Choosing without trees", columns, lines, note)


def _not_below(lines: Sequence[Sequence[Cell]]) -> str:
    """How often each chooser is at least as good as the mean of its grid."""
    counts = []
    for place, name in enumerate(COLUMNS, 3):
        pairs = [(line[place], line[2]) for line in lines if line[place] is not None]
        good = sum(float(reached) >= float(mean) for reached, mean in pairs if reached and mean)
        counts.append(f"{name} in {good} of {len(pairs)}")
    return f"Not below the mean of the grid: {', '.join(counts)}."


def _cells(grid: Sequence[Record], comparable: bool) -> list[Cell]:
    """Mean, the choosers and the best of one grid."""
    folds: dict[int, list[Record]] = {}
    cells: dict[tuple[Any, ...], list[Record]] = {}
    for record in grid:
        folds.setdefault(record["settings"]["fold"], []).append(record)
        cells.setdefault(_cell(record), []).append(record)
    means = [_mean_test(found) for found in cells.values()]
    stable = {cell: stability(found) for cell, found in cells.items()}
    known = [cell for cell, value in stable.items() if not math.isnan(value)]
    return [
        float(np.mean(means)),
        _mean_test([max(found, key=_held_out) for found in folds.values()]) if comparable else None,
        _mean_test([_most_agreeing(found) for found in folds.values()]),
        _mean_test(cells[max(known, key=lambda cell: stable[cell])]) if known else None,
        max(means),
    ]


def _most_agreeing(records: Sequence[Record]) -> Record:
    shares = agreement([record["result"]["trees"]["development"] for record in records])
    return records[int(np.nanargmax(shares))] if len(records) > 1 else records[0]


def _held_out(record: Record) -> float:
    value = float(record["result"]["held_out"])
    return -math.inf if math.isnan(value) else value


def _mean_test(records: Sequence[Record]) -> float:
    return float(np.mean([record["result"]["test"] for record in records]))


def _cell(record: Record) -> tuple[Any, ...]:
    settings = record["settings"]
    names = ("criterion", "start", "smoothing", "sigma2")
    return tuple(settings.get(name, "") for name in names)


def _heads(trees: str) -> Ints:
    return np.array(trees.split(), dtype=np.int64)
