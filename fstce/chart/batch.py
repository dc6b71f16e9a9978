"""The packed batch: the charts of a whole corpus end to end, in packs that fit the processor's cache.

A :class:`Pack` is a hypergraph, made of its lattices' shapes alone, with what the lattices
do not share: the feature of each item and the weights that arcs bring. Equal lattices are
one chart; packs of lattices of one shape, as sentences of one length are, share one
hypergraph, so that the memory for hyperedges does not grow with a corpus of sentences. A
hyperedge takes 8 bytes, and those of the largest pack 8 more while sums are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.chart.shape import Hypergraph
from fstce.estimation.resources import ArrayStore
from fstce.grammars.dmv import GO, DependencyModel
from fstce.numeric.types import Floats, Ints, Ints32


class ItemFactors(NamedTuple):
    """What each item's own choice weighs: links, halves that stop and that go on, roots.

    As scores these are log weights in nats; as weights their exponentials; as posteriors
    the probability of each, times the coefficient of its lattice.
    """

    link: Floats
    stop: Floats
    go: Floats
    root: Floats


@dataclass(frozen=True)
class Pack:
    """A hypergraph with its items' features; factor arrays are as :class:`ItemFactors`.

    ``lattices`` (M,): the numbers of the lattices among the distinct ones of the batch. ``tag`` is (A,).
    ``child``, ``stop``, ``root``: the feature of each link, of each half's stop (its go is the next), of each
    root. ``link_bias``, ``root_bias``: log weights that arcs and final states bring. ``length_bias``: δ, what
    a link weighs more for every word that it spans, in nats.
    """

    graph: Hypergraph
    lattices: Ints
    tag: Ints
    child: Ints32
    stop: Ints32
    root: Ints32
    link_bias: Floats | None = None
    root_bias: Floats | None = None
    length_bias: float = 0.0

    def factors(self, table: Floats) -> ItemFactors:
        """The entries of a table over features that belong to each item, without the biases."""
        return ItemFactors(
            table[self.child], table[self.stop], table[self.stop + GO], table[self.root]
        )

    def scores(self, theta: Floats) -> ItemFactors:
        """The log weight of every item's own choice."""
        return self._biased(self.factors(theta), np.add, np.asarray)

    def weights(self, theta: Floats) -> ItemFactors:
        """The same as factors of a product, the exponentials of the scores."""
        return self._biased(self.factors(np.exp(theta)), np.multiply, np.exp)

    def _biased(
        self, own: ItemFactors, join: np.ufunc, taken: Callable[[Floats], Floats]
    ) -> ItemFactors:
        """The factors joined with what the biases are taken as."""
        link, root = own.link, own.root
        if self.length_bias:
            link = join(link, taken(self._by_width)[self.graph.links.width])
        if self.link_bias is not None:
            link = join(link, taken(self.link_bias))
        if self.root_bias is not None:
            root = join(root, taken(self.root_bias))
        return own._replace(link=link, root=root)

    @property
    def _by_width(self) -> Floats:
        """The structural bias of a link by its width, for all that occur: eight bytes a link are not kept."""
        widest = int(self.graph.links.width.max(initial=0))
        return self.length_bias * np.arange(1.0, widest + 2)

    def magnitude(self, theta: Floats) -> float:
        """A bound on the absolute value of the scores that are not −inf."""
        return _greatest(theta) + self._bias_magnitude

    @cached_property
    def _bias_magnitude(self) -> float:
        biases = (bias for bias in (self.link_bias, self.root_bias) if bias is not None)
        return max(map(_greatest, biases), default=0.0) + _greatest(self._by_width)

    def expected_bias(self, posteriors: ItemFactors) -> float:
        """The expected weight of what is no feature, nats: of the lattices' arcs, of the words links span."""
        bias = float(posteriors.link @ self._by_width[self.graph.links.width])
        if self.link_bias is not None and self.root_bias is not None:
            bias += float(posteriors.link @ self.link_bias + posteriors.root @ self.root_bias)
        return bias

    def add_counts(self, posteriors: ItemFactors, counts: Floats) -> None:
        """Add each item's posterior to the count of its feature, in place."""
        size = len(counts)
        counts += np.bincount(self.child, posteriors.link, size)
        counts += np.bincount(self.stop, posteriors.stop, size)
        counts += np.bincount(self.stop + GO, posteriors.go, size)
        counts += np.bincount(self.root, posteriors.root, size)


@dataclass(frozen=True)
class ChartBatch:
    """Lattices compiled for a grammar.

    Attributes
    ----------
    model : DependencyModel
    packs : list of Pack
    index : ndarray of int64, shape (lattices,)
        The number of each lattice among the distinct ones.
    n_distinct : int
        How many are distinct.
    arcs : list of ndarray of int64
        For each distinct lattice, the number in its own ``Arrays`` of each arc of its chart;
        a wildcard's repeats once a tag.
    """

    model: DependencyModel
    packs: list[Pack]
    index: Ints
    n_distinct: int
    arcs: list[Ints]

    def __len__(self) -> int:
        return len(self.index)

    @property
    def size(self) -> int:
        """The number of hyperedges of all distinct lattices, what one inside pass costs."""
        return sum(pack.graph.size for pack in self.packs)

    def with_length_bias(self, delta: float) -> ChartBatch:
        """The same charts, each link weighing δ more for every word that it spans (structural bias).

        Smith & Eisner (2006), Eq. 2. In a lattice the words of its longest path are counted.

        ``delta``: δ in nats; below 0 for short links.
        """
        packs = [replace(pack, length_bias=pack.length_bias + delta) for pack in self.packs]
        return replace(self, packs=packs) if delta else self

    def nbytes(self) -> int:
        """The memory that the hyperedges and items take."""
        return sum(array.nbytes for array in _arrays(self.packs))

    def on_distinct(self, coefficient: Floats | None) -> Floats:
        """The coefficients of equal lattices summed, shape (n_distinct,); one each by default."""
        return np.asarray(np.bincount(self.index, coefficient, self.n_distinct), dtype=np.float64)


def kept(packs: Sequence[Pack], store: ArrayStore) -> list[Pack]:
    """The packs, their arrays of 32-bit numbers where the store lays them: all in one."""
    if store.folder is None:
        return list(packs)
    arrays = _arrays(packs)
    laid = [array for array in arrays if array.dtype == np.int32]
    whole = store.allocate(sum(map(len, laid)), np.int32)
    places = np.split(whole, np.cumsum([len(array) for array in laid])[:-1])
    instead = {id(array): array for array in arrays}
    for array, place in zip(laid, places, strict=True):
        place[:] = array
        instead[id(array)] = place
    return deepcopy(list(packs), instead)  # with these in place of the arrays


def _arrays(packs: Sequence[Pack]) -> list[NDArray[Any]]:
    """The arrays of some packs, each once."""
    items = [*packs, *(pack.graph for pack in packs)]
    values = [value for item in items for value in vars(item).values()]
    columns = [
        column for value in values for column in (value if isinstance(value, tuple) else (value,))
    ]
    return list(
        {id(column): column for column in columns if isinstance(column, np.ndarray)}.values()
    )


def _greatest(scores: Floats) -> float:
    """The greatest absolute value but for −inf."""
    return float(np.abs(np.where(np.isneginf(scores), 0.0, scores)).max(initial=0.0))
