"""Scores of Petrov's (2010) experiments out of the trials' records, and the published ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.evaluation import bootstrap
from fstce.evaluation.bracket_scores import BracketCounts, statistic
from fstce.reproduction.products_trials import ProductsPlan
from fstce.reproduction.records import published_rows

Record = Mapping[str, Any]
Cell = str | int | float | None
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
        self.records = [record for record in records if "result" in record]
        self._found = {
            _key(record["settings"]): record["result"]
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

    def trainings(self) -> dict[int, Record]:
        """The record of each seed's training."""
        found = [record for record in self.records if record["settings"]["experiment"] == "train"]
        return {one["settings"]["seed"]: one for one in found}


def _key(settings: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(settings[name] for name in ("part", "members", "after", "combination"))


def counts_of(result: Mapping[str, Any], cutoff: int | None) -> Counts:
    """The counts of the sentences up to the cutoff."""
    matrix = np.array(result["counts"], dtype=np.int64)
    return matrix if cutoff is None else matrix[np.array(result["lengths"]) <= cutoff]


def scores(counts: Counts | None) -> list[Cell]:
    """F1, its interval, exact match, its interval."""
    if counts is None or not len(counts):
        return [None] * 4
    return [*with_interval(counts, F1), *with_interval(counts, EXACT)]


def with_interval(counts: Counts, score: Callable[[Any], Any]) -> list[Cell]:
    """A score and its interval as text."""
    found = bootstrap(counts, score)
    return [found.estimate, f"{found.low:.1f}–{found.high:.1f}"]


def berkeley(plan: ProductsPlan, experiment: str, part: str, setting: str) -> Published:
    """The Berkeley parser's scores, on the treebank that it was run on."""
    own = plan.corpus == "nltk:treebank" and plan.split == "files"
    nothing = Published(None, None)
    return published().get(("berkeley", experiment, part, setting), nothing) if own else nothing


def f1(counts: Counts | None) -> float | None:
    """F1 alone."""
    return None if counts is None or not len(counts) else float(F1(counts.sum(axis=0)))


def exact(counts: Counts | None) -> float | None:
    """Exact match alone."""
    return None if counts is None or not len(counts) else float(EXACT(counts.sum(axis=0)))
