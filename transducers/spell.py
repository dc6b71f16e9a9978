"""SPELL≤k: every word may be any word of the vocabulary within k edits of it, itself among them.

``spell1``, ``spell2`` and ``spell3`` insert, delete and substitute letters (Levenshtein 1966); with
``transposition=yes`` two adjacent letters that change places are one edit, too (Damerau 1964). What
a word may become is composed: its letters ∘ edits ∘ the letters of the vocabulary's words. The
lattice has the shape of a sausage, of as many strings as the product of what its words may become.

Source: Smith & Eisner (2005b), §3.3, Eq. 4.
To try: ``fstce neighborhood show "spell1(words.tsv)" "natural language is a delicate thing"``
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from fstce.corpora.vocabulary import Vocabulary
from fstce.machines import Arrays, Symbols, fst_to_arrays, machine_of
from fstce.machines.image import Columns, chain
from fstce.machines.lattice import prefix_tree
from fstce.machines.openfst import pynini
from fstce.machines.symbols import SIGMA_ID, UNKNOWN_ID

EPSILON = 0


def yes_or_no(text: str) -> bool:
    """Whether the text says yes."""
    if text not in ("yes", "no"):
        raise ValueError("say yes or no")
    return text == "yes"


NEEDS = "vocabulary"
SIZES = range(1, 4)
OPTIONS = {"transposition": yes_or_no}


def build(
    symbols: Symbols, vocabulary: Vocabulary, size: int = 1, transposition: bool = False
) -> pynini.Fst:
    """Each word w becomes a word v within k edits of it, or itself: ``(w:v)*``."""
    near = spellings(vocabulary, size, transposition)
    pairs = [
        (word, near_word) for word in symbols for near_word in near.of(word) if near_word in symbols
    ]
    old, new = (symbols.ids(words) for words in zip(*pairs, strict=True))
    return machine_of([0], (0, old, new, 0))


def introduces(
    words: Sequence[str], vocabulary: Vocabulary, size: int = 1, transposition: bool = False
) -> Iterable[str]:
    """The words within k edits of a sentence's words."""
    near = spellings(vocabulary, size, transposition)
    return (near_word for word in words for near_word in near.of(word))


class Spellings:
    """The words of a vocabulary near any word, by composition; what was asked is remembered.

    >>> vocabulary = Vocabulary({"the": 9, "then": 2, "he": 3})
    >>> Spellings(vocabulary, 1).of("thn"), Spellings(vocabulary, 1).of("teh")
    (('thn', 'the', 'then'), ('teh',))
    >>> Spellings(vocabulary, 1, transposition=True).of("teh")
    ('teh', 'the')
    """

    def __init__(self, vocabulary: Vocabulary, size: int, transposition: bool = False) -> None:
        self.words: list[str] = list(vocabulary)
        self.letters: Symbols = Symbols("".join(self.words))
        self.edits: Any = edit_machine(self.letters, size, transposition)
        self.lexicon: Any = lexicon_machine([self.letters.ids([*word]) for word in self.words])
        self._near: dict[str, tuple[str, ...]] = {}

    def of(self, word: str) -> tuple[str, ...]:
        """The word itself, and the words near it in the vocabulary's order."""
        if word not in self._near:
            letters = chain(self.letters.ids([*word], unknown=True))
            edited = pynini.compose(pynini.Fst.from_pywrapfst(letters), self.edits)
            written = fst_to_arrays(pynini.compose(edited, self.lexicon)).olabel
            numbers = np.unique(written[written != EPSILON]) - 1
            self._near[word] = tuple(dict.fromkeys((word, *(self.words[i] for i in numbers))))
        return self._near[word]


@lru_cache(maxsize=8)
def spellings(vocabulary: Vocabulary, size: int, transposition: bool) -> Spellings:
    """Made once for a vocabulary."""
    return Spellings(vocabulary, size, transposition)


def edit_machine(letters: Symbols, size: int, transposition: bool = False) -> pynini.Fst:
    """Copy letters; at most so many edits, each a state on; a new letter is ``<sigma>``: any."""
    letter_ids = np.array([*letters.labels, UNKNOWN_ID])
    arcs: list[Columns] = [(size, letter_ids, letter_ids, size)]
    for done in range(size):
        arcs.append((done, letter_ids, letter_ids, done))
        arcs.append((done, letter_ids, EPSILON, done + 1))
        arcs.append((done, letter_ids, SIGMA_ID, done + 1))
        arcs.append((done, EPSILON, SIGMA_ID, done + 1))

        if transposition:  # a:ε b:b ε:a
            held = size + 1 + 2 * done * len(letter_ids) + np.arange(len(letter_ids))
            passed = held + len(letter_ids)
            a, b = np.indices((len(letter_ids), len(letter_ids))).reshape(2, -1)
            arcs.append((done, letter_ids, EPSILON, held))
            arcs.append((held[a], letter_ids[b], letter_ids[b], passed[a]))
            arcs.append((passed, EPSILON, letter_ids, done + 1))

    return machine_of(range(size + 1), *arcs).arcsort("ilabel")


def lexicon_machine(words: Sequence[np.ndarray]) -> pynini.Fst:
    """From the letters of a word, ``<sigma>`` for any of them, to its number, from 1."""
    tree: Arrays = prefix_tree(words, np.arange(1.0, len(words) + 1))
    ends = np.flatnonzero(np.isfinite(tree.final))
    end = len(tree.final)
    return machine_of(
        [end],
        (tree.source, tree.ilabel, EPSILON, tree.next),
        (tree.source, SIGMA_ID, EPSILON, tree.next),
        (ends, EPSILON, tree.final[ends].astype(np.int32), end),
    ).arcsort("ilabel")
