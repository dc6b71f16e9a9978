"""The charts of plain sentences, those of like length together as the columns of one chart.

A sentence is a lattice with one path. Nothing of its chart is kept between two calls but its tags: what
a call needs is a few tables for so many sentences as a budget of bytes allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from fstce.chart import columns
from fstce.chart.columns import LOG, REAL, Chart, Factors, Workspaces
from fstce.chart.insideoutside import RANGE, SAFE, ChartSums
from fstce.errors import MachineError
from fstce.grammars.dmv import ADJACENT, GO, LEFT, NOT_ADJACENT, RIGHT, DependencyModel
from fstce.numeric.kernels import ranges, take, total
from fstce.numeric.types import Floats, Ints, Ints32
from fstce.processes.workers import in_threads

CHUNK = 32_000_000  # bytes of the tables of sentences that are summed at once, measured
LIMIT = 2_000_000_000  # bytes of the tables of one sentence
STEP = 12_000  # products that a width of a chart costs besides its own, measured
NARROW = 1e120  # the range of sums where some are zero, so that a product of two is not: ±276 nats


class Column(NamedTuple):
    """Some sentences: their numbers among the distinct ones, their tags, shape (n, S), their lengths."""

    numbers: Ints
    tags: Ints32
    lengths: Ints


class SentenceCharts:
    """The charts of sentences under a grammar.

    Parameters
    ----------
    model : DependencyModel
    sentences : sequence of sequences of str
        Tags of the model. Equal sentences are one chart.
    length_bias : float
        δ in nats for every word that a link spans (Smith & Eisner 2006, Eq. 2).
    max_link : int, optional
        The most words that a link may span.
    jobs : int, optional
        Threads that add up, −1 for one a core; the sums are the same to the bit.

    Attributes
    ----------
    index : ndarray of int64, shape (sentences,)
        The number of each sentence among the distinct ones.

    Raises
    ------
    MachineError
        There is no sentence, or one is so long that its chart would take more than two gigabytes.

    Examples
    --------
    With all weights zero, Z is the number of trees:

    >>> model = DependencyModel(["N", "V"])
    >>> charts = SentenceCharts(model, ["N V N N".split(), ["N"], ["V"]])
    >>> np.exp(charts.sums(np.zeros(model.size)).log_z).round(9).tolist(), charts.size
    ([30.0, 1.0, 1.0], 40)
    """

    def __init__(
        self,
        model: DependencyModel,
        sentences: Sequence[Sequence[str]],
        *,
        length_bias: float = 0.0,
        max_link: int | None = None,
        jobs: int | None = None,
    ) -> None:
        if not len(sentences):
            raise MachineError("an empty batch: there is no sentence to parse")
        self.model, self.length_bias, self.max_link, self.jobs = model, length_bias, max_link, jobs
        number: dict[bytes, int] = {}
        numbers = model.numbers([tag for sentence in sentences for tag in sentence]).astype(np.int32)
        ends = np.cumsum([len(sentence) for sentence in sentences]).tolist()
        rows = [numbers[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        self.index = np.array([number.setdefault(row.tobytes(), len(number)) for row in rows])
        distinct = [np.frombuffer(row, np.int32) for row in number]
        self.columns = list(self._cut(distinct))
        self.n_distinct = len(distinct)
        self._workspaces = Workspaces()

    def __len__(self) -> int:
        return len(self.index)

    @property
    def size(self) -> int:
        """The number of products of an inside pass over all distinct sentences."""
        lengths, times = np.unique(np.concatenate([c.lengths for c in self.columns]), return_counts=True)
        return sum(k * self._products(n) for n, k in zip(lengths.tolist(), times.tolist(), strict=True))

    def sums(self, theta: Floats, coefficient: Floats | None = None) -> ChartSums:
        """Sum over all trees.

        ``theta`` (model.size,): the weights; −inf for what cannot be. ``coefficient`` (sentences,): how much
        each sentence's expectations count; one by default.
        """
        weight = np.bincount(self.index, coefficient, self.n_distinct).astype(np.float64)

        def of_column(column: Column) -> tuple[Floats, Floats]:
            log_z, posteriors = self.posteriors(column, theta, weight[column.numbers])
            return log_z, self._counts(column, posteriors)

        log_z, counts = np.empty(self.n_distinct), np.zeros(self.model.size)
        answers = in_threads(of_column, self.columns, self.jobs)
        for column, (of_sentences, add) in zip(self.columns, answers, strict=True):
            log_z[column.numbers] = of_sentences
            counts += add
        return ChartSums(log_z[self.index], counts)

    def _cut(self, distinct: list[Ints32]) -> Iterator[Column]:
        """Sentences of like length together, as many as the budget has tables for; the short ones first."""
        lengths = np.array([len(row) for row in distinct])
        order = np.argsort(lengths, kind="stable")
        for alike in np.split(order, self._cuts(lengths[order])):
            n = int(lengths[alike[-1]])
            nbytes = columns.TABLES * 16 * n * n
            if nbytes > LIMIT:
                number = int(np.flatnonzero(lengths[self.index] == n)[0]) + 1
                raise MachineError(
                    f"sentence {number}: {n:,} words, whose chart takes {nbytes / 1e9:.1f} GB, more than "
                    f"{LIMIT / 1e9:.0f}; leave out long sentences"
                )
            several = max(1, CHUNK // nbytes)
            for chosen in np.split(alike, range(several, len(alike), several)):
                tags = np.zeros((int(lengths[chosen[-1]]), len(chosen)), dtype=np.int32)
                for column, i in enumerate(chosen.tolist()):
                    tags[: lengths[i], column] = distinct[i]
                yield Column(chosen, tags, lengths[chosen])

    def _cuts(self, lengths: Ints) -> Ints:
        """Where ascending lengths are cut into groups, so that steps and products together cost least."""
        n, first, times = np.unique(lengths, return_index=True, return_counts=True)
        products = np.array([self._products(int(m)) for m in n], dtype=np.float64)
        before, best, cut = np.append(0, np.cumsum(times)), np.zeros(len(n) + 1), np.zeros(len(n), np.int64)
        for i in range(len(n)):
            # best[i + 1] = min over j ≤ i of best[j] + a chart of the lengths j … i, all as wide as the last
            cost = best[: i + 1] + STEP * n[i] + products[i] * (before[i + 1] - before[: i + 1])
            cut[i] = cost.argmin()
            best[i + 1] = cost[cut[i]]
        cuts, i = [], len(n) - 1
        while i >= 0:
            cuts.append(first[cut[i]])
            i = int(cut[i]) - 1
        return np.array(cuts[::-1][1:], dtype=np.int64)

    def _products(self, n: int) -> int:
        width = np.arange(n)
        links, heads = np.minimum(width, self.links(n)), n - width
        return int(2 * (heads * links).sum() + 2 * ((heads - 1) * (width + 1))[: self.links(n)].sum())

    def links(self, n: int) -> int:
        """How many widths of links a sentence of n words has."""
        return n - 1 if self.max_link is None else min(n - 1, self.max_link)

    def tables(self, column: Column, count: int) -> AbstractContextManager[Floats]:
        """Memory for so many tables of some sentences."""
        n, several = column.tags.shape
        return self._workspaces.tables(count, (2, n, n, several))

    def posteriors(self, column: Column, theta: Floats, coefficient: Floats) -> tuple[Floats, Factors]:
        """log Z of each sentence, shape (S,), and the posteriors times the coefficients."""
        links, lengths, zeros = self.links(len(column.tags)), column.lengths, bool(np.isneginf(theta).any())
        greatest = np.abs(np.where(np.isneginf(theta), 0.0, theta)).max(initial=0.0)
        quiet = np.errstate(over="ignore", invalid="ignore", under="ignore", divide="ignore")
        with self.tables(column, columns.TABLES) as memory, quiet:
            if greatest <= SAFE:
                weights = self.factors(column, theta, real=True)
                chart = columns.inside(weights, lengths, links, REAL, memory[:4])
                if in_range(chart, links, zeros):
                    share = np.divide(coefficient, chart.z, out=np.zeros_like(chart.z), where=chart.z > 0)
                    return np.log(chart.z), columns.outside(
                        chart, weights, lengths, links, share, memory[4:], zeros
                    )
            scores = self.factors(column, theta, real=False)
            chart = columns.inside(scores, lengths, links, LOG, memory[:4])
            return chart.z, columns.log_outside(chart, scores, lengths, links, coefficient, memory[4:7])

    def factors(self, column: Column, theta: Floats, *, real: bool) -> Factors:
        """The weights of every choice, or their logarithms; the left side reversed."""
        table, tags = np.exp(theta) if real else theta, column.tags
        n = len(tags)
        at = self._features(column)
        child = np.empty(at.child.shape)
        take(at.child.ravel(), table, child.reshape(-1))
        if self.length_bias:
            bias = self.length_bias * (1.0 + pairs(n, self.links(n)).width)[:, None]
            child = child * np.exp(bias) if real else child + bias
        return Factors(child, table[at.stop], table[at.stop + GO], table[at.root])

    def _features(self, column: Column) -> Features:
        """The feature of each choice."""
        n = len(column.tags)
        tag = np.stack((column.tags[::-1], column.tags))
        side = np.array([LEFT, RIGHT])[:, None, None]
        head = self.model.child(tag, 0, side).astype(
            np.int32
        )  # of a child with tag t it is t more: (2, n, S)
        linked = pairs(n, self.links(n))
        valence = np.array([ADJACENT, NOT_ADJACENT])[:, None, None]
        return Features(
            head[:, linked.head] + tag[:, linked.child],
            self.model.stop(tag[:, None], side[..., None], valence),
            self.model.root(column.tags),
        )

    def _counts(self, column: Column, posteriors: Factors) -> Floats:
        """Expected counts, shape of θ."""
        at, size = self._features(column), self.model.size
        stop = at.stop.ravel()
        return (
            total(at.child.ravel(), posteriors.child.ravel(), size)
            + total(stop, posteriors.stop.ravel(), size)
            + total(stop + GO, posteriors.go.ravel(), size)
            + total(at.root.ravel(), posteriors.root.ravel(), size)
        )


class Features(NamedTuple):
    """The number of the feature of each child, stop (its go is the next) and root; shapes as in Factors."""

    child: Ints32
    stop: Ints
    root: Ints


class Pairs(NamedTuple):
    """Head, child and width of each link of either side, in order of width; all of shape (P,)."""

    head: Ints
    child: Ints
    width: Ints


@lru_cache(maxsize=256)
def pairs(n: int, links: int) -> Pairs:
    """The links of n words with fewer than `links` words between.

    >>> [column.tolist() for column in pairs(3, 2)]
    [[0, 1, 0], [1, 2, 2], [0, 0, 1]]
    """
    count = n - 1 - np.arange(links)
    head = ranges(np.zeros(links, dtype=np.int64), count)
    width = np.repeat(np.arange(links), count)
    return Pairs(head, head + 1 + width, width)


def in_range(chart: Chart, links: int, zeros: bool) -> bool:
    """Whether no sum has left the range in which nothing of weight is lost."""
    n, limit = len(chart.root), NARROW if zeros else RANGE
    for table, widths, beyond in ((chart.half, n, 0), (chart.link, links, 1)):
        for w in range(widths):
            values = table[:, : n - w - beyond, w]
            least = values.min(where=values != 0, initial=1.0) if zeros else values.min()
            if not (least > 1 / limit and values.max() < limit):
                return False
    roots = chart.z[chart.z != 0] if zeros else chart.z
    return bool(roots.min(initial=1.0) > 1 / limit and roots.max(initial=1.0) < limit)
