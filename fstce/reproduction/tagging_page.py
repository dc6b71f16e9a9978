"""The tagging paper's page: tables, curves and a lattice, in one file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fstce.neighborhoods.registry import neighborhood
from fstce.reporting import Page, Series, Table, line_chart
from fstce.reproduction import tagging_tables as tables
from fstce.reproduction.material import FULL, Material, material
from fstce.reproduction.run import ReportPage
from fstce.reproduction.tagging_tables import Chosen, GridChoice, name_of, smoothing_of
from fstce.reproduction.tagging_trials import TaggingPlan
from fstce.tagging.criteria import SUPERVISED

LATTICE = "natural language is a delicate thing"
PAPER_AMBIGUITY = 2.3
SPELLING = " + spelling"
Analyses = Mapping[str, Mapping[str, Any]]


def build(
    plan: TaggingPlan, chosen: Chosen, analyses: Analyses, command: str, failures: Sequence[str] = ()
) -> tuple[Page, list[Table]]:
    """The page, and the tables that have files of their own only; `failures` say what is not in them."""
    text = material(plan.corpus, plan.figure2_tags, plan.main, plan.held_out, FULL, plan.tag_column)
    summary, title = _summary(plan, chosen), "Contrastive estimation of taggers"
    page = ReportPage(title, summary, command, _facts(plan, text), failures)
    page.text(_caution(plan, text))
    if plan.criteria:
        page.section("Criteria and amount of text (the paper’s Figure 2)")
        page.table(tables.figure2(plan, chosen))
        _add_figure2(page, plan, chosen)
    if plan.dictionaries:
        page.section("Diluted dictionaries (the paper’s Table 3)")
        page.table(tables.table3(plan, chosen))
        won = recovered(plan, chosen)
        if won.rows:
            page.table(won)
    page.section("Smoothing (the paper’s Figure 3)")
    _add_smoothing(page, plan, chosen)
    page.section("Side analyses")
    page.table(tables.side_analyses(plan, chosen))
    _add_analyses(page, analyses)
    page.section("A neighbourhood")
    page.picture(neighborhood("trans1")(LATTICE.split())._repr_svg_() or "", f"TRANS1 of “{LATTICE}”.")
    return page, [tables.figure3(plan, chosen), tables.trials(chosen)]


def recovered(plan: TaggingPlan, chosen: Chosen) -> Table:
    """What TRANS1 loses with a diluted dictionary, and what of it its spelling features win back."""
    rows: list[list[Any]] = []
    for dictionary in plan.dictionaries:
        for kind, name in (("selected", "selected"), ("oracle", "most accurate")):
            whole, plain, spelt = (
                _accuracy(plan, chosen, words, spelling, kind)
                for words, spelling in ((FULL, False), (dictionary, False), (dictionary, True))
            )
            if dictionary != FULL and not math.isnan(whole - plain + spelt):
                share = 100 * (spelt - plain) / (whole - plain) if whole > plain else None
                about = [tables.dictionary_name(dictionary), name]
                rows.append([*about, whole, plain, whole - plain, spelt, spelt - plain, share])
    columns = ["dictionary", "model", "all words", "trigram", "lost", "+ spelling", "regained"]
    note = (
        "% of all words. Lost: against the dictionary of all words, without spelling features; regained: by "
        "spelling features, in points and as a share of what was lost. Negative: they cost accuracy."
    )
    title = "TRANS1: what a smaller dictionary costs, and what spelling features bring back"
    return Table("spelling-regains", title, [*columns, "regained, % of lost"], rows, note)


def _accuracy(plan: TaggingPlan, chosen: Chosen, dictionary: str, spelling: bool, kind: str) -> float:
    choice = chosen.get(("table3", plan.main, plan.table3_tags, dictionary, spelling, "trans1"))
    return math.nan if choice is None else float(getattr(choice, kind)["result"]["all"])


def _main(plan: TaggingPlan, chosen: Chosen, criterion: str) -> GridChoice | None:
    return chosen.get(("figure2", plan.main, plan.figure2_tags, FULL, False, criterion))


def _summary(plan: TaggingPlan, chosen: Chosen) -> str:
    found = {}
    for criterion in plan.criteria:
        choice = _main(plan, chosen, criterion)
        if choice is not None and criterion not in SUPERVISED:
            found[name_of(criterion)] = choice.selected["result"]["ambiguous"]
    if not found:
        return ""
    ranked = sorted(found, key=lambda name: -found[name])
    listed = ", ".join(f"{name} {found[name]:.1f}" for name in ranked)
    return (
        f"Ambiguous words tagged right after training on {plan.main:,} words, in percent, by models that "
        f"were chosen without labels: {listed}."
    )


def _facts(plan: TaggingPlan, text: Material) -> dict[str, Any]:
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


def _caution(plan: TaggingPlan, text: Material) -> str:
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
        f"on the whole Penn Treebank: {ease} set, so the published numbers beside ours compare orders, not "
        f"heights. {sources}"
    )


def _add_analyses(page: ReportPage, analyses: Analyses) -> None:
    if "cross" in analyses:
        page.table(tables.cross_table(analyses["cross"]["scores"]))
    for name, title in (("restarts", "Restarts of TRANS1"), ("neighborhoods", "Neighbourhoods")):
        if name in analyses:
            page.table(
                tables.product_table(f"product-{name}", f"{title} and their product", analyses[name]["rows"])
            )


def _systems(plan: TaggingPlan) -> list[str]:
    """The criteria, each in one colour on the whole page."""
    return [name_of(criterion) for criterion in plan.criteria]


def _add_figure2(page: ReportPage, plan: TaggingPlan, chosen: Chosen) -> None:
    series = {}
    for criterion in plan.criteria:
        pairs = [
            (n, chosen.get(("figure2", n, plan.figure2_tags, FULL, False, criterion))) for n in plan.words
        ]
        points = [(n, choice.selected["result"]["ambiguous"]) for n, choice in pairs if choice is not None]
        if len(points) > 1:
            series[name_of(criterion)] = ([n for n, _ in points], [y for _, y in points])
    if not series:
        return
    ranked = sorted(series, key=lambda name: series[name][1][-1])
    caption = (
        "Ambiguous words tagged right, by how many words were trained on; selected models. At the right end "
        f"{ranked[-1]} is highest and {ranked[0]} lowest."
    )
    page.chart(
        caption,
        line_chart,
        series,
        title="Accuracy by amount of text",
        x_label="words",
        y_label="% of ambiguous words",
        log_x=True,
        x_ticks={n: f"{n:,}" for n in plan.words},
        systems=_systems(plan),
        name="figure2-curve",
    )


def _add_smoothing(page: ReportPage, plan: TaggingPlan, chosen: Chosen) -> None:
    """Accuracy over the grid: one chart for σ², one for λ, one for TRANS1 with each dictionary."""
    of_criteria = {name_of(criterion): _main(plan, chosen, criterion) for criterion in plan.criteria}
    local = {name_of(criterion) for criterion in ("em", "joint")}
    by_sigma2 = {name: choice for name, choice in of_criteria.items() if name not in local}
    by_lambda = {name: choice for name, choice in of_criteria.items() if name in local}
    of_dictionaries = {
        f"{tables.dictionary_name(dictionary)}{SPELLING if spelling else ''}": chosen.get(
            ("table3", plan.main, plan.table3_tags, dictionary, spelling, "trans1")
        )
        for dictionary in plan.dictionaries
        for spelling in (False, True)
    }
    dictionaries = [tables.dictionary_name(dictionary) for dictionary in plan.dictionaries]
    kinds = [
        ("sigma2", "Accuracy by σ²", by_sigma2, _systems(plan)),
        ("hmm", "Accuracy by λ", by_lambda, _systems(plan)),
        ("dictionaries", "TRANS1 with diluted dictionaries by σ²", of_dictionaries, dictionaries),
    ]
    for name, title, grids, systems in kinds:
        measure = "all" if name == "dictionaries" else "ambiguous"
        series, ticks = _curves(grids, measure)
        label = "λ" if name == "hmm" else "σ²"
        weak = "no smoothing" if name == "hmm" else "no prior"
        if series:
            page.chart(
                f"{measure.capitalize()} words tagged right by {label}, where the strongest smoothing is at "
                f"the {'right' if name == 'hmm' else 'left'}; “none” is {weak}."
                + (" Dashed: with spelling features." if name == "dictionaries" else ""),
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
    given: Mapping[str, GridChoice | None], measure: str
) -> tuple[dict[str, Series], dict[float, str]]:
    """Accuracy over the grid, with 0 and ∞ a step beyond the least and the greatest finite value."""
    values = {smoothing_of(r) for choice in given.values() if choice is not None for r in choice.trials}
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
        for name, choice in given.items()
        if choice is not None and len(choice.trials) > 1
    }
    return series, {place[v]: "none" if math.isinf(v) else f"{v:g}" for v in sorted(values)}
