"""From lattices to packed charts: what is built once, before any number.

Two lattices of one shape share their compiled chart, whatever their words; equal
lattices are one. A wildcard ``<sigma>`` becomes one arc for each tag of the lattice's
alphabet.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.chart.batch import ChartBatch, Pack, pack_of, stored
from fstce.chart.shape import ChartSizeError, Hypergraph, end_to_end, shape_of
from fstce.errors import MachineError
from fstce.estimation.resources import IN_MEMORY, ArrayStore, Resources
from fstce.grammars.dmv import DependencyModel
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID, Symbols
from fstce.numeric.kernels import places
from fstce.numeric.types import Bools, Floats, Ints, Ints32

PACK_SIZE = 500_000  # hyperedges, about
BLOCK = 32_000_000  # bytes of charts that are packed together


class Tagged(NamedTuple):
    """A lattice over tag numbers: its arcs, their numbers in the original, log weights or None."""

    source: NDArray[Any]
    target: NDArray[Any]
    tag: Ints32
    arc: Ints32
    start: int
    final: Bools
    weights: tuple[Floats, Floats] | None

    def shape_key(self) -> tuple[bytes, ...]:
        """Equal of lattices that have one shape."""
        columns = (self.source.astype(np.int32), self.target.astype(np.int32), self.final)
        return bytes(self.start), *(column.tobytes() for column in columns)

    def key(self) -> bytes:
        """Equal of equal lattices."""
        columns = (column.tobytes() for column in (self.tag, *(self.weights or ())))
        return hashlib.blake2b(b"".join((*self.shape_key(), *columns)), digest_size=16).digest()


def compile_charts(
    lattices: Iterable[Lattice],
    model: DependencyModel,
    *,
    resources: Resources = IN_MEMORY,
) -> ChartBatch:
    """Compile lattices over tags into the charts of a grammar.

    A lattice's empty string has no tree and counts nothing.

    Parameters
    ----------
    lattices : iterable of Lattice
        Their words are tags.
    model : DependencyModel
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
    compiler = Compiler(model, resources)
    for lattice in lattices:
        compiler.add(lattice)
    return compiler.batch()


class Compiler:
    """Compiles lattices block after block: packs that are full of them, then the next.

    The cuts depend on the lattices alone. Beyond the budget a block lies in a mapped file, one for
    all of its arrays, since each holds a file open.
    """

    def __init__(self, model: DependencyModel, resources: Resources) -> None:
        self._model = model
        self._place = resources.place
        self._room = resources.room
        self._tags = places(model.tags)
        self._symbols: Symbols | None = None

        self._distinct: dict[bytes, int] = {}
        self._index: list[int] = []
        self._n_arcs: list[int] = []
        self._packs: list[Pack] = []
        self._packed_size = 0
        self._begin()

    def _begin(self) -> None:
        self._shapes: dict[tuple[bytes, ...], Hypergraph] = {}
        self._charts: list[tuple[Hypergraph, Tagged]] = []
        self._size = 0

    def add(self, lattice: Lattice) -> None:
        """Compile one lattice, unless it has been there."""
        tagged = self._tagged(lattice)
        key = tagged.key()
        if key not in self._distinct:
            self._distinct[key] = len(self._distinct)
            self._chart(tagged, lattice.name)
        self._index.append(self._distinct[key])

    def _tagged(self, lattice: Lattice) -> Tagged:
        """The lattice over tag numbers, a wildcard once for each tag of its alphabet.

        The alphabet is read once for a text.
        """
        symbols = lattice.symbols
        arrays = lattice.arrays
        _check(arrays, lattice.name)
        if symbols is not self._symbols:
            self._symbols = symbols
            tags = [self._tags.get(word, -1) for word in symbols]
            self._number = np.array([-1] * FIRST_WORD_ID + tags, dtype=np.int32)

        label = np.asarray(arrays.ilabel, dtype=np.int64)
        wild = label == SIGMA_ID
        arc = np.repeat(np.arange(len(label), dtype=np.int32), np.where(wild, len(symbols), 1))
        word = label[arc]
        if wild.any():
            word[wild[arc]] = np.tile(np.asarray(symbols.labels), int(wild.sum()))

        tag = self._number[word]
        if np.any(tag < 0):
            unknown = symbols.word(int(word[tag < 0][0]))
            raise MachineError(
                f"{lattice.name}: {unknown!r} is not among the grammar's {len(self._tags)} tags"
            )
        return Tagged(
            source=np.asarray(arrays.source)[arc],
            target=np.asarray(arrays.next)[arc],
            tag=tag,
            arc=arc,
            start=arrays.start,
            final=np.isfinite(arrays.final),
            weights=_weights(arrays, arc),
        )

    def _chart(self, tagged: Tagged, name: str) -> None:
        """Add the chart of a lattice to the block."""
        shape_key = tagged.shape_key()
        if shape_key not in self._shapes:
            self._shapes[shape_key] = _shape(tagged, name)
        shape = self._shapes[shape_key]

        self._charts.append((shape, tagged))
        self._n_arcs.append(len(tagged.arc))
        self._size += _bytes_of(shape)
        if self._size > BLOCK:
            self._finish()

    def _finish(self) -> None:
        """Pack the charts of a block, and lay the packs where there is room."""
        first = len(self._n_arcs) - len(self._charts)
        packs = []
        for members in _alike([shape for shape, _ in self._charts]):
            shapes, lattices = zip(*(self._charts[member] for member in members), strict=True)
            packs.append(_pack(self._model, lattices, members + first, end_to_end(shapes)))

        self._packed_size += self._size
        folder = None if self._packed_size <= self._room else self._place
        self._packs += stored(packs, ArrayStore(folder))
        self._begin()

    def batch(self) -> ChartBatch:
        """All that has been compiled."""
        if not self._index:
            raise MachineError("an empty batch: there is no sentence to parse")
        if self._charts:
            self._finish()
        index = np.array(self._index)
        n_arcs = np.array(self._n_arcs)
        return ChartBatch(self._model, self._packs, index, n_arcs)


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


def _weights(arrays: Arrays, arc: Ints32) -> tuple[Floats, Floats] | None:
    """Log weights by arc and by final state, None where all are zero."""
    final = np.where(np.isfinite(arrays.final), arrays.final, 0.0)
    if not (np.any(arrays.weight) or np.any(final)):
        return None
    return -np.asarray(arrays.weight, dtype=np.float64)[arc], -final.astype(np.float64)


def _shape(tagged: Tagged, name: str) -> Hypergraph:
    """The chart of a lattice's shape."""
    try:
        shape = shape_of(tagged.source, tagged.target, tagged.start, tagged.final)
    except ChartSizeError as error:
        raise ChartSizeError(f"{name}: {error}") from None
    if not len(shape.roots.arc):
        raise MachineError(f"{name}: no sentence with a word in it, so there is no tree")
    return shape


def _pack(
    model: DependencyModel, members: Sequence[Tagged], lattices: Ints, graph: Hypergraph
) -> Pack:
    """The pack of these lattices, which lie in this order in the hypergraph."""
    tag = np.concatenate([tagged.tag for tagged in members])[:, None]
    arc = np.concatenate([tagged.arc for tagged in members])[:, None]
    pack = pack_of(model, graph, lattices, tag, arc)
    if not any(tagged.weights for tagged in members):
        return pack

    biases = [
        tagged.weights or (np.zeros(len(tagged.tag)), np.zeros(len(tagged.final)))
        for tagged in members
    ]
    by_arc, by_state = (np.concatenate(parts)[:, None] for parts in zip(*biases, strict=True))
    roots = graph.roots
    return replace(
        pack,
        link_bias=by_arc[graph.links.child],
        root_bias=by_arc[roots.arc] + by_state[roots.final],
    )


def _alike(shapes: Sequence[Hypergraph]) -> list[Ints]:
    """The members of each pack, of like size."""
    size = np.array([shape.size for shape in shapes])
    order = np.argsort(size, kind="stable")
    last = np.maximum(np.cumsum(size[order]) - 1, 0)
    return np.split(order, np.flatnonzero(np.diff(last // PACK_SIZE)) + 1)


def _bytes_of(shape: Hypergraph) -> int:
    """The bytes of a chart in a pack."""
    items = len(shape.links.head) + len(shape.halves.arc)
    return 8 * shape.size + 20 * items + 4 * len(shape.roots.arc)
