"""A list of words as a minimal automaton: small on disk, there at once, searched within k edits.

The words are numbered in the order of their letters. An arc knows how many words come before those
behind it, so that the sum along a path is the word's number (Lucchesi & Kowaltowski 1993).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.numeric.types import Ints, Ints32

LONGEST = 1000  # letters of a word; longer ones are left out
_MIX = np.uint64(0x9E3779B97F4A7C15)
NAMES = ("letters", "source", "label", "target", "final", "counts")


class WordList(Mapping[str, int]):
    """Words with counts, those of :func:`word_list`; all arrays are saved.

    ``letters``: their code points. ``source``, ``label``, ``target`` (arcs,): the state that an arc
    leaves, state 0 being the start, the number of its letter, and the state behind it; in order of
    states and letters. ``final`` (states,): 1 where a word ends. ``counts`` (words,), or (1,) where
    all are the same. ``first`` (states + 1,): the first arc of each state. ``behind``, ``before``
    (arcs + 1,), by arcs from 1: the target, and how many words from the state on come before those
    of the arc.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.arrays: dict[str, NDArray[Any]] = {name: arrays[name] for name in NAMES}
        self.letters: NDArray[Any]
        self.label: NDArray[Any]
        self.target: NDArray[Any]
        self.final: NDArray[Any]
        self.letters, source, self.label, self.target, self.final, counts = self.arrays.values()
        self.width: int = len(self.letters)
        self._source = source.astype(np.int64)
        self._keys = self._source * self.width + self.label
        self._check()
        self.first: Ints = np.searchsorted(self._source, np.arange(len(self.final) + 1))

        words_before, self._size = self._numbers()
        self.counts: Ints = np.broadcast_to(counts.astype(np.int64), self._size)
        self.total: int = int(self.counts.sum())
        self.behind: Ints32 = np.append(-1, self.target).astype(np.int32)
        self.before: Ints = np.append(0, words_before)
        self._ids = {chr(code): i for i, code in enumerate(self.letters.tolist())}
        self._quick = self._keys.data, self.first.data, self.behind.data, self.before.data

    def _check(self) -> None:
        """Raise ValueError unless the arrays fit each other."""
        if any(array.dtype.kind not in "iu" for array in self.arrays.values()):
            raise ValueError("a list of words is made of whole numbers")
        n_states = len(self.final)
        bounds = (
            (self._source, n_states),
            (self.label, self.width),
            (self.target, n_states),
            (self.final, 2),
            (self.arrays["counts"], np.inf),
        )
        if (
            len(self._keys) != len(self.target)
            or any(np.any((array < 0) | (array >= end)) for array, end in bounds)
            or any(np.any(np.diff(row.astype(np.int64)) <= 0) for row in (self.letters, self._keys))
        ):
            raise ValueError("the arcs and states of the list of words do not fit each other")

    def _numbers(self) -> tuple[Ints, int]:
        """How many words of its state come before those of each arc, and how many words there are.

        Raises ValueError where words do not end.
        """
        n_words = self.final.astype(np.int64)  # from each state on, of so many letters at most
        for _ in range(LONGEST + 1):
            through = np.append(0, np.cumsum(n_words[self.target]))
            longer = self.final + np.diff(through[self.first])
            if np.array_equal(longer, n_words):
                before = through[:-1] - through[self.first[self._source]]
                return before + self.final[self._source], int(n_words[:1].sum())
            n_words = longer
        raise ValueError(f"the list has words of more than {LONGEST:,} letters")

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[str]:
        return iter(self.words(np.arange(len(self))))

    def __getitem__(self, word: str) -> int:
        number = self._number(word)
        if number < 0:
            raise KeyError(word)
        return int(self.counts[number])

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._number(word) >= 0

    def __reduce__(self) -> tuple[type[WordList], tuple[dict[str, NDArray[Any]]]]:
        return WordList, (self.arrays,)

    def words(self, number: Ints) -> list[str]:
        """The words of these numbers."""
        left = number.astype(np.int64)
        state = np.zeros(len(number), np.int64)
        going = np.arange(len(number))
        columns = [np.zeros(len(number), np.uint32)]

        while len(going):
            # The last arc of the state before whose words no more come than are left.
            wanted = state[going] * (len(self) + 1) + left[going]
            arc = np.searchsorted(self._order, wanted, "right")
            left[going] -= self.before[arc]
            state[going] = self.behind[arc]
            column = np.zeros(len(number), np.uint32)
            column[going] = self.letters[self.label[arc - 1]]
            columns.append(column)
            # A word that ends in a state is the first of those behind it.
            going = going[(left[going] > 0) | (self.final[state[going]] == 0)]

        codes = np.ascontiguousarray(np.stack(columns[1:] or columns, 1))
        return codes.view(f"=U{codes.shape[1]}")[:, 0].tolist()

    def arcs_of(self, state: Ints, label: Ints) -> Ints:
        """The arc of each state and letter, from 1; 0 where there is none."""
        keys = state * self.width + label
        at = np.searchsorted(self._keys, keys)
        return np.where(np.append(self._keys, -1)[at] == keys, at + 1, 0)

    @cached_property
    def _order(self) -> Ints:
        """A number for each arc that rises with its state and the words before it, (arcs,)."""
        return self._source * (len(self) + 1) + self.before[1:]

    def _number(self, word: str) -> int:
        """The number of a word, −1 for one that is not listed."""
        keys, first, behind, before = self._quick
        state = number = 0
        for letter in word if self._size else "":
            key = state * self.width + self._ids.get(letter, self.width)
            end = first[state + 1]
            arc = bisect_left(keys, key, first[state], end) + 1
            if arc > end or keys[arc - 1] != key:
                return -1
            number += before[arc]
            state = behind[arc]
        return number if self._size and self.final[state] else -1


def word_list(counts: Mapping[str, int]) -> WordList:
    """The words of a mapping from words to counts.

    The trie of the sorted words, its nodes with equal words behind them made one by a hash of these
    words, which is checked.

    Raises
    ------
    MachineError
        Two unlike nodes have one hash, which is as improbable as a fault of the memory.
    """
    words = sorted(word for word in counts if 0 < len(word) <= LONGEST)
    if not words:
        return WordList(dict.fromkeys(NAMES, np.zeros(0, np.int64)))

    length = np.array([len(word) for word in words], dtype=np.int64)
    codes = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32)
    letters = np.unique(codes)
    ends, label, parent, final = _trie(np.searchsorted(letters, codes), length)

    hashes = _hashes(label, parent, final, ends)
    _, first, state = np.unique(hashes, return_index=True, return_inverse=True)
    order = np.argsort(first)  # a state is numbered by its first node, so that the root is state 0
    first = first[order]
    state = np.argsort(order)[state]
    # In order of sources and letters, as nodes are.
    arcs = np.flatnonzero(np.isin(parent[1:], first)) + 1

    numbers = np.array([counts[word] for word in words], dtype=np.int64)
    minimal = WordList(
        {
            "letters": letters,
            "source": state[parent[arcs]].astype(np.int32),
            "label": label[arcs].astype(np.uint16),
            "target": state[arcs].astype(np.int32),
            "final": final[first].astype(np.uint8),
            "counts": numbers[:1] if np.all(numbers == numbers[0]) else numbers,
        }
    )
    if list(minimal) != words:
        raise MachineError("two unlike ends of words have one hash; leave a word out of the list")
    return minimal


def _trie(letter: Ints, length: Ints) -> tuple[list[int], Ints, Ints, Ints]:
    """The trie of sorted words of these lengths, their letters (letters,) end to end, by level.

    Returns where levels end, and of each node, (nodes,), its letter, the node before it, and 1
    where a word ends.
    """
    begin = np.cumsum(length) - length
    node = np.zeros(len(length), np.int64)  # that each word has come to
    going = np.arange(len(length))
    nothing = np.zeros(1, np.int64)
    levels = [(nothing, nothing, nothing)]
    ends = [1]

    for depth in range(int(length.max())):
        going = going[length[going] > depth]
        label = letter[begin[going] + depth]
        above = node[going]
        # Equal ones are together.
        new = (np.diff(label, prepend=-1) != 0) | (np.diff(above, prepend=-1) != 0)
        node[going] = ends[-1] + np.cumsum(new) - 1
        is_end = length[going[new]] == depth + 1
        levels.append((label[new], above[new], is_end.astype(np.int64)))
        ends.append(ends[-1] + int(new.sum()))

    label, above, final = map(np.concatenate, zip(*levels, strict=True))
    return ends, label, above, final


def _hashes(label: Ints, parent: Ints, final: Ints, ends: Sequence[int]) -> NDArray[np.uint64]:
    """For each node of a trie a hash of the words behind it."""
    hashes = final.astype(np.uint64) * _MIX + np.uint64(1)
    for start, end in reversed(list(pairwise(ends))):
        behind = hashes[start:end]
        above = parent[start:end]  # which rise, as the words do
        odd = label[start:end].astype(np.uint64) * 2 + 1
        mixed = (behind ^ (behind >> np.uint64(29))) * odd * _MIX
        starts = np.flatnonzero(np.diff(above, prepend=-1))
        hashes[above[starts]] += np.add.reduceat(mixed ^ (mixed >> np.uint64(31)), starts)
    return hashes
