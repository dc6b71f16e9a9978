"""The papers' own numbers, to stand beside ours."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Published(NamedTuple):
    """A pair of published percentages: the model selected without labels, and the best."""

    selected: float
    oracle: float


def published_rows(name: str) -> list[dict[str, str]]:
    """The rows of the file of a paper's numbers; empty text where it has none."""
    text = files("fstce.reproduction").joinpath(f"published_{name}.tsv").read_text(encoding="utf-8")
    return [{k: v or "" for k, v in row.items()} for row in csv.DictReader(text.splitlines(), delimiter="\t")]


@cache
def tagging() -> dict[tuple[str, str, int, str, str], Published]:
    """Smith & Eisner (2005a), Figure 2 (% of ambiguous words) and Table 3 (% of all words).

    Keys are (table, criterion, words, dictionary, features).

    >>> tagging()["figure2", "trans1", 24000, "full", "trigram"]
    Published(selected=77.2, oracle=77.2)
    """
    return {
        (row["table"], row["criterion"], int(row["words"]), row["dictionary"], row["features"]): Published(
            float(row["selected"]), float(row["oracle"])
        )
        for row in published_rows("tagging")
    }
