"""A step beyond Brooks (2006): learnt brackets filled up to binary trees, against right-branching ones.

The systems find few brackets, with high precision; right-branching trees have a bracket for every
word. What a learnt bracket leaves open is filled by branching to one side, and which side that is
is learnt too: phrases begin with their frequent words (*the*, *of*) where they branch to the
right, and end with them where they branch to the left, so that a text read backwards is filled
the other way.

The systems see no punctuation. Cut at its marks, each stretch between two is a sentence to them: its
ends teach directional preference as sentence ends do, and no bracket goes beyond it (the raw text
has the marks; Spitkovsky et al. 2011 constrain dependencies so).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

Span = tuple[int, int]
Labelled = tuple[str, int, int]

# The stretches between punctuation marks, as brackets.
STRETCH = "stretch"


def stretches(n: int, cuts: Sequence[int]) -> list[Labelled]:
    """The parts of n words between the places where a punctuation mark stands.

    >>> stretches(5, [2])
    [('stretch', 0, 2), ('stretch', 2, 5)]
    """
    ends = [0, *cuts, n]
    return [(STRETCH, start, end) for start, end in pairwise(ends)]


def filled(n: int, spans: Iterable[Labelled], right: bool = True) -> list[Span]:
    """The binary tree over n words that has these brackets and branches to one side within each.

    ``spans``: label, first word, and the word after the last; none crosses another. Returns n − 1 brackets,
    the whole first.

    >>> filled(5, [("C1", 1, 3)])
    [(0, 5), (1, 5), (3, 5), (1, 3)]
    >>> filled(5, [("C1", 1, 3)], right=False)
    [(0, 5), (0, 3), (0, 4), (1, 3)]
    """
    inner = {(start, end) for _, start, end in spans if 1 < end - start < n}
    children: dict[Span, list[Span]] = {}
    open_spans: list[Span] = []
    for span in sorted({*inner, (0, n)}, key=lambda span: (span[0], -span[1])):
        while open_spans and open_spans[-1][1] <= span[0]:
            open_spans.pop()
        if open_spans:
            children[open_spans[-1]].append(span)
        children[span] = []
        open_spans.append(span)
    found: list[Span] = []
    for (start, end), below in children.items():
        begins = _begins(start, end, below)
        between = [(at, end) for at in begins[1:-1]] if right else [(start, at) for at in begins[2:]]
        found += [(start, end), *between] if end - start > 1 else []
    return found


def _begins(start: int, end: int, children: Sequence[Span]) -> list[int]:
    """Where the parts of a phrase begin: its inner phrases, and the words outside of these."""
    inside = {at for first, last in children for at in range(first + 1, last)}
    return [at for at in range(start, end) if at not in inside]


def branches_right(words: Sequence[Sequence[str]], spans: Sequence[Iterable[Labelled]]) -> bool:
    """Whether brackets rather begin with frequent words than end with them; where both are alike, yes."""
    counts = Counter(word for sentence in words for word in sentence)
    edges = [
        (counts[sentence[start]], counts[sentence[end - 1]])
        for sentence, found in zip(words, spans, strict=True)
        for _, start, end in found
        if end - start > 1
    ]
    first, last = np.log(np.array(edges or [(1, 1)])).mean(axis=0)
    return bool(first >= last)
