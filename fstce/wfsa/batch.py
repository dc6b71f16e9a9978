"""The packed batch: the product automata of a whole corpus end to end in one structure of arrays.

States are numbered by topological level across the corpus (the length of the longest
path from the start), so that one level of all sentences is one sparse matrix-vector
product. Arcs are sorted by target. Each arc points to a *cell*, a distinct pair of tag
n-gram and (word, tag); the score of a cell is computed once however many arcs share it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.machines.symbols import SIGMA_ID
from fstce.numeric.kernels import ranges, without_repeats
from fstce.numeric.types import Bools, Floats, Ints, Ints32

MOST_CODES = 2**31  # labels of OpenFst have four bytes


@dataclass(frozen=True)
class Batch:
    """Product automata, packed; S states, A arcs, M machines, C cells.

    ``source``, ``target`` (A,): the states of each arc, in order of target. ``indptr`` (S + 1,): the arcs
    into state q are ``indptr[q]:indptr[q + 1]``. ``levels`` (L + 1,): the states of level l are
    ``levels[l]:levels[l + 1]``. ``start``, ``final`` (M,): the start state and the only final state of each
    machine. ``machine`` (S,): the machine of each state. ``cell`` (A,): the cell of each arc. ``ngram`` (C,):
    the tag n-gram code of each cell. ``word`` (C,): the word id of each cell. ``bias`` (A,): the log weight
    that an arc brings from a weighted lattice.
    """

    source: Ints32
    target: Ints32
    indptr: Ints32
    levels: Ints
    start: Ints
    final: Ints
    machine: Ints32
    cell: Ints32
    ngram: Ints
    word: Ints
    bias: Floats | None = None

    def check(self) -> None:
        """Raise ValueError unless the arrays are automata as above: what goes through them looks no more."""
        states, arcs, machines, cells = self.n_states, self.n_arcs, self.n_machines, len(self.ngram)
        _check_form(np.int32, arcs, source=self.source, target=self.target, cell=self.cell)
        _check_form(np.int32, states, machine=self.machine, indptr=self.indptr[1:])
        _check_form(np.int64, machines, start=self.start, final=self.final)
        _check_form(np.int64, cells, ngram=self.ngram, word=self.word)
        _check_form(np.int64, len(self.levels), levels=self.levels)
        _check_range(0, machines, machine=self.machine)
        _check_range(0, states, source=self.source, start=self.start, final=self.final)
        _check_range(0, cells, cell=self.cell)
        _check_range(0, MOST_CODES, ngram=self.ngram - 1, word=self.word)
        into, sizes = np.diff(self.indptr), np.diff(self.levels)
        bounds = *self.indptr[[0, -1]], *self.levels[[0, -1]]
        if bounds != (0, arcs, 0, states) or np.any(into < 0) or np.any(sizes < 1):
            raise ValueError("states or levels do not follow each other")
        if np.any(into[: self.levels[1]]) or not np.all(into[self.levels[1] :]):
            raise ValueError("states of the first level have arcs into them, or others have none")
        if np.any(self.target != np.repeat(np.arange(states), into)):
            raise ValueError("the arcs are not in order of their target")
        if np.any(self.source >= np.repeat(self.levels[:-1], sizes)[self.target]):
            raise ValueError("an arc does not lead to a later level")
        if np.any(self.machine[self.source] != self.machine[self.target]):
            raise ValueError("an arc leads from one automaton to another")
        for state in (self.start, self.final):
            if np.any(self.machine[state] != np.arange(machines)):
                raise ValueError("an automaton does not start and end within itself")
        if self.bias is not None:
            _check_form(np.float64, arcs, bias=self.bias)
            if not np.all(self.bias < np.inf):
                raise ValueError("an arc's weight is no number")

    @property
    def n_states(self) -> int:
        """The number S of states."""
        return len(self.machine)

    @property
    def n_arcs(self) -> int:
        """The number A of arcs."""
        return len(self.source)

    @property
    def n_machines(self) -> int:
        """The number M of machines."""
        return len(self.start)

    @cached_property
    def level(self) -> Ints32:
        """The level of each state, shape (S,)."""
        return np.repeat(np.arange(len(self.levels) - 1, dtype=np.int32), np.diff(self.levels))

    @cached_property
    def by_source(self) -> Ints:
        """The arcs in order of source, for passes from the end."""
        return np.argsort(self.source, kind="stable")

    def rows(self) -> list[tuple[int, int, Ints32]]:
        """For each level but the first: its states ``a:b`` and their part of `indptr`."""
        bounds = self.levels[1:].tolist()
        return [(a, b, self.indptr[a : b + 1]) for a, b in pairwise(bounds)]

    def arc_scores(self, cell_scores: Floats) -> Floats:
        """The log weight of each arc, shape (A,)."""
        scores = cell_scores[self.cell]
        return scores if self.bias is None else scores + self.bias

    def nbytes(self) -> int:
        """The memory that the arrays take."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))


def _check_form(kind: Any, length: int, **arrays: NDArray[Any]) -> None:
    for name, array in arrays.items():
        if array.dtype != kind or array.shape != (length,):
            raise ValueError(f"{name} is {array.dtype} of shape {array.shape}")


def _check_range(low: int, high: int, **arrays: NDArray[Any]) -> None:
    for name, array in arrays.items():
        if len(array) and (array.min() < low or array.max() >= high):
            raise ValueError(f"{name} has numbers that are not from {low} to {high - 1}")


def pack(columns: Columns) -> Batch:
    """Pack product automata."""
    level = levels_of(columns.source, columns.next, columns.start, columns.states)
    order = _argsort(level * (len(columns.next) + 1) + np.bincount(columns.next, minlength=columns.states))
    number = np.empty_like(order)
    number[order] = np.arange(columns.states)
    source, target = number[columns.source], number[columns.next]
    arcs = _argsort(target * columns.states + source)
    labels = (columns.ngram[arcs].astype(np.int64), columns.word[arcs].astype(np.int64))
    cell, ngram, word = number_cells(*labels)
    indptr = np.append(0, np.cumsum(np.bincount(target, minlength=columns.states)))
    return Batch(
        source=source[arcs].astype(np.int32),
        target=target[arcs].astype(np.int32),
        indptr=indptr.astype(np.int32),
        levels=np.append(0, np.cumsum(np.bincount(level))),
        start=number[columns.start],
        final=number[columns.final],
        machine=columns.machine[order],
        cell=cell,
        ngram=ngram,
        word=word,
        bias=columns.bias[arcs] if len(columns.bias) else None,
    )


class Columns(NamedTuple):
    """Machines end to end, their states renumbered, in order of machine.

    ``start``, ``final``, ``size`` (machines,): the start and the only final state, and the number of states,
    of each machine. ``source``, ``next``, ``word``, ``ngram`` (arcs,): four bytes each: these are the largest
    arrays before a corpus is cut into shards. ``bias`` (arcs,): log weights; shape (0,) if no machine is
    weighted.
    """

    start: Ints
    final: Ints
    size: Ints
    source: Ints32
    next: Ints32
    word: Ints32
    ngram: Ints32
    bias: Floats

    @property
    def states(self) -> int:
        """The number of states of all machines."""
        return int(self.size.sum())

    @property
    def machine(self) -> Ints32:
        """The machine of each state, shape (states,)."""
        return np.repeat(np.arange(len(self.size), dtype=np.int32), self.size)


def trimmed(machines: Columns, kept: Bools) -> Columns:
    """The machines of the arcs kept, without states that lie on no path."""
    while True:
        live = np.zeros((2, machines.states), dtype=bool)
        live[0, machines.start] = live[1, machines.final] = True
        live[0, machines.next[kept]] = live[1, machines.source[kept]] = True
        through = kept & live[0, machines.source] & live[1, machines.next]
        if np.array_equal(through, kept):
            break
        kept = through
    used = np.zeros(machines.states, dtype=bool)
    used[machines.source[kept]] = used[machines.next[kept]] = True
    number = np.cumsum(used) - 1
    return machines._replace(
        start=number[machines.start],
        final=number[machines.final],
        size=np.bincount(machines.machine[used], minlength=len(machines.size)),
        source=number[machines.source[kept]].astype(np.int32),
        next=number[machines.next[kept]].astype(np.int32),
        word=machines.word[kept],
        ngram=machines.ngram[kept],
        bias=machines.bias[kept] if len(machines.bias) else machines.bias,
    )


def levels_of(source: NDArray[Any], target: NDArray[Any], start: Ints, states: int) -> Ints:
    """The longest path from the start to each state, by removing states without arcs into them (Kahn)."""
    waiting = np.bincount(target, minlength=states)
    out = np.bincount(source, minlength=states)
    order = np.argsort(source, kind="stable")
    first = np.cumsum(out) - out
    level = np.full(states, -1)
    frontier, depth = start, 0
    while len(frontier):
        level[frontier] = depth
        arcs = order[ranges(first[frontier], out[frontier])]
        reached, times = np.unique(target[arcs], return_counts=True)
        waiting[reached] -= times
        frontier = reached[waiting[reached] == 0]
        depth += 1
    if np.any(level < 0) or np.any(level[source] >= level[target]):
        raise MachineError("a product automaton has a cycle or a state that its start does not reach")
    return level


def _argsort(keys: Ints) -> Ints:
    return np.argsort(keys, kind="stable")


def number_cells(ngram: Ints, word: Ints) -> tuple[Ints32, Ints, Ints]:
    """Number the distinct (n-gram, word) pairs in order of first use, for locality in memory."""
    width = int(word.max()) + 1
    keys, first, inverse = np.unique(ngram * width + word, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[inverse], keys[order] // width, keys[order] % width


class Shard(NamedTuple):
    """Packed automata; their tag n-grams, whether there are wildcards, how often each machine occurs."""

    batch: Batch
    ngrams: Ints
    wild: bool
    counts: Floats
    path: Path | None = None
    digest: str = ""

    @classmethod
    def of(cls, batch: Batch, counts: Floats, path: Path | None = None, digest: str = "") -> Shard:
        """Automata and how often each occurs, in memory or mapped from a file."""
        wild = bool(np.any(batch.word == SIGMA_ID))
        return cls(batch, without_repeats(batch.ngram), wild, counts, path, digest)
