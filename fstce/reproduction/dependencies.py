"""The grammar paper's Table 2 (Smith & Eisner 2005b) from a plan to a folder with a page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from fstce.evaluation import attach_next, attachment
from fstce.evaluation.parsing import attach_previous
from fstce.parsing.parser import DependencyParser
from fstce.processes.trial_log import Record, Result, Settings
from fstce.reporting.tables import Cell, Divider, Table
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
    of_rows = grouped(
        records, lambda trial: (trial["criterion"], trial["start"], smoothing_of(trial))
    )
    rows: list[Sequence[Cell]] = [Divider("untrained"), *_untrained(plan)]
    for title, criteria in (("without trees", plan.criteria), ("with trees", plan.supervised)):
        if criteria:
            rows.append(Divider(title))
        for criterion in criteria:
            rows += _of_criterion(plan, criterion, of_rows)

    note = (
        f"Directed accuracy in percent on the test folds, mean and deviation over {plan.folds} "
        "folds; sel.: σ² or λ chosen in each fold by the criterion on the development fold, whose "
        "trees rows without trees do not see. With uniform initial weights all trees are as good, "
        "and the one found attaches to the previous word. Rows with trees, and the label-free "
        "default, which has its own start, stand in the last column of starts."
    )
    if is_papers(plan.corpus):
        note += " The paper: WSJ sentences of at most ten words, 37 tags."
    columns = [f"{start}: {kind}" for start in plan.starts for kind in _kinds(plan)]
    decimals = {f"{start}: iterations": 0 for start in plan.starts}
    title = "Dependency accuracy by criterion and start"
    return Table("table2", title, ["criterion", "λ or σ²", *columns], rows, note, decimals=decimals)


def _of_criterion(
    plan: DependencyPlan, criterion: str, trials: Mapping[Row, list[Record]]
) -> Iterator[list[Cell]]:
    """A row for each λ or σ², and one of those that the development folds choose."""
    name = name_of(criterion)
    for point in grid(plan, criterion in GENERATIVE):
        strength = smoothing_of(point)
        paper = paper_row(criterion, strength)
        cells = []
        for start in plan.starts:
            of_start = trials.get((criterion, start, strength), [])
            cells.append([*_summary(of_start), paper.get(start)])
        yield _row(plan, name, spelt(strength), cells)

    chosen = [_selected(trials, criterion, start) for start in plan.starts]
    yield _row(plan, name, "sel.", chosen)


def _kinds(plan: DependencyPlan) -> Sequence[str]:
    """The columns of a start: the paper's numbers where the corpus is the paper's."""
    return KINDS if is_papers(plan.corpus) else KINDS[:-1]


def _row(
    plan: DependencyPlan, name: str, value: str | None, cells: Iterable[Sequence[Cell]]
) -> list[Cell]:
    """A row of the table: of each start its cells, as many as there are columns."""
    row: list[Cell] = [name, value]
    for of_start in cells:
        row += [*of_start, *[None] * len(KINDS)][: len(_kinds(plan))]
    return row


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

    def values(name: str) -> list[float]:
        return [record["result"][name] for record in records]

    return [*_mean(values("test")), *(_mean(values(name))[0] for name in ("train", "iterations"))]


def _mean(scores: Sequence[float]) -> list[Cell]:
    """The mean, and the sample deviation of more than one."""
    if len(scores) == 1:
        return [float(scores[0]), None]
    return [float(np.mean(scores)), float(np.std(scores, ddof=1))]


def _untrained(plan: DependencyPlan) -> Iterator[list[Cell]]:
    """Rows of each word attached to the next, or the previous one; of EM's start, by its λ."""
    settings = {group.shared["fold"]: group.shared for group in groups(plan)}
    folds = [fold_of(shared) for shared in settings.values()]
    for name, attach in (
        ("attach to the next", attach_next),
        ("attach to the previous", attach_previous),
    ):
        scores = []
        for fold in folds:
            trees = [attach(len(heads)) for heads in fold.test.heads]
            scores.append(attachment(fold.test.heads, trees).directed)
        yield _row(plan, name, None, [_mean(scores)] * len(plan.starts))

    for smoothing in plan.smoothing:
        numbers = paper_row("untrained", smoothing)
        cells = []
        for start in plan.starts:
            scores = [_initial(fold, start, smoothing) for fold in folds]
            cells.append([*_mean(scores), None, 0, numbers.get(start)])
        yield _row(plan, "initial weights", spelt(smoothing), cells)


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


def _outcome(_: Settings, result: Result) -> str:
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
