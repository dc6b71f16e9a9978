"""Bracket counts by sentence, which sums, categories, limits of length and resampling all need.

Every score is a ratio of sums over the sentences, never a mean of the sentences' scores. A ratio of
nothing is NaN.

A bracket is (sentence, start, end, label); its positions are counted over all sentences, with one free
position between two of them, so that equal positions mean the same sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from fstce.errors import ParameterError
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


class Brackets(NamedTuple):
    """Arrays of equal length, one entry a bracket."""

    sentence: Ints
    start: Ints
    end: Ints
    label: Ints


class Matches(NamedTuple):
    """Which brackets occur on both sides, how often on each, and how many of them match."""

    sentence: Ints
    label: Ints
    times: Ints


class Numbers(dict[str, int]):
    """Names numbered as they come; names of one category share a number."""

    def __init__(self, category: Callable[[str], str]) -> None:
        super().__init__()
        self.names: list[str] = []
        self._category = category
        self._number: dict[str, int] = {}

    def __missing__(self, name: str) -> int:
        category = self._category(name)
        self[name] = number = self._number.setdefault(category, len(self.names))
        if number == len(self.names):
            self.names.append(category)
        return number


def pack(rows: Sequence[Sequence[tuple[int, int, int]]], n_words: Ints) -> Brackets:
    """The brackets of sentences, given as (label, start, end) within each."""
    length = np.fromiter(map(len, rows), np.int64, len(rows))
    flat = chain.from_iterable(chain.from_iterable(rows))
    label, start, end = np.fromiter(flat, np.int64, 3 * length.sum()).reshape(-1, 3).T
    sentence = np.repeat(np.arange(len(rows)), length)
    first = (np.cumsum(n_words + 1) - (n_words + 1))[sentence]
    return Brackets(sentence, start + first, end + first, label)


def select(brackets: Brackets, chosen: Bools) -> Brackets:
    """The chosen brackets."""
    return Brackets(*(column[chosen] for column in brackets))


def without_labels(brackets: Brackets) -> Brackets:
    """The same brackets, all with one label."""
    return brackets._replace(label=np.zeros_like(brackets.label))


def distinct(brackets: Brackets) -> Brackets:
    """Each bracket once."""
    _, first = np.unique(_keys(brackets, *_sizes(brackets)), return_index=True)
    return Brackets(*(column[first] for column in brackets))


def matches(gold: Brackets, predicted: Brackets) -> Matches:
    """The brackets on both sides; n in gold and m in predicted over the same words match min(n, m) times."""
    positions, labels = map(max, zip(_sizes(gold), _sizes(predicted), strict=True))
    keys, first, n_gold = np.unique(_keys(gold, positions, labels), return_index=True, return_counts=True)
    others, n_predicted = np.unique(_keys(predicted, positions, labels), return_counts=True)
    _, here, there = np.intersect1d(keys, others, assume_unique=True, return_indices=True)
    chosen = first[here]
    return Matches(gold.sentence[chosen], gold.label[chosen], np.minimum(n_gold[here], n_predicted[there]))


def around_same(brackets: Brackets, others: Brackets) -> Bools:
    """For each bracket, whether one of the others is around the same words."""
    size = max(_sizes(brackets)[0], _sizes(others)[0])
    return np.isin(brackets.start * size + brackets.end, others.start * size + others.end)


def crossing(gold: Brackets, predicted: Brackets) -> Bools:
    """For each predicted bracket, whether it overlaps a gold bracket with neither inside the other.

    A gold bracket (a, b) crosses (s, e) if a < s < b < e or s < a < e < b. So the least b of
    those that hold s within decides, and the greatest a of those that hold e within.
    """
    size = max((int(side.end.max()) + 1 for side in (gold, predicted) if side.end.size), default=0)
    least_end, greatest_start = np.full(size, size), np.full(size, -1)
    # Of repeated positions in an assignment the last counts: the least end, the greatest start.
    for nearest, bound, order in (
        (least_end, gold.end, np.argsort(-gold.end, kind="stable")),
        (greatest_start, gold.start, np.argsort(gold.start, kind="stable")),
    ):
        inside, owner = _inside(gold.start[order], gold.end[order])
        nearest[inside] = bound[order][owner]
    return (least_end[predicted.start] < predicted.end) | (greatest_start[predicted.end] > predicted.start)


def per_sentence(sentence: Ints, n_sentences: int, weights: Ints | Bools | None = None) -> Ints:
    """How often each sentence occurs, or the sum of the weights."""
    return np.bincount(sentence, weights=weights, minlength=n_sentences).astype(np.int64)


def _inside(start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """The positions strictly within each bracket, and whose they are."""
    width = np.maximum(end - start - 1, 0)
    owner = np.repeat(np.arange(len(width)), width)
    first = np.cumsum(width) - width
    return start[owner] + 1 + np.arange(len(owner)) - first[owner], owner


def _sizes(brackets: Brackets) -> tuple[int, int]:
    return int(brackets.end.max(initial=0)) + 1, int(brackets.label.max(initial=0)) + 1


def _keys(brackets: Brackets, n_positions: int, n_labels: int) -> Ints:
    return (brackets.start * n_positions + brackets.end) * n_labels + brackets.label
