"""The packed batch: the charts of a whole corpus, in packs that fit the processor's cache.

A :class:`Pack` is a hypergraph, made of shapes alone, with what its lattices do not share: the
feature of each item and the weights that arcs bring. Lattices lie end to end in one hypergraph and
one column, of which a hyperedge takes 8 bytes, and those of the largest pack 8 more while sums are
computed. Plain sentences of like length are the columns of one chart, of whose hyperedges there is
no list: a sentence takes four bytes for the feature of each link. Equal lattices are one chart.
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
from fstce.grammars.dmv import ADJACENT, GO, LEFT, NOT_ADJACENT, RIGHT, DependencyModel
from fstce.numeric.kernels import workspace
from fstce.numeric.types import Floats, Ints, Ints32


class ItemFactors(NamedTuple):
    """The weight of each item's own choice: links, halves that stop and that go on, roots.

    Arrays (items, S) for S columns; which rows are those of which halves says
    ``half_rows.choices``. As scores these are log weights in nats; as weights their
    exponentials; as posteriors the probability of each, times the coefficient of its lattice.
    """

    link: Floats
    stop: Floats
    go: Floats
    root: Floats


@dataclass(frozen=True)
class Pack:
    """A hypergraph of M lattices with its items' features in S columns, M · S lattices.

    Arrays by item are (items, S). ``lattices`` (M · S,): the numbers among the distinct ones of the
    batch, that of lattice m in column s at m · S + s. ``tag``, ``arc`` (A, S): each arc's tag, and
    its number in the lattice's own ``Arrays``. ``child``, ``stop``, ``root``: the feature of each
    link, of each half's stop (its go is the next), of each root. ``link_bias``, ``root_bias``: log
    weights that arcs and final states bring. ``length_bias``: δ, what a link weighs more for every
    word that it spans, in nats.
    """

    graph: Hypergraph
    lattices: Ints
    tag: Ints32
    arc: Ints32
    child: Ints32
    stop: Ints32
    root: Ints32
    link_bias: Floats | None = None
    root_bias: Floats | None = None
    length_bias: float = 0.0

    @property
    def columns(self) -> int:
        """S."""
        return self.tag.shape[1]

    def factors(self, table: Floats) -> ItemFactors:
        """The entries of a table over features that belong to each item, without the biases.

        They stand in the thread's memory for sums, until the next call.
        """
        go = table[1:]  # GO follows STOP
        taken = (table, self.child), (table, self.stop), (go, self.stop), (table, self.root)
        factors = []
        for name, (entries, places) in zip(ItemFactors._fields, taken, strict=True):
            out = workspace.first(name, places.size).reshape(places.shape)
            factors.append(np.take(entries, places, out=out, mode="clip"))
        return ItemFactors(*factors)

    def scores(self, theta: Floats) -> ItemFactors:
        """The log weight of every item's own choice."""
        return self._biased(self.factors(theta), np.add, np.asarray)

    def weights(self, theta: Floats) -> ItemFactors:
        """The weight of every item's own choice, the exponential of its score."""
        return self._biased(self.factors(np.exp(theta)), np.multiply, np.exp)

    def _biased(
        self, factors: ItemFactors, join: np.ufunc, taken: Callable[[Floats], Floats]
    ) -> ItemFactors:
        """The factors joined with what the biases are taken as."""
        link = factors.link
        root = factors.root
        if self.length_bias:
            join(link, taken(self._by_width)[self.graph.links.width, None], out=link)
        if self.link_bias is not None:
            join(link, taken(self.link_bias), out=link)
        if self.root_bias is not None:
            join(root, taken(self.root_bias), out=root)
        return factors

    @property
    def _by_width(self) -> Floats:
        """The structural bias of a link by its width: eight bytes a link are not kept."""
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
        """The expected weight of what is no feature, nats: of arcs, and of the words links span."""
        bias = float(self._by_width[self.graph.links.width] @ posteriors.link.sum(axis=1))
        if self.link_bias is not None and self.root_bias is not None:
            bias += float(np.vdot(posteriors.link, self.link_bias))
            bias += float(np.vdot(posteriors.root, self.root_bias))
        return bias

    def counts(self, posteriors: ItemFactors, size: int) -> Floats:
        """Each item's posterior added to the count of its feature, (size,)."""
        counts = np.zeros(size)
        for feature, posterior in (
            (self.child, posteriors.link),
            (self.stop, posteriors.stop),
            (self.root, posteriors.root),
        ):
            counts += np.bincount(feature.ravel(), posterior.ravel(), size)
        counts[GO:] += np.bincount(self.stop.ravel(), posteriors.go.ravel(), size)[:-GO]
        return counts


def pack_of(
    model: DependencyModel, graph: Hypergraph, lattices: Ints, tag: Ints32, arc: Ints32
) -> Pack:
    """Give the items of a hypergraph the features of their arcs, without weights of lattices."""
    halves = graph.halves
    links = graph.links
    sides = np.array([LEFT, RIGHT])[:, None, None]
    valences = np.array([ADJACENT, NOT_ADJACENT])[:, None, None, None]

    # of a child with tag t it is t more: (side, A, S)
    first_child = model.child(tag, 0, sides).astype(np.int32)
    child = first_child[links.side, links.head]
    child += tag[links.child]

    stop = model.stop(tag, sides, valences).astype(np.int32)  # (valence, side, A, S)
    half = np.unique(graph.half_rows.choices_of(np.arange(len(halves.arc))))
    valence = np.where(halves.width[half] > 0, NOT_ADJACENT, ADJACENT)
    root = model.root(tag[graph.roots.arc]).astype(np.int32)
    of_half = stop[valence, halves.side[half], halves.arc[half]]
    return Pack(graph, lattices, tag, arc, child, of_half, root)


@dataclass(frozen=True)
class ChartBatch:
    """Lattices compiled for a grammar.

    Attributes
    ----------
    model : DependencyModel
    packs : list of Pack
    index : ndarray of int64, shape (lattices,)
        The number of each lattice among the distinct ones.
    n_arcs : ndarray of int64, shape (n_distinct,)
        How many arcs each distinct lattice has, a wildcard's once a tag.
    """

    model: DependencyModel
    packs: list[Pack]
    index: Ints
    n_arcs: Ints

    def __len__(self) -> int:
        return len(self.index)

    @property
    def n_distinct(self) -> int:
        """How many of the lattices are distinct."""
        return len(self.n_arcs)

    @property
    def size(self) -> int:
        """The number of hyperedges of all distinct lattices, what one inside pass costs."""
        return sum(pack.graph.size * pack.columns for pack in self.packs)

    def with_length_bias(self, delta: float) -> ChartBatch:
        """The charts with each link weighing δ more for every word that it spans (structural bias).

        Smith & Eisner (2006), Eq. 2. In a lattice the words of its longest path are counted.

        ``delta``: δ in nats; below 0 for short links.
        """
        packs = [replace(pack, length_bias=pack.length_bias + delta) for pack in self.packs]
        return replace(self, packs=packs) if delta else self

    def on_distinct(self, coefficient: Floats | None) -> Floats:
        """The coefficients of equal lattices summed, shape (n_distinct,); one each by default."""
        return np.asarray(np.bincount(self.index, coefficient, self.n_distinct), dtype=np.float64)


def stored(packs: Sequence[Pack], store: ArrayStore) -> list[Pack]:
    """The packs, their arrays of 32-bit numbers where the store lays them: all in one."""
    if store.folder is None:
        return list(packs)

    arrays = arrays_of(packs)
    integers = [array for array in arrays if array.dtype == np.int32]
    joined = store.allocate(sum(array.size for array in integers), np.int32)
    places = np.split(joined, np.cumsum([array.size for array in integers])[:-1])

    instead = {id(array): array for array in arrays}
    for array, place in zip(integers, places, strict=True):
        place[:] = array.ravel()
        instead[id(array)] = place.reshape(array.shape)
    return deepcopy(list(packs), instead)  # with these in place of the arrays


def arrays_of(packs: Sequence[Pack]) -> list[NDArray[Any]]:
    """The arrays of some packs, each once."""
    arrays: dict[int, NDArray[Any]] = {}
    for item in (*packs, *(pack.graph for pack in packs)):
        for value in vars(item).values():
            for column in value if isinstance(value, tuple) else (value,):
                if isinstance(column, np.ndarray):
                    arrays[id(column)] = column
    return list(arrays.values())


def _greatest(scores: Floats) -> float:
    """The greatest absolute value but for −inf."""
    return float(np.abs(np.where(np.isneginf(scores), 0.0, scores)).max(initial=0.0))
