"""The least cost of at most k edits between many pairs of words at once.

The recurrence runs over the typed word's characters; for each, one array operation over
all pairs, over the band |i − j| ≤ k, and over the number e of edits made. It is the best
path of typed ∘ edits ∘ meant (:mod:`fstce.correction.mistakes.edits`), computed without machines.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.lookup import Spelt
from fstce.numeric.types import Floats

CHUNK = 65_536


class EditCosts:
    """Costs under one channel.

    ``damerau``: whether the transposition of two adjacent characters is one edit.

    >>> from fstce.correction.mistakes.lookup import spelt
    >>> EditCosts(1, True, Channel())(spelt(["teh", "teh", "teh"]), spelt(["the", "tea", "a"])).tolist()
    [1.0, 1.0, inf]
    """

    def __init__(self, k: int, damerau: bool, channel: Channel) -> None:
        self.k, self.damerau, self.channel = k, damerau, channel
        named = sorted({c for pair in channel.confusions for symbol in pair for c in symbol})
        self._codes = np.array(list(map(ord, named)), dtype=np.uint32)
        # Number 1 is any character without confusions of its own: two of them are unequal here.
        self._matrix = channel.matrix(["\0", *named])
        self._matrix[1, 1] = channel.substitution
        self._swaps = channel.swaps(["\0", *named])

    def __call__(self, typed: Spelt, meant: Spelt) -> Floats:
        """The cost of each pair in nats, shape (pairs,); infinite where k edits do not suffice."""
        count = len(typed.length)
        rows = [np.arange(i, min(i + CHUNK, count)) for i in range(0, count, CHUNK)]
        return np.concatenate([np.zeros(0), *(self._costs(typed.take(r), meant.take(r)) for r in rows)])

    def _costs(self, typed: Spelt, meant: Spelt) -> Floats:
        """D[e, o, pair]: the least cost of e edits between i characters and j = i + o − k."""
        k, width, pairs = self.k, 2 * self.k + 1, len(typed.length)
        longest = typed.codes.shape[1]
        read = np.ascontiguousarray(typed.codes.T)
        write = np.zeros((max(longest, meant.codes.shape[1]) + width + 1, pairs), np.uint32)
        write[k + 1 : k + 1 + meant.codes.shape[1]] = meant.codes.T  # character j is row j + k
        reading, writing = self._numbers(read), self._numbers(write)
        older = now = np.full((k + 1, width, pairs), np.inf)
        now[0, k] = 0.0
        self._write(now, writing[:width])
        cost = np.full(pairs, np.inf)
        difference = meant.length - typed.length
        for i in range(1, longest + 1):
            after = self._read(now, read[i - 1], reading[i - 1], write[i : i + width], writing[i : i + width])
            if self.damerau and i > 1:
                self._swap(after, older, read[i - 2 : i], reading[i - 2 : i], write[i - 1 : i + width])
            self._write(after, writing[i : i + width])
            older, now = now, after
            done = np.flatnonzero((typed.length == i) & (np.abs(difference) <= k))
            cost[done] = now[:, difference[done] + k, done].min(axis=0)
        return cost

    def _read(
        self,
        now: Floats,
        read: NDArray[np.uint32],
        reading: NDArray[np.intp],
        write: NDArray[np.uint32],
        writing: NDArray[np.intp],
    ) -> Floats:
        """One typed character: copied, substituted, or one too many."""
        same = write == read
        after = np.where(same, now, np.inf)
        changed = now[:-1] + np.where(same, np.inf, self._matrix[writing, reading])
        np.minimum(after[1:], changed, out=after[1:])
        extra = now[:-1, 1:] + self._matrix[0, reading]
        np.minimum(after[1:, :-1], extra, out=after[1:, :-1])
        return after

    def _swap(
        self,
        after: Floats,
        older: Floats,
        read: NDArray[np.uint32],
        reading: NDArray[np.intp],
        write: NDArray[np.uint32],
    ) -> None:
        """Two typed characters, meant in the other order."""
        swapped = (write[:-1] == read[1]) & (write[1:] == read[0]) & (read[0] != read[1])
        cost = np.where(swapped, self._swaps[reading[1] - 1, reading[0] - 1], np.inf)
        np.minimum(after[1:], older[:-1] + cost, out=after[1:])

    def _write(self, now: Floats, writing: NDArray[np.intp]) -> None:
        """Characters that were meant and not typed; each edit enables the next."""
        missing = self._matrix[writing[1:], 0]
        for e in range(1, self.k + 1):
            np.minimum(now[e, 1:], now[e - 1, :-1] + missing, out=now[e, 1:])

    def _numbers(self, codes: NDArray[np.uint32]) -> NDArray[np.intp]:
        """The row of each character in the matrix of costs."""
        if not len(self._codes):
            return np.ones(codes.shape, np.intp)
        place = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        return np.where(self._codes[place] == codes, place + 2, 1)
