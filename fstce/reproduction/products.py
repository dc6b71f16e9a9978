"""Products of latent grammars (Petrov 2010) from a plan to a folder with a page.

F1 has the 95 % confidence interval of a bootstrap over sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np

from fstce.errors import ParameterError
from fstce.evaluation import bootstrap, compare
from fstce.evaluation.bracket_scores import BracketCounts, statistic
from fstce.numeric.types import Ints
from fstce.processes.trial_log import Record, Result, Settings
from fstce.reporting.tables import Cell, Divider, Table
from fstce.reproduction.products_trials import (
    PARTS,
    PENN,
    ProductsPlan,
    parses,
    parts,
    prepare,
    trainings,
)
from fstce.reproduction.run import Experiment, ReportPage, ended, published

Row = Sequence[Cell]

PHRASES = ("NP", "VP", "PP", "QP")
F1 = statistic(BracketCounts, "f1")
EXACT = statistic(BracketCounts, "exact")
COLUMNS = [f"{part}: {name}" for part in PARTS for name in ("F1", "95 % of F1", "exact")]


def paper(source: str, experiment: str, setting: object, part: str = "test") -> float | None:
    """F1 in percent, of Petrov (2010) or of the Berkeley parser on NLTK's text."""
    rows = published("products", "source", "experiment", "part", "setting")
    return rows.get((source, experiment, part, str(setting)), {}).get("f1")


class Scored:
    """The results of every way to parse, by part and way, of trials that ended.

    ``trained``: the result of the training of each seed.
    """

    def __init__(self, plan: ProductsPlan, records: Iterable[Record]) -> None:
        self.plan = plan
        self.parsed: dict[tuple[Any, ...], Result] = {}
        self.trained: dict[int, Result] = {}

        way = itemgetter("part", "members", "after", "combination")
        for record in ended(records):
            settings = record["settings"]
            if settings["experiment"] == "parse":
                self.parsed[way(settings)] = record["result"]
            else:
                self.trained[settings["seed"]] = record["result"]

    def result(
        self,
        part: str,
        seeds: Sequence[int],
        combination: str = "product",
        after: int | None = None,
    ) -> Result | None:
        """The result of the grammars of these seeds on a part; None where there is none."""
        if len(seeds) == 1:
            combination = "single"
        if after is None:
            after = self.plan.cycles
        return self.parsed.get((part, " ".join(map(str, seeds)), after, combination))

    def counts(
        self,
        part: str,
        seeds: Sequence[int],
        combination: str = "product",
        after: int | None = None,
    ) -> Ints | None:
        """A row of counts for each sentence up to the cutoff; None where there is none."""
        result = self.result(part, seeds, combination, after)
        if result is None:
            return None
        short = np.array(result["lengths"]) <= self.plan.cutoff
        if not short.any():
            return None
        return np.array(result["counts"], dtype=np.int64)[short]

    def cells(self, seeds: Sequence[int], after: int | None = None) -> list[Cell]:
        """F1, its interval as text, and exact match of the grammars of these seeds on each part."""
        cells: list[Cell] = []
        for part in PARTS:
            counts = self.counts(part, seeds, after=after)
            if counts is None:
                cells += [None, None, None]
            else:
                f1 = bootstrap(counts, F1)
                exact = float(EXACT(counts.sum(axis=0)))
                cells += [f1.estimate, f"{f1.low:.1f}–{f1.high:.1f}", exact]
        return cells

    def berkeley(self, experiment: str, setting: object) -> float | None:
        """The Berkeley parser's F1, on the treebank that it was run on."""
        if self.plan.corpus != PENN:
            return None
        return paper("berkeley", experiment, setting)


def by_cycle(scored: Scored) -> Table:
    """Scores of the first seed's grammar after each cycle; after none it is the X-bar grammar."""
    plan = scored.plan
    trained = scored.trained.get(plan.seed, {"subcategories": []})
    sizes: list[Cell] = [*trained["subcategories"], *[None] * (plan.cycles + 1)]
    rows: list[Row] = []
    for cycle in range(plan.cycles + 1):
        cells = scored.cells([plan.seed], after=cycle)
        name = f"{cycle}" if cycle else "0 (X-bar)"
        rows.append([name, sizes[cycle], *cells, scored.berkeley("cycles", cycle)])

    note = (
        f"Labeled F1 and exact match in percent by EVALB, sentences of at most {plan.cutoff} "
        f"words, without tags; seed {plan.seed}. Berkeley: the Java parser on NLTK's part of the "
        "treebank, one seed."
    )
    columns = ["cycles", "subcategories", *COLUMNS, "Berkeley: test F1"]
    return Table("cycles", "Scores by number of cycles", columns, rows, note)


def singles(scored: Scored) -> Table:
    """Every single grammar, the least, the mean and the greatest."""
    seeds = scored.plan.seeds
    of_seeds = [scored.cells([seed]) for seed in seeds]
    rows: list[Row] = [
        [f"seed {seed}", *cells, None] for seed, cells in zip(seeds, of_seeds, strict=True)
    ]
    rows.append(Divider(f"of {len(of_seeds)} seeds"))
    for name, total in (("least", min), ("mean", np.mean), ("greatest", max)):
        summary: list[Cell] = []
        for column in zip(*of_seeds, strict=True):
            numbers = [cell for cell in column if isinstance(cell, float)]
            summary.append(float(total(numbers)) if numbers else None)
        rows.append([name, *summary, scored.berkeley("single", name)])

    plan = scored.plan
    note = f"After {plan.cycles} cycles; at most {plan.cutoff} words. Berkeley: four cycles."
    pairs = [(cells[0], cells[3]) for cells in of_seeds if None not in (cells[0], cells[3])]
    if len(pairs) > 2:
        correlation = np.asarray(np.corrcoef(np.array(pairs, dtype=np.float64).T))[0, 1]
        note += f" Pearson's correlation of F1 on both parts: {correlation:.2f} (Petrov: 0.34)."
    columns = ["grammar", *COLUMNS, "Berkeley: test F1"]
    return Table("singles", "Single grammars", columns, rows, note, group="kind")


def products(scored: Scored) -> Table:
    """Products of the first 1, 2, … grammars."""
    rows: list[Row] = []
    for size in (1, *scored.plan.multiplied):
        cells = scored.cells(scored.plan.seeds[:size])
        petrov = paper("petrov", "product", size)
        rows.append([size, *cells, scored.berkeley("product", size), petrov])

    note = (
        "The first seeds' grammars, posteriors of single rule instances multiplied; one grammar "
        "for comparison. Petrov (2010): all of the Penn Treebank. Berkeley: on NLTK's part of it, "
        "four cycles."
    )
    columns = ["grammars", *COLUMNS, "Berkeley: test F1", "Petrov: test F1"]
    table = Table("products", "Products of grammars", columns, rows, note)
    return table.best(*(f"{part}: F1" for part in PARTS))


def combinations(scored: Scored) -> Table:
    """The product of posteriors against their sum."""
    rows: list[Row] = []
    for size in scored.plan.added:
        if size in scored.plan.multiplied:
            rows.append(Divider(f"{size} grammars: product of posteriors against their sum"))
            rows += chain.from_iterable(_compared(scored, part, size) for part in PARTS)

    first, second, product, added = (
        paper("petrov", "combination", way, "development")
        for way in ("first", "second", "product", "sum")
    )
    note = (
        "Difference: product less sum, on the same sentences, with its 95 % interval by a "
        "paired bootstrap, and p by approximate randomization. Petrov (2010), development: "
        f"grammars of {first} and {second} F1 give product {product} and sum {added}."
    )
    columns = ["part and score", "product", "sum", "difference", "low", "high", "p"]
    decimals = {"p": 3, **dict.fromkeys(columns[3:6], 2)}
    title = "Products against sums"
    return Table("combinations", title, columns, rows, note, decimals=decimals, group="comparison")


def _compared(scored: Scored, part: str, size: int) -> list[Row]:
    seeds = scored.plan.seeds[:size]
    multiplied, added = (scored.counts(part, seeds, way) for way in ("product", "sum"))
    if multiplied is None or added is None:
        return []
    rows: list[Row] = []
    for name, score in (("F1", F1), ("exact match", EXACT)):
        values = [float(score(counts.sum(axis=0))) for counts in (multiplied, added)]
        rows.append([f"{part} {name}", *values, *compare(multiplied, added, score)])
    return rows


def subcategories(scored: Scored) -> Table:
    """Subcategories of each category, mean and deviation over the seeds (Figure 1)."""
    sizes: dict[str, list[int]] = {}
    for result in scored.trained.values():
        for category, size in result["sizes"].items():
            sizes.setdefault(category, []).append(size)

    rows: list[Row] = []
    for category, numbers in sizes.items():
        deviation = float(np.std(numbers, ddof=1)) if len(numbers) > 1 else None
        rows.append([category, float(np.mean(numbers)), deviation])
    rows.sort(key=lambda row: (-row[1], row[0]))  # type: ignore[operator]

    note = f"Of {len(scored.trained)} grammars after {scored.plan.cycles} cycles."
    columns = ["category", "subcategories", "±"]
    return Table("subcategories", "Subcategories by category", columns, rows, note)


def by_category(scored: Scored) -> Table:
    """F1 of phrases, exact match and F1 of single grammars and their product (Figure 4)."""
    of_four = max((n for n in scored.plan.multiplied if n <= 4), default=1)
    seeds = scored.plan.seeds[:of_four]
    ways = {f"seed {seed}": [seed] for seed in seeds}
    ways[f"product of {of_four}"] = seeds

    rows: list[Row] = []
    for name, multiplied in ways.items():
        result = scored.result("development", multiplied)
        if result is not None:
            of_phrases = [result["by_category"].get(phrase) for phrase in PHRASES]
            rows.append([name, result["f1"], result["exact"], *of_phrases])

    columns = ["grammar", "F1", "exact", *PHRASES]
    note = "Development sentences of all lengths, percent."
    table = Table("categories", "Scores by phrase", columns, rows, note)
    return table.best(*columns[1:])


def _outcome(settings: Settings, result: Result) -> str:
    if settings["experiment"] == "train":
        return f"{result['subcategories'][-1]:,} subcategories"
    return f"{float(F1(np.array(result['counts']).sum(axis=0))):.1f} F1"


def _fill(page: ReportPage, plan: ProductsPlan, records: Sequence[Record]) -> None:
    scored = Scored(plan, records)
    if not scored.parsed:
        raise ParameterError(f"nothing was parsed: {EXPERIMENT.failures(records)[0]}")
    page.add("Products", products(scored))
    page.add("Single grammars", singles(scored), by_cycle(scored))
    page.add("Ways to combine", combinations(scored))
    page.add("Categories (Figures 1 and 4)", subcategories(scored), by_category(scored))


def _facts(plan: ProductsPlan) -> dict[str, Any]:
    divided = parts(plan.corpus)
    return {
        **{name: f"{len(sentences):,} sentences" for name, sentences in divided._asdict().items()},
        "scores": f"EVALB with COLLINS.prm, at most {plan.cutoff} words; punctuation by gold tags",
        "intervals": "95 %, 1,000 bootstrap resamples of the sentences",
    }


EXPERIMENT = Experiment(
    "products",
    "Products of latent grammars",
    trainings,
    prepare,
    ("experiment", "seed", "part", "members", "combination", "after"),
    _outcome,
    _facts,
    _fill,
    then=parses,
)
