"""A list of words as a minimal automaton: small on disk, there at once, searched within k edits.

The words are numbered in the order of their letters. An arc carries how many words come before
those behind it, so that the sum along a path is the word's number (Lucchesi & Kowaltowski 1993).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.casing import capitalized
from fstce.corpora.words import fault
from fstce.errors import MachineError, ParameterError
from fstce.numeric.types import Ints, Ints32
from fstce.parameters.rules import LARGE, TOTAL, shown

_MIX = np.uint64(0x9E3779B97F4A7C15)
NAMES = ("letters", "first", "label", "target", "skip", "final", "counts")


class WordList(Mapping[str, int]):
    """Words with counts, those of :func:`word_list`; all arrays are saved.

    ``letters``: their code points. ``first`` (states + 1,): the first arc of each state; state 0 is
    the start. ``label``, ``target``, ``skip`` (arcs,): the number of the letter, the state behind
    it, and how many words from the state come before those of the arc. ``final`` (states,): 1 where
    a word ends. ``counts`` (words,), or (1,) where all are the same.
    """

    letters: NDArray[Any]
    first: NDArray[Any]
    label: NDArray[Any]
    target: NDArray[Any]
    skip: NDArray[Any]
    final: NDArray[Any]
    counts: NDArray[Any]

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.arrays: dict[str, NDArray[Any]] = {name: arrays[name] for name in NAMES}
        self.letters, self.first, self.label, self.target, self.skip, self.final, self.counts = (
            self.arrays.values()
        )
        states, arcs, width = len(self.final), len(self.label), len(self.letters)
        if any(array.dtype.kind not in "iu" for array in self.arrays.values()):
            raise ValueError("a list of words is made of whole numbers")
        source = np.repeat(np.arange(states), np.diff(self.first))
        fits = len(self.first) == states + 1 and len(self.target) == len(self.skip) == arcs == len(
            source
        )
        if (
            not fits
            or (arcs and not 0 <= self.target.max() < states)
            or (arcs and self.label.max() >= width)
        ):
            raise ValueError("the arcs and states of the list of words do not fit each other")
        self.width = width
        self._keys = (
            source * width + self.label
        )  # of arcs, which stand in order of states and letters
        self.behind: Ints32 = np.append(-1, self.target).astype(np.int32)
        self.before: Ints = np.append(0, self.skip).astype(np.int64)
        self._ids = {chr(code): i for i, code in enumerate(self.letters.tolist())}
        self._quick = self._keys.data, self.first.data, self.behind.data, self.before.data
        self._size = int(self._words_from(source)[0]) if states else 0
        if len(self.counts) not in (1, self._size) or (self._size and self.counts.min() < 0):
            raise ValueError(f"{len(self.counts)} counts of {self._size} words")
        self.total: int = int(self.counts.sum()) * (self._size if len(self.counts) == 1 else 1)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[str]:
        return iter(self.words(np.arange(len(self))))

    def __getitem__(self, word: str) -> int:
        number = self._number(word)
        if number < 0:
            raise KeyError(word)
        return int(self.counts[number if len(self.counts) > 1 else 0])

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._number(word) >= 0

    def __reduce__(self) -> tuple[type[WordList], tuple[dict[str, NDArray[Any]]]]:
        return WordList, (self.arrays,)

    def counted(self, number: Ints) -> Ints:
        """The counts of words by their numbers."""
        return np.asarray(
            self.counts[number if len(self.counts) > 1 else np.zeros_like(number)], np.int64
        )

    def words(self, number: Ints) -> list[str]:
        """The words of these numbers."""
        left, state = number.astype(np.int64), np.zeros(len(number), np.int64)
        going, columns = np.arange(len(number)), [np.zeros(len(number), np.uint32)]
        while len(going):
            # The last arc of the state that skips no more words than are left.
            arc = (
                np.searchsorted(self._order, state[going] * (len(self) + 1) + left[going], "right")
                - 1
            )
            left[going] -= self.skip[arc]
            state[going] = self.target[arc]
            columns.append(np.zeros(len(number), np.uint32))
            columns[-1][going] = self.letters[self.label[arc]]
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
        """A number for each arc that rises with its state and with what it skips, shape (arcs,)."""
        source = np.repeat(np.arange(len(self.final)), np.diff(self.first))
        return source * (len(self) + 1) + self.skip

    def _number(self, word: str) -> int:
        """The number of a word, −1 for one that is not listed."""
        keys, first, behind, before = self._quick
        state = number = 0
        for letter in word if self._size else "":
            key = state * self.width + self._ids.get(letter, self.width)
            arc = bisect_left(keys, key, first[state], first[state + 1]) + 1
            if arc > first[state + 1] or keys[arc - 1] != key:
                return -1
            number, state = number + before[arc], behind[arc]
        return number if self._size and self.final[state] else -1

    def _words_from(self, source: Ints) -> Ints:
        """How many words there are from each state on; raises ValueError if arcs skip others."""
        last, ends = self.first[1:].astype(np.int64) - 1, np.diff(self.first) == 0
        # Those before the last arc and those behind it, along last arcs by doubling; where none is,
        # one ends.
        many = np.where(ends, 0, np.append(self.skip, 0)[last]).astype(np.int64)
        target = np.where(ends, np.arange(len(ends)), np.append(self.target, 0)[last])
        for _ in range(len(ends).bit_length()):
            many, target = many + many[target], target[target]
        many += 1
        skipped = self.final[source].astype(
            np.int64
        )  # what an arc skips: the word that ends, then by arcs
        later = np.flatnonzero(source[1:] == source[:-1]) + 1
        skipped[later] = self.skip[later - 1] + many[self.target[later - 1]]
        rising = np.all(np.diff(self._keys) > 0) and np.all(
            np.diff(self.letters.astype(np.int64)) > 0
        )
        if not (
            rising
            and np.all(ends[target])
            and np.all(self.final[ends] == 1)
            and np.all(self.final < 2)
        ):
            raise ValueError("the arcs of the list of words are out of order, or lead to no word")
        if np.any(skipped != self.skip):
            raise ValueError("the arcs of the list of words skip other words than there are")
        return many


def check_counts(name: str, counts: Mapping[str, int]) -> None:
    """Raise ParameterError, which says what is counted, for a word or a count that is none."""
    for word, count in counts.items():
        reason = fault(word)
        if reason is not None:
            raise ParameterError(f"the {name}'s {word!r} cannot be a word: {reason}")
        # A lexicon has a hundred thousand counts, and all but some are of the plainest kind.
        if not (type(count) is int and 0 <= count < LARGE) and not TOTAL.admits(count):
            raise ParameterError(
                f"the {name}'s count of {word!r} is {shown(count)}: give {TOTAL.allowed}"
            )


def written_in(words: Mapping[str, int], lower: str) -> str | None:
    """A list's form of a word in small letters: so, with a capital, in capitals, or none."""
    return next(
        (form for form in (lower, capitalized(lower, "first"), lower.upper()) if form in words),
        None,
    )


def word_list(counts: Mapping[str, int]) -> WordList:
    """The words of a mapping from words to counts.

    The trie of the sorted words, its nodes with equal words behind them made one by a hash of these
    words, which is checked.

    Raises
    ------
    MachineError
        Two unlike nodes have one hash, which is as improbable as a fault of the memory.
    """
    words = sorted(word for word in counts if word)
    if not words:
        return WordList({name: np.zeros(int(name in ("first",)), np.int64) for name in NAMES})
    length = np.array([len(word) for word in words], dtype=np.int64)
    codes = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32)
    letters = np.unique(codes)
    ends, label, parent, word, final = _trie(
        np.searchsorted(letters, codes).astype(np.int64), length
    )
    _, first, state = np.unique(
        _hashes(label, parent, final, ends), return_index=True, return_inverse=True
    )
    order = np.argsort(first)  # a state is numbered by its first node, so that the root is state 0
    first, state = first[order], np.argsort(order)[state]
    arcs = (
        np.flatnonzero(np.isin(parent[1:], first)) + 1
    )  # in order of sources and letters, as nodes are
    numbers = np.array([counts[word] for word in words], dtype=np.int64)
    found = WordList(
        {
            "letters": letters,
            "first": np.searchsorted(state[parent[arcs]], np.arange(len(first) + 1)).astype(
                np.int32
            ),
            "label": label[arcs].astype(np.uint16),
            "target": state[arcs].astype(np.int32),
            "skip": (word[arcs] - word[parent[arcs]]).astype(np.int32),
            "final": final[first].astype(np.uint8),
            "counts": numbers[:1] if np.all(numbers == numbers[0]) else numbers,
        }
    )
    if list(found) != words:
        raise MachineError("two unlike ends of words have one hash; leave a word out of the list")
    return found


def _trie(letter: Ints, length: Ints) -> tuple[list[int], Ints, Ints, Ints, Ints]:
    """The trie of sorted words of these lengths, their letters (letters,) end to end, by level.

    Returns where levels end, and of each node, (nodes,), its letter, the node before it, its first
    word, and 1 where that ends there.
    """
    begin, nothing = np.cumsum(length) - length, np.zeros(1, np.int64)
    levels, ends = [(nothing, nothing, nothing, nothing)], [1]
    going, node = np.arange(len(length)), np.zeros(len(length), np.int64)
    for depth in range(int(length.max())):
        going = going[length[going] > depth]
        own, above = letter[begin[going] + depth], node[going]
        new = (np.diff(own, prepend=-1) != 0) | (
            np.diff(above, prepend=-1) != 0
        )  # equal ones are together
        node[going] = ends[-1] + np.cumsum(new) - 1
        levels.append(
            (own[new], above[new], going[new], (length[going[new]] == depth + 1).astype(np.int64))
        )
        ends.append(ends[-1] + int(new.sum()))
    label, parent, word, final = (np.concatenate(column) for column in zip(*levels, strict=True))
    return ends, label, parent, word, final


def _hashes(label: Ints, parent: Ints, final: Ints, ends: Sequence[int]) -> NDArray[np.uint64]:
    """For each node of a trie a hash of the words behind it."""
    found = final.astype(np.uint64) * _MIX + np.uint64(1)
    for a, b in reversed(list(pairwise(ends))):
        own, above = found[a:b], parent[a:b]  # which rise, as the words do
        mixed = (own ^ (own >> np.uint64(29))) * (label[a:b].astype(np.uint64) * 2 + 1) * _MIX
        starts = np.flatnonzero(np.diff(above, prepend=-1))
        found[above[starts]] += np.add.reduceat(mixed ^ (mixed >> np.uint64(31)), starts)
    return found
