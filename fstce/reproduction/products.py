"""Products of latent grammars (Petrov 2010) from a plan to a folder with a page.

F1 has the 95 % confidence interval of a bootstrap over sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import ParameterError
from fstce.evaluation import bootstrap, compare
from fstce.evaluation.bracket_scores import BracketCounts, statistic
from fstce.processes.trial_log import Record, Settings
from fstce.reporting import Divider, Table
from fstce.reporting.tables import Cell
from fstce.reproduction.products_trials import (
    PARTS,
    ProductsPlan,
    grammar_folder,
    parses,
    parts,
    prepare,
    trainings,
)
from fstce.reproduction.run import Experiment, ReportPage, ended, published

Counts = NDArray[np.int64]
Row = Sequence[Cell] | Divider

PHRASES = ("NP", "VP", "PP", "QP")
F1 = statistic(BracketCounts, "f1")
EXACT = statistic(BracketCounts, "exact")
COLUMNS = [f"{part}: {name}" for part in PARTS for name in ("F1", "95 % of F1", "exact")]


def paper(source: str, experiment: str, part: str, setting: str) -> Mapping[str, float | None]:
    """F1 and exact match in percent, of Petrov (2010) or of the Berkeley parser on NLTK's text."""
    rows = published("products", "source", "experiment", "part", "setting")
    return rows.get((source, experiment, part, setting), {"f1": None, "exact": None})


class Scored:
    """The bracket counts of every way to parse, by part and way, of trials that ended.

    ``subcategories``: how many the first seed's grammar has after each cycle, if it was trained.
    ``sizes``: the subcategories of each category in each of the grammars.
    """

    def __init__(self, plan: ProductsPlan, records: Iterable[Record]) -> None:
        self.plan = plan
        self.parsed: dict[tuple[Any, ...], Mapping[str, Any]] = {}
        self.subcategories: list[int] = []
        self.sizes: list[Mapping[str, int]] = []

        way = itemgetter("part", "members", "after", "combination")
        for record in ended(records):
            settings = record["settings"]
            result = record["result"]
            if settings["experiment"] == "parse":
                self.parsed[way(settings)] = result
                continue
            self.sizes.append(result["sizes"])
            if settings["seed"] == plan.seed:
                self.subcategories = result["subcategories"]

    def result(
        self, part: str, seeds: Sequence[int], combination: str = "single", after: int | None = None
    ) -> Mapping[str, Any] | None:
        """The result of a way to parse a part; None where there is none."""
        if after is None:
            after = self.plan.cycles
        return self.parsed.get((part, " ".join(map(str, seeds)), after, combination))

    def counts(
        self, part: str, seeds: Sequence[int], combination: str = "single", after: int | None = None
    ) -> Counts | None:
        """A row of counts for each sentence up to the cutoff; None where there is none."""
        result = self.result(part, seeds, combination, after)
        if result is None:
            return None

        short = np.array(result["lengths"]) <= self.plan.cutoff
        if not short.any():
            return None
        return np.array(result["counts"], dtype=np.int64)[short]

    def cells(self, *how: Any, **more: Any) -> list[Cell]:
        """F1, its interval as text, and exact match on each part."""
        cells: list[Cell] = []
        for part in PARTS:
            counts = self.counts(part, *how, **more)
            if counts is None:
                cells += [None, None, None]
            else:
                f1 = bootstrap(counts, F1)
                cells += [
                    f1.estimate,
                    f"{f1.low:.1f}–{f1.high:.1f}",
                    float(EXACT(counts.sum(axis=0))),
                ]
        return cells

    def first(self, size: int) -> tuple[list[int], str]:
        """The seeds of a product of so many grammars, and how it is combined."""
        return self.plan.seeds[:size], "product" if size > 1 else "single"

    def berkeley(self, experiment: str, setting: object) -> float | None:
        """The Berkeley parser's F1, on the treebank that it was run on."""
        if self.plan.corpus != "nltk:treebank" or self.plan.split != "files":
            return None
        return paper("berkeley", experiment, "test", str(setting))["f1"]


def _difference(
    first_counts: Counts, second_counts: Counts, score: Callable[[Any], Any]
) -> list[Cell]:
    """The difference of two scores, its interval, and p."""
    comparison = compare(first_counts, second_counts, score)
    return [
        comparison.difference,
        f"{comparison.low:+.2f} to {comparison.high:+.2f}".replace("-", "−"),
        comparison.p,
    ]


def by_cycle(scored: Scored) -> Table:
    """Scores of the first seed's grammar after each cycle; after none it is the X-bar grammar."""
    sizes = scored.subcategories
    plan = scored.plan
    rows: list[Row] = []
    for cycle in range(plan.cycles + 1):
        size = sizes[cycle] if cycle < len(sizes) else None
        cells = scored.cells([plan.seed], after=cycle)
        rows.append(
            [f"{cycle}" if cycle else "0 (X-bar)", size, *cells, scored.berkeley("cycles", cycle)]
        )

    note = (
        f"Labeled F1 and exact match in percent by EVALB, sentences of at most {plan.cutoff} "
        f"words, without tags; seed {plan.seed}. Berkeley: the Java parser on NLTK's part of the "
        "treebank, one seed."
    )
    columns = ["cycles", "subcategories", *COLUMNS, "Berkeley: test F1"]
    return Table("cycles", "Scores by number of cycles", columns, rows, note)


def singles(scored: Scored) -> Table:
    """Every single grammar, the least, the mean and the greatest."""
    of_seeds = [scored.cells([seed]) for seed in scored.plan.seeds]
    names = [f"seed {seed}" for seed in scored.plan.seeds]
    rows: list[Row] = [[name, *cells, None] for name, cells in zip(names, of_seeds, strict=True)]
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
    rows: list[Row] = [
        [
            size,
            *scored.cells(*scored.first(size)),
            scored.berkeley("product", size),
            paper("petrov", "product", "test", str(size))["f1"],
        ]
        for size in scored.plan.sizes
    ]

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
    for size in scored.plan.sums:
        if size in scored.plan.products:
            rows.append(Divider(f"{size} grammars: product of posteriors against their sum"))
            rows += chain.from_iterable(_compared(scored, part, size) for part in PARTS)

    ways = ("first", "second", "product", "sum")
    first, second, product, added = (
        paper("petrov", "combination", "development", way)["f1"] for way in ways
    )

    note = (
        "Difference: product less sum, on the same sentences, with its 95 % interval by a "
        "paired bootstrap, and p by approximate randomization. Petrov (2010), development: "
        f"grammars of {first} and {second} F1 give product {product} and sum {added}."
    )
    columns = ["part and score", "product", "sum", "difference", "95 % of difference", "p"]
    return Table(
        *("combinations", "Products against sums", columns, rows, note),
        decimals={"p": 3, "difference": 2},
        group="comparison",
    )


def _compared(scored: Scored, part: str, size: int) -> list[Row]:
    multiplied, added = (
        scored.counts(part, scored.plan.seeds[:size], way) for way in ("product", "sum")
    )
    if multiplied is None or added is None:
        return []
    rows: list[Row] = []
    for name, score in (("F1", F1), ("exact match", EXACT)):
        values = [float(score(counts.sum(axis=0))) for counts in (multiplied, added)]
        rows.append([f"{part} {name}", *values, *_difference(multiplied, added, score)])
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
        values = {seed: float(F1(counts.sum(axis=0))) for seed, counts in known.items()}
        best = max(values, key=values.__getitem__)
        top = float(F1(whole.sum(axis=0)))
        above = top - float(np.mean(list(values.values())))
        rows.append([part, top, above, f"seed {best}", *_difference(whole, known[best], F1)])

    columns = ["part", "product F1", "above the mean", "best single", "above the best"]
    columns += ["95 % of above the best", "p"]
    note = (
        f"The product of {size} grammars against its members; paired bootstrap and randomization."
    )
    decimals = {"p": 3, "above the mean": 2, "above the best": 2}
    return Table("gains", "What the product gains", columns, rows, note, decimals=decimals)


def subcategories(scored: Scored) -> Table:
    """Subcategories of each category, mean and deviation over the seeds (Figure 1)."""
    rows: list[Row] = []
    for category in dict.fromkeys(name for sizes in scored.sizes for name in sizes):
        numbers = [sizes[category] for sizes in scored.sizes if category in sizes]
        deviation = float(np.std(numbers, ddof=1)) if len(numbers) > 1 else None
        rows.append([category, float(np.mean(numbers)), deviation])
    rows.sort(key=lambda row: (-row[1], row[0]))  # type: ignore[index, operator]

    note = f"Of {len(scored.sizes)} grammars after {scored.plan.cycles} cycles."
    columns = ["category", "subcategories", "±"]
    return Table("subcategories", "Subcategories by category", columns, rows, note)


def by_category(scored: Scored) -> Table:
    """F1 of phrases, exact match and F1 of single grammars and their product (Figure 4)."""
    of_four = max((size for size in scored.plan.sizes if size <= 4), default=1)
    seeds, way = scored.first(of_four)
    rows: list[Row] = []
    for name, members, combination in (
        *((f"seed {seed}", [seed], "single") for seed in seeds),
        (f"product of {of_four}", seeds, way),
    ):
        result = scored.result("development", members, combination)
        if result is not None:
            of_phrases = [result["by_category"].get(phrase) for phrase in PHRASES]
            rows.append([name, result["f1"], result["exact"], *of_phrases])

    columns = ["grammar", "F1", "exact", *PHRASES]
    note = "Development sentences of all lengths, percent."
    table = Table("categories", "Scores by phrase", columns, rows, note)
    return table.best(*columns[1:])


def _outcome(settings: Settings, result: Mapping[str, Any]) -> str:
    if settings["experiment"] == "train":
        return f"{result['subcategories'][-1]:,} subcategories"
    return f"{float(F1(np.array(result['counts']).sum(axis=0))):.1f} F1"


def _kept(settings: Settings) -> Path | None:
    if settings["experiment"] != "train":
        return None
    return grammar_folder(settings)


def _fill(page: ReportPage, plan: ProductsPlan, records: Sequence[Record]) -> None:
    scored = Scored(plan, records)
    if not scored.parsed:
        raise ParameterError(f"nothing was parsed: {EXPERIMENT.failures(records)[0]}")
    page.add("Products", products(scored), gains(scored))
    page.add("Single grammars", singles(scored), by_cycle(scored))
    page.add("Ways to combine", combinations(scored))
    page.add("Categories (Figures 1 and 4)", subcategories(scored), by_category(scored))


def _facts(plan: ProductsPlan) -> dict[str, Any]:
    divided = parts(plan.corpus, plan.split)
    return {
        **{name: f"{len(sentences):,} sentences" for name, sentences in divided._asdict().items()},
        "scores": f"EVALB with COLLINS.prm, at most {plan.cutoff} words; punctuation by gold tags",
        "intervals": "95 %, 1,000 bootstrap resamples of the sentences",
    }


NAMED_BY = ("experiment", "seed", "part", "members", "combination", "after")
EXPERIMENT = Experiment(
    "products",
    "Products of latent grammars",
    trainings,
    prepare,
    NAMED_BY,
    _outcome,
    _facts,
    _fill,
    then=parses,
    kept=_kept,
)
reproduce: Any = EXPERIMENT.reproduce
