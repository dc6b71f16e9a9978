"""Best trees and attachments of plain sentences, those of like length as columns of one chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from fstce.chart import columns
from fstce.chart.columns import TROPICAL, Chart, Factors
from fstce.chart.sentences import Column, SentenceCharts, pairs
from fstce.errors import ParameterError
from fstce.numeric.types import Floats, Ints
from fstce.processes.workers import in_threads


class SentenceTrees(NamedTuple):
    """A tree of each sentence: heads numbered from 1, 0 for the root, shape (n,); their log weights, nats.

    A sentence without a tree has the score −inf, and its heads mean nothing.
    """

    heads: list[Ints]
    score: Floats


def best_sentence_trees(charts: SentenceCharts, theta: Floats) -> SentenceTrees:
    """The most probable tree of each sentence (Viterbi), as :func:`fstce.chart.best_trees` finds it.

    ``theta`` is (model.size,).

    >>> from fstce.chart import DependencyModel
    >>> model = DependencyModel(["DT", "NN"])
    >>> theta = np.zeros(model.size)
    >>> theta[model.root(1)] = 1.0
    >>> trees = best_sentence_trees(SentenceCharts(model, [["DT", "NN"]]), theta)
    >>> trees.heads[0].tolist(), trees.score.tolist()
    ([2, 0], [1.0])
    """
    return _trees(charts, lambda column: charts.factors(column, theta, real=False))


def minimum_risk_sentence_trees(charts: SentenceCharts, tables: Sequence[Floats]) -> SentenceTrees:
    """The tree of each sentence with the greatest sum of what its attachments gain.

    ``tables`` (n + 1, n): what each head (row 0 the root) gains with each child: see
    :func:`sentence_attachments`. Equal sentences take the first's.
    """
    if len(tables) != len(charts):
        raise ParameterError(f"{len(tables)} tables of attachments for {len(charts)} sentences")
    _, first = np.unique(charts.index, return_index=True)
    return _trees(charts, lambda column: _gains(charts, column, [tables[first[m]] for m in column.numbers]))


def minimum_risk_of(charts: SentenceCharts, theta: Floats) -> SentenceTrees:
    """The tree of each sentence with the greatest sum of edge posteriors; scores are of the best tree.

    ``theta`` is (model.size,).
    """

    def gains(column: Column) -> Factors:
        posteriors = charts.posteriors(column, theta, np.ones(len(column.numbers)))[1]
        return Factors(
            posteriors.child, np.zeros_like(posteriors.stop), np.zeros_like(posteriors.go), posteriors.root
        )

    return _trees(charts, gains)._replace(score=best_sentence_trees(charts, theta).score)


def sentence_attachments(charts: SentenceCharts, theta: Floats) -> list[Floats]:
    """Who attaches to whom: for each sentence shape (n + 1, n), row 0 the root, row i + 1 word i.

    ``theta`` is (model.size,).
    """

    def tables(column: Column) -> Floats:
        posteriors = charts.posteriors(column, theta, np.ones(len(column.numbers)))[1]
        n, several = column.tags.shape
        whole = np.zeros((n + 1, n, several))
        linked = pairs(n, charts.links(n))
        whole[0] = posteriors.root
        whole[n - linked.head, n - 1 - linked.child] = posteriors.child[0]
        whole[linked.head + 1, linked.child] = posteriors.child[1]
        return whole.transpose(2, 0, 1)

    attached: list[Floats] = [np.zeros((0, 0))] * charts.n_distinct
    for column, several in zip(charts.columns, in_threads(tables, charts.columns, charts.jobs), strict=True):
        for number, n, table in zip(column.numbers.tolist(), column.lengths.tolist(), several, strict=True):
            attached[number] = table[: n + 1, :n].copy()
    return [attached[m] for m in charts.index]


def _gains(charts: SentenceCharts, column: Column, tables: Sequence[Floats]) -> Factors:
    n, several = column.tags.shape
    whole, linked = np.zeros((n + 1, n, several)), pairs(n, charts.links(n))
    for i, (m, table) in enumerate(zip(column.lengths.tolist(), tables, strict=True)):
        if np.shape(table) != (m + 1, m):
            raise ParameterError(
                f"a sentence of {m} words has attachments of shape {(m + 1, m)}, not {np.shape(table)}"
            )
        whole[: m + 1, :m, i] = table
    child = np.stack((whole[n - linked.head, n - 1 - linked.child], whole[linked.head + 1, linked.child]))
    free = np.zeros((2, 2, n, several))
    return Factors(child, free, free, whole[0])


def _trees(charts: SentenceCharts, factors_of: Callable[[Column], Factors]) -> SentenceTrees:
    """The best tree of each sentence for these scores."""

    def best(column: Column) -> tuple[Ints, Floats]:
        factors, n = factors_of(column), len(column.tags)
        with charts.tables(column, 4) as memory:
            chart = columns.inside(factors, column.lengths, charts.links(n), TROPICAL, memory)
            return _heads(chart, factors, column.lengths, charts.links(n)).T, chart.z

    heads: list[Ints] = [np.zeros(0, dtype=np.int64)] * charts.n_distinct
    score = np.empty(charts.n_distinct)
    for column, (rows, z) in zip(charts.columns, in_threads(best, charts.columns, charts.jobs), strict=True):
        score[column.numbers] = z
        for number, n, row in zip(column.numbers.tolist(), column.lengths.tolist(), rows, strict=True):
            heads[number] = row[:n]
    return SentenceTrees([heads[m] for m in charts.index], score[charts.index])


class _Halves(NamedTuple):
    """Some halves of the charts: side, head, width and sentence."""

    side: Ints
    head: Ints
    width: Ints
    column: Ints


def _heads(chart: Chart, factors: Factors, lengths: Ints, links: int) -> Ints:
    """The heads of the best trees, shape (n, S): from the root down, one generation of halves a step."""
    n, several = chart.root.shape
    root, column = chart.root.argmax(axis=0), np.arange(several)
    heads = np.zeros((n, several), dtype=np.int64)
    sides = np.repeat([0, 1], several)
    at = np.concatenate((n - 1 - root, root))
    halves = _Halves(sides, at, np.concatenate((root, lengths - 1 - root)), np.tile(column, 2))
    offset = np.cumsum(n - 1 - np.arange(links)) - (n - 1 - np.arange(links))
    while len(halves.side):
        halves = _Halves(*(part[halves.width > 0] for part in halves))
        if not len(halves.side):
            break
        side, head, width, column = halves
        d = _first_best(side, np.minimum(width, links), _children(chart, halves))
        word = np.stack((head, head + 1 + d))
        word = np.where(side == 0, n - 1 - word, word)
        heads[word[1], column] = word[0] + 1
        child = factors.child[side, offset[d] + head, column]
        q = _first_best(side, d + 1, _meetings(chart, halves, d, child))
        new = (
            (side, head, q, column),
            (1 - side, n - 2 - head - d, d - q, column),
            (side, head + 1 + d, width - 1 - d, column),
        )
        halves = _Halves(*(np.concatenate(parts) for parts in zip(*new, strict=True)))
    return heads


def _children(chart: Chart, halves: _Halves) -> Callable[[Ints, Ints], Floats]:
    """link[h, d] + R̄[h + 1 + d, w − 1 − d] of some of the halves."""

    def values(chosen: Ints, d: Ints) -> Floats:
        side, head, width, column = (part[chosen] for part in halves)
        far = chart.stop[side, head + 1 + d, width - 1 - d, column]
        return np.asarray(chart.link[side, head, d, column] + far)

    return values


def _meetings(chart: Chart, halves: _Halves, d: Ints, child: Floats) -> Callable[[Ints, Ints], Floats]:
    """R′[h, q] + L̄[n − 2 − h − d, d − q] + child[h, d] of some of the links."""
    n = len(chart.root)

    def values(chosen: Ints, q: Ints) -> Floats:
        side, head, _, column = (part[chosen] for part in halves)
        near = chart.stop[1 - side, n - 2 - head - d[chosen], d[chosen] - q, column]
        return np.asarray(chart.go[side, head, q, column] + near + child[chosen])

    return values


def _first_best(side: Ints, steps: Ints, values: Callable[[Ints, Ints], Floats]) -> Ints:
    """The best step of each; of several the one of the leftmost word or state, on the left the last."""
    row = np.repeat(np.arange(len(steps)), steps)
    first = np.cumsum(steps) - steps
    step = np.arange(len(row)) - first[row]
    step = np.where(side[row] == 0, steps[row] - 1 - step, step)
    scores = values(row, step)
    attains = np.flatnonzero(scores == np.maximum.reduceat(scores, first)[row])
    best = np.zeros(len(steps), dtype=np.int64)
    best[row[attains][::-1]] = step[attains][::-1]
    return best
