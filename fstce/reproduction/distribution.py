"""Brooks' experiments (2006) on a treebank, from a plan to a folder with a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from fstce.corpora import coarse_map
from fstce.evaluation import bootstrap, compare, right_branching
from fstce.evaluation.bracket_scores import SpanCounts, statistic
from fstce.evaluation.evalb import COLLINS
from fstce.evaluation.unlabelled import left_branching, random_binary
from fstce.processes.trial_log import Record, Settings
from fstce.reporting import Divider, Table
from fstce.reporting.tables import Cell
from fstce.reproduction.distribution_filled import filled, stretches
from fstce.reproduction.distribution_trials import (
    DistributionPlan,
    as_published,
    groups,
    measured,
    prepare,
    treebank,
)
from fstce.reproduction.run import Experiment, ReportPage, ended, published

Row = Sequence[Cell] | Divider
Cells = Callable[[Mapping[str, Any]], Sequence[Cell]]

NAMES = {"fwb": "FWB", "da": "DA", "da-cluster": "DAcluster", "da-stop": "DA_STOP"}
SCORES = {"UP": "precision", "UR": "recall", "F1": "f1", "crossing": "crossing"}
EDGES = ("left", "start", "end", "right")
START, END = "#STA#", "#END#"
CATEGORIES = ("NP", "VP", "PP")
DECIMALS = {"crossing": 2, "paper: crossing": 2}


def final(plan: DistributionPlan, records: Iterable[Record]) -> dict[str, Mapping[str, Any]]:
    """The results of the systems as they are, after the plan's iterations, in the plan's order."""
    found = {
        record["settings"]["system"]: record["result"]
        for record in ended(records)
        if not record["settings"]["cut"]
    }
    return {system: found[system] for system in plan.systems if system in found}


@lru_cache(maxsize=4)
def untrained(corpus: str, seed: int) -> dict[str, Mapping[str, Any]]:
    """The results of trees that need no grammar, by name."""
    bank = treebank(corpus)
    generator = np.random.default_rng(seed)
    trees: dict[str, Sequence[Any]] = {
        "left-branching": [left_branching(n) for n in bank.lengths],
        "right-branching": [right_branching(n) for n in bank.lengths],
        "random": [random_binary(n, generator) for n in bank.lengths],
        # All binary trees have n − 1 spans, so the best are those that have every gold span.
        "upper bound": [
            filled(n, spans) for n, spans in zip(bank.lengths, bank.spans, strict=True)
        ],
    }

    return {
        name: {**measured(bank, spans), "as_published": as_published(bank, spans)}
        for name, spans in trees.items()
    }


def systems(plan: DistributionPlan, records: Sequence[Record]) -> Table:
    """Precision, recall, F1 with its interval, and crossing: the paper's Tables 1 and 5."""

    def cells(result: Mapping[str, Any]) -> list[Cell]:
        f1 = bootstrap(
            np.array(result["counts"]),
            statistic(SpanCounts, "f1"),
            n_resamples=plan.resamples,
            seed=plan.seed,
        )
        return [
            *_scores(result),
            f"{f1.low:.1f}–{f1.high:.1f}",
            result["crossing"],
            result["crossing_share"],
        ]

    columns = ["system", "UP", "UR", "F1", "F1 interval", "crossing", "crossing %"]
    columns += [f"paper: {name}" for name in SCORES]
    rows = _rows(plan, records, cells, SCORES.values())
    note = (
        "Unlabeled brackets in percent, punctuation out; brackets around single words or whole "
        "sentences, and repeated ones, do not count. crossing: brackets a sentence that cross a "
        "gold one (the paper's figure is the share of sentences that have one); crossing %: of "
        "those found. Interval: 95 %, bootstrap over sentences. The paper: ICE-GB. Learned "
        "constituents act as context units; where those stay the words of the raw text (refresh: "
        "false), clusters rename classes and change no bracket."
    )
    table = Table("systems", "The systems", columns, rows, note, decimals=DECIMALS)
    learnt = range(len(untrained(plan.corpus, plan.seed)) + 2, len(rows))
    if not learnt:
        return table
    return table.best("UP", "UR", "F1", among=learnt)


def _rows(
    plan: DistributionPlan, records: Sequence[Record], cells: Cells, published_names: Iterable[str]
) -> list[Row]:
    """The rows of trees that need no learning and of the systems, these with the paper's numbers
    last.
    """
    names = list(published_names)
    rows: list[Row] = [Divider("without learning")]
    for name, result in untrained(plan.corpus, plan.seed).items():
        rows.append([name, *cells(result), *[None] * len(names)])
    rows.append(Divider("learned from raw text"))
    for system, result in final(plan, records).items():
        paper = published("distribution", "system")[system,]
        rows.append([NAMES[system], *cells(result), *(paper[name] for name in names)])
    return rows


def filled_up(plan: DistributionPlan, records: Sequence[Record]) -> Table:
    """The brackets filled up to binary trees, between punctuation marks too, against
    right-branching.
    """
    bars = [untrained(plan.corpus, plan.seed)["right-branching"], between_marks(plan.corpus)]
    alone: list[Row] = [["right-branching", None, *_scores(bar), *[None] * 4] for bar in bars]
    rows = alone[:1]

    for system, result in final(plan, records).items():
        rows.append(_filled_row(plan, NAMES[system], result["filled"], bars[0]))

    rows += [Divider("punctuation marks known"), alone[1]]
    for record in ended(records):
        if record["settings"]["cut"]:
            found = record["result"]
            rows.append(_filled_row(plan, "DA_STOP as it is", {**found, "right": None}, bars[1]))
            rows.append(_filled_row(plan, NAMES["da-stop"], found["filled"], bars[1]))

    note = (
        "What the learned brackets leave open branches to the side where they speak for it: right "
        "if they rather begin than end with frequent words, which needs no trees. Where marks are "
        "known, each stretch between two is a sentence to the learner, and a bracket. Difference "
        "in F1 to the right-branching trees of the same part; p: approximate randomization; "
        "intervals: 95 %, bootstrap."
    )
    columns = ["system", "filled to the", "UP", "UR", "F1", "difference", "low", "high", "p"]
    return Table("filled", "Filled up to binary trees", columns, rows, note, decimals={"p": 4})


def _filled_row(
    plan: DistributionPlan, name: str, result: Mapping[str, Any], bar: Mapping[str, Any]
) -> Sequence[Cell]:
    """A row of the table: the scores, and their difference to those of `bar`."""
    ours, theirs = (np.array(one["counts"]) for one in (result, bar))
    score = statistic(SpanCounts, "f1")
    difference = compare(ours, theirs, score, n_resamples=plan.resamples, seed=plan.seed)
    side = {None: None, True: "right", False: "left"}[result["right"]]
    return [name, side, *_scores(result), *difference]


def _scores(found: Mapping[str, Any]) -> list[Cell]:
    return [found[name] for name in ("precision", "recall", "f1")]


@lru_cache(maxsize=4)
def between_marks(corpus: str) -> dict[str, Any]:
    """The result of right-branching trees within and over the stretches between marks."""
    bank = treebank(corpus)
    trees = [filled(n, stretches(n, cuts)) for n, cuts in zip(bank.lengths, bank.cuts, strict=True)]
    return measured(bank, trees)


def published_counts(plan: DistributionPlan, records: Sequence[Record]) -> Table:
    """The scores counted as the published ones, with these."""

    def cells(result: Mapping[str, Any]) -> list[Cell]:
        counted = result["as_published"]
        return [*_scores(counted), counted["crossing_sentences"], *_scores(counted["flat"])]

    rows = _rows(plan, records, cells, SCORES.values())
    note = (
        "Brackets around single words count on both sides and those around whole sentences on "
        "neither; VP is the verb with its auxiliaries, as in ICE-GB. "
        "Flat NP: a noun phrase holds the words of the inner one that it begins with, as in "
        "ICE-GB, [the top [of it]]. CB: the share of sentences with a bracket that crosses a gold "
        "one; these sentences are longer than ICE-GB's, which has 19 words a sentence."
    )
    ours = ["UP", "UR", "F1", "CB", "flat NP: UP", "flat NP: UR", "flat NP: F1"]
    columns = [
        "system",
        *ours,
        *(f"paper: {'CB' if name == 'crossing' else name}" for name in SCORES),
    ]
    decimals = {"CB": 2, "paper: CB": 2}
    return Table("published", "Counted as in the paper", columns, rows, note, decimals=decimals)


def recall(plan: DistributionPlan, records: Sequence[Record]) -> Table:
    """Recall of the paper's three categories: its Tables 2 and 6."""
    bank = treebank(plan.corpus)
    counted_spans = Counter(
        label
        for n, spans in zip(bank.lengths, bank.spans, strict=True)
        for label, start, end in set(spans)
        if 1 < end - start < n
    )

    columns = ["system", *CATEGORIES, *(f"paper: {name}" for name in CATEGORIES)]
    whole: Row = [
        "brackets in the treebank",
        *(counted_spans[name] for name in CATEGORIES),
        None,
        None,
        None,
    ]
    recalls = _rows(
        plan,
        records,
        lambda result: [result["recall_of"].get(name) for name in CATEGORIES],
        CATEGORIES,
    )

    note = "Percent of the gold constituents of a category around whose words there is a bracket."
    decimals = dict.fromkeys(columns[1:], 2)
    return Table(
        "recall", "Recall by category", columns, [whole, *recalls], note, decimals=decimals
    )


def noun_classes(plan: DistributionPlan, records: Sequence[Record]) -> Table:
    """The classes that hold most nouns: the paper's Table 3."""
    rows: list[Row] = []
    for system, result in final(plan, records).items():
        rows.append(Divider(NAMES[system]))
        rows += result["noun_classes"]
    note = (
        "Recall: the share of the nouns that a class holds as single words; precision: the share "
        "of its expressions that are one noun. The best in the paper, in percent: DA 4.61 and "
        "84.53, DAcluster 6.93 and 87.09."
    )
    columns = ["class", "recall", "precision"]
    return Table("nouns", "Classes of nouns", columns, rows, note, decimals=2)


def contexts(plan: DistributionPlan) -> Table:
    """The five most frequent tags around and at the edges of phrases: the paper's Table 4."""
    classes = coarse_map()
    counts: dict[str, list[Counter[str]]] = {}
    for phrase in CATEGORIES:
        counts[phrase] = [Counter() for _ in EDGES]

    for tree in treebank(plan.corpus).trees:
        tags = [START, *(classes.get(tag, tag) for _, tag in tree.pos()), END]
        for label, begin, end in tree.spans():
            at_edges = (tags[begin], tags[begin + 1], tags[end], tags[end + 1])
            counters = counts.get(COLLINS.category(label), [])
            for counter, tag in zip(counters, at_edges, strict=False):
                counter[tag] += 1

    rows: list[Row] = []
    for phrase, counters in counts.items():
        total = counters[0].total()
        rows.append(Divider(f"{phrase}, {total:,} times"))
        for ranked in zip(*(counter.most_common(5) for counter in counters), strict=False):
            rows.append([cell for tag, n in ranked for cell in (tag, n / total)])

    columns = [name for edge in EDGES for name in (edge, f"{edge}: share")]
    note = "Tags in the 17 coarse classes; the word before a phrase, its first, its last, the next."
    return Table("contexts", "Contexts of phrases", columns, rows, note, decimals=2)


def _fill(page: ReportPage, plan: DistributionPlan, records: Sequence[Record]) -> None:
    page.add("Systems", *(make(plan, records) for make in (systems, filled_up, published_counts)))
    page.add("Categories", recall(plan, records), contexts(plan))
    page.add("Classes of words", noun_classes(plan, records))


def _outcome(_: Settings, result: Mapping[str, Any]) -> str:
    return f"F1 {result['f1']:.1f} %"


def _facts(plan: DistributionPlan) -> dict[str, Any]:
    bank = treebank(plan.corpus)
    return {"sentences": len(bank.trees), "words": f"{sum(bank.lengths):,} without punctuation"}


TITLE = "Grammar induction by distribution and attachment"
EXPERIMENT = Experiment(
    "distribution", TITLE, groups, prepare, ("system", "cut"), _outcome, _facts, _fill
)
reproduce: Any = EXPERIMENT.reproduce
