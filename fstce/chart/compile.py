"""From lattices to packed charts: what is built once, before any number.

Two lattices of one shape share their compiled chart, whatever their words; equal
lattices are one. A wildcard ``<sigma>`` becomes one arc for each tag of the lattice's
alphabet.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.chart.batch import ChartBatch, Pack, kept
from fstce.chart.shape import ChartSizeError, Hypergraph, end_to_end, shape_of
from fstce.errors import MachineError
from fstce.estimation.resources import IN_MEMORY, ArrayStore, Resources
from fstce.grammars.dmv import ADJACENT, NOT_ADJACENT, DependencyModel
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID, Symbols
from fstce.numeric.types import Bools, Floats, Ints

PACK_SIZE = 500_000
BLOCK = 32_000_000  # bytes of charts that are packed together


class Tagged(NamedTuple):
    """A lattice over tag numbers: its arcs, their numbers in the original, log weights or None."""

    source: NDArray[Any]
    target: NDArray[Any]
    tag: Ints
    arc: Ints
    start: int
    final: Bools
    weights: tuple[Floats, Floats] | None


def compile_charts(
    lattices: Iterable[Lattice],
    model: DependencyModel,
    *,
    pack_size: int = PACK_SIZE,
    max_link: int | None = None,
    resources: Resources = IN_MEMORY,
) -> ChartBatch:
    """Compile lattices over tags into the charts of a grammar.

    A lattice's empty string has no tree and counts nothing.

    Parameters
    ----------
    lattices : iterable of Lattice
        Their words are tags.
    model : DependencyModel
    pack_size : int
        How many hyperedges a pack has, about.
    max_link : int, optional
        The most words that a link may span; by default any number.
    resources : Resources, optional
        What the charts may take in memory; beyond, they lie in files that are mapped.

    Raises
    ------
    MachineError
        A lattice holds ε, a cycle, no word, or a tag that the grammar lacks; or its chart has
        more than fifty million hyperedges. The message names the lattice.

    Examples
    --------
    >>> from fstce import neighborhood
    >>> lattice = neighborhood("trans1")(["DT", "NN", "VB"])
    >>> batch = compile_charts([lattice, lattice], DependencyModel(["DT", "NN", "VB"]))
    >>> len(batch), batch.n_distinct, batch.size
    (2, 1, 48)
    """
    compiler = Compiler(model, pack_size=pack_size, max_link=max_link, resources=resources)
    for lattice in lattices:
        compiler.add(compiler.tagged(lattice), lattice.name)
    return compiler.batch()


def compile_sentences(
    sentences: Iterable[Sequence[str]],
    model: DependencyModel,
    *,
    numbers: Iterable[int] | None = None,
    max_link: int | None = None,
    resources: Resources = IN_MEMORY,
) -> ChartBatch:
    """Compile plain sentences of the grammar's tags, lattices of one path each, as :func:`compile_charts`.

    ``numbers``: those that errors call them by; by default from 1.

    >>> batch = compile_sentences([["N", "V"], ["N"], ["N", "V"]], DependencyModel(["N", "V"]))
    >>> len(batch), batch.n_distinct
    (3, 2)
    """
    compiler = Compiler(model, max_link=max_link, resources=resources)
    for number, tags in zip(count(1) if numbers is None else numbers, sentences, strict=False):
        places = np.arange(len(tags) + 1)
        arcs = places[:-1], places[1:], model.numbers(tags), places[:-1]
        compiler.add(
            Tagged(*arcs, start=0, final=places == len(tags), weights=None), f"sentence {number}"
        )
    return compiler.batch()


class Compiler:
    """Compiles lattices block after block: packs that are full of them, then the next.

    The cuts depend on the lattices alone. Beyond the budget a block lies in a mapped file, one for all of its
    arrays, since each holds a file open.
    """

    def __init__(
        self,
        model: DependencyModel,
        *,
        pack_size: int = PACK_SIZE,
        max_link: int | None = None,
        resources: Resources = IN_MEMORY,
    ) -> None:
        self._model, self._max_link, self._pack_size, self._resources = (
            model,
            max_link,
            pack_size,
            resources,
        )
        self._tags = {tag: number for number, tag in enumerate(model.tags)}
        self._symbols: Symbols | None = None
        self._distinct: dict[bytes, int] = {}
        self._index: list[int] = []
        self._arcs: list[Ints] = []
        self._packs: list[Pack] = []
        self._held = 0
        self._room = resources.room
        self._begin()

    def _begin(self) -> None:
        self._shapes: dict[tuple[bytes, ...], Hypergraph] = {}
        self._charts: list[tuple[Hypergraph, Tagged]] = []
        self._size, self._times = 0, Counter[int]()

    def add(self, tagged: Tagged, name: str) -> None:
        """Compile one lattice, unless it has been there."""
        columns = tagged.source.astype(np.int32), tagged.target.astype(np.int32), tagged.final
        of_shape = bytes([0]) * tagged.start, *(column.tobytes() for column in columns)
        of_arcs = (column.tobytes() for column in (tagged.tag, *(tagged.weights or ())))
        key = hashlib.blake2b(b"".join((*of_shape, *of_arcs)), digest_size=16).digest()
        if key not in self._distinct:
            self._distinct[key] = len(self._distinct)
            if of_shape not in self._shapes:
                self._shapes[of_shape] = self._shape(tagged, name)
            shape = self._shapes[of_shape]
            self._charts.append((shape, tagged))
            self._arcs.append(tagged.arc)
            self._size += _bytes_of(shape, self._times[id(shape)], self._pack_size)
            self._times[id(shape)] += 1
            if self._size > BLOCK:
                self._finish()
        self._index.append(self._distinct[key])

    def _finish(self) -> None:
        """Pack the charts of a block, and lay the packs where there is room."""
        shapes, first = [shape for shape, _ in self._charts], len(self._arcs) - len(self._charts)
        packs = [
            _pack(self._model, [self._charts[m][1] for m in members], members + first, graph)
            for members, graph in _graphs(shapes, self._pack_size)
        ]
        self._held += self._size
        folder = None if self._held <= self._room else self._resources.place
        self._packs += kept(packs, ArrayStore(folder))
        self._begin()

    def batch(self) -> ChartBatch:
        """All that has been compiled."""
        if not self._index:
            raise MachineError("an empty batch: there is no sentence to parse")
        if self._charts:
            self._finish()
        return ChartBatch(
            self._model, self._packs, np.array(self._index), len(self._distinct), self._arcs
        )

    def tagged(self, lattice: Lattice) -> Tagged:
        """The lattice over tag numbers, a wildcard once a tag of its alphabet."""
        symbols, arrays = lattice.symbols, lattice.arrays
        if (
            symbols is not self._symbols
        ):  # lattices of a text share one alphabet, which may have many words
            self._symbols = symbols
            self._number = np.array(
                [-1] * FIRST_WORD_ID + [self._tags.get(word, -1) for word in symbols]
            )
        label, source = np.asarray(arrays.ilabel, dtype=np.int64), np.asarray(arrays.source)
        _check(arrays, lattice.name)
        wild = label == SIGMA_ID
        arc = np.repeat(np.arange(len(label)), np.where(wild, len(symbols), 1))
        word = label[arc]
        if wild.any():
            word[wild[arc]] = np.tile(np.asarray(symbols.labels), int(wild.sum()))
        tag = self._number[word]
        if np.any(tag < 0):
            unknown = symbols.word(int(word[tag < 0][0]))
            raise MachineError(
                f"{lattice.name}: {unknown!r} is not among the grammar's {self._model.n_tags} tags"
            )
        return Tagged(
            source=source[arc],
            target=np.asarray(arrays.next)[arc],
            tag=tag,
            arc=arc,
            start=arrays.start,
            final=np.isfinite(arrays.final),
            weights=_weights(arrays, arc),
        )

    def _shape(self, tagged: Tagged, name: str) -> Hypergraph:
        """The chart of a lattice's shape."""
        try:
            shape = shape_of(
                tagged.source, tagged.target, tagged.start, tagged.final, self._max_link
            )
        except ChartSizeError as error:
            raise ChartSizeError(f"{name}: {error}") from None
        if not len(shape.roots.arc):
            raise MachineError(f"{name}: no sentence with a word in it, so there is no tree")
        return shape


def _check(arrays: Arrays, name: str) -> None:
    """Raise unless the lattice keeps the contract of lattices."""
    if arrays.start < 0 or not len(arrays.source):
        raise MachineError(f"{name}: no sentence with a word in it, so there is no tree")
    if np.any(arrays.ilabel == 0):
        raise MachineError(
            f"{name}: an arc without a word (ε); make it a lattice with Lattice.from_fst"
        )
    ordered = np.all(np.diff(arrays.source) >= 0)
    if not ordered or np.any(arrays.source >= arrays.next):
        raise MachineError(
            f"{name}: a cycle, or states that are not in topological order; "
            "make it a lattice with Lattice.from_fst, which sorts them and refuses cycles"
        )


def _weights(arrays: Arrays, arc: Ints) -> tuple[Floats, Floats] | None:
    """Log weights by arc and by final state, None where all are zero."""
    final = np.where(np.isfinite(arrays.final), arrays.final, 0.0)
    if not (np.any(arrays.weight) or np.any(final)):
        return None
    return -np.asarray(arrays.weight, dtype=np.float64)[arc], -final.astype(np.float64)


def _pack(
    model: DependencyModel, members: Sequence[Tagged], lattices: Ints, graph: Hypergraph
) -> Pack:
    """Give the items of a hypergraph, of these members in order, the features of their arcs."""
    tag = np.concatenate([tagged.tag for tagged in members])
    halves, links, roots = graph.halves, graph.links, graph.roots
    valence = np.where(halves.width > 0, NOT_ADJACENT, ADJACENT)
    link_bias: Floats | None = None
    root_bias: Floats | None = None
    if any(tagged.weights for tagged in members):
        zeros = ((np.zeros(len(tagged.tag)), np.zeros(len(tagged.final))) for tagged in members)
        biases = [tagged.weights or none for tagged, none in zip(members, zeros, strict=True)]
        by_arc, by_state = (np.concatenate(columns) for columns in zip(*biases, strict=True))
        link_bias, root_bias = by_arc[links.child], by_arc[roots.arc] + by_state[roots.final]
    return Pack(
        graph=graph,
        lattices=lattices,
        tag=tag,
        child=model.child(tag[links.head], tag[links.child], links.side).astype(np.int32),
        stop=model.stop(tag[halves.arc], halves.side, valence).astype(np.int32),
        root=model.root(tag[roots.arc]).astype(np.int32),
        link_bias=link_bias,
        root_bias=root_bias,
    )


def _graphs(shapes: Sequence[Hypergraph], pack_size: int) -> Iterator[tuple[Ints, Hypergraph]]:
    """The members of each pack, of like size, and their graph; packs of the same shapes share it."""
    number: dict[int, int] = {}
    kind = np.array([number.setdefault(id(shape), len(number)) for shape in shapes])
    size = np.array([shape.size for shape in shapes])
    order = np.lexsort((kind, size))
    last = np.maximum(np.cumsum(size[order]) - 1, 0)
    graphs: dict[bytes, Hypergraph] = {}
    for members in np.split(order, np.flatnonzero(np.diff(last // pack_size)) + 1):
        key = kind[members].tobytes()
        if key not in graphs:
            graphs[key] = end_to_end([shapes[m] for m in members])
        yield members, graphs[key]


def _bytes_of(shape: Hypergraph, times: int, pack_size: int) -> int:
    """What one more chart takes where there are so many of its shape: full packs share their hyperedges."""
    features = 4 * (len(shape.links.head) + len(shape.halves.arc) + len(shape.roots.arc))
    own = 8 * shape.size + 16 * (len(shape.links.head) + len(shape.halves.arc))
    full = max(1, pack_size // max(1, shape.size))
    return features + (own if times < 2 * full else 0)
