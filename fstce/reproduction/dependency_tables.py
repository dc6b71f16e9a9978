"""The grammar paper's Table 2 from the trials' records, the published numbers beside ours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from fstce.evaluation import attach_next, attachment
from fstce.evaluation.parsing import attach_previous
from fstce.parsing.parser import DependencyParser
from fstce.reporting import Divider, Table
from fstce.reproduction.dependency_trials import (
    GENERATIVE,
    STARTS,
    WITH,
    DependencyPlan,
    Fold,
    alone,
    fold_of,
    groups,
)
from fstce.reproduction.records import frame_of, published_rows, table_of

Record = Mapping[str, Any]
Cell = str | int | float | None
Key = tuple[str, str, float | None]

UNSTABLE = 5.0  # points of deviation over the folds

NAMES = {
    "auto": "label-free default",
    "em": "EM",
    "viterbi-em": "Viterbi EM",
    "joint": "supervised joint",
    "conditional": "supervised conditional",
    "correction": "supervised contrastive",
}


@cache
def published() -> dict[tuple[str, str, str], float | str]:
    """Smith & Eisner (2005b), Table 2: test accuracy in percent by criterion, smoothing and start.

    Of joint estimation the range over all λ is known; supervised rows stand under the uniform start.
    """
    return {
        (row["criterion"], row["value"], start): row[start] if "–" in row[start] else float(row[start])
        for row in published_rows("dependencies")
        for start in STARTS
        if row[start]
    }


def name_of(criterion: str) -> str:
    """A row's name as the paper spells it."""
    name, _, rules = criterion.partition(WITH)
    spelt = NAMES.get(name, name.upper())
    return f"{spelt}, rules {rules}" if rules else spelt


def by_row(records: Iterable[Record]) -> dict[Key, list[Record]]:
    """The folds' records of each row: criterion, start and smoothing."""
    rows: dict[Key, list[Record]] = {}
    for record in records:
        if "result" in record:
            settings = record["settings"]
            row = (settings["criterion"], settings["start"], smoothing_of(record))
            rows.setdefault(row, []).append(record)
    return rows


def smoothing_of(record: Record) -> float | None:
    """The λ or σ² of a trial."""
    settings = record["settings"]
    value: float | None = settings["smoothing"] if "smoothing" in settings else settings["sigma2"]
    return value


def table2(plan: DependencyPlan, records: Sequence[Record]) -> Table:
    """Test accuracy by criterion, smoothing and start: the mean over the folds, and its deviation."""
    found = by_row(records)
    columns = ["criterion", "λ or σ²"]
    for start in plan.starts:
        columns += [f"{start}: test %", f"{start}: ±", f"{start}: iterations", f"{start}: paper"]
    rows: list[Sequence[Cell] | Divider] = [Divider("untrained"), *_untrained(plan)]
    if plan.criteria:
        rows.append(Divider("without trees"))
    for criterion in plan.rows:
        for value in _grid(plan, criterion):
            cells = [c for start in plan.starts for c in _cells(found, criterion, start, value)]
            rows.append([name_of(criterion), spelt(criterion, value), *cells])
        rows.append(_selected_row(plan, found, criterion))
    if plan.supervised:
        rows.append(Divider("with trees"))
    column = "uniform" if "uniform" in plan.starts else plan.starts[-1]
    for criterion in plan.supervised:
        for value in _grid(plan, criterion):
            blank: list[Cell] = [None] * 4
            of_row = _cells(found, criterion, "uniform", value)
            cells = [c for start in plan.starts for c in (of_row if start == column else blank)]
            rows.append([name_of(criterion), spelt(criterion, value), *cells])
    note = (
        f"Directed accuracy in percent on the test folds, mean and deviation over {plan.folds} folds; sel.: "
        "σ² or λ chosen in each fold by the criterion on the development fold, without trees; rows with "
        "trees start from uniform weights. With uniform initial weights all trees are as good, and the one "
        "found attaches to the previous word. Rows with rules are weakly supervised; the label-free default "
        f"has its own start, whatever the column says. {_unstable(columns, rows)} The paper: WSJ sentences "
        "of at most ten words, 37 tags."
    )
    if not beside_paper(plan.corpus):
        columns, rows = _without_paper(columns, rows)
        note = note.partition(" The paper:")[0]
    decimals = {f"{start}: iterations": 0 for start in plan.starts}
    return Table(
        "table2", "Dependency accuracy by criterion and start", columns, rows, note, decimals=decimals
    )


def _unstable(columns: Sequence[str], rows: Sequence[Sequence[Cell] | Divider]) -> str:
    """The cells that another draw of sentences may change by much."""
    found = [
        f"{row[0]} {row[1]} ({column.removesuffix(': ±')})"
        for row in rows
        if not isinstance(row, Divider)
        for column, deviation in zip(columns, row, strict=True)
        if column.endswith(": ±") and isinstance(deviation, float) and deviation > UNSTABLE
    ]
    return f"Unstable, a deviation above {UNSTABLE:g} points: {', '.join(found) or 'none'}."


def beside_paper(corpus: str) -> bool:
    """Whether a corpus is, by its name, the one of the published numbers: the Wall Street Journal.

    >>> beside_paper("nltk:dependency_treebank"), beside_paper("wsj/02"), beside_paper("fr-ud-train.conllu")
    (True, True, False)
    """
    return corpus in ("nltk:dependency_treebank", "nltk:treebank") or "wsj" in corpus.lower()


def _without_paper(
    columns: Sequence[str], rows: Sequence[Sequence[Cell] | Divider]
) -> tuple[list[str], list[Sequence[Cell] | Divider]]:
    """Columns and rows without the published numbers."""
    kept = [i for i, name in enumerate(columns) if not name.endswith(": paper")]
    cut: list[Sequence[Cell] | Divider] = [
        row if isinstance(row, Divider) else [row[i] for i in kept] for row in rows
    ]
    return [columns[i] for i in kept], cut


def _grid(plan: DependencyPlan, criterion: str) -> Sequence[float | None]:
    return plan.smoothing if alone(criterion) in GENERATIVE else plan.sigma2


def spelt(criterion: str, value: float | None) -> str:
    """A λ or σ² as the tables have it."""
    if value is None or (alone(criterion) in GENERATIVE and value == 0):
        return "none"
    return f"{value:g}"


def _cells(found: Mapping[Key, list[Record]], criterion: str, start: str, value: float | None) -> list[Cell]:
    records = found.get((criterion, start, value), [])
    paper = published().get((criterion, spelt(criterion, value), start))
    return [*_summary([r["result"] for r in records]), paper]


def _summary(results: Sequence[Mapping[str, Any]]) -> list[Cell]:
    if not results:
        return [None, None, None]
    return [*_mean([r["test"] for r in results]), float(np.mean([r["iterations"] for r in results]))]


def _mean(scores: Sequence[float]) -> list[Cell]:
    """The mean, and the sample deviation of more than one."""
    return [float(np.mean(scores)), float(np.std(scores, ddof=1)) if len(scores) > 1 else None]


def _selected_row(plan: DependencyPlan, found: Mapping[Key, list[Record]], criterion: str) -> list[Cell]:
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


def _untrained(plan: DependencyPlan) -> list[list[Cell]]:
    """Each word attached to the next or to the previous one, and the weights at which training starts."""
    settings = {group.shared["fold"]: group.shared for group in groups(plan)}
    folds = [fold_of(shared) for shared in settings.values()]
    rows: list[list[Cell]] = []
    for name, attach in (("attach to the next", attach_next), ("attach to the previous", attach_previous)):
        scores = [
            attachment(fold.test.heads, [attach(len(heads)) for heads in fold.test.heads]).directed
            for fold in folds
        ]
        rows.append([name, None, *[*_mean(scores), None, None] * len(plan.starts)])
    if plan.attachment_rules is not None:
        scores = [_by_rules(fold, plan.attachment_rules) for fold in folds]
        rows.append(
            [f"rules {plan.attachment_rules} alone", None, *[*_mean(scores), None, None] * len(plan.starts)]
        )
    started = [[*_mean([_at_start(fold, s) for fold in folds]), 0, None] for s in plan.starts]
    return [*rows, ["initial weights", None, *(cell for cells in started for cell in cells)]]


def _by_rules(fold: Fold, rules: str) -> float:
    """The test accuracy of trees with as many edges that obey as can be."""
    parser = DependencyParser(criterion="contrastive", attachment_rules=rules)
    parser.compile(fold.train.sentences, tags=fold.tags)
    parser.theta_ = parser.initial_weights()
    return attachment(fold.test.heads, parser.predict(fold.test.sentences)).directed


def _at_start(fold: Fold, start: str) -> float:
    """The test accuracy of a start."""
    parser = DependencyParser(criterion="em", start=start)
    parser.compile(fold.train.sentences, tags=fold.tags)
    theta = parser.initial_weights()
    # Uniform distributions weigh all trees alike but for the last bit; zeros are a tie to the bit.
    parser.theta_ = np.zeros_like(theta) if start == "uniform" else theta
    return attachment(fold.test.heads, parser.predict(fold.test.sentences)).directed


def trials(records: Sequence[Record]) -> Table:
    """Every trial of every fold."""
    rows = [record for found in by_row(records).values() for record in found]
    frame = frame_of(rows)
    if rows:
        frame["number"] = frame["fold"] + 1
        frame["name"] = frame["criterion"].map(name_of)
        frame["value"] = [spelt(record["settings"]["criterion"], smoothing_of(record)) for record in rows]
    columns = {"fold": "number", "criterion": "name", "start": "start", "λ or σ²": "value"}
    columns |= {f"{part} %": f"result.{part}" for part in ("test", "development", "train")}
    columns["held-out criterion"] = "result.held_out"
    columns |= {name: f"result.{name}" for name in ("objective", "iterations", "seconds", "stopped")}
    decimals = {"held-out criterion": 3, "objective": 2, "seconds": 2}
    return table_of("trials", "All trials", frame, columns, decimals=decimals)
