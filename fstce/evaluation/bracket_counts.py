"""What is counted of brackets: sums that add over sentences and shards, scores as percentages of them.

Every score is a ratio of sums over the sentences, never a mean of the sentences' scores.
A ratio of nothing is NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
from typing import Any, TypeVar

import numpy as np

from fstce.errors import ParameterError
from fstce.numeric.types import Floats

_Self = TypeVar("_Self", bound="CategoryCounts")


@dataclass(frozen=True)
class CategoryCounts:
    """The brackets of one category."""

    gold: int
    predicted: int
    matched: int

    def __add__(self: _Self, other: _Self) -> _Self:
        """The counts of both together."""
        return type(self)(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def precision(self) -> float:
        """Of the predicted brackets, the percentage that match."""
        return percent(self.matched, self.predicted)

    @property
    def recall(self) -> float:
        """Of the gold brackets, the percentage that are matched."""
        return percent(self.matched, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall: 2 matched / (gold + predicted)."""
        return percent(2 * self.matched, self.gold + self.predicted)


@dataclass(frozen=True)
class SpanCounts(CategoryCounts):
    """The brackets of sentences.

    ``gold``, ``predicted``, ``matched``: brackets. ``sentences``: those that are scored. ``complete``:
    sentences whose brackets are those of the gold tree. ``crossing``: predicted brackets that cross a gold
    bracket. ``no_crossing``, ``two_crossing``: sentences without any, with at most two.
    """

    sentences: int
    complete: int
    crossing: int
    no_crossing: int
    two_crossing: int

    @property
    def exact(self) -> float:
        """The percentage of sentences with all brackets right and no other."""
        return percent(self.complete, self.sentences)

    @property
    def average_crossing(self) -> float:
        """Crossing brackets a sentence."""
        return percent(self.crossing, self.sentences) / 100

    @property
    def crossing_share(self) -> float:
        """Of the predicted brackets, the percentage that cross a gold bracket."""
        return percent(self.crossing, self.predicted)

    @property
    def without_crossing(self) -> float:
        """The percentage of sentences without crossing brackets."""
        return percent(self.no_crossing, self.sentences)

    @property
    def two_or_less_crossing(self) -> float:
        """The percentage of sentences with at most two crossing brackets."""
        return percent(self.two_crossing, self.sentences)


@dataclass(frozen=True)
class BracketCounts(SpanCounts):
    """What EVALB counts; `matched` and `complete` are by labels.

    ``unlabelled_matched``, ``unlabelled_complete``: the same whatever the labels. ``words``, ``right_tags``:
    the words that count, and those with the gold tag. ``skipped``: sentences without a parse: they count
    nowhere else. ``errors``: sentences whose deleted words differ on the two sides: they count nowhere else.
    """

    unlabelled_matched: int
    unlabelled_complete: int
    words: int
    right_tags: int
    skipped: int
    errors: int

    @property
    def unlabelled(self) -> CategoryCounts:
        """The brackets whatever their labels, with their precision, recall and F1."""
        return CategoryCounts(self.gold, self.predicted, self.unlabelled_matched)

    @property
    def unlabelled_exact(self) -> float:
        """The percentage of sentences with all brackets right but for their labels."""
        return percent(self.unlabelled_complete, self.sentences)

    @property
    def tagging_accuracy(self) -> float:
        """Of the words that count, the percentage with the gold tag."""
        return percent(self.right_tags, self.words)


def columns(kind: type[CategoryCounts]) -> tuple[str, ...]:
    """The names of the counts, in the order of the columns of a matrix of them."""
    return tuple(field.name for field in fields(kind))


def statistic(kind: type[CategoryCounts], name: str) -> Callable[[Floats], Floats]:
    """A score as a function of sums, for :func:`fstce.evaluation.bootstrap`.

    ``kind``: the class of the counts. ``name``: one of its scores; ``"unlabelled.f1"`` goes by way of
    another. Returns from sums (…, fields) to scores (…).
    """
    names = name.split(".")

    def score(sums: Floats) -> Floats:
        value: Any = kind(*np.moveaxis(np.asarray(sums), -1, 0))
        for step in names:
            value = getattr(value, step)
        return np.asarray(value, dtype=np.float64)

    try:
        score(np.ones(len(columns(kind))))
    except (AttributeError, TypeError):
        raise ParameterError(f"{kind.__name__} has no score {name!r}") from None
    return score


def percent(part: Any, whole: Any) -> Any:
    """The part in percent of the whole, NaN of nothing; of arrays elementwise."""
    if isinstance(whole, np.ndarray):
        with np.errstate(invalid="ignore", divide="ignore"):
            return 100.0 * part / whole
    return 100.0 * part / whole if whole else float("nan")
