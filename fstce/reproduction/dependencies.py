"""The grammar paper's Table 2 (Smith & Eisner 2005b) from a plan to a folder with a page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from fstce.evaluation import attach_next, attachment
from fstce.evaluation.parsing import attach_previous
from fstce.parsing.parser import DependencyParser
from fstce.processes.trial_log import Record, Settings
from fstce.reporting import Divider, Table
from fstce.reporting.tables import Cell
from fstce.reproduction.dependency_trials import (
    GENERATIVE,
    DependencyPlan,
    Fold,
    fold_of,
    groups,
    prepare,
    treebank,
)
from fstce.reproduction.run import (
    Experiment,
    ReportPage,
    best,
    grid,
    grouped,
    is_papers,
    published,
    smoothing_of,
)

Row = tuple[str, str, float]
Cells = Mapping[str, Sequence[Cell]]  # of a row by start
KINDS = ("test %", "±", "train %", "iterations", "paper")
NAMES = {
    "auto": "label-free default",
    "em": "EM",
    "joint": "supervised joint",
    "conditional": "supervised conditional",
    "supervised-contrastive": "supervised contrastive",
}


def name_of(criterion: str) -> str:
    """A row's name as the paper spells it."""
    return NAMES.get(criterion, criterion.upper())


def table2(plan: DependencyPlan, records: Sequence[Record]) -> Table:
    """Test accuracy by criterion, smoothing and start: mean and deviation over the folds."""
    kinds = KINDS if is_papers(plan.corpus) else KINDS[:-1]
    columns = [
        "criterion",
        "λ or σ²",
        *(f"{start}: {kind}" for start in plan.starts for kind in kinds),
    ]
    of_rows = grouped(
        records, lambda trial: (trial["criterion"], trial["start"], smoothing_of(trial))
    )
    rows: list[Sequence[Cell]] = []

    def add(name: str, value: str | None, cells: Cells) -> None:
        of_starts = ([*cells[start], *[None] * 5][: len(kinds)] for start in plan.starts)
        rows.append([name, value, *chain.from_iterable(of_starts)])

    rows.append(Divider("untrained"))
    for (name, value), cells in _untrained(plan).items():
        add(name, value, cells)

    for title, criteria in (("without trees", plan.criteria), ("with trees", plan.supervised)):
        if criteria:
            rows.append(Divider(title))
        for criterion in criteria:
            name = name_of(criterion)
            for point in grid(plan, criterion in GENERATIVE):
                strength = smoothing_of(point)
                paper = paper_row(criterion, strength)
                cells = {}
                for start in plan.starts:
                    trials = of_rows.get((criterion, start, strength), [])
                    cells[start] = [*_summary(trials), paper.get(start)]
                add(name, spelt(strength), cells)
            add(name, "sel.", {s: _selected(of_rows, criterion, s) for s in plan.starts})

    note = (
        f"Directed accuracy in percent on the test folds, mean and deviation over {plan.folds} "
        "folds; sel.: σ² or λ chosen in each fold by the criterion on the development fold, whose "
        "trees rows without trees do not see. With uniform initial weights all trees are as good, "
        "and the one found attaches to the previous word. Rows with trees, and the label-free "
        "default, which has its own start, stand in the last column of starts."
    )
    if kinds is KINDS:
        note += " The paper: WSJ sentences of at most ten words, 37 tags."
    decimals = {f"{start}: iterations": 0 for start in plan.starts}
    title = "Dependency accuracy by criterion and start"
    return Table("table2", title, columns, rows, note, decimals=decimals)


def paper_row(criterion: str, value: float) -> Mapping[str, Any]:
    """The paper's numbers of a row by start."""
    return published("dependencies", "criterion", "value").get((criterion, spelt(value)), {})


def _selected(records: Mapping[Row, list[Record]], criterion: str, start: str) -> list[Cell]:
    """The choices of the development fold, fold by fold."""
    of_grid = chain.from_iterable(
        of_row for row, of_row in records.items() if row[:2] == (criterion, start)
    )
    folds = grouped(of_grid, lambda settings: settings["fold"])
    return _summary([best(of_fold, "held_out") for of_fold in folds.values()])


def spelt(value: float) -> str:
    """A λ or σ² as the tables have it; a σ² is never 0."""
    return "none" if value in (0.0, math.inf) else f"{value:g}"


def _summary(records: Sequence[Record]) -> list[Cell]:
    if not records:
        return [None] * 4
    test, train, iterations = (
        [record["result"][name] for record in records] for name in ("test", "train", "iterations")
    )
    return [*_mean(test), float(np.mean(train)), float(np.mean(iterations))]


def _mean(scores: Sequence[float]) -> list[Cell]:
    """The mean, and the sample deviation of more than one."""
    if len(scores) == 1:
        return [float(scores[0]), None]
    return [float(np.mean(scores)), float(np.std(scores, ddof=1))]


def _untrained(plan: DependencyPlan) -> dict[tuple[str, str | None], Cells]:
    """Each word attached to the next or to the previous one; where EM starts, by its λ."""
    settings = {group.shared["fold"]: group.shared for group in groups(plan)}
    folds = [fold_of(shared) for shared in settings.values()]
    rows: dict[tuple[str, str | None], Cells] = {}
    for name, attach in (
        ("attach to the next", attach_next),
        ("attach to the previous", attach_previous),
    ):
        scores = []
        for fold in folds:
            trees = [attach(len(heads)) for heads in fold.test.heads]
            scores.append(attachment(fold.test.heads, trees).directed)
        rows[name, None] = dict.fromkeys(plan.starts, _mean(scores))

    for smoothing in plan.smoothing:
        numbers = paper_row("untrained", smoothing)
        cells: dict[str, list[Cell]] = {}
        for start in plan.starts:
            scores = [_initial(fold, start, smoothing) for fold in folds]
            cells[start] = [*_mean(scores), None, 0, numbers.get(start)]
        rows["initial weights", spelt(smoothing)] = cells

    return rows


def _initial(fold: Fold, start: str, smoothing: float) -> float:
    """The test accuracy of the weights at which EM with this λ starts."""
    parser = DependencyParser(criterion="em", start=start, smoothing=smoothing)
    parser.compile(fold.train.sentences, tags=fold.tags)
    theta = parser.initial_weights()
    # Uniform distributions weigh all trees alike but for the last bit; zeros are a tie to the bit.
    parser.theta_ = theta
    if start == "uniform":
        parser.theta_ = np.zeros_like(theta)
    return attachment(fold.test.heads, parser.predict(fold.test.sentences)).directed


def _outcome(_: Settings, result: Mapping[str, Any]) -> str:
    return f"{result['test']:.1f} % directed"


def _fill(page: ReportPage, plan: DependencyPlan, records: Sequence[Record]) -> None:
    page.add("Criteria and starts (the paper’s Table 2)", table2(plan, records))


def _facts(plan: DependencyPlan) -> dict[str, Any]:
    trees = treebank(plan.corpus, plan.max_length, plan.tag_column)
    return {
        "sentences": f"{len(trees.sentences):,} of at most {plan.max_length} words, no punctuation",
        "words": sum(map(len, trees.sentences)),
        "tags": len({tag for row in trees.sentences for tag in row}),
        "folds": f"{plan.folds} of 10 (8 to train on, 1 for development, 1 for the test)",
    }


EXPERIMENT = Experiment(
    "dependencies",
    "Dependency grammar induction",
    groups,
    prepare,
    ("fold", "criterion", "start", "sigma2", "smoothing"),
    _outcome,
    _facts,
    _fill,
)
