"""The grammar paper's Table 2 from the trials' records, the published numbers beside ours."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from fstce.parsing_criteria import LOCAL
from fstce.reporting import Rule, Table
from fstce.reproduction.grammar_trials import Part, Plan, fold_of, groups

Record = Mapping[str, Any]
Cell = str | int | float | None
Key = tuple[str, str, float | None]

NAMES = {
    "em": "EM",
    "viterbi-em": "Viterbi EM",
    "joint": "supervised joint",
    "conditional": "supervised conditional",
    "correction": "supervised contrastive",
}


@cache
def published() -> dict[tuple[str, str, str], float]:
    """Smith & Eisner (2005b), Table 2: test accuracy in percent by criterion, smoothing and start.

    Examples
    --------
    >>> published()["trans1", "10", "uniform"]
    49.0
    """
    text = files("fstce.reproduction").joinpath("published_grammar.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return {
        (row["criterion"], row["value"], start): float(row[start])
        for row in rows
        for start in ("klein-manning", "uniform")
    }


def name_of(criterion: str) -> str:
    """A row's name as the paper spells it."""
    return NAMES.get(criterion, criterion.upper())


def by_row(records: Iterable[Record]) -> dict[Key, list[Record]]:
    """The folds' records of each row: criterion, start and smoothing."""
    rows: dict[Key, list[Record]] = {}
    for record in records:
        if "result" in record:
            settings = record["settings"]
            value = settings["smoothing"] if "smoothing" in settings else settings["sigma2"]
            rows.setdefault((settings["criterion"], settings["start"], value), []).append(record)
    return rows


def table2(plan: Plan, records: Sequence[Record]) -> Table:
    """Test accuracy by criterion, smoothing and start: the mean over the folds, and its deviation."""
    found = by_row(records)
    columns = ["criterion", "λ or σ²"]
    for start in plan.starts:
        columns += [f"{start}: test %", f"± {start}", f"{start}: iterations", f"{start}: paper"]
    rows: list[Sequence[Cell] | Rule] = [Rule("untrained")]
    rows += _baselines(plan)
    rows.append(Rule("without trees"))
    for criterion in plan.criteria:
        for value in _grid(plan, criterion):
            cells = [c for start in plan.starts for c in _cells(found, criterion, start, value)]
            rows.append([name_of(criterion), _spelt(criterion, value), *cells])
        rows.append(_selected_row(plan, found, criterion))
    rows.append(Rule("with trees"))
    for criterion in plan.supervised:
        for value in _grid(plan, criterion):
            cells = _cells(found, criterion, "uniform", value)
            width = len(plan.starts) - 1
            rows.append([name_of(criterion), _spelt(criterion, value), *[None] * 4 * width, *cells])
    note = (
        f"Directed accuracy in percent on the test folds, mean and deviation over {plan.folds} folds; sel.: "
        "σ² or λ chosen in each fold by the criterion on the development fold, without trees. "
        "The paper: WSJ sentences of at most ten words, 37 tags."
    )
    decimals = {f"{start}: iterations": 0 for start in plan.starts}
    return Table(
        "table2", "Dependency accuracy by criterion and start", columns, rows, note, decimals=decimals
    )


def _grid(plan: Plan, criterion: str) -> Sequence[float | None]:
    return plan.smoothing if criterion in LOCAL else plan.sigma2


def _spelt(criterion: str, value: float | None) -> str:
    if value is None or (criterion in LOCAL and value == 0):
        return "none"
    return f"{value:g}"


def _cells(found: Mapping[Key, list[Record]], criterion: str, start: str, value: float | None) -> list[Cell]:
    records = found.get((criterion, start, value), [])
    paper = published().get((criterion, _spelt(criterion, value), start))
    return [*_summary([r["result"] for r in records]), paper]


def _summary(results: Sequence[Mapping[str, Any]]) -> list[Cell]:
    if not results:
        return [None, None, None]
    scores = [result["test"] for result in results]
    deviation = float(np.std(scores, ddof=1)) if len(scores) > 1 else None
    return [float(np.mean(scores)), deviation, float(np.mean([r["iterations"] for r in results]))]


def _selected_row(plan: Plan, found: Mapping[Key, list[Record]], criterion: str) -> list[Cell]:
    cells: list[Cell] = []
    for start in plan.starts:
        grid = [found.get((criterion, start, value), []) for value in _grid(plan, criterion)]
        folds: dict[int, list[Record]] = {}
        for record in (record for records in grid for record in records):
            folds.setdefault(record["settings"]["fold"], []).append(record)
        chosen = [max(records, key=_held_out)["result"] for records in folds.values()]
        cells += [*_summary(chosen), None]
    return [name_of(criterion), "sel.", *cells]


def _held_out(record: Record) -> float:
    value = float(record["result"]["held_out"])
    return -math.inf if math.isnan(value) else value


def _baselines(plan: Plan) -> list[list[Cell]]:
    """Each word attached to the next, or to the previous one."""
    rows: list[list[Cell]] = []
    shared = [group.shared for group in groups(plan)]
    folds = {settings["fold"]: settings for settings in shared}
    tests = [fold_of(settings).test for settings in folds.values()]
    for name, step in (("attach to the next", 1), ("attach to the previous", -1)):
        scores = [_attached(test, step) for test in tests]
        deviation = float(np.std(scores, ddof=1)) if len(scores) > 1 else None
        cells: list[Cell] = [float(np.mean(scores)), deviation, None, None]
        rows.append([name, None, *cells * len(plan.starts)])
    return rows


def _attached(part: Part, step: int) -> float:
    right = total = 0
    for heads in part.heads:
        n = len(heads)
        guess = [i + step if 1 <= i + step <= n else 0 for i in range(1, n + 1)]
        right += sum(a == b for a, b in zip(guess, heads, strict=True))
        total += n
    return 100.0 * right / total


def trials(records: Sequence[Record]) -> Table:
    """Every trial of every fold."""
    columns = ["fold", "criterion", "start", "λ or σ²", "test %", "development %", "train %"]
    columns += ["held-out criterion", "objective", "iterations", "seconds", "stopped"]
    rows: list[Sequence[Cell]] = []
    for (criterion, start, value), found in by_row(records).items():
        for record in found:
            r = record["result"]
            scores = [r["test"], r["development"], r["train"], r["held_out"], r["objective"]]
            about = [record["settings"]["fold"] + 1, name_of(criterion), start, _spelt(criterion, value)]
            rows.append([*about, *scores, r["iterations"], r["seconds"], r["stopped"]])
    decimals = {"held-out criterion": 3, "objective": 2, "seconds": 2}
    return Table("trials", "All trials", columns, rows, decimals=decimals)
