"""The tables of Petrov's (2010) experiments from the trials' records, with published numbers.

Every score has the 95 % confidence interval of a bootstrap over sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.evaluation import bootstrap, compare
from fstce.evaluation.bootstrap import correlation
from fstce.evaluation.bracket_scores import BracketCounts, statistic
from fstce.processes.trial_log import Record
from fstce.reporting import Divider, Table
from fstce.reporting.tables import Cell
from fstce.reproduction.products_trials import PARTS, ProductsPlan
from fstce.reproduction.run import Columns, at, ended, published_rows, table_of

Counts = NDArray[np.int64]

F1 = statistic(BracketCounts, "f1")
EXACT = statistic(BracketCounts, "exact")


class Published(NamedTuple):
    """A published F1 and exact match in percent; None where there is none."""

    f1: float | None
    exact: float | None


@cache
def published() -> dict[tuple[str, str, str, str], Published]:
    """Petrov (2010), and the Berkeley parser on NLTK's part of the treebank.

    Keys are (source, experiment, part, setting).
    """
    return {
        (row["source"], row["experiment"], row["part"], row["setting"]): Published(
            _number(row["f1"]), _number(row["exact"])
        )
        for row in published_rows("products")
    }


def _number(text: str) -> float | None:
    return float(text) if text else None


class Scored:
    """The bracket counts of every way to parse, by what was parsed and how; failed trials are left out."""

    def __init__(self, plan: ProductsPlan, records: Iterable[Record]) -> None:
        self.plan = plan
        self.records = ended(records)
        self._found = {
            tuple(record["settings"][name] for name in ("part", "members", "after", "combination")): record[
                "result"
            ]
            for record in self.records
            if record["settings"]["experiment"] == "parse"
        }

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
        result = self._found.get((part, " ".join(map(str, seeds)), cycles, combination))
        return None if result is None else counts_of(result, None if every else self.plan.cutoff)

    def first(self, size: int) -> list[int]:
        """The seeds of a product of so many grammars."""
        return self.plan.seeds[:size]

    @property
    def sizes(self) -> list[int]:
        """How many grammars were multiplied, one among them."""
        return sorted({1, *self.plan.products})

    def subcategories(self) -> list[int]:
        """How many the first seed's grammar has after each cycle; nothing where it was not trained."""
        trained = (one for one in self.records if one["settings"]["experiment"] == "train")
        found = (
            one["result"].get("subcategories") for one in trained if one["settings"]["seed"] == self.plan.seed
        )
        return next(found, None) or []


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


def berkeley(plan: ProductsPlan, experiment: str, part: str, setting: str) -> Published:
    """The Berkeley parser's scores, on the treebank that it was run on."""
    own = plan.corpus == "nltk:treebank" and plan.split == "files"
    nothing = Published(None, None)
    return published().get(("berkeley", experiment, part, setting), nothing) if own else nothing


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
    sizes = scored.subcategories()
    rows: list[Row] = []
    for cycle in range(scored.plan.cycles + 1):
        name = f"{cycle}" if cycle else "0 (X-bar)"
        paper = berkeley(scored.plan, "cycles", "test", str(cycle)).f1
        size = sizes[cycle] if cycle < len(sizes) else None
        cells = _cells(scored, [scored.plan.seed], after=cycle)
        rows.append([name, size, *cells, paper])
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
        rows.append([name, *summary, berkeley(scored.plan, "single", "test", name).f1])
    note = f"After {scored.plan.cycles} cycles; at most {scored.plan.cutoff} words."
    here, there = (berkeley(scored.plan, "single", part, "mean") for part in PARTS)
    if here.f1:
        note += (
            f" Berkeley: four cycles; mean on development {here.f1}, exact match on the test {there.exact}."
        )
    columns = _columns("grammar", "Berkeley: test F1")
    return Table("singles", "Single grammars", columns, rows, note, group="kind")


def products(scored: Scored) -> Table:
    """Products of the first 1, 2, … grammars."""
    rows: list[Row] = []
    for size in scored.sizes:
        ours = _cells(scored, scored.first(size), "product" if size > 1 else "single")
        theirs = berkeley(scored.plan, "product", "test", str(size)).f1
        petrov = published().get(("petrov", "product", "test", str(size)), Published(None, None)).f1
        rows.append([size, *ours, theirs, petrov])
    note = (
        "The first seeds' grammars, posteriors of single rule instances multiplied; one grammar for "
        "comparison. Petrov (2010): all of the Penn Treebank."
    )
    here, there = (berkeley(scored.plan, "product", part, "8") for part in PARTS)
    if here.f1:
        note += (
            " Berkeley: on NLTK's part of the treebank, four cycles; "
            f"product of eight {here.f1} on development, exact match {there.exact} on the test."
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
    paper = published()
    sums = [
        paper["petrov", "combination", "development", n].f1 for n in ("first", "second", "product", "sum")
    ]
    levels = [paper["petrov", "level", "development", n].exact for n in ("tree", "constituent")]
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
    one, two = (scored.counts(part, scored.first(size), name) for name in ("product", other))
    if one is None or two is None:
        return []
    rows: list[Row] = []
    for name, score in (("F1", F1), ("exact match", EXACT)):
        values = [float(score(counts.sum(axis=0))) for counts in (one, two)]
        rows.append([f"{part} {name}", *values, *_difference(one, two, score)])
    return rows


def gains(scored: Scored) -> Table:
    """The largest product against each single grammar of it: what multiplying gives."""
    size = max(scored.sizes)
    rows: list[Row] = []
    for part in PARTS:
        whole = scored.counts(part, scored.first(size), "product" if size > 1 else "single")
        members = {seed: scored.counts(part, [seed]) for seed in scored.first(size)}
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
            found = correlation([one for one, _ in known], [two for _, two in known])
            rows.append([name, found.pearson, found.spearman, found.n])
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
