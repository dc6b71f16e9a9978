"""Bracket counts by sentence, which sums, categories, limits of length and resampling all need.

Every score is a ratio of sums over the sentences, never a mean of the sentences' scores. A ratio of
nothing is NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from typing import Any, Generic, TypeVar

import numpy as np

from fstce.errors import ParameterError
from fstce.evaluation.brackets import Brackets, Matches, crossing, per_sentence
from fstce.numeric.types import Bools, Floats, Ints

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


Counts = TypeVar("Counts", bound=SpanCounts)
GOLD, PREDICTED, MATCHED = range(3)


@dataclass(frozen=True, eq=False)
class BracketScores(Generic[Counts]):
    """The counts of each sentence.

    ``kind``: what the sums are: :class:`BracketCounts` or :class:`SpanCounts`. ``matrix`` (sentences, fields
    of kind): the counts of each sentence, for :func:`fstce.evaluation.bootstrap`. ``lengths`` (sentences,):
    the words of each, as a limit of length counts them. ``brackets`` (rows, 4): sentence, category, side
    (gold, predicted, matched), how many.
    """

    kind: type[Counts]
    matrix: Ints
    lengths: Ints
    categories: tuple[str, ...]
    brackets: Ints

    def __len__(self) -> int:
        """The number of sentences, whether scored or not."""
        return len(self.matrix)

    def up_to(self, n: int) -> BracketScores[Counts]:
        """The sentences of at most n words."""
        short = self.lengths <= n
        kept = self.brackets[short[self.brackets[:, 0]]]
        kept[:, 0] = (np.cumsum(short) - 1)[kept[:, 0]]
        return replace(self, matrix=self.matrix[short], lengths=self.lengths[short], brackets=kept)

    def total(self) -> Counts:
        """The sums over all sentences, with precision, recall, F1 and the other scores."""
        return self.kind(*self.matrix.sum(axis=0).tolist())

    def by_category(self) -> dict[str, CategoryCounts]:
        """The brackets of each category, the most frequent in gold first."""
        table = np.zeros((len(self.categories), 3), dtype=np.int64)
        np.add.at(table, (self.brackets[:, 1], self.brackets[:, 2]), self.brackets[:, 3])
        rows = [
            (name, CategoryCounts(*row))
            for name, row in zip(self.categories, table.tolist(), strict=True)
            if any(row)
        ]
        return dict(sorted(rows, key=lambda row: (-row[1].gold, -row[1].predicted, row[0])))

    def column(self, name: str) -> Ints:
        """One count of every sentence, by its name in `kind`."""
        return self.matrix[:, columns(self.kind).index(name)]

    def statistic(self, name: str) -> Callable[[Floats], Floats]:
        """A score, by its name in `kind`, as a function of sums: :func:`statistic`."""
        return statistic(self.kind, name)


def score_sentences(
    kind: type[Counts],
    gold: Brackets,
    predicted: Brackets,
    found: Matches,
    lengths: Ints,
    scored: Bools,
    brackets: Ints,
    **further: Ints | Bools,
) -> BracketScores[Counts]:
    """The counts of each sentence from its brackets; the categories are still without names.

    ``gold``, ``predicted``: none of sentences that are not scored. ``lengths`` is (sentences,). ``scored`` is
    (sentences,). ``brackets`` (rows, 4): from :func:`category_rows`. ``further`` (sentences,): the counts
    that `kind` has beyond those of :class:`SpanCounts`.
    """
    n = len(lengths)
    n_gold, n_predicted = (per_sentence(side.sentence, n) for side in (gold, predicted))
    matched = per_sentence(found.sentence, n, found.times)
    crosses = per_sentence(predicted.sentence, n, crossing(gold, predicted))
    counts: Mapping[str, Ints | Bools] = {
        "gold": n_gold,
        "predicted": n_predicted,
        "matched": matched,
        "sentences": scored,
        "complete": scored & (n_gold == n_predicted) & (n_gold == matched),
        "crossing": crosses,
        "no_crossing": scored & (crosses == 0),
        "two_crossing": scored & (crosses <= 2),
        **further,
    }
    matrix = np.stack([counts[name].astype(np.int64) for name in columns(kind)], axis=1)
    return BracketScores(kind, matrix, lengths, (), brackets)


def category_rows(*sides: tuple[Brackets | Matches, int]) -> Ints:
    """Sentence, category, side and number of brackets, from the brackets or matches of each side."""
    return np.concatenate(
        [
            np.stack(np.broadcast_arrays(side[0], side.label, np.int64(which), _times(side)), axis=1)
            for side, which in sides
        ]
    )


def _times(side: Brackets | Matches) -> Ints:
    return side.times if isinstance(side, Matches) else np.ones_like(side.label)


def join(shards: Sequence[BracketScores[Counts]], categories: Sequence[str]) -> BracketScores[Counts]:
    """The scores of shards, in order, whose categories are numbered alike."""
    first = np.cumsum([0, *map(len, shards)])
    for shard, start in zip(shards, first, strict=False):
        shard.brackets[:, 0] += start
    return BracketScores(
        shards[0].kind,
        np.concatenate([shard.matrix for shard in shards]),
        np.concatenate([shard.lengths for shard in shards]),
        tuple(categories),
        np.concatenate([shard.brackets for shard in shards]),
    )
