"""How bumpy a criterion is, by trainings from many starts: Smith & Eisner (2005a), footnote 7."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fstce.errors import ParameterError
from fstce.parameters.rules import POSITIVE, Table, integer
from fstce.parameters.tables import NOT_NEGATIVE, STOPPING, VARIANCE, WORDS
from fstce.processes.trial_log import Record, Result, Settings
from fstce.processes.trials import Group
from fstce.reporting.tables import Cell
from fstce.reporting.tables import Table as PageTable
from fstce.reproduction.material import FULL
from fstce.reproduction.run import Experiment, Plan, ReportPage, best, grouped
from fstce.reproduction.tagging_tables import name_of
from fstce.reproduction.tagging_trials import CONDITION, parameters, prepare, text_of


@dataclass(frozen=True)
class LandscapePlan(Plan):
    """The criteria, and how often each is trained."""

    rules: ClassVar[Table] = {
        "words": POSITIVE.says("The words that are trained on."),
        "held_out": POSITIVE.says("Words at the end of the corpus that are left out."),
        "criteria": WORDS.says("Criteria: em, or neighborhoods."),
        "starts": integer(2).says("Random starts besides the uniform one."),
        "sigma2": VARIANCE,
        "smoothing": NOT_NEGATIVE.says("λ of EM."),
        "order": integer(1, 3).says("The length of a tag n-gram."),
        **STOPPING,
    }
    corpus: str = "nltk:treebank"
    words: int = 12_000
    held_out: int = 5_000
    criteria: tuple[str, ...] = ("length", "trans1", "delortrans1", "em")
    starts: int = 10
    sigma2: float | None = 1.0
    smoothing: float = 0.1
    order: int = 3
    tolerance: float = 1e-4
    max_iterations: int = 200

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.criteria:
            raise ParameterError("give at least one criterion")
        for criterion in self.criteria:
            parameters(criterion)


def groups(plan: LandscapePlan) -> list[Group]:
    """The trainings of each criterion: from uniform weights, then from random ones."""
    names = ("corpus", "held_out", "order", "sigma2", "smoothing", "tolerance", "max_iterations")
    shared = {name: getattr(plan, name) for name in names}

    starts: list[Settings] = [{"start": "uniform"}]
    starts += [{"start": "random", "seed": seed} for seed in range(1, plan.starts + 1)]
    result = []
    for criterion in plan.criteria:
        condition = ("landscape", plan.words, False, FULL, False, criterion)
        of_criterion = dict(zip(CONDITION, condition, strict=True))
        result.append(Group({**shared, **of_criterion}, starts))
    return result


def landscape(records: Sequence[Record]) -> PageTable:
    """How far objective and accuracy of the random starts spread, and whether they go together."""
    rows: list[Sequence[Cell]] = []
    by_criterion = grouped(records, lambda settings: str(settings["criterion"]))
    for criterion, trials in by_criterion.items():
        uniform = [trial["result"] for trial in trials if "seed" not in trial["settings"]]
        random = [trial for trial in trials if "seed" in trial["settings"]]
        if len(random) < 2:
            continue

        objective = np.array([trial["result"]["objective"] for trial in random])
        accuracy = np.array([trial["result"]["ambiguous"] for trial in random])
        correlation = None
        if min(np.ptp(objective), np.ptp(accuracy)) > 0:
            correlation = float(np.corrcoef(objective, accuracy)[0, 1])
        numbers = (accuracy.mean(), accuracy.std(ddof=1), accuracy.min(), accuracy.max())
        chosen = best(random, "objective")["result"]["ambiguous"]
        rows.append(
            [
                name_of(criterion),
                uniform[0]["ambiguous"] if uniform else None,
                *map(float, numbers),
                chosen,
                float(objective.std(ddof=1)),
                correlation,
            ]
        )

    columns = ["criterion", "uniform start", "random: mean", "±", "least", "greatest"]
    columns += ["chosen by criterion", "objective ±", "correlation"]
    note = (
        "% of ambiguous words right; chosen: the random start with the best objective, which needs "
        "no labels; the objective's deviation in nats; Pearson's correlation of objective and "
        "accuracy over the random starts. trials.jsonl has every start."
    )
    title = "Sensitivity to the start"
    return PageTable("landscape", title, columns, rows, note, decimals={"correlation": 2})


def _fill(page: ReportPage, plan: LandscapePlan, records: Sequence[Record]) -> None:
    page.add("Landscape", landscape(records))


def _facts(plan: LandscapePlan) -> dict[str, Any]:
    text = text_of(groups(plan)[0].shared)
    return {
        "trained on": f"{len(text.train):,} sentences, {text.words:,} words",
        "tags a word": round(text.dictionary.ambiguity(text.train), 2),
    }


def _outcome(_: Settings, result: Result) -> str:
    return f"objective {result['objective']:.1f}, {result['ambiguous']:.1f} % of ambiguous"


EXPERIMENT = Experiment(
    "landscape",
    "Landscapes of criteria",
    groups,
    prepare,
    ("criterion", "start", "seed"),
    _outcome,
    _facts,
    _fill,
)
