"""Bracket counts by sentence, which sums, categories, limits of length and resampling all need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from fstce.evaluation.bracket_counts import CategoryCounts, SpanCounts, columns, statistic
from fstce.evaluation.brackets import Brackets, Matches, crossing, per_sentence
from fstce.numeric.types import Bools, Floats, Ints

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
