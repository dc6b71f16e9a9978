"""Brackets of many sentences end to end: which match, which cross.

A bracket is (sentence, start, end, label); its positions are counted over all sentences,
with one free position between two of them, so that equal positions mean the same sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from fstce.numeric.types import Bools, Ints


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
