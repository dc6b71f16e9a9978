"""The page of the papers' tables, each cell beside the paper's, with the reason of what differs.

Made of docs/results/data and of ``paper_tables.tsv``: by table, patterns of rows and columns, a
letter, and why a number is more than ten points from the paper's.

Run: python docs/paper_tables.py
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from fstce.reproduction.run import published

HERE = Path(__file__).parent
FAR = 10.0
DICTIONARIES = {
    "all words listed": "full",
    "first 500 sentences": "first:500",
    "seen twice or more": "count:2",
    "three times or more": "count:3",
}
KINDS = ("selected", "oracle")


class Cell(NamedTuple):
    """A number and the paper's, by row and column of a table."""

    row: str
    column: str
    ours: str
    paper: str

    @property
    def is_far(self) -> bool:
        """Whether the numbers are more than ten points apart."""
        return bool(self.ours and self.paper) and abs(float(self.ours) - float(self.paper)) > FAR


def data(name: str) -> list[dict[str, str]]:
    """The rows of a data file."""
    text = (HERE / "results" / "data" / f"{name}.tsv").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("# "))
    return list(csv.DictReader(lines, delimiter="\t"))


def grammars() -> list[Cell]:
    """Table 2 of Smith & Eisner (2005b)."""
    starts = {"K&M": "Klein & Manning start", "uniform": "uniform start"}
    papers = {"K&M": "paper, same start", "uniform": "paper, uniform start"}
    return [
        Cell(row["criterion and prior"], column, row[starts[column]], row[papers[column]])
        for row in data("grammar_criteria")
        for column in starts
        if row["paper, same start"]
    ]


def dictionaries() -> list[Cell]:
    """Table 3 of Smith & Eisner (2005a)."""
    keys = ("table", "criterion", "words", "dictionary", "features")
    numbers = published("tagging", *keys)
    cells = []
    for row in data("tagging_17_tags"):
        dictionary, criterion = row["criterion"].split(": ")
        for features, of_paper in (("trigrams", "trigram"), ("spelling", "spelling")):
            key = ("table3", criterion.lower(), "24000", DICTIONARIES[dictionary], of_paper)
            paper = numbers.get(key, {})
            cells += [
                Cell(
                    row["criterion"],
                    f"{features} {kind}",
                    row[f"{features} {kind}"],
                    spelt(paper.get(kind)),
                )
                for kind in KINDS
            ]
    return cells


def figure2() -> list[Cell]:
    """The table of Figure 2 of Smith & Eisner (2005a), 24,000 words."""
    return [
        Cell(row["criterion"], kind, row[f"24K {kind}"], row[f"paper {kind}"])
        for row in data("tagging")
        for kind in KINDS
        if row["paper selected"]
    ]


TABLES = {
    "grammars": (
        "[Smith & Eisner (2005b)](references.md), Table 2: % of heads, by criterion, prior and start",
        grammars,
    ),
    "dictionaries": (
        "[Smith & Eisner (2005a)](https://aclanthology.org/P05-1044), Table 3: % of all words, 17 tags",
        dictionaries,
    ),
    "figure2": (
        "[Smith & Eisner (2005a)](https://aclanthology.org/P05-1044), Figure 2: % of ambiguous words, 45 tags",
        figure2,
    ),
}


def spelt(number: object) -> str:
    """A published number as text; nothing for none."""
    return "" if number is None else f"{number:.1f}"


def reasons() -> list[dict[str, str]]:
    """The rows of the table of reasons."""
    with (HERE / "paper_tables.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def reason(table: str, cell: Cell) -> dict[str, str]:
    """Why a cell is far from the paper's; raises KeyError where nothing says so."""
    for row in reasons():
        fits = re.fullmatch(row["row"], cell.row) and re.fullmatch(row["column"], cell.column)
        if row["table"] == table and fits:
            return row
    raise KeyError(f"{table}: {cell.row}, {cell.column}: {cell.ours} for {cell.paper}: no reason")


def page() -> str:
    """The page: each table, and under it the reasons."""
    lines = [
        "# The papers' tables, cell by cell",
        "",
        "Ours / the paper's. A letter says why a number is more than ten points from the paper's: by "
        "the data, by the method, by the selection of models, or unexplained. The pages of "
        "[results](results/index.md) say what follows.",
    ]
    for name, (title, made) in TABLES.items():
        lines += ["", f"## {title}", "", *_table(name, made())]
    return "\n".join(lines) + "\n"


def _table(name: str, cells: Iterable[Cell]) -> list[str]:
    texts: dict[str, dict[str, str]] = {}
    letters: dict[str, str] = {}
    for cell in cells:
        text = f"{cell.ours} / {cell.paper}" if cell.ours or cell.paper else ""
        if cell.is_far:
            row = reason(name, cell)
            letters[row["letter"]] = row["reason"]
            text = f"**{text}** {row['letter']}"
        texts.setdefault(cell.row, {})[cell.column] = text

    columns = list(next(iter(texts.values())))
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    lines += [f"| {row} | {' | '.join(of_row.values())} |" for row, of_row in texts.items()]
    return [*lines, "", *(f"- *{letter}*: {text}." for letter, text in sorted(letters.items()))]


if __name__ == "__main__":
    (HERE / "paper_tables.md").write_text(page(), encoding="utf-8")
