"""The tagging paper's experiments (Smith & Eisner 2005a, §5) from a plan to a folder with a page."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fstce.errors import ParameterError
from fstce.estimation.objective import value_of
from fstce.neighborhoods.registry import neighborhood
from fstce.processes.trial_log import Record, Settings
from fstce.processes.trials import Group
from fstce.reporting import Series, line_chart
from fstce.reproduction import tagging_tables as tables
from fstce.reproduction.material import Material, corpus, digest
from fstce.reproduction.run import Experiment, ReportPage, Trial, ended, named
from fstce.reproduction.tagging_tables import Chosen, GridChoice, choices, name_of, smoothing_of
from fstce.reproduction.tagging_trials import (
    TaggingPlan,
    groups,
    prepare,
    shared_of,
    tagger_of,
    text_of,
    weights_file,
)
from fstce.tagging.criteria import LOCAL, SUPERVISED, Corpus, evidence
from fstce.tagging.tagger import Tagger
from fstce.wfsa.compile import Contrast


def restore(folder: Path, settings: Mapping[str, Any]) -> Tagger:
    """A trained tagger again: its features compiled anew, its weights read."""
    path = folder / weights_file(settings)
    if not path.is_file():
        raise ParameterError(f"{path}: missing; begin anew with --fresh, which trains it again")
    text = text_of(settings)
    tagger = tagger_of(settings)
    tagger.compile(
        text.train, text.gold if tagger.criterion in SUPERVISED else None, dictionary=text.dictionary
    )
    tagger.theta_ = np.load(path, allow_pickle=False)
    return tagger


def cross_scores(taggers: Mapping[str, Tagger], text: Material) -> dict[str, dict[str, float]]:
    """The value of every log-linear criterion under every tagger of the text, in nats a word."""
    found: dict[str, dict[str, float]] = {name: {} for name in taggers}
    for criterion, of in taggers.items():
        if of.criterion in ("em", "joint"):
            continue
        gold = text.gold if of.criterion in SUPERVISED else None
        rows = evidence(of.training_criterion(), Corpus([sentence.words for sentence in text.train], gold))
        contrast = Contrast(rows, text.dictionary, of.tags_, of.order, oov=of.oov)
        for name, tagger in taggers.items():
            terms = contrast.bound_to(tagger.features_).terms
            found[name][criterion] = value_of(terms, tagger.theta_) / text.words
    return found


TRIAL = ("analysis", "table", "words", "dictionary", "spelling", "criterion", "sigma2", "smoothing")
LATTICE = "natural language is a delicate thing"
PAPER_AMBIGUITY = 2.3
SPELLING = " + spelling"
DILUTED = "TRANS1 with diluted dictionaries by σ²"


def _about(plan: TaggingPlan) -> dict[str, Any]:
    for group in groups(plan):
        text_of(group.shared)
    return {"corpus": digest(corpus(plan.corpus, False, plan.tag_column))}


def _analyses(plan: TaggingPlan, records: Sequence[Record]) -> list[Group]:
    """Every model of the main size under every criterion (footnote 7)."""
    chosen = choices(records)
    grids = {criterion: chosen.get(plan.figure2(criterion)) for criterion in plan.criteria}
    selected = {name: grid.selected["settings"] for name, grid in grids.items() if grid is not None}
    shared = {"members": json.dumps(selected, sort_keys=True)}
    return [Group(shared, [{"analysis": "cross"}])] if selected else []


def _prepare(folder: Path, shared: Settings) -> Trial:
    if "members" not in shared:
        return prepare(folder, shared)
    members: dict[str, Settings] = json.loads(shared["members"])
    text = text_of(next(iter(members.values())))

    def run(_: Settings) -> dict[str, Any]:
        taggers = {name: restore(folder, settings) for name, settings in members.items()}
        return {"scores": cross_scores(taggers, text)}

    return run


def _kept(settings: Settings) -> Path | None:
    return None if "analysis" in settings else weights_file(settings)


def _fill(page: ReportPage, plan: TaggingPlan, records: Sequence[Record]) -> None:
    chosen = choices(records)
    page.text(_caution(plan))
    if plan.criteria:
        page.add("Criteria and amount of text (the paper’s Figure 2)", tables.figure2(plan, chosen))
        _add_figure2(page, plan, chosen)
    if plan.dictionaries:
        regained = tables.recovered(plan, chosen)
        page.add("Diluted dictionaries (the paper’s Table 3)", tables.table3(plan, chosen), regained)
    page.section("Smoothing (the paper’s Figure 3)")
    _add_smoothing(page, plan, chosen)
    page.section("Side analyses")
    page.table(tables.side_analyses(plan, chosen))
    for record in ended(records):
        if "analysis" in record["settings"]:
            page.table(tables.cross_table(record["result"]["scores"]))
    page.section("A neighborhood")
    page.picture(neighborhood("trans1")(LATTICE.split())._repr_svg_() or "", f"TRANS1 of “{LATTICE}”.")


def _main_text(plan: TaggingPlan) -> Material:
    return text_of(shared_of(plan, plan.figure2("random")))


def _summary(plan: TaggingPlan, records: Sequence[Record]) -> str:
    chosen = choices(records)
    grids = [chosen[plan.figure2(c)] for c in plan.criteria if plan.figure2(c) in chosen]
    best = [grid.selected for grid in grids if grid.selected["settings"]["criterion"] not in SUPERVISED]
    if not best:
        return ""
    ranked = sorted(best, key=lambda record: -record["result"]["ambiguous"])
    listed = (f"{name_of(r['settings']['criterion'])} {r['result']['ambiguous']:.1f}" for r in ranked)
    return (
        f"Ambiguous words tagged right after training on {plan.main:,} words, in percent, by models that "
        f"were chosen without labels: {', '.join(listed)}."
    )


def _facts(plan: TaggingPlan) -> dict[str, Any]:
    text = _main_text(plan)
    return {
        "corpus": plan.corpus,
        "trained on": f"{len(text.train):,} sentences, {text.words:,} words (the main size)",
        "held out": f"{len(text.held_out):,} sentences, {sum(map(len, text.held_out)):,} words",
        "tags": len(text.dictionary.tagset),
        "tags a word": round(text.dictionary.ambiguity(text.train), 2),
        "tag n-grams": plan.order,
        "σ²": ", ".join("none" if value is None else f"{value:g}" for value in plan.sigma2),
        "λ": ", ".join(f"{value:g}" for value in plan.smoothing),
        "stopped at": f"relative change {plan.tolerance:g}, or {plan.max_iterations} iterations",
    }


def _caution(plan: TaggingPlan) -> str:
    text = _main_text(plan)
    tags = text.dictionary.ambiguity(text.train)
    sources = (
        "The dictionary is read off the whole corpus, held-out text included; the tags of the text teach "
        "nothing but the supervised rows."
    )
    if not plan.has_paper:
        return f"This text's own dictionary leaves {tags:.2f} tags a token. {sources}"
    ease = "an easier" if tags < PAPER_AMBIGUITY else "another"
    return (
        f"This text's own dictionary leaves {tags:.2f} tags a token where the paper's left {PAPER_AMBIGUITY} "
        f"on the whole Penn Treebank: {ease} set, so comparing with the published numbers tells orders, not "
        f"heights. {sources}"
    )


def _add_figure2(page: ReportPage, plan: TaggingPlan, chosen: Chosen) -> None:
    series = {}
    for criterion in plan.criteria:
        grids = {
            n: chosen[plan.figure2(criterion, n)] for n in plan.words if plan.figure2(criterion, n) in chosen
        }
        if len(grids) > 1:
            accuracies = [grid.selected["result"]["ambiguous"] for grid in grids.values()]
            series[name_of(criterion)] = (list(grids), accuracies)
    if not series:
        return
    ranked = sorted(series, key=lambda name: series[name][1][-1])
    page.chart(
        "Ambiguous words tagged right, by how many words were trained on; selected models. At the right end "
        f"{ranked[-1]} is highest and {ranked[0]} lowest.",
        line_chart,
        series,
        title="Accuracy by amount of text",
        x_label="words",
        y_label="% of ambiguous words",
        log_x=True,
        x_ticks={n: f"{n:,}" for n in plan.words},
        systems=[name_of(criterion) for criterion in plan.criteria],
        name="figure2-curve",
    )


def _add_smoothing(page: ReportPage, plan: TaggingPlan, chosen: Chosen) -> None:
    """Accuracy over the grid: one chart for σ², one for λ, one for TRANS1 with each dictionary."""
    names = [name_of(criterion) for criterion in plan.criteria]
    by_sigma2, by_lambda = (
        {name_of(c): chosen.get(plan.figure2(c)) for c in plan.criteria if (c in LOCAL) == local}
        for local in (False, True)
    )
    dictionaries = {dictionary: tables.dictionary_name(dictionary) for dictionary in plan.dictionaries}
    of_dictionaries = {
        name + SPELLING * spelling: chosen.get(plan.table3("trans1", dictionary, spelling))
        for dictionary, name in dictionaries.items()
        for spelling in (False, True)
    }
    weak, none = "at the left; “none” is no prior.", "at the right; “none” is no smoothing."
    dashed = f"{weak} Dashed: with spelling features."
    for name, grids, measure, label, ends, title, systems in (
        ("sigma2", by_sigma2, "ambiguous", "σ²", weak, "Accuracy by σ²", names),
        ("hmm", by_lambda, "ambiguous", "λ", none, "Accuracy by λ", names),
        ("dictionaries", of_dictionaries, "all", "σ²", dashed, DILUTED, [*dictionaries.values()]),
    ):
        series, ticks = _curves(grids, measure)
        if series:
            page.chart(
                f"{measure.capitalize()} words tagged right by {label}, with the strongest smoothing {ends}",
                line_chart,
                series,
                title=title,
                x_label=label,
                y_label=f"% of {measure} words",
                log_x=True,
                x_ticks=ticks,
                systems=systems,
                name=f"figure3-{name}",
            )


def _curves(
    grids: Mapping[str, GridChoice | None], measure: str
) -> tuple[dict[str, Series], dict[float, str]]:
    """Accuracy over the grid, with 0 and ∞ a step beyond the least and the greatest finite value."""
    values = {smoothing_of(r) for choice in grids.values() if choice is not None for r in choice.trials}
    finite = [value for value in values if 0 < value < math.inf] or [1.0]
    place = {value: value for value in values}
    place |= {0.0: min(finite) / 10, math.inf: max(finite) * 10}
    series = {
        name: Series(
            [place[smoothing_of(r)] for r in choice.trials],
            [r["result"][measure] for r in choice.trials],
            dashed=name.endswith(SPELLING),
            like=name.removesuffix(SPELLING),
        )
        for name, choice in grids.items()
        if choice is not None and len(choice.trials) > 1
    }
    return series, {place[v]: "none" if math.isinf(v) else f"{v:g}" for v in sorted(values)}


EXPERIMENT = Experiment(
    "tagging",
    "Contrastive estimation of taggers",
    _about,
    groups,
    _prepare,
    named(*TRIAL),
    _summary,
    _facts,
    _fill,
    tables.trials,
    then=_analyses,
    kept=_kept,
)
reproduce = EXPERIMENT.reproduce
