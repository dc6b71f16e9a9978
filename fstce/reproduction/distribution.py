"""Brooks' experiments (2006) on a treebank, from a plan to a folder with a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from fstce.corpora import coarse_map
from fstce.evaluation import right_branching
from fstce.evaluation.evalb import COLLINS
from fstce.evaluation.unlabelled import left_branching, random_binary
from fstce.processes.trial_log import Record, Result, Settings
from fstce.reporting.tables import Cell, Divider, Table
from fstce.reproduction.distribution_trials import (
    DistributionPlan,
    groups,
    measured,
    prepare,
    treebank,
)
from fstce.reproduction.run import Experiment, ReportPage, ended, published

Row = Sequence[Cell]
Cells = Callable[[Result], Sequence[Cell]]

NAMES = {"fwb": "FWB", "da": "DA", "da-cluster": "DAcluster", "da-stop": "DA_STOP"}
SCORES = {
    "UP": "precision",
    "UR": "recall",
    "F1": "f1",
    "crossing": "crossing",
    "CB": "crossing_sentences",
}
PAPER = {"UP": "precision", "UR": "recall", "F1": "f1", "CB": "crossing"}
EDGES = ("left", "start", "end", "right")
START, END = "#STA#", "#END#"
CATEGORIES = ("NP", "VP", "PP")


@lru_cache(maxsize=4)
def untrained(corpus: str, seed: int) -> dict[str, Result]:
    """The results of trees that need no grammar, by name."""
    bank = treebank(corpus)
    generator = np.random.default_rng(seed)
    trees: dict[str, Sequence[Any]] = {
        "left-branching": [left_branching(n) for n in bank.lengths],
        "right-branching": [right_branching(n) for n in bank.lengths],
        "random": [random_binary(n, generator) for n in bank.lengths],
    }
    return {name: measured(bank, spans) for name, spans in trees.items()}


def systems(plan: DistributionPlan, records: Sequence[Record]) -> Table:
    """Precision, recall, F1 and crossing: the paper's Tables 1 and 5."""

    def cells(result: Result) -> list[Cell]:
        return [result[name] for name in SCORES.values()]

    columns = ["system", *SCORES, *(f"paper: {name}" for name in PAPER)]
    rows = _rows(plan, records, cells, [*PAPER.values()])
    note = (
        "Unlabeled brackets in percent, punctuation out; brackets around single words or whole "
        "sentences, and repeated ones, do not count. crossing: brackets a sentence that cross a "
        "gold one; CB: the share of sentences that have one. The paper: ICE-GB."
    )
    decimals = {"crossing": 2, "CB": 2, "paper: CB": 2}
    table = Table("systems", "The systems", columns, rows, note, decimals=decimals)
    learnt = range(len(untrained(plan.corpus, plan.seed)) + 2, len(rows))
    return table.best("UP", "UR", "F1", among=learnt)


def _rows(
    plan: DistributionPlan, records: Sequence[Record], cells: Cells, published_names: Sequence[str]
) -> list[Row]:
    """The rows of trees without learning, and of the systems, the paper's numbers last."""
    rows: list[Row] = [Divider("without learning")]
    for name, result in untrained(plan.corpus, plan.seed).items():
        rows.append([name, *cells(result), *[None] * len(published_names)])
    rows.append(Divider("learned from raw text"))
    for record in ended(records):
        system = record["settings"]["system"]
        paper = published("distribution", "system")[system,]
        numbers = (paper[name] for name in published_names)
        rows.append([NAMES[system], *cells(record["result"]), *numbers])
    return rows


def recall(plan: DistributionPlan, records: Sequence[Record]) -> Table:
    """Recall of the paper's three categories: its Tables 2 and 6."""
    columns = ["system", *CATEGORIES, *(f"paper: {name}" for name in CATEGORIES)]

    def cells(result: Result) -> list[Cell]:
        return [result["recall_of"].get(name) for name in CATEGORIES]

    rows = _rows(plan, records, cells, CATEGORIES)
    note = "Percent of the gold constituents of a category around whose words there is a bracket."
    decimals = dict.fromkeys(columns[1:], 2)
    return Table("recall", "Recall by category", columns, rows, note, decimals=decimals)


def noun_classes(records: Sequence[Record]) -> Table:
    """The classes that hold most nouns: the paper's Table 3."""
    rows: list[Row] = []
    for record in ended(records):
        rows.append(Divider(NAMES[record["settings"]["system"]]))
        rows += record["result"]["noun_classes"]
    note = (
        "Recall: the share of the nouns that a class holds as single words; precision: the share "
        "of its expressions that are one noun. The best in the paper, in percent: DA 4.61 and "
        "84.53, DAcluster 6.93 and 87.09."
    )
    columns = ["class", "recall", "precision"]
    return Table("nouns", "Classes of nouns", columns, rows, note, decimals=2)


def contexts(plan: DistributionPlan) -> Table:
    """The five most frequent tags around and at the edges of phrases: the paper's Table 4."""
    counts = {(phrase, edge): Counter[str]() for phrase in CATEGORIES for edge in EDGES}
    classes = coarse_map()
    for tree in treebank(plan.corpus).trees:
        tags = [START, *(classes.get(tag, tag) for _, tag in tree.pos()), END]
        for label, begin, end in tree.spans():
            phrase = COLLINS.category(label)
            if phrase in CATEGORIES:
                for edge, place in zip(EDGES, (begin, begin + 1, end, end + 1), strict=True):
                    counts[phrase, edge][tags[place]] += 1

    rows: list[Row] = []
    for phrase in CATEGORIES:
        n_phrases = counts[phrase, EDGES[0]].total()
        rows.append(Divider(f"{phrase}, {n_phrases:,} times"))
        ranked = [counts[phrase, edge].most_common(5) for edge in EDGES]
        for tags_of_row in zip(*ranked, strict=False):
            shares = ((tag, n / n_phrases) for tag, n in tags_of_row)
            rows.append([*chain.from_iterable(shares)])

    columns = [name for edge in EDGES for name in (edge, f"{edge}: share")]
    note = "Tags in the 17 coarse classes; the word before a phrase, its first, its last, the next."
    return Table("contexts", "Contexts of phrases", columns, rows, note, decimals=2)


def _fill(page: ReportPage, plan: DistributionPlan, records: Sequence[Record]) -> None:
    page.add("Systems", systems(plan, records))
    page.add("Categories", recall(plan, records), contexts(plan))
    page.add("Classes of words", noun_classes(records))


def _outcome(_: Settings, result: Result) -> str:
    return f"F1 {result['f1']:.1f} %"


def size_of_treebank(plan: DistributionPlan) -> dict[str, Any]:
    """How large the treebank is, as a page's facts."""
    bank = treebank(plan.corpus)
    return {"sentences": len(bank.trees), "words": f"{sum(bank.lengths):,} without punctuation"}


EXPERIMENT = Experiment(
    "distribution",
    "Grammar induction by distribution and attachment",
    groups,
    prepare,
    ("system",),
    _outcome,
    size_of_treebank,
    _fill,
)
