"""The capitals of a lexicon's words: what differs in them alone, as the language has it.

``ß`` is ``SS`` in capitals, ``σ`` and ``ς`` are ``Σ``. Where dotless ``ı`` is a common letter, as
in Turkish, it is the small ``I``, and ``i`` is that of ``İ``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice, pairwise, product, zip_longest

import numpy as np

from fstce.corpora.casing import PARTS, capitalized
from fstce.machines.image import machine_of
from fstce.machines.openfst import pynini
from fstce.speller.error_model import OTHER

Pair = tuple[str, str]  # read and written
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

    def capital(self, label: int) -> int:
        """The capital of a letter that has one of its own, else the letter; by code points."""
        upper = self.upper(chr(label)) if label < OTHER else ""
        return ord(upper) if len(upper) == 1 and self.lower(upper) == chr(label) else label

    @cached_property
    def alike(self) -> pynini.Fst:
        """The transducer from what is typed to what differs in capitals alone, if at all."""
        return self.changed(0)

    def changed(self, least: int) -> pynini.Fst:
        """The transducer that changes the capitals of at least so many letters."""
        more = [(level, min(level + 1, least)) for level in range(least + 1)]
        moves = [(level, self._copies, level) for level, _ in more]
        return _machine([least], [*moves, *((a, self.changes, b) for a, b in more)])

    @cached_property
    def changes(self) -> list[Pair]:
        """Pairs of what is typed for a letter in other capitals, and the letter."""
        by_capital = defaultdict(set)
        for letter in self.letters:
            by_capital[self.upper(letter)].add(letter)
        pairs = []
        for capital, letters in by_capital.items():
            small = self.lower(capital)
            spellings = {capital, *letters, *(small if len(small) == 1 else "")}
            pairs += [pair for pair in product(spellings, letters) if pair[0] != pair[1]]
        return sorted(pairs)

    @property
    def variants(self) -> pynini.Fst:
        """The transducer from words to these with capitals, first or all, see :meth:`allows`."""
        first, rest, upper = 1, 2, 3
        raised = [(letter, self.upper(letter)) for letter in self.letters]
        small = [pair for pair in self._small if pair[0] not in PARTS]
        parts = [pair for pair in self._small if pair[0] in PARTS]
        starts = [(0, raised, first), (first, small, first), (first, parts, rest)]
        moves = [*starts, (rest, self._copies, rest), (0, raised, upper), (upper, raised, upper)]
        return _machine([first, rest, upper], moves)

    @property
    def acronyms(self) -> pynini.Fst:
        """The acceptor of what has no small letter."""
        large = sorted({*self._copies}.difference(self._small))
        return _machine([1], [(0, large, 1), (1, large, 1)])

    @cached_property
    def _copies(self) -> list[Pair]:
        return [(letter, letter) for letter in self.letters]

    @cached_property
    def _small(self) -> list[Pair]:
        return [pair for pair in self._copies if pair[0] == self.lower(pair[0])]


def _machine(finals: list[int], moves: Iterable[tuple[int, Iterable[Pair], int]]) -> pynini.Fst:
    """The transducer of moves from state to state, each by any of some pairs."""
    fresh = count(1 + max(max(source, target) for source, _, target in moves))
    arcs = []
    for source, pairs, target in moves:
        for pair in pairs:
            labels = list(zip_longest(*(map(ord, text) for text in pair), fillvalue=0))
            states = [source, *islice(fresh, len(labels) - 1), target]
            arcs += [(a, *label, b) for label, (a, b) in zip(labels, pairwise(states), strict=True)]
    sources, inputs, outputs, targets = np.array(arcs, dtype=np.int64).reshape(-1, 4).T
    return machine_of(finals, (sources, inputs, outputs, targets)).arcsort("ilabel")
