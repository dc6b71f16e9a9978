"""Brackets over the words of sentences, nested, and the trees that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fstce.corpora.trees import Tree
from fstce.induction.text import Text
from fstce.numeric.types import Bools, Ints32

WORD = "W"


@dataclass(frozen=True)
class Bracketing:
    """The constituents of some sentences; outer before inner, sentence after sentence.

    ``sentence``, ``start``, ``end`` (brackets,): the sentence (from 0), and the words from `start` to before
    `end`. ``which`` (brackets,): each bracket's place in `label`.
    """

    sentence: Ints32
    start: Ints32
    end: Ints32
    label: tuple[str, ...]
    which: Ints32

    @classmethod
    def of_positions(
        cls, text: Text, start: Ints32, end: Ints32, label: Sequence[str], which: Ints32
    ) -> Bracketing:
        """From positions in a text, in the order in which they were made: inner before outer."""
        order = np.lexsort((-np.arange(len(start)), -end, start))
        start, end = start[order], end[order]
        sentence = np.searchsorted(text.starts, start, side="right").astype(np.int32) - np.int32(1)
        first = text.starts[sentence] + np.int32(1)
        return cls(sentence, start - first, end - first, tuple(label), which[order])

    def __len__(self) -> int:
        """How many there are."""
        return len(self.sentence)

    def where(self, chosen: Bools) -> Bracketing:
        """The chosen ones."""
        spans = (self.sentence[chosen], self.start[chosen], self.end[chosen])
        return Bracketing(*spans, self.label, self.which[chosen])

    def distinct(self) -> Bracketing:
        """One bracket a span, with the first class that it was given; a later one only renames it."""
        spans = np.stack((self.sentence, self.start, self.end))
        repeated = np.zeros(len(self), dtype=bool)
        repeated[:-1] = (spans[:, 1:] == spans[:, :-1]).all(axis=0)
        return self.where(~repeated)

    def longer(self) -> Bracketing:
        """Those of two words or more."""
        return self.where(self.end - self.start > 1)

    def trees(self, sentences: Sequence[Sequence[str]], top: str) -> list[Tree]:
        """A tree a sentence: the brackets under a root with the label `top`, words under ``W``."""
        bounds = np.searchsorted(self.sentence, np.arange(len(sentences) + 1))
        start, end = self.start.tolist(), self.end.tolist()
        names = [self.label[which] for which in self.which.tolist()]
        return [
            _tree(words, list(zip(start[a:b], end[a:b], names[a:b], strict=True)), top)
            for words, a, b in zip(sentences, bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
        ]


def _tree(words: Sequence[str], brackets: list[tuple[int, int, str]], top: str) -> Tree:
    """The tree of one sentence; without recursion, so brackets may nest as deep as they like."""
    opened: list[tuple[str, int, list[Tree | str]]] = [(top, len(words), [])]
    remaining = brackets[::-1]
    for position, word in enumerate(words):
        while remaining and remaining[-1][0] == position:
            _, end, label = remaining.pop()
            opened.append((label, end, []))
        opened[-1][2].append(Tree(WORD, (word,)))
        while len(opened) > 1 and opened[-1][1] == position + 1:
            label, _, children = opened.pop()
            opened[-1][2].append(Tree(label, tuple(children)))
    return Tree(top, tuple(opened[0][2]))
