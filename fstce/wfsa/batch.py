"""Product automata of a corpus, packed: lattice · </s> ∘ emissions ∘ tag n-grams.

Arcs carry feature ids, never weights: each points to a *cell*, a distinct pair of tag n-gram and
word; the score of a cell is computed once however many arcs share it. Structure is built once;
numbers come later.

Lattices are multiplied all at once, level by level. A state of the product is a state q of a
lattice and the n − 1 tags before it, h; an arc is an arc q → q′ of the lattice with one of its
word's tags t, and leads from (q, h) to (q′, h′), h′ the last n − 1 tags of h t. States come level
by level, those of all lattices together (the length of the longest path from the start), so that
one level of all sentences is one sparse matrix-vector product, and nothing is built that is not
reached. It is what OpenFst composes of lattice, emissions and n-grams, which the tests compare
with; :func:`pack` packs machines that are composed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.grammars import tag_ngrams
from fstce.machines.algebra import ARC_LIMIT
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import END_ID, SIGMA_ID, Symbols
from fstce.numeric.kernels import marked, ranges, sorted_places, without_repeats
from fstce.numeric.types import Bools, Floats, Ints, Ints32, Rows
from fstce.storage.packed import open_packed, write_packed


@dataclass(frozen=True)
class Batch:
    """Product automata, packed; S states, A arcs, M machines, C cells.

    ``source``, ``target`` (A,): the states of each arc, in order of target. ``indptr`` (S + 1,):
    the arcs into state q are ``indptr[q]:indptr[q + 1]``. ``levels`` (L + 1,): the states of level
    l are ``levels[l]:levels[l + 1]``. ``start``, ``final`` (M,): the start state and the only final
    state of each machine. ``machine`` (S,): the machine of each state. ``cell`` (A,): the cell of
    each arc. ``ngram`` (C,): the tag n-gram code of each cell. ``word`` (C,): the word id of each
    cell. ``bias`` (A,): the log weight that an arc brings from a weighted lattice.
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


class Shard(NamedTuple):
    """Packed automata and how often each occurs, in memory or mapped from a file."""

    batch: Batch
    counts: Floats
    path: Path | None = None
    digest: str = ""

    def write(self, path: Path) -> str:
        """Write it as a file of packed arrays, whole or not at all; the digest of the file."""
        arrays = {"counts": self.counts}
        for name, value in vars(self.batch).items():
            if isinstance(value, np.ndarray):
                arrays[name] = value
        return write_packed(path, arrays)

    @classmethod
    def open(cls, path: Path, digest: str) -> Shard:
        """The shard of a file, mapped and not read."""
        arrays = open_packed(path, digest)
        counts = arrays.pop("counts")
        return cls(Batch(**arrays), counts, path, digest)


class Columns(NamedTuple):
    """Machines end to end, their states renumbered, in order of machine.

    ``start``, ``final``, ``size`` (machines,): the start and the only final state, and the number
    of states, of each machine. ``source``, ``next``, ``word``, ``ngram`` (arcs,): four bytes each:
    these are the largest arrays before a corpus is cut into shards. ``bias`` (arcs,): log weights;
    shape (0,) if no machine is weighted.
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


class TagAutomaton:
    """The unweighted tagger: which tags a word may take, and which n-gram each tag completes.

    ``symbols``: of the words. ``pairs``: the (word id, tag number) pairs that the dictionary
    allows, ascending. Word w takes the tags ``tag[first[w] : first[w] + times[w]]``; ``</s>`` the
    boundary, a wildcard every tag that some word takes.
    """

    def __init__(
        self, symbols: Symbols, pairs: tuple[Ints, Ints], tags: Sequence[str], order: int
    ) -> None:
        if order not in tag_ngrams.ORDERS:
            raise MachineError(f"order {order}: a tag n-gram has one, two or three tags")
        self.symbols = symbols
        self.pairs = pairs
        self.tags = tags
        self.order = order

        word, tag = pairs
        wildcard_tags = np.unique(tag)
        words = np.concatenate((word, [END_ID], np.full(len(wildcard_tags), SIGMA_ID)))
        by_word = np.argsort(words, kind="stable")
        self.times: NDArray[Any] = np.bincount(words, minlength=int(words.max()) + 1)
        self.first: NDArray[Any] = np.cumsum(self.times) - self.times
        self.tag: NDArray[Any] = np.concatenate((tag, [len(tags)], wildcard_tags))[by_word]


def pack_products(automaton: TagAutomaton, lattices: Iterable[Lattice]) -> Batch:
    """The product automata of lattices, packed."""
    rows = list(lattices)
    return pack_ended(automaton, ended(rows), [row.name for row in rows])


def observed(sentences: Rows, symbols: Symbols, numbers: Sequence[int]) -> Iterator[Lattice]:
    """The sentences themselves as lattices; `numbers` name them in messages."""
    for sentence, number in zip(sentences, numbers, strict=True):
        yield Lattice.of_sentence(sentence, symbols, f"sentence {number}")


def ended(rows: Sequence[Lattice]) -> Columns:
    """Lattices end to end, each with ``</s>`` behind all its sentences: one final state each."""
    if not rows:
        raise MachineError("an empty batch: there is no sentence to train on or to tag")

    machines = [row.arrays for row in rows]
    size = np.array([len(arrays.final) + 1 for arrays in machines])  # with the end
    offset = np.cumsum(size) - size
    start = offset + np.array([arrays.start for arrays in machines])
    end = offset + size - 1
    machine = np.repeat(np.arange(len(rows)), size)

    # The arcs of the lattices, then an arc of </s> from each final state
    final = np.full(len(machine), np.inf)
    final[np.delete(np.arange(len(machine)), end)] = np.concatenate([a.final for a in machines])
    ends = np.flatnonzero(np.isfinite(final))
    shift = np.repeat(offset, [len(arrays.source) for arrays in machines])
    source = np.concatenate([*(arrays.source for arrays in machines), ends])
    source[: len(shift)] += shift
    target = np.concatenate([*(arrays.next for arrays in machines), end[machine[ends]]])
    target[: len(shift)] += shift
    word = np.concatenate([*(arrays.ilabel for arrays in machines), np.full(len(ends), END_ID)])

    bias = np.zeros(0)
    if any(arrays.weight.dtype == np.float64 for arrays in machines):  # it is weighted
        weights = [arrays.weight for arrays in machines]
        bias = -np.concatenate([*weights, final[ends]], dtype=np.float64)
    return Columns(start, end, size, source, target, word, word, bias)


def restricted(machines: Columns, stays: Bools) -> Columns:
    """The machines of the arcs that stay, without states that lie on no path."""
    while True:
        reached = marked(machines.states, machines.start, machines.next[stays])
        ends = marked(machines.states, machines.final, machines.source[stays])
        through = stays & reached[machines.source] & ends[machines.next]
        if np.array_equal(through, stays):
            break
        stays = through

    used = marked(machines.states, machines.source[stays], machines.next[stays])
    number = np.cumsum(used) - 1
    return machines._replace(
        start=number[machines.start],
        final=number[machines.final],
        size=np.bincount(machines.machine[used], minlength=len(machines.size)),
        source=number[machines.source[stays]].astype(np.int32),
        next=number[machines.next[stays]].astype(np.int32),
        word=machines.word[stays],
        ngram=machines.ngram[stays],
        bias=machines.bias[stays] if len(machines.bias) else machines.bias,
    )


def tagged(automaton: TagAutomaton, machines: Columns, names: Sequence[str]) -> Columns:
    """The machines without the arcs of words that have no tag; `names` are for messages."""
    times = np.append(automaton.times, 0)[np.minimum(machines.word, len(automaton.times))]
    if times.all():
        return machines

    machines = restricted(machines, times > 0)
    n_arcs = np.bincount(machines.machine[machines.source], minlength=len(names))
    for number in np.flatnonzero(n_arcs == 0)[:1].tolist():
        raise MachineError(f"{names[number]} ∘ emissions: the composition accepts nothing")
    return machines


def pack_ended(automaton: TagAutomaton, machines: Columns, names: Sequence[str]) -> Batch:
    """The product automata of acceptors that end with ``</s>``, packed; names for messages."""
    return _Layers(automaton, tagged(automaton, machines, names), names).batch()


class _Arcs(NamedTuple):
    """Arcs of the product.

    From which state, the key of their target, their n-gram, their lattice's arc.
    """

    source: Ints
    key: Ints
    code: Ints
    arc: Ints


class _Layers:
    """Grows the product from level to level.

    The key of a state (q, h) is q · (H + 1) + h of H histories; H itself stands for the end.
    """

    def __init__(self, automaton: TagAutomaton, machines: Columns, names: Sequence[str]) -> None:
        self._tags = automaton
        self._names = names
        self._base = len(automaton.tags) + 1
        self._histories = self._base ** (automaton.order - 1)
        self._machines = machines
        self._machine = machines.machine
        states = machines.states

        # A state's key, q · (H + 1) + h, does not fit into four bytes.
        by_source = np.argsort(machines.source, kind="stable")
        self._target = machines.next[by_source].astype(np.int64)
        self._word = machines.word[by_source].astype(np.int64)
        self._bias = machines.bias[by_source] if len(machines.bias) else None
        self._out = np.bincount(machines.source, minlength=states)
        self._first = np.cumsum(self._out) - self._out
        self._level = levels_of(machines.source, machines.next, machines.start, states)
        self._made = np.zeros(len(names))  # arcs of each machine
        self._waiting: dict[int, list[_Arcs]] = defaultdict(list)

    def batch(self) -> Batch:
        """The packed product."""
        machines = self._machines
        width = self._histories + 1
        # Before the sentence are boundaries alone
        keys = machines.start * width + self._histories - 1
        layers = [keys]
        degrees = [np.zeros(len(keys), dtype=np.int64)]
        parts: list[tuple[Ints32, Ints, Ints32]] = []
        reached = 0

        for level in range(1, int(self._level.max()) + 1):
            self._leave(keys, reached, level)
            reached += len(keys)
            keys, degree, arcs = _merge(self._waiting.pop(level))
            layers.append(keys)
            degrees.append(degree)
            parts.append(arcs)

        state = np.concatenate(layers)
        source, code, arc = (np.concatenate(column) for column in zip(*parts, strict=True))
        into = np.concatenate(degrees)

        lattice_state = state // width
        machine = self._machine[lattice_state]
        number = np.empty(machines.states, dtype=np.int64)  # of states that are one in the product
        number[lattice_state] = np.arange(len(state))
        cell, ngram, word = number_cells(code + 1, self._word[arc])

        return Batch(
            source=source,
            target=np.repeat(np.arange(len(state), dtype=np.int32), into),
            indptr=np.append(0, np.cumsum(into)).astype(np.int32),
            levels=np.append(0, np.cumsum([len(keys) for keys in layers])),
            start=number[machines.start],
            final=number[machines.final],
            machine=machine,
            cell=cell,
            ngram=ngram,
            word=word,
            bias=None if self._bias is None else self._bias[arc],
        )

    def _leave(self, keys: Ints, first: int, level: int) -> None:
        """Put the arcs that leave the states of these keys where they lead."""
        tags = self._tags
        state, history = np.divmod(keys, self._histories + 1)
        out = self._out[state]
        arc = ranges(self._first[state], out)
        word = self._word[arc]
        times = tags.times[word]

        self._made += np.bincount(np.repeat(self._machine[state], out), times, len(self._made))
        for number in np.flatnonzero(self._made > ARC_LIMIT)[:1].tolist():
            raise MachineError(
                f"{self._names[number]} ∘ emissions ∘ tag n-grams: the composition needs more than "
                f"{ARC_LIMIT:,} arcs; shorten the sentence, list its words in the dictionary, "
                "coarsen the tags, lower the order, or choose a smaller neighborhood"
            )

        # (q, h) → (q′, h′) by every arc q → q′ and each tag t of its word: (arcs · tags,)
        tag = tags.tag[ranges(tags.first[word], times)]
        source = np.repeat(np.repeat(np.arange(first, first + len(keys)), out), times)
        code = np.repeat(np.repeat(history, out), times) * self._base + tag
        arc = np.repeat(arc, times)
        target = self._target[arc]
        last = np.where(tag == self._base - 1, self._histories, code % self._histories)
        arcs = _Arcs(source, target * (self._histories + 1) + last, code, arc)

        at = self._level[target]
        if np.all(at == level):
            self._waiting[level].append(arcs)
            return

        for later in np.flatnonzero(np.bincount(at)).tolist():
            chosen = np.flatnonzero(at == later)
            self._waiting[later].append(_Arcs(*(column[chosen] for column in arcs)))


def _merge(parts: list[_Arcs]) -> tuple[Ints, Ints, tuple[Ints32, Ints, Ints32]]:
    """The states of a level by the number of arcs into them, that number, and of the arcs in their
    order source, n-gram and lattice's arc: narrow, for they are kept until all levels are made.
    """
    arcs = parts[0]
    if len(parts) > 1:
        arcs = _Arcs(*map(np.concatenate, zip(*parts, strict=True)))

    keys, by_key = sorted_places(arcs.key)
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    degree = np.append(first[1:], len(keys)) - first

    order = np.argsort(degree, kind="stable")
    arc = by_key[ranges(first[order], degree[order])]
    made = arcs.source[arc].astype(np.int32), arcs.code[arc], arcs.arc[arc].astype(np.int32)
    return keys[first[order]], degree[order], made


def pack(columns: Columns) -> Batch:
    """Pack product automata."""
    level = levels_of(columns.source, columns.next, columns.start, columns.states)
    order = np.argsort(
        level * (len(columns.next) + 1) + np.bincount(columns.next, minlength=columns.states),
        kind="stable",
    )

    number = np.empty_like(order)
    number[order] = np.arange(columns.states)
    source, target = number[columns.source], number[columns.next]
    arcs = np.argsort(target * columns.states + source, kind="stable")
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


def levels_of(source: NDArray[Any], target: NDArray[Any], start: Ints, states: int) -> Ints:
    """The longest path to each state, by taking out states without arcs into them (Kahn)."""
    waiting = np.bincount(target, minlength=states)
    out = np.bincount(source, minlength=states)
    order = np.argsort(source, kind="stable")
    first = np.cumsum(out) - out

    level = np.full(states, -1)
    frontier, depth = start, 0
    while len(frontier):
        level[frontier] = depth
        arcs = order[ranges(first[frontier], out[frontier])]
        reached = target[arcs]
        np.subtract.at(waiting, reached, 1)
        frontier = without_repeats(reached[waiting[reached] == 0])
        depth += 1

    if np.any(level < 0) or np.any(level[source] >= level[target]):
        raise MachineError(
            "a product automaton has a cycle or a state that its start does not reach"
        )
    return level


def number_cells(ngram: Ints, word: Ints) -> tuple[Ints32, Ints, Ints]:
    """The number of each (n-gram, word) pair among the distinct ones, and these.

    They are in the order of their first use, for locality in memory.
    """
    bits = int(word.max()).bit_length()
    code = ngram
    if int(ngram.max()).bit_length() + bits > 63:  # of tens of thousands of tags
        code = np.unique(ngram, return_inverse=True)[1]

    ordered, by_key = sorted_places(code << bits | word)
    begin = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    first_use = by_key[begin]
    is_first = marked(len(word), first_use)

    number = np.cumsum(is_first, dtype=np.int32) - 1
    cell = np.empty(len(word), dtype=np.int32)
    cell[by_key] = np.repeat(number[first_use], np.diff(np.append(begin, len(word))))
    return cell, ngram[is_first], word[is_first]
