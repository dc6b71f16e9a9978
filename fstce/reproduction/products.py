"""Products of latent grammars (Petrov 2010) from a plan to a folder with a page.

Every score has the 95 % confidence interval of a bootstrap over sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import pearsonr, spearmanr

from fstce.errors import ParameterError
from fstce.evaluation import bootstrap, compare
from fstce.evaluation.bracket_scores import BracketCounts, statistic
from fstce.processes.trial_log import Record, Settings
from fstce.reporting import Divider, Series, Table, line_chart
from fstce.reporting.tables import Cell
from fstce.reproduction.material import digest
from fstce.reproduction.products_trials import (
    PARTS,
    ProductsPlan,
    grammar_folder,
    parses,
    parts,
    prepare,
    trainings,
)
from fstce.reproduction.run import Columns, Experiment, ReportPage, at, ended, named, published, table_of

Counts = NDArray[np.int64]

F1 = statistic(BracketCounts, "f1")
EXACT = statistic(BracketCounts, "exact")


def paper(source: str, experiment: str, part: str, setting: str) -> Mapping[str, float | None]:
    """F1 and exact match, percent: of Petrov (2010), or of the Berkeley parser on NLTK's treebank."""
    rows = published("products", "source", "experiment", "part", "setting")
    return rows.get((source, experiment, part, setting), {"f1": None, "exact": None})


class Scored:
    """The bracket counts of every way to parse, by what was parsed and how; failed trials are left out."""

    def __init__(self, plan: ProductsPlan, records: Iterable[Record]) -> None:
        self.plan, names = plan, ("part", "members", "after", "combination")
        done = [(one["settings"], one["result"]) for one in ended(records)]
        self.parsed = {
            tuple(settings[name] for name in names): result
            for settings, result in done
            if settings["experiment"] == "parse"
        }
        # How many the first seed's grammar has after each cycle; nothing where it was not trained.
        self.subcategories: list[int] = next(
            (result["subcategories"] for settings, result in done if settings.get("seed") == plan.seed), []
        )

    def counts(
        self,
        part: str,
        seeds: Sequence[int],
        combination: str = "single",
        after: int | None = None,
        every: bool = False,
    ) -> Counts | None:
        """A row of counts for each sentence up to the cutoff, or for every sentence."""
        cycles = self.plan.cycles if after is None else after
        result = self.parsed.get((part, " ".join(map(str, seeds)), cycles, combination))
        return None if result is None else counts_of(result, None if every else self.plan.cutoff)

    def first(self, size: int) -> tuple[list[int], str]:
        """The seeds of a product of so many grammars, and how it is combined."""
        return self.plan.seeds[:size], "product" if size > 1 else "single"


def counts_of(result: Mapping[str, Any], cutoff: int | None) -> Counts:
    """The counts of the sentences up to the cutoff."""
    matrix = np.array(result["counts"], dtype=np.int64)
    return matrix if cutoff is None else matrix[np.array(result["lengths"]) <= cutoff]


def scores(counts: Counts | None) -> list[Cell]:
    """F1, its interval as text, exact match, its interval."""
    cells: list[Cell] = []
    for score in (F1, EXACT):
        found = None if counts is None or not len(counts) else bootstrap(counts, score)
        cells += [None, None] if found is None else [found.estimate, f"{found.low:.1f}–{found.high:.1f}"]
    return cells


def berkeley(plan: ProductsPlan, experiment: str, part: str, setting: str) -> Mapping[str, float | None]:
    """The Berkeley parser's scores, on the treebank that it was run on."""
    own = plan.corpus == "nltk:treebank" and plan.split == "files"
    return paper("berkeley" if own else "", experiment, part, setting)


def f1(counts: Counts | None) -> float | None:
    """F1 alone."""
    return None if counts is None or not len(counts) else float(F1(counts.sum(axis=0)))


Row = Sequence[Cell] | Divider


def _difference(one: Counts, two: Counts, score: Callable[[Any], Any]) -> list[Cell]:
    """The difference of two scores, its interval, and p."""
    found = compare(one, two, score)
    return [found.difference, f"{found.low:+.2f} to {found.high:+.2f}".replace("-", "−"), found.p]


def _columns(first: str, paper: str) -> list[str]:
    columns = [first]
    for part in PARTS:
        columns += [f"{part}: F1", f"{part}: 95 % of F1", f"{part}: exact", f"{part}: 95 % of exact"]
        columns.append(f"{part}: F1, all lengths")
    return [*columns, paper]


def _cells(
    scored: Scored, seeds: Sequence[int], combination: str = "single", after: int | None = None
) -> list[Cell]:
    cells: list[Cell] = []
    for part in PARTS:
        cells += scores(scored.counts(part, seeds, combination, after))
        cells.append(f1(scored.counts(part, seeds, combination, after, every=True)))
    return cells


def by_cycle(scored: Scored) -> Table:
    """Scores of the first seed's grammar after each cycle; after none it is the X-bar grammar."""
    sizes = scored.subcategories
    rows: list[Row] = []
    for cycle in range(scored.plan.cycles + 1):
        name = f"{cycle}" if cycle else "0 (X-bar)"
        theirs = berkeley(scored.plan, "cycles", "test", str(cycle))["f1"]
        size = sizes[cycle] if cycle < len(sizes) else None
        cells = _cells(scored, [scored.plan.seed], after=cycle)
        rows.append([name, size, *cells, theirs])
    first, *rest = _columns("cycles", "Berkeley: test F1")
    note = (
        f"Labeled F1 and exact match in percent by EVALB, sentences of at most {scored.plan.cutoff} words, "
        f"words without tags; seed {scored.plan.seed}. Berkeley: the Java parser on NLTK's part of the "
        "treebank, one seed."
    )
    return Table("cycles", "Scores by number of cycles", [first, "subcategories", *rest], rows, note)


def singles(scored: Scored) -> Table:
    """Every single grammar, the least, the mean and the greatest."""
    rows: list[Row] = [[f"seed {seed}", *_cells(scored, [seed]), None] for seed in scored.plan.seeds]
    of_seeds = [row for row in rows if not isinstance(row, Divider)]
    rows.append(Divider(f"of {len(of_seeds)} seeds"))
    for name, total in (("least", min), ("mean", np.mean), ("greatest", max)):
        summary: list[Cell] = []
        for column in zip(*(row[1:-1] for row in of_seeds), strict=True):
            numbers = [cell for cell in column if isinstance(cell, float)]
            summary.append(float(total(numbers)) if numbers else None)
        rows.append([name, *summary, berkeley(scored.plan, "single", "test", name)["f1"]])
    note = f"After {scored.plan.cycles} cycles; at most {scored.plan.cutoff} words."
    here, there = (berkeley(scored.plan, "single", part, "mean") for part in PARTS)
    if here["f1"]:
        exact = f"exact match on the test {there['exact']}"
        note += f" Berkeley: four cycles; mean on development {here['f1']}, {exact}."
    columns = _columns("grammar", "Berkeley: test F1")
    return Table("singles", "Single grammars", columns, rows, note, group="kind")


def products(scored: Scored) -> Table:
    """Products of the first 1, 2, … grammars."""
    rows: list[Row] = []
    for size in scored.plan.sizes:
        theirs = berkeley(scored.plan, "product", "test", str(size))["f1"]
        petrov = paper("petrov", "product", "test", str(size))["f1"]
        rows.append([size, *_cells(scored, *scored.first(size)), theirs, petrov])
    note = (
        "The first seeds' grammars, posteriors of single rule instances multiplied; one grammar for "
        "comparison. Petrov (2010): all of the Penn Treebank."
    )
    here, there = (berkeley(scored.plan, "product", part, "8") for part in PARTS)
    if here["f1"]:
        note += (
            " Berkeley: on NLTK's part of the treebank, four cycles; "
            f"product of eight {here['f1']} on development, exact match {there['exact']} on the test."
        )
    columns = [*_columns("grammars", "Berkeley: test F1"), "Petrov: test F1"]
    return Table("products", "Products of grammars", columns, rows, note).best(
        *(f"{part}: F1" for part in PARTS)
    )


def combinations(scored: Scored) -> Table:
    """The product of posteriors against their sum, and against the product of whole trees."""
    rows: list[Row] = []
    for other, sizes in (("sum", scored.plan.sums), ("tree", scored.plan.trees)):
        for size in sizes:
            if size not in scored.plan.products:
                continue
            rows.append(Divider(f"{size} grammars: product of posteriors against {_NAMES[other]}"))
            for part in PARTS:
                rows += _compared(scored, part, size, other)
    ways = ("first", "second", "product", "sum")
    sums = [paper("petrov", "combination", "development", way)["f1"] for way in ways]
    levels = [paper("petrov", "level", "development", level)["exact"] for level in ("tree", "constituent")]
    note = (
        "Difference: product less the other, on the same sentences, with its 95 % interval by a paired "
        "bootstrap, and p by approximate randomization. Petrov (2010), development: grammars of "
        f"{sums[0]} and {sums[1]} F1 give product {sums[2]} and sum {sums[3]}; constituent level 0.2 F1 "
        f"above tree level, which wins exact match {levels[0]} to {levels[1]}."
    )
    columns = ["part and score", "product", "other", "difference", "95 % of difference", "p"]
    return Table(
        *("combinations", "Products against sums and whole trees", columns, rows, note),
        decimals={"p": 3, "difference": 2},
        group="comparison",
    )


_NAMES = {"sum": "their sum", "tree": "the product of whole trees"}


def _compared(scored: Scored, part: str, size: int, other: str) -> list[Row]:
    one, two = (scored.counts(part, scored.plan.seeds[:size], name) for name in ("product", other))
    if one is None or two is None:
        return []
    rows: list[Row] = []
    for name, score in (("F1", F1), ("exact match", EXACT)):
        values = [float(score(counts.sum(axis=0))) for counts in (one, two)]
        rows.append([f"{part} {name}", *values, *_difference(one, two, score)])
    return rows


def gains(scored: Scored) -> Table:
    """The largest product against each single grammar of it: what multiplying gives."""
    size = max(scored.plan.sizes)
    rows: list[Row] = []
    for part in PARTS:
        whole = scored.counts(part, *scored.first(size))
        members = {seed: scored.counts(part, [seed]) for seed in scored.plan.seeds[:size]}
        known = {seed: counts for seed, counts in members.items() if counts is not None}
        if whole is None or not known or size < 2:
            continue
        values = [f1(counts) or 0.0 for counts in known.values()]
        best = list(known)[int(np.argmax(values))]
        top = f1(whole) or 0.0
        above = top - float(np.mean(values))
        rows.append([part, top, above, f"seed {best}", *_difference(whole, known[best], F1)])
    columns = ["part", "product F1", "above the mean", "best single", "above the best"]
    columns += ["95 % of above the best", "p"]
    note = f"The product of {size} grammars against its members; paired bootstrap and randomization."
    decimals = {"p": 3, "above the mean": 2, "above the best": 2}
    return Table("gains", "What the product gains", columns, rows, note, decimals=decimals)


def correlations(scored: Scored) -> Table:
    """Do grammars that do well on one set do well on another?"""
    seeds = scored.plan.seeds
    development, test = ([scored.counts(part, [seed]) for seed in seeds] for part in PARTS)
    halves = [[None if counts is None else counts[half::2] for counts in development] for half in (0, 1)]
    rows: list[Row] = []
    sets = {"two halves of development": halves, "development and test": [development, test]}
    for name, (here, there) in sets.items():
        pairs = [(f1(one), f1(two)) for one, two in zip(here, there, strict=True)]
        known = [(one, two) for one, two in pairs if one is not None and two is not None]
        if len(known) > 1:
            one, two = np.transpose(known)
            differ = np.ptp(one) > 0 and np.ptp(two) > 0
            found = [float(r(one, two).statistic) if differ else np.nan for r in (pearsonr, spearmanr)]
            rows.append([name, *found, len(known)])
    note = "F1 of single grammars; the halves are every other sentence."
    columns = ["sets", "Pearson's r", "Spearman's ρ", "grammars"]
    return Table("correlation", "Single grammars on two sets", columns, rows, note, decimals=2)


def trials(records: Sequence[Record]) -> Table:
    """Every trial."""
    columns: Columns = {
        **{name: f"settings.{name}" for name in ("experiment", "part", "combination")},
        "cycles": lambda trial: trial["settings"].get("after", trial["settings"]["cycles"]),
        "grammars": lambda trial: trial["settings"].get("members", str(trial["settings"].get("seed"))),
        "F1": lambda trial: _of_all_lengths(trial, F1),
        "exact": lambda trial: _of_all_lengths(trial, EXACT),
        **{"seconds": "result.seconds", "MB": "result.megabytes", "error": "error"},
    }
    return table_of("trials", "All trials", records, columns, note="Sentences of all lengths.")


def _of_all_lengths(trial: Record, score: Callable[[Any], Any]) -> float:
    """A score of a trial; NaN where it has not parsed."""
    counts = at(trial, "result.counts")
    return float(score(np.array(counts).sum(axis=0))) if counts else np.nan


def _about(plan: ProductsPlan) -> dict[str, str]:
    whole = [sentence for part in parts(plan.corpus, plan.split) for sentence in part]
    return {"corpus": digest(whole), "trees": digest(whole, trees=True)}


def _kept(settings: Settings) -> Path | None:
    return grammar_folder(settings) if settings["experiment"] == "train" else None


def _fill(page: ReportPage, plan: ProductsPlan, records: Sequence[Record]) -> None:
    scored = Scored(plan, records)
    if not scored.parsed:
        raise ParameterError(f"nothing was parsed: {EXPERIMENT.failures(records)[0]}")
    page.add("Cycles", by_cycle(scored))
    cycles = range(plan.cycles + 1)
    counts = {part: [scored.counts(part, [plan.seed], after=cycle) for cycle in cycles] for part in PARTS}
    _add_chart(page, counts, cycles, "cycles", "f1-by-cycle", "cycle 0 is the treebank's own grammar.")
    page.add("Single grammars", singles(scored), correlations(scored))
    page.add("Products", products(scored), gains(scored))
    counts = {part: [scored.counts(part, *scored.first(n)) for n in plan.sizes] for part in PARTS}
    _add_chart(page, counts, plan.sizes, "grammars", "f1-by-grammars", "1 is a single grammar.")
    page.add("Ways to combine", combinations(scored))


def _summary(plan: ProductsPlan, records: Sequence[Record]) -> str:
    scored, size = Scored(plan, records), max(plan.sizes)
    single = [f1(scored.counts("test", [seed])) for seed in plan.seeds]
    known = [value for value in single if value is not None]
    product = f1(scored.counts("test", plan.seeds[:size], "product"))
    if not known:
        return ""
    found = f"Single grammars score {np.mean(known):.1f} F1 on average on the test set"
    return f"{found}, the product of {size} scores {product:.1f}." if product is not None else f"{found}."


def _facts(plan: ProductsPlan) -> dict[str, Any]:
    divided = parts(plan.corpus, plan.split)
    return {
        "treebank": plan.corpus,
        **{
            name: f"{len(sentences):,} sentences"
            for name, sentences in zip(divided._fields, divided, strict=True)
        },
        "cycles": plan.cycles,
        "EM iterations": f"{'/'.join(map(str, plan.iterations))} after split, merge and smoothing",
        "seeds": f"{plan.seeds[0]} to {plan.seeds[-1]}",
        "scores": f"EVALB with COLLINS.prm, at most {plan.cutoff} words; gold tags say what is punctuation",
        "intervals": "95 %, 1,000 bootstrap resamples of the sentences",
    }


def _add_chart(
    page: ReportPage,
    counts: Mapping[str, Sequence[Counts | None]],
    xs: Sequence[int],
    label: str,
    name: str,
    note: str,
) -> None:
    """F1 by a number of cycles or grammars, with its interval as a band; nothing for a single point."""
    series = {}
    for part, row in counts.items():
        points = [
            (x, bootstrap(found, statistic(BracketCounts, "f1")))
            for x, found in zip(xs, row, strict=True)
            if found is not None and len(found)
        ]
        if len(points) > 1:
            series[part] = Series(
                [x for x, _ in points],
                [ends.estimate for _, ends in points],
                low=[ends.low for _, ends in points],
                high=[ends.high for _, ends in points],
            )
    if series:
        title = f"F1 by number of {label}"
        page.chart(
            f"{title}. The band is the 95 % interval over sentences; {note}",
            line_chart,
            series,
            title=title,
            x_label=label,
            y_label="labeled F1",
            x_ticks=list(xs),
            name=name,
        )


EXPERIMENT = Experiment(
    "products",
    "Products of latent grammars",
    _about,
    trainings,
    prepare,
    named("experiment", "part", "combination", "members", "seed", "after"),
    _summary,
    _facts,
    _fill,
    trials,
    then=parses,
    kept=_kept,
)
reproduce = EXPERIMENT.reproduce
