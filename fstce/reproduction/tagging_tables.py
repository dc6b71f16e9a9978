"""The tagging paper's tables from the trials' records, with the published numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fstce.evaluation import random_accuracy
from fstce.processes.trial_log import Record
from fstce.reporting.tables import Cell, Divider, Table
from fstce.reproduction.material import FULL
from fstce.reproduction.run import best, grouped, is_papers, published
from fstce.reproduction.tagging_trials import (
    CONDITION,
    Condition,
    TaggingPlan,
    shared_of,
    text_of,
)
from fstce.tagging.criteria import SUPERVISED


class GridChoice(NamedTuple):
    """The trials of one grid that came to an end, and which two of them are shown.

    ``selected``: with the best value of the criterion on held-out text without labels ("sel.").
    ``oracle``: the most accurate ("oracle").
    """

    selected: Record
    oracle: Record
    trials: list[Record]


def choices(records: Iterable[Record]) -> dict[tuple[Any, ...], GridChoice]:
    """The choice of every grid by `CONDITION`, without grids whose trials all failed."""
    of_grids = (record for record in records if "analysis" not in record["settings"])
    grids = grouped(of_grids, lambda settings: tuple(settings[name] for name in CONDITION))
    return {
        condition: GridChoice(best(trials, "held_out"), best(trials, "ambiguous"), trials)
        for condition, trials in grids.items()
    }


def paper(table: str, criterion: str, words: int, dictionary: str, features: str) -> list[Cell]:
    """Smith & Eisner (2005a), Figure 2 (% of ambiguous words) or Table 3 (% of all words)."""
    keys = ("table", "criterion", "words", "dictionary", "features")
    found = published("tagging", *keys).get(
        (table, criterion, str(words), dictionary, features), {}
    )
    return [found.get("selected"), found.get("oracle")]


PAPERS_TEXT = (
    " The paper's text, Penn Treebank WSJ, leaves 2.3 tags a token: where ours leaves fewer, "
    "orders compare, not heights."
)
KINDS = ("sel.", "oracle", "paper sel.", "paper oracle")
Chosen = Mapping[tuple[Any, ...], GridChoice]

NAMES = {
    "conditional": "CRF (supervised)",
    "joint": "HMM (supervised)",
    "supervised-contrastive": "supervised contrastive (TRANS1)",
    "em": "EM",
    "length-oov": "LENGTH with OOV",
    "random": "random",
}


def name_of(criterion: str) -> str:
    """A row's name as the papers spell it."""
    return NAMES.get(criterion, criterion.upper())


def size_name(words: int) -> str:
    """An amount of text as the papers write it: 24K, but 2,500."""
    return f"{words // 1000}K" if words % 1000 == 0 else f"{words:,}"


def figure2(plan: TaggingPlan, chosen: Chosen) -> Table:
    """Accuracy over ambiguous words by criterion and amount of text (Figure 2)."""
    kinds = KINDS[: 4 if is_papers(plan.corpus) else 2]
    columns = [f"{size_name(words)}: {kind}" for words in plan.words for kind in kinds]
    rows: list[list[Cell]] = []
    for criterion in (*plan.criteria, "random"):
        rows.append([name_of(criterion)])
        for words in plan.words:
            cells = _cells(plan, chosen, plan.figure2(criterion, words), "ambiguous")
            rows[-1] += cells[: len(kinds)]

    note = (
        "% of ambiguous words, trained and scored on the same text; sel.: σ² or λ chosen by the "
        f"criterion on {plan.held_out:,} held-out words without labels (supervised rows: with "
        "labels); oracle: the most "
        f"accurate.{PAPERS_TEXT if is_papers(plan.corpus) else ''}"
    )

    table = Table("figure2", "Tagging accuracy by criterion", ["criterion", *columns], rows, note)
    unsupervised = [i for i, c in enumerate(plan.criteria) if c not in SUPERVISED]
    return table.best(
        *(column for column in columns if ": paper" not in column), among=unsupervised
    )


def _cells(plan: TaggingPlan, chosen: Chosen, condition: Condition, measure: str) -> list[Cell]:
    """The accuracies of a grid by their KINDS; without spelling also of a random choice."""
    table, words, _, dictionary, spelling, criterion = condition
    size = words if table == "figure2" else 24_000

    ours: list[Cell] = [None, None]
    if criterion == "random" and not spelling:
        text = text_of(shared_of(plan, condition))
        ours = [getattr(random_accuracy(text.train, text.gold, text.dictionary), measure)] * 2
    elif condition in chosen:
        choice = chosen[condition]
        ours = [choice.selected["result"][measure], choice.oracle["result"][measure]]

    return [
        *ours,
        *paper(table, criterion, size, dictionary, "spelling" if spelling else "trigram"),
    ]


def table3(plan: TaggingPlan, chosen: Chosen) -> Table:
    """Accuracy over all words, dictionaries diluted, without and with spelling (Table 3)."""
    paper = is_papers(plan.corpus)
    kinds = KINDS[: 4 if paper else 2]
    columns = [f"{features}: {kind}" for features in ("trigram", "+ spelling") for kind in kinds]

    rows: list[Sequence[Cell]] = []
    for dictionary in plan.dictionaries:
        rows.append(Divider(f"dictionary: {dictionary}"))
        for criterion in (*plan.rows_of_table3, "random"):
            grids = (plan.table3(criterion, dictionary, spelling) for spelling in (False, True))
            cells = [_cells(plan, chosen, grid, "all")[: len(kinds)] for grid in grids]
            rows.append([name_of(criterion), *cells[0], *cells[1]])

    tagset = text_of(shared_of(plan, plan.table3("random", FULL, False))).dictionary.tagset
    theirs = "; the paper's text has 24,000" * paper
    note = (
        f"% of all words, {17 if paper else len(tagset)} tags, the first {plan.main:,} "
        f"words{theirs}. first:n: words of the first n sentences are listed; count:n: words seen "
        "at least n times."
    )

    title = "Diluted dictionaries and spelling features"
    table = Table("table3", title, ["criterion", *columns], rows, note)
    return table.best(*(column for column in columns if ": paper" not in column))


def dictionaries(plan: TaggingPlan) -> Table:
    """How hard each dictionary is: the last three columns of Table 3."""
    names = ("random", "ambiguous", "tags a token")
    rows: list[Sequence[Cell]] = []
    for dictionary in plan.dictionaries:
        text = text_of(shared_of(plan, plan.table3("random", dictionary, False)))
        chance = random_accuracy(text.train, text.gold, text.dictionary)
        ambiguity = text.dictionary.ambiguity(text.train)
        published_numbers = [
            paper("table3", name, 24_000, dictionary, "trigram")[0] for name in names
        ]
        rows.append([dictionary, chance.all, chance.n_ambiguous, ambiguity, *published_numbers])

    columns = ["dictionary", *names, *(f"paper: {name}" for name in names)]
    if not is_papers(plan.corpus):
        columns, rows = columns[:4], [row[:4] for row in rows]
    note = "Of the training text: % right by chance, ambiguous words, tags that a word may have."
    decimals = {"paper: ambiguous": 0}
    return Table("dictionaries", "The dictionaries", columns, rows, note, decimals=decimals)


def apart(plan: TaggingPlan, chosen: Chosen) -> Table:
    """Listed and rare words apart, and the share of the loss that spelling features win back."""
    rows: list[Sequence[Cell]] = []
    for dictionary in plan.dictionaries:
        rows.append(Divider(f"dictionary: {dictionary}"))
        for criterion in plan.rows_of_table3:
            keys = [plan.table3(criterion, dictionary, spelling) for spelling in (False, True)]
            results = [chosen[key].oracle["result"] for key in keys if key in chosen]
            if dictionary == FULL or len(results) < 2:
                continue
            full = _cells(plan, chosen, plan.table3(criterion, FULL, False), "all")
            diluted, spelt = (_cells(plan, chosen, key, "all") for key in keys)
            accuracies = [result.get(part) for result in results for part in ("listed", "rare")]
            ours, papers = map(_won_back, full[1::2], diluted[1::2], spelt[1::2])
            rows.append([name_of(criterion), *accuracies, ours, papers])

    columns = ["criterion", "listed", "rare", "+ spelling: listed", "+ spelling: rare", "won back"]
    note = (
        "% of the words that the diluted dictionary lists and of the others, by the most accurate "
        "models; won back: the share of what dilution costs that spelling features give back."
    )
    title = "Listed and rare words apart"
    return Table("apart", title, [*columns, "paper: won back"], rows, note)


def _won_back(full: Cell, diluted: Cell, spelt: Cell) -> float | None:
    """The share of the loss by a diluted dictionary that spelling wins back, in percent."""
    if None in (full, diluted, spelt) or full == diluted:
        return None
    before, lowest, after = map(float, (full, diluted, spelt))  # type: ignore[arg-type]
    return 100.0 * (after - lowest) / (before - lowest)


def cross_table(found: Mapping[str, Mapping[str, float]]) -> Table:
    """Every model under every criterion (footnote 7)."""
    criteria = list(next(iter(found.values()), {}))
    rows: list[Sequence[Cell]] = [
        [name_of(model), *map(values.get, criteria)] for model, values in found.items()
    ]

    note = (
        "Nats a word on the training text, without priors; the best of each column stands out. A "
        "row is a selected model, a column a criterion. Models were trained with priors, so a "
        "criterion's own model need not be the best of its column."
    )

    columns = ["model", *map(name_of, criteria)]
    table = Table(
        "cross-criteria", "Every model under every criterion", columns, rows, note, decimals=3
    )
    return table.best(*columns[1:])
