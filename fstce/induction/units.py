"""Units and their numbers: sentence boundaries, words by frequency, then the classes as they are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from fstce.numeric.types import Ints32

START, END, UNKNOWN = 0, 1, 2
BOUNDARIES = ("<s>", "</s>", "<unk>")
FIRST_WORD = len(BOUNDARIES)


class Units:
    """The words of a text as numbers, the most frequent first, and the classes behind them.

    ``fold_case``: whether to look words up in lower case.
    """

    def __init__(self, words: Iterable[str], fold_case: bool = True) -> None:
        self.words = tuple(words)
        self.fold_case = fold_case
        self._number = {word: number for number, word in enumerate(self.words, FIRST_WORD)}

    @classmethod
    def of_text(cls, sentences: Iterable[Sequence[str]], fold_case: bool = True) -> Units:
        """The words of a text; equally frequent ones in the order of their spelling."""
        counts = Counter(_folded((word for sentence in sentences for word in sentence), fold_case))
        return cls(sorted(counts, key=lambda word: (-counts[word], word)), fold_case)

    @property
    def first_class(self) -> int:
        """The number of class C1."""
        return FIRST_WORD + len(self.words)

    def numbers(self, words: Iterable[str]) -> Ints32:
        """The number of each word, :data:`UNKNOWN` for one outside the text."""
        get = self._number.get
        return np.array([get(word, UNKNOWN) for word in _folded(words, self.fold_case)], dtype=np.int32)

    def name(self, unit: int) -> str:
        """A boundary, a word, or a class as ``C1``, ``C2``, …"""
        if unit < FIRST_WORD:
            return BOUNDARIES[unit]
        return self.words[unit - FIRST_WORD] if unit < self.first_class else f"C{unit - self.first_class + 1}"


def _folded(words: Iterable[str], fold_case: bool) -> Iterator[str]:
    return (word.lower() for word in words) if fold_case else iter(words)
