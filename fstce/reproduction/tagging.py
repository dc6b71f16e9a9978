"""The tagging paper's experiments (Smith & Eisner 2005a, §5): from a plan to a page."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fstce.errors import ParameterError
from fstce.estimation.objective import value_of
from fstce.processes.trial_log import Record, Result, Settings
from fstce.processes.trials import Group
from fstce.reporting.charts import Points
from fstce.reproduction import tagging_tables as tables
from fstce.reproduction.material import Material
from fstce.reproduction.run import Experiment, ReportPage, Trial, ended, grid, smoothing_of
from fstce.reproduction.tagging_tables import Chosen, choices, name_of
from fstce.reproduction.tagging_trials import (
    Condition,
    TaggingPlan,
    gold_of,
    groups,
    prepare,
    shared_of,
    tagger_of,
    text_of,
    weights_file,
)
from fstce.tagging.criteria import LOCAL, Corpus, training_data
from fstce.tagging.tagger import Tagger
from fstce.wfsa.compile import Contrast


def restore(folder: Path, settings: Settings) -> Tagger:
    """A trained tagger again: its features compiled anew, its weights read."""
    text = text_of(settings)
    tagger = tagger_of(settings)
    tagger.compile(text.train, gold_of(tagger, text)[0], dictionary=text.dictionary)

    path = folder / weights_file(settings)
    if not path.is_file():
        raise ParameterError(f"{path}: missing; begin anew in another folder")
    tagger.theta_ = np.load(path, allow_pickle=False)
    return tagger


def cross_scores(taggers: Mapping[str, Tagger], text: Material) -> dict[str, dict[str, float]]:
    """The value of every log-linear criterion under every tagger of the text, in nats a word."""
    scores: dict[str, dict[str, float]] = {name: {} for name in taggers}

    for criterion, trained in taggers.items():
        if trained.criterion in ("em", "joint"):
            continue
        corpus = Corpus([sentence.words for sentence in text.train], gold_of(trained, text)[0])
        rows = training_data(trained.training_criterion(), corpus, text.dictionary)
        contrast = Contrast(rows, text.dictionary, trained.tags_, trained.order, oov=trained.oov)
        for name, tagger in taggers.items():
            terms = contrast.bound_to(tagger.features_).terms
            scores[name][criterion] = value_of(terms, tagger.theta_) / text.words
    return scores


def _analyses(plan: TaggingPlan, records: Sequence[Record]) -> list[Group]:
    """Every model of the main size under every criterion (footnote 7)."""
    chosen = choices(records)
    selected = {
        criterion: chosen[condition].selected["settings"]
        for criterion in plan.criteria
        if (condition := plan.figure2(criterion)) in chosen
    }
    if not selected:
        return []
    shared = {"members": json.dumps(selected, sort_keys=True)}
    return [Group(shared, [{"analysis": "cross"}])]


def _prepare(folder: Path, shared: Settings) -> Trial:
    if "members" not in shared:
        return prepare(folder, shared)
    members: dict[str, Settings] = json.loads(shared["members"])
    text = text_of(next(iter(members.values())))

    def run(_: Settings) -> Result:
        taggers = {name: restore(folder, settings) for name, settings in members.items()}
        return {"scores": cross_scores(taggers, text)}

    return run


def _fill(page: ReportPage, plan: TaggingPlan, records: Sequence[Record]) -> None:
    chosen = choices(records)

    if plan.criteria:
        page.add("Criteria and amount of text (the paper’s Figure 2)", tables.figure2(plan, chosen))
        of_criteria = {name_of(name): plan.figure2(name) for name in plan.criteria}
        _add_charts(page, plan, chosen, of_criteria, "figure2", "all words listed")
    if plan.dictionaries:
        page.add(
            "Diluted dictionaries (the paper’s Table 3)",
            *(make(plan, chosen) for make in (tables.table3, tables.apart)),
            tables.dictionaries(plan),
        )
        page.section("Dictionaries and priors (the paper’s Figure 3)")
    for dictionary in plan.dictionaries:
        of_features = {
            name_of(criterion) + suffix: plan.table3(criterion, dictionary, bool(suffix))
            for criterion in plan.rows_of_table3
            for suffix in ("", " + spelling")
        }
        name = f"figure3-{dictionary.replace(':', '-')}"
        _add_charts(page, plan, chosen, of_features, name, f"dictionary {dictionary}")

    crossed = [
        record["result"]["scores"] for record in ended(records) if "analysis" in record["settings"]
    ]
    page.add("Models and criteria (footnote 7)", *map(tables.cross_table, crossed))


def _facts(plan: TaggingPlan) -> dict[str, Any]:
    for group in groups(plan):  # whether the text has what each needs
        text_of(group.shared)
    text = text_of(shared_of(plan, plan.figure2("random")))
    return {
        "trained on": f"{len(text.train):,} sentences, {text.words:,} words (the main size)",
        "held out": f"{len(text.held_out):,} sentences, {sum(map(len, text.held_out)):,} words",
        "tags": len(text.dictionary.tagset),
        "tags a word": round(text.dictionary.ambiguity(text.train), 2),
    }


def _add_charts(
    page: ReportPage,
    plan: TaggingPlan,
    chosen: Chosen,
    conditions: Mapping[str, Condition],
    name: str,
    title: str,
) -> None:
    """Accuracy over the grid of each condition, the selected model circled: σ², then λ."""
    for parameter, label in (("sigma2", "σ²"), ("smoothing", "λ")):
        local = parameter == "smoothing"
        values = sorted(smoothing_of(point) for point in grid(plan, local))
        place = {x: 10.0**step for step, x in enumerate(values)}  # 0 and ∞ have no logarithm
        series: dict[str, Points] = {}
        circles: list[tuple[float, float]] = []

        for line, condition in conditions.items():
            choice = chosen.get(condition)
            if choice is None or (condition[-1] in LOCAL) != local:
                series[line] = [], []
                continue
            circles.append(_point(choice.selected, place))
            xs, ys = zip(*sorted(_point(record, place) for record in choice.trials), strict=True)
            series[line] = xs, ys

        if len(values) > 1 and circles:
            page.chart(
                f"Ambiguous words tagged right by {label}; circles: the selected models.",
                series,
                circles=circles,
                title=f"Accuracy by {label}: {title}",
                x_label=label,
                y_label="% of ambiguous words",
                x_ticks={place[x]: "none" if x in (0, math.inf) else f"{x:g}" for x in values},
                name=f"{name}-{parameter}",
            )


def _point(record: Record, place: Mapping[float, float]) -> tuple[float, float]:
    return place[smoothing_of(record["settings"])], record["result"]["ambiguous"]


def _outcome(settings: Settings, result: Result) -> str:
    if "analysis" in settings:
        return ""
    return f"{result['ambiguous']:.1f} % of ambiguous, {result['all']:.1f} % of all"


EXPERIMENT = Experiment(
    "tagging",
    "Contrastive estimation of taggers",
    groups,
    _prepare,
    (
        "table",
        "words",
        "dictionary",
        "spelling",
        "criterion",
        "sigma2",
        "smoothing",
        "analysis",
    ),
    _outcome,
    _facts,
    _fill,
    then=_analyses,
)
