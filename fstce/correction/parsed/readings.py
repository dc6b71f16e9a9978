"""What observed sentences may have been meant to be, with every tagging and tree, packed in charts.

A (sentence, tags, tree) triple is scored by a weighted sum, whose weights are *exponents*:

=============  =====================================================================
``model``      θ · features of the tags and the tree: the dependency model
``emission``   log p(words | tags)
``channel``    minus the costs of the edits
``edited``     −1 for each word that is not as it was typed
``length``     −log(1 + characters) of the typed word, where it is edited
``unknown``    −1 for each word that the text has not
``spelling``   log p of such a word's characters
=============  =====================================================================

All but the first belong to a place, its candidate and its tag, so that an arc of the tagged
lattice stands for all candidates of one tag: with their maximum the best tree is that of the
best triple (2005b, Eq. 11), with their log-sum sums are those over all triples (Eq. 10).

Charts are compiled once, the *number* of each arc in the place of its weight; the weights
of any exponents are put there without compiling again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

import numpy as np

from fstce.chart import ChartBatch, DependencyModel, InsideOutside, best_trees, compile_charts
from fstce.chart.batch import ItemFactors
from fstce.correction.parsed.pairs import Pairs, sausages
from fstce.estimation.rules import PARSED_SCORES
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.numeric.kernels import total
from fstce.numeric.types import Bools, Floats, Ints

COLUMNS = PARSED_SCORES
LEAST = -1000.0  # a log-probability of zero: an exponent of zero forgives it


class Grammar(NamedTuple):
    """A trained dependency model."""

    model: DependencyModel
    theta: Floats


class Parse(NamedTuple):
    """The best triple of a sentence.

    ``pairs`` (words,): the candidate and the tag of each word. ``heads``: numbered from 1, 0 for the root.
    """

    pairs: Ints
    heads: tuple[int, ...]


@dataclass(frozen=True)
class ParsedReadings:
    """The charts of observed sentences; P pairs, A arcs.

    ``columns`` (columns − 1, P): all columns but the model's. ``first`` (A,): the first pair of each arc.
    ``arc`` (P,): the arc of each pair. ``batch``: one lattice a sentence; the log weight of arc i is −1 − i.
    """

    pairs: Pairs
    columns: Floats
    first: Ints
    arc: Ints
    batch: ChartBatch
    theta: Floats

    def best(self, exponents: Floats) -> list[Parse]:
        """The best triple of each sentence (2005b, Eq. 11)."""
        score = exponents[1:] @ self.columns
        of_arc = np.lexsort((-score, self.arc))[self.first]
        batch, _ = self._weighted(score[of_arc])
        trees = best_trees(batch, exponents[0] * self.theta)
        begin = np.searchsorted(self.pairs.place[self.first], self.pairs.sentence)
        return [
            Parse(of_arc[arcs[:n] + a], tuple(heads[:n].tolist()))
            for arcs, heads, n, a in zip(
                trees.arcs, trees.heads, np.diff(self.pairs.sentence), begin, strict=False
            )
        ]

    def log_z(self, exponents: Floats, among: Bools | None = None) -> Floats:
        """The log of the sum over each sentence's triples, shape (sentences,).

        ``exponents`` is (columns,). ``among`` (P,): sum over the triples of these pairs alone; at least one
        at each place.
        """
        score = exponents[1:] @ self.columns
        if among is not None:
            score = np.where(among, score, -np.inf)
        batch, shift = self._weighted(np.logaddexp.reduceat(score, self.first))
        return InsideOutside(batch)(exponents[0] * self.theta).log_z + shift

    def mass(self, exponents: Floats) -> Floats:
        """The posterior probability of each pair, over all triples (Eq. 10), shape (P,)."""
        by_arc, share = self._summed(exponents)
        batch, _ = self._weighted(by_arc)
        posteriors = InsideOutside(batch).posteriors(exponents[0] * self.theta)
        return self._by_arc(posteriors)[self.arc] * share

    def expected(self, exponents: Floats) -> tuple[float, Floats]:
        """Σ log Z over the sentences and its gradient: the expected value of each column."""
        by_arc, share = self._summed(exponents)
        batch, shift = self._weighted(by_arc)
        log_z, posteriors = _sums(batch, exponents[0] * self.theta)
        counts = np.zeros(len(self.theta))
        for pack, posterior in zip(batch.packs, posteriors, strict=True):
            pack.add_counts(posterior, counts)
        mass = self._by_arc(posteriors)[self.arc] * share
        return float((log_z + shift).sum()), np.append(counts @ self.theta, self.columns @ mass)

    def _summed(self, exponents: Floats) -> tuple[Floats, Floats]:
        """The log-sum of each arc's pairs, and the share of each pair in it."""
        score = exponents[1:] @ self.columns
        by_arc = np.logaddexp.reduceat(score, self.first)
        return by_arc, np.exp(score - by_arc[self.arc])

    def _weighted(self, by_arc: Floats) -> tuple[ChartBatch, Floats]:
        """The charts with these log weights, less the greatest of each place; what each sentence lacks."""
        place = self.pairs.place[self.first]
        begin = np.flatnonzero(np.diff(place, prepend=-1))
        greatest = np.maximum.reduceat(by_arc, begin)
        weight = by_arc - greatest[place]
        packs = [
            replace(
                pack,
                link_bias=weight[_number(pack.link_bias)],
                root_bias=weight[_number(pack.root_bias)],
            )
            for pack in self.batch.packs
        ]
        return replace(self.batch, packs=packs), np.add.reduceat(greatest, self.pairs.sentence[:-1])

    def _by_arc(self, posteriors: Sequence[ItemFactors]) -> Floats:
        """The posterior of each arc: that it hangs from another or is the root."""
        mass = np.zeros(len(self.first))
        for pack, posterior in zip(self.batch.packs, posteriors, strict=True):
            mass += total(_number(pack.link_bias), posterior.link, len(mass))
            mass += total(_number(pack.root_bias), posterior.root, len(mass))
        return mass


def read_parsed(
    pairs: Pairs,
    columns: Floats,
    grammar: Grammar,
    tags: Sequence[str],
    numbers: Iterable[int] | None = None,
) -> ParsedReadings:
    """Compile the charts of the sentences' tagged lattices.

    ``columns`` is (columns − 1, P). ``tags``: the tags by the numbers that the pairs have. ``numbers``: by
    which messages name the sentences; from 1 by default.
    """
    first, arc = pairs.arcs(len(tags))
    symbols = Symbols(tags)
    label = np.asarray(symbols.ids(list(tags)))[pairs.tag[first]]
    machines = sausages(pairs, first, label, 1.0 + np.arange(len(first)))
    named = zip(numbers or count(1), machines, strict=False)
    lattices = (Lattice(arrays, symbols, f"sentence {i}") for i, arrays in named)
    batch = compile_charts(lattices, grammar.model)
    return ParsedReadings(pairs, columns, first, arc, batch, np.maximum(grammar.theta, LEAST))


def _sums(batch: ChartBatch, theta: Floats) -> tuple[Floats, list[ItemFactors]]:
    """log Z of each lattice and the posteriors of each pack, both from one pass."""
    engine, log_z, posteriors = InsideOutside(batch), np.empty(batch.n_distinct), []
    for number, pack in enumerate(batch.packs):
        log_z[pack.lattices], posterior = engine._pack(number, theta, np.ones(len(pack.lattices)))
        posteriors.append(posterior)
    return log_z[batch.index], posteriors


def _number(bias: Floats | None) -> Ints:
    """The arcs' numbers, out of the place of their weights."""
    return np.zeros(0, np.int64) if bias is None else np.rint(-1.0 - bias).astype(np.int64)
