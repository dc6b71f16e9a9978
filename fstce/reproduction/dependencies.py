"""The grammar paper's Table 2 (Smith & Eisner 2005b) from a plan to a folder with a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from fstce.evaluation import attach_next, attachment
from fstce.evaluation.parsing import attach_previous
from fstce.neighborhoods.registry import neighborhood
from fstce.parsing.parser import DependencyParser
from fstce.processes.trial_log import Record, Settings
from fstce.reporting import Divider, Page, Table
from fstce.reporting.tables import Cell
from fstce.reproduction.dependency_trials import (
    GENERATIVE,
    STARTS,
    WITH,
    DependencyPlan,
    Fold,
    TaggedTrees,
    alone,
    fold_of,
    groups,
    prepare,
    treebank,
)
from fstce.reproduction.material import digest, read
from fstce.reproduction.run import (
    Columns,
    Experiment,
    Report,
    ReportPage,
    Run,
    best,
    grouped,
    mean,
    published_rows,
    smoothing_of,
    table_of,
)

Row = tuple[str, str, float | None]

KINDS = ("test %", "±", "iterations", "paper")

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


def by_row(records: Iterable[Record]) -> dict[Row, list[Record]]:
    """The folds' records of each row: criterion, start and smoothing."""
    return grouped(records, lambda trial: (trial["criterion"], trial["start"], smoothing_of(trial)))


def table2(plan: DependencyPlan, records: Sequence[Record]) -> Table:
    """Test accuracy by criterion, smoothing and start: the mean over the folds, and its deviation."""
    kinds = KINDS if beside_paper(plan.corpus) else KINDS[:-1]
    columns = ["criterion", "λ or σ²", *(f"{start}: {kind}" for start in plan.starts for kind in kinds)]
    table = _Rows(plan, by_row(records), len(kinds))
    rows: list[Sequence[Cell] | Divider] = [Divider("untrained"), *_untrained(plan, table)]
    if plan.criteria:
        rows.append(Divider("without trees"))
    for criterion in plan.rows:
        rows += [*table.of_grid(criterion), table.selected(criterion)]
    if plan.supervised:
        rows.append(Divider("with trees"))
    column = "uniform" if "uniform" in plan.starts else plan.starts[-1]
    for criterion in plan.supervised:
        rows += table.of_grid(criterion, {column: "uniform"})
    note = (
        f"Directed accuracy in percent on the test folds, mean and deviation over {plan.folds} folds; sel.: "
        "σ² or λ chosen in each fold by the criterion on the development fold, without trees; rows with "
        "trees start from uniform weights. With uniform initial weights all trees are as good, and the one "
        "found attaches to the previous word. Rows with rules are weakly supervised; the label-free default "
        f"has its own start, whatever the column says. {_unstable(columns, rows)}"
    )
    if kinds is KINDS:
        note += " The paper: WSJ sentences of at most ten words, 37 tags."
    decimals = {f"{start}: iterations": 0 for start in plan.starts}
    return Table(
        "table2", "Dependency accuracy by criterion and start", columns, rows, note, decimals=decimals
    )


class _Rows:
    """The rows of Table 2: `width` of the KINDS under each start."""

    def __init__(self, plan: DependencyPlan, records: Mapping[Row, list[Record]], width: int) -> None:
        self._plan, self._records, self._width = plan, records, width

    def row(self, name: str, value: str | None, cells: Mapping[str, Sequence[Cell]]) -> list[Cell]:
        """A row of these cells by start, the others empty."""
        of_starts = ([*cells.get(start, ()), *[None] * 4][: self._width] for start in self._plan.starts)
        return [name, value, *chain.from_iterable(of_starts)]

    def of_grid(self, criterion: str, starts: Mapping[str, str] | None = None) -> list[list[Cell]]:
        """A row for each λ or σ²; ``starts``: of each column the start, by default its own."""
        columns = starts or {start: start for start in self._plan.starts}
        return [
            self.row(
                name_of(criterion),
                spelt(criterion, value),
                {at: self._cells(criterion, start, value) for at, start in columns.items()},
            )
            for value in self._grid(criterion)
        ]

    def selected(self, criterion: str) -> list[Cell]:
        """The row of what the development fold chooses, fold by fold."""
        cells = {}
        for start in self._plan.starts:
            grid = [self._records.get((criterion, start, value), []) for value in self._grid(criterion)]
            folds = grouped(chain.from_iterable(grid), lambda settings: settings["fold"])
            cells[start] = _summary([best(records, "held_out") for records in folds.values()])
        return self.row(name_of(criterion), "sel.", cells)

    def _grid(self, criterion: str) -> Sequence[float | None]:
        return self._plan.smoothing if alone(criterion) in GENERATIVE else self._plan.sigma2

    def _cells(self, criterion: str, start: str, value: float | None) -> list[Cell]:
        records = self._records.get((criterion, start, value), [])
        return [*_summary(records), published().get((criterion, spelt(criterion, value), start))]


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
    """Whether a corpus is, by its name, the one of the published numbers: the Wall Street Journal."""
    return corpus in ("nltk:dependency_treebank", "nltk:treebank") or "wsj" in corpus.lower()


def spelt(criterion: str, value: float | None) -> str:
    """A λ or σ² as the tables have it."""
    if value is None or (alone(criterion) in GENERATIVE and value == 0):
        return "none"
    return f"{value:g}"


def _summary(records: Sequence[Record]) -> list[Cell]:
    if not records:
        return [None, None, None]
    return [*_mean([record["result"]["test"] for record in records]), mean(records, "iterations")]


def _mean(scores: Sequence[float]) -> list[Cell]:
    """The mean, and the sample deviation of more than one."""
    return [float(np.mean(scores)), float(np.std(scores, ddof=1)) if len(scores) > 1 else None]


def _untrained(plan: DependencyPlan, table: _Rows) -> list[list[Cell]]:
    """Each word attached to the next or to the previous one, and the weights at which training starts."""
    settings = {group.shared["fold"]: group.shared for group in groups(plan)}
    folds = [fold_of(shared) for shared in settings.values()]
    scores = {
        name: [attachment(f.test.heads, [attach(len(h)) for h in f.test.heads]).directed for f in folds]
        for name, attach in (("attach to the next", attach_next), ("attach to the previous", attach_previous))
    }
    if plan.attachment_rules is not None:
        by_rules = [_by_rules(fold, plan.attachment_rules) for fold in folds]
        scores[f"rules {plan.attachment_rules} alone"] = by_rules
    rows = [table.row(name, None, dict.fromkeys(plan.starts, _mean(row))) for name, row in scores.items()]
    started = {s: [*_mean([_at_start(fold, s) for fold in folds]), 0] for s in plan.starts}
    return [*rows, table.row("initial weights", None, started)]


def _by_rules(fold: Fold, rules: str) -> float:
    """The test accuracy of trees with as many edges that satisfy the rules as can be."""
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
    rows = chain.from_iterable(by_row(records).values())
    columns: Columns = {
        "fold": lambda trial: trial["settings"]["fold"] + 1,
        "criterion": lambda trial: name_of(trial["settings"]["criterion"]),
        "start": "settings.start",
        "λ or σ²": lambda trial: spelt(trial["settings"]["criterion"], smoothing_of(trial["settings"])),
        **{f"{part} %": f"result.{part}" for part in ("test", "development", "train")},
        "held-out criterion": "result.held_out",
        **{name: f"result.{name}" for name in ("objective", "iterations", "seconds", "stopped")},
    }
    decimals = {"held-out criterion": 3, "objective": 2, "seconds": 2}
    return table_of("trials", "All trials", rows, columns, decimals=decimals)


LATTICE = "DT NN VBZ JJ"


def _about(plan: DependencyPlan) -> dict[str, Any]:
    _treebank(plan)
    return {"corpus": digest(read(plan.corpus))}


def _steps(plan: DependencyPlan, run: Run) -> Report:
    records, failed = run.ended(groups(plan), prepare, _named)
    return build(plan, records, run.command, failed), [trials(records)]


reproduce = Experiment("dependencies", _about, _steps).reproduce


def _treebank(plan: DependencyPlan) -> TaggedTrees:
    return treebank(plan.corpus, plan.max_length, plan.tag_column)


def _named(settings: Settings) -> str:
    """A trial, for messages."""
    grid = "smoothing" if "smoothing" in settings else "sigma2"
    return (
        f"fold {settings['fold'] + 1}, {settings['criterion']}, {settings['start']}, {grid} {settings[grid]}"
    )


def build(plan: DependencyPlan, records: Sequence[Record], command: str, failed: Sequence[str] = ()) -> Page:
    """The page."""
    page = ReportPage("Dependency grammar induction", _headline(plan, records), command, _facts(plan), failed)
    page.add("Criteria and starts (the paper’s Table 2)", table2(plan, records))
    page.section("A neighborhood")
    page.picture(neighborhood("trans1")(LATTICE.split())._repr_svg_() or "", f"TRANS1 of “{LATTICE}”.")
    return page


def _headline(plan: DependencyPlan, records: Sequence[Record]) -> str:
    means: dict[str, float] = {}
    for (criterion, start, value), found in by_row(records).items():
        if criterion in plan.criteria:
            grid = "λ" if criterion in GENERATIVE else "σ²"
            name = f"{name_of(criterion)} ({start}, {grid} {spelt(criterion, value)})"
            means[name] = mean(found, "test")
    if not means:
        return ""
    best = max(means, key=lambda name: means[name])
    return (
        f"Best row without trees: {best}, {means[best]:.1f} % directed on the test folds (chosen with trees)."
    )


def _facts(plan: DependencyPlan) -> dict[str, Any]:
    whole = _treebank(plan)
    return {
        "treebank": plan.corpus,
        "sentences": f"{len(whole.sentences):,} of at most {plan.max_length} words without punctuation",
        "words": sum(map(len, whole.sentences)),
        "tags": len({tag for row in whole.sentences for tag in row}),
        "folds": f"{plan.folds} of 10 (8 to train on, 1 for development, 1 for the test)",
        "stopped at": f"relative change {plan.tolerance:g}, or {plan.max_iterations} iterations",
    }
