"""Product automata of many lattices at once, level by level: lattice · </s> ∘ emissions ∘ tag n-grams.

A state of the product is a state q of a lattice and the n − 1 tags before it, h; an arc is an arc
q → q′ of the lattice with one of its word's tags t, and leads from (q, h) to (q′, h′), h′ the last n − 1
tags of h t. States come level by level, those of all lattices together, and nothing is built that is not
reached. What OpenFst composes (:class:`~fstce.wfsa.intersect.TagAutomaton`) has the same states and arcs,
a sentence at a time; it serves where a word has no tag or the product is too large, and names the sentence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.machines.lattice import Lattice
from fstce.machines.symbols import END_ID, Symbols
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Ints, Rows
from fstce.wfsa import intersect
from fstce.wfsa.batch import Batch, Columns, levels_of, number_cells, pack
from fstce.wfsa.intersect import TagAutomaton

ARC_LIMIT = 20_000_000


def pack_products(automaton: TagAutomaton, lattices: Iterable[Lattice]) -> Batch:
    """The product automata of lattices, packed."""
    rows = list(lattices)
    batch = _packed(automaton, _join(rows)) if rows else None
    return pack(automaton.products(rows)) if batch is None else batch


def pack_ended(automaton: TagAutomaton, machines: Columns) -> Batch | None:
    """The same of acceptors that end with ``</s>``, their arcs weighted; None where only OpenFst can."""
    order = np.argsort(machines.source, kind="stable")
    # A state's key, q · (H + 1) + h, does not fit into four bytes.
    source, target, word = (
        column[order].astype(np.int64) for column in (machines.source, machines.next, machines.word)
    )
    ends = machines.start, machines.final, machines.machine.astype(np.int64)
    return _packed(automaton, _Joined(*ends, source, target, word, machines.bias[order]))


def _packed(automaton: TagAutomaton, joined: _Joined) -> Batch | None:
    """The product; None where a word has no tag, or it would be too large."""
    times = automaton.tags.times
    known = int(joined.word.max()) < len(times) and bool(times[joined.word].all())
    return _Layers(automaton, joined).batch() if known else None


def observed(sentences: Rows, symbols: Symbols, numbers: Sequence[int]) -> Iterator[Lattice]:
    """The sentences themselves as lattices; `numbers` name them in messages."""
    for sentence, number in zip(sentences, numbers, strict=True):
        yield Lattice.of_sentence(sentence, symbols, f"sentence {number}")


def sentence_batch(sentences: Rows, symbols: Symbols, automaton: TagAutomaton, first: int = 1) -> Batch:
    """The product automata of the sentences themselves; `first` numbers the first, for messages."""
    return pack_products(automaton, observed(sentences, symbols, range(first, first + len(sentences))))


class _Joined(NamedTuple):
    """Lattices end to end, each with ``</s>`` after every sentence; arcs in order of source."""

    start: NDArray[Any]
    end: NDArray[Any]
    machine: NDArray[Any]
    source: NDArray[Any]
    target: NDArray[Any]
    word: NDArray[Any]
    bias: NDArray[Any] | None


def _join(rows: Sequence[Lattice]) -> _Joined:
    arrays = [row.arrays for row in rows]
    size = np.array([len(one.final) + 1 for one in arrays])  # with the end
    arcs = [len(one.source) for one in arrays]
    offset = np.cumsum(size) - size
    machine = np.repeat(np.arange(len(rows)), size)
    shift = np.repeat(offset, arcs)
    final = np.concatenate([np.append(one.final, np.inf) for one in arrays])
    ends = np.flatnonzero(np.isfinite(final))
    end = offset + size - 1
    source = np.concatenate([*(one.source for one in arrays), ends])
    source[: len(shift)] += shift
    target = np.concatenate([*(one.next for one in arrays), end[machine[ends]]])
    target[: len(shift)] += shift
    word = np.concatenate([*(one.ilabel for one in arrays), np.full(len(ends), END_ID)])
    order = np.argsort(source, kind="stable")
    bias = None
    if any(row.arc_type != "standard" for row in rows):
        bias = -np.concatenate([*(one.weight for one in arrays), final[ends]], dtype=np.float64)[order]
    start = offset + np.array([one.start for one in arrays])
    return _Joined(start, end, machine, source[order], target[order], word[order], bias)


class _Arcs(NamedTuple):
    """Arcs of the product: from which state, the key of their target, their n-gram, their lattice's arc."""

    source: Ints
    key: Ints
    code: Ints
    arc: Ints


class _Layers:
    """Grows the product from level to level.

    The key of a state (q, h) is q · (H + 1) + h of H histories; H itself stands for the end.
    """

    def __init__(self, automaton: TagAutomaton, joined: _Joined) -> None:
        self._tags, self._joined = automaton.tags, joined
        self._base = automaton.n_tags + 1
        self._histories = self._base ** (automaton.order - 1)
        states = len(joined.machine)
        self._out = np.bincount(joined.source, minlength=states)
        self._first = np.cumsum(self._out) - self._out
        self._level = levels_of(joined.source, joined.target, joined.start, states)
        self._built = 0
        self._waiting: dict[int, list[_Arcs]] = defaultdict(list)

    def batch(self) -> Batch | None:
        """The packed product; None where it would be too large."""
        joined, width = self._joined, self._histories + 1
        keys = joined.start * width + self._histories - 1  # before the sentence are boundaries alone
        degree, layers, parts, reached = np.zeros(len(keys), dtype=np.int64), [keys], [], 0
        degrees = [degree]
        for level in range(1, int(self._level.max()) + 1):
            if not self._leave(keys, reached, level):
                return None
            reached += len(keys)
            keys, degree, arcs = _merge(self._waiting.pop(level))
            layers.append(keys)
            degrees.append(degree)
            parts.append(arcs)
        state = np.concatenate(layers)
        source, _, code, arc = (np.concatenate(column) for column in zip(*parts, strict=True))
        into = np.concatenate(degrees)
        lattice_state = state // width
        if np.bincount(joined.machine[lattice_state]).max() > intersect.PRODUCT_LIMIT:
            return None
        number = np.empty(len(joined.machine), dtype=np.int64)  # of states that are one in the product
        number[lattice_state] = np.arange(len(state))
        cell, ngram, word = number_cells(code + 1, joined.word[arc].astype(np.int64))
        return Batch(
            source=source.astype(np.int32),
            target=np.repeat(np.arange(len(state), dtype=np.int32), into),
            indptr=np.append(0, np.cumsum(into)).astype(np.int32),
            levels=np.append(0, np.cumsum([len(keys) for keys in layers])),
            start=number[joined.start],
            final=number[joined.end],
            machine=joined.machine[lattice_state].astype(np.int32),
            cell=cell,
            ngram=ngram,
            word=word,
            bias=None if joined.bias is None else joined.bias[arc],
        )

    def _leave(self, keys: Ints, first: int, level: int) -> bool:
        """Put the arcs that leave the states of these keys where they lead; False where they are too many."""
        joined, tags = self._joined, self._tags
        state, history = np.divmod(keys, self._histories + 1)
        out = self._out[state]
        arc = ranges(self._first[state], out)
        times = tags.times[joined.word[arc]]
        self._built += int(times.sum())
        if self._built > ARC_LIMIT:
            return False
        # (q, h) → (q′, h′) by every arc q → q′ and each tag t of its word: (arcs · tags,)
        tag = tags.tag[ranges(tags.first[joined.word[arc]], times)]
        source = np.repeat(np.repeat(np.arange(first, first + len(keys)), out), times)
        code = np.repeat(np.repeat(history, out), times) * self._base + tag
        arc = np.repeat(arc, times)
        target = joined.target[arc]
        last = np.where(tag == self._base - 1, self._histories, code % self._histories)
        arcs = _Arcs(source, target * (self._histories + 1) + last, code, arc)
        at = self._level[target]
        if np.all(at == level):
            self._waiting[level].append(arcs)
            return True
        for later in np.flatnonzero(np.bincount(at)).tolist():
            chosen = np.flatnonzero(at == later)
            self._waiting[later].append(_Arcs(*(column[chosen] for column in arcs)))
        return True


def _merge(parts: list[_Arcs]) -> tuple[Ints, Ints, _Arcs]:
    """The states of a level by the number of arcs into them, that number, and the arcs in their order."""
    arcs = parts[0] if len(parts) == 1 else _Arcs(*(np.concatenate(c) for c in zip(*parts, strict=True)))
    by_key = np.argsort(arcs.key, kind="stable")
    keys = arcs.key[by_key]
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    degree = np.diff(np.append(first, len(keys)))
    order = np.argsort(degree, kind="stable")
    arc = by_key[ranges(first[order], degree[order])]
    return keys[first[order]], degree[order], _Arcs(*(column[arc] for column in arcs))
