"""The capitals of a lexicon's words: what differs in them alone, as the language has it.

``ß`` is ``SS`` in capitals, ``σ`` and ``ς`` are ``Σ``. Where dotless ``ı`` is a common letter, as in
Turkish, it is the small ``I``, and ``i`` is that of ``İ``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice

import numpy as np

from fstce.corpora.casing import PARTS, capitalized
from fstce.machines.image import Columns, machine_of
from fstce.machines.openfst import pynini
from fstce.numeric.types import Ints

DOTLESS = 0.1  # of the arcs of ``i``: as many of ``ı`` make a lexicon Turkish or alike


@dataclass(frozen=True)
class Cases:
    """Small letters and capitals of words.

    >>> turkish = Cases("irıst", is_dotted=True)
    >>> turkish.capitalized("iris", "first"), turkish.upper("ıris"), turkish.lower("IRİS")
    ('İris', 'IRİS', 'ıris')
    """

    letters: str
    is_dotted: bool = False

    def upper(self, word: str) -> str:
        """The word in capitals."""
        return (word.replace("i", "İ") if self.is_dotted else word).upper()

    def lower(self, word: str) -> str:
        """The word in small letters."""
        return (word.replace("I", "ı").replace("İ", "i") if self.is_dotted else word).lower()

    def capitalized(self, word: str, how: str) -> str:
        """The word with capitals put on, of which one may begin with ``İ``."""
        cased = capitalized(word, how)
        if not self.is_dotted or cased == word:
            return cased
        return self.upper(word) if how == "upper" else self.upper(word[0]) + word[1:]

    def allows(self, word: str, typed: str) -> bool:
        """Whether a word may be typed so: as it is, or with capitals, first or all."""
        return typed in (word, self.capitalized(word, "first"), self.upper(word))

    @cached_property
    def alike(self) -> pynini.Fst:
        """The transducer from what is typed to what differs in capitals alone, if at all."""
        return self.changed(0)

    def changed(self, least: int) -> pynini.Fst:
        """The transducer that changes the capitals of at least so many letters."""
        levels = range(least + 1)
        arcs: list[Columns] = [(level, self._codes, self._codes, level) for level in levels]
        fresh = count(least + 1)
        for typed, letter in self.changes():
            for level in levels:
                arcs.append(_path(level, typed, letter, min(level + 1, least), fresh))
        return machine_of([least], *arcs).arcsort("ilabel")

    def changes(self) -> Iterator[tuple[str, str]]:
        """Pairs of what is typed for a letter in other capitals, and the letter."""
        by_capital = defaultdict(set)
        for letter in self.letters:
            by_capital[self.upper(letter)].add(letter)
        for capital, letters in by_capital.items():
            small = self.lower(capital)
            spellings = {capital, *letters, *(small if len(small) == 1 else "")}
            for letter in sorted(letters):
                for typed in sorted(spellings - {letter}):
                    yield typed, letter

    def variants(self) -> pynini.Fst:
        """The transducer from words to what they may be typed as, see :meth:`allows`."""
        plain, first, rest, upper = 1, 2, 3, 4
        parts = self._codes[np.isin(self._codes, list(map(ord, PARTS)))]
        small = [ord(letter) for letter in self.letters if letter == self.lower(letter)]
        small_in_part = np.setdiff1d(small, parts)
        arcs: list[Columns] = [
            *((state, self._codes, self._codes, plain) for state in (0, plain)),
            (first, small_in_part, small_in_part, first),
            (first, parts, parts, rest),
            (rest, self._codes, self._codes, rest),
        ]

        fresh = count(upper + 1)
        for source, target in ((0, first), (0, upper), (upper, upper)):
            for letter in self.letters:
                arcs.append(_path(source, letter, self.upper(letter), target, fresh))
        return machine_of([plain, first, rest, upper], *arcs).arcsort("ilabel")

    def acronyms(self, capitals: int) -> pynini.Fst:
        """The acceptor of what has at least so many capitals."""
        is_small = np.array([letter == self.lower(letter) for letter in self.letters], dtype=bool)
        small, capital = self._codes[is_small], self._codes[~is_small]
        levels = range(capitals + 1)
        arcs = [(level, small, small, level) for level in levels]
        arcs += [(level, capital, capital, min(level + 1, capitals)) for level in levels]
        return machine_of([capitals], *arcs).arcsort("ilabel")

    @cached_property
    def _codes(self) -> Ints:
        return np.array(list(map(ord, self.letters)), dtype=np.int64)


def _path(source: int, read: str, written: str, target: int, fresh: Iterator[int]) -> Columns:
    """The arcs from one state to another that read and write so, by fresh states between."""
    size = max(len(read), len(written))
    between = list(islice(fresh, size - 1))
    reads, writes = ([*map(ord, text), *[0] * (size - len(text))] for text in (read, written))
    return [source, *between], reads, writes, [*between, target]
