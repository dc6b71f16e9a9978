"""A deletion dictionary: the words that may lie within k edits, found without trying them all.

Two words within k edits become equal by deleting at most k characters of each (Garbe
2012, symmetric delete). Every word is entered under the hashes of all its deletions, and
a query looks up the hashes of its own: a superset, which the distance then sifts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.numeric.ranges import ranges, without_repeats
from fstce.numeric.types import Ints

_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no power of it vanishes modulo 2^64
CHUNK = 4_000_000


class Spelt(NamedTuple):
    """Words as code points.

    ``codes`` (words, longest): zero after a word's end. ``length`` is (words,).
    """

    codes: NDArray[np.uint32]
    length: Ints

    def take(self, rows: Ints) -> Spelt:
        """Some of the words, perhaps several times."""
        length = self.length[rows]
        return Spelt(self.codes[rows, : length.max(initial=0)], length)


def spelt(words: Sequence[str]) -> Spelt:
    """Words without NUL as code points.

    >>> spelt(["ab", "c"]).codes.tolist()
    [[97, 98], [99, 0]]
    """
    length = np.array([len(word) for word in words], dtype=np.int64)
    longest = max(int(length.max(initial=0)), 1)
    codes = np.array(words, dtype=f"=U{longest}").view(np.uint32).reshape(len(words), longest)
    return Spelt(codes, length)


class DeletionIndex:
    """The words of a vocabulary by what is left of them after at most k deletions.

    >>> index = DeletionIndex(spelt(["cat", "car", "dog"]), 1)
    >>> [pair.tolist() for pair in index.pairs(spelt(["cart", "do"]))]
    [[0, 0, 1], [0, 1, 2]]
    """

    def __init__(self, words: Spelt, k: int) -> None:
        self.k = k
        self._words = len(words.length)
        # A word's number takes the place of the last bits of a hash: one array is sorted by values, which
        # takes a tenth of the time of sorting places; that more hashes are equal then is sifted, too.
        self._last = np.uint64((1 << (self._words - 1).bit_length()) - 1 if self._words > 1 else 1)
        keys, owners = _deletions(words, k)
        self._entries = np.sort(self._firsts(keys) | owners.astype(np.uint64))

    def pairs(self, queries: Spelt) -> tuple[Ints, Ints]:
        """All (query, word) that share a deletion, in order: those within k edits, and some more."""
        keys, asking = _deletions(queries, self.k)
        first = self._firsts(keys)
        low = np.searchsorted(self._entries, first)
        many = np.searchsorted(self._entries, first | self._last, "right") - low
        found = (self._entries[ranges(low, many)] & self._last).astype(np.int64)
        both = without_repeats(np.repeat(asking, many) * max(self._words, 1) + found)
        query, word = np.divmod(both, max(self._words, 1))
        return query, word

    def _firsts(self, keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The hashes without their last bits."""
        return keys & ~self._last


def _deletions(words: Spelt, k: int) -> tuple[NDArray[np.uint64], Ints]:
    """The hash of every deletion, and whose it is; words of one length at a time."""
    keys, owners = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    for length in np.unique(words.length).tolist():
        rows = np.flatnonzero(words.length == length)
        for kept in (_kept(length, deleted) for deleted in range(min(k, length) + 1)):
            for some in _chunks(rows, kept.size):
                keys.append(_hashes(words.codes[some], kept).ravel())
                owners.append(np.repeat(some, len(kept)))
    return np.concatenate(keys), np.concatenate(owners)


def _hashes(codes: NDArray[np.uint32], kept: Ints) -> NDArray[np.uint64]:
    """Σ code · base^place modulo 2^64 for every word and every way to delete."""
    powers = _BASE ** np.arange(1, kept.shape[1] + 1, dtype=np.uint64)
    return (codes[:, kept] * powers).sum(axis=-1, dtype=np.uint64)


@lru_cache(maxsize=512)
def _kept(length: int, deleted: int) -> Ints:
    """All ways to keep characters, shape (ways, length − deleted)."""
    ways = list(combinations(range(length), length - deleted))
    return np.array(ways, dtype=np.int64).reshape(len(ways), length - deleted)


def _chunks(rows: Ints, size: int) -> Iterator[Ints]:
    step = max(CHUNK // max(size, 1), 1)
    return (rows[i : i + step] for i in range(0, len(rows), step))
