"""Trees that need no grammar: left- and right-branching, random, and the best that binary trees can do.

A tree of n words is given by its spans of two words or more, (start, end) from 0, parents
first; a binary tree has n − 1 of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fstce.errors import CorpusError
from fstce.numeric.rules import POSITIVE

Spans = tuple[tuple[int, int], ...]


def left_branching(n: int) -> Spans:
    """The binary tree in which every phrase but the first word grows to the left.

    >>> left_branching(4)
    ((0, 4), (0, 3), (0, 2))
    """
    POSITIVE.check(n=n)
    return tuple((0, end) for end in range(n, 1, -1))


def right_branching(n: int) -> Spans:
    """The binary tree in which every phrase but the last word grows to the right.

    >>> right_branching(4)
    ((0, 4), (1, 4), (2, 4))
    """
    POSITIVE.check(n=n)
    return tuple((start, n) for start in range(n - 1))


def random_binary(n: int, generator: np.random.Generator) -> Spans:
    """A binary tree drawn uniformly from all binary trees of n words.

    A random order of n leaves and n − 1 nodes has exactly one rotation that spells a tree in preorder (the
    cycle lemma), and every tree is as likely as any other.

    ``generator``: used anew for each tree: one generator for a corpus.
    """
    POSITIVE.check(n=n)
    # Open places: a node fills one and opens two, a leaf fills one.
    steps = generator.permutation(np.repeat((1, -1), (n - 1, n)))
    lowest = int(np.argmin(np.cumsum(steps)))
    return _spans_of_preorder(np.roll(steps, -lowest - 1).tolist())


def upper_bound(n: int, spans: Iterable[tuple[int, int] | tuple[str, int, int]]) -> Spans:
    """The binary tree with the best F1 against a tree: all its spans, wide phrases split to the right.

    All binary trees have n − 1 spans, so the best are those that hold every gold span.

    ``n``: the number of words. ``spans``: the gold tree's, none of which cross.
    """
    POSITIVE.check(n=n)
    gold = {(0, n), *((place, place + 1) for place in range(n)), *((span[-2], span[-1]) for span in spans)}
    found: set[tuple[int, int]] = set()
    starts: list[list[int]] = []
    opened: list[tuple[int, int]] = []
    for start, end in sorted(gold, key=lambda span: (span[0], -span[1])):
        while opened and opened[-1][1] <= start:
            found |= _split(starts.pop(), opened.pop()[1])
        if not 0 <= start < end <= n or (opened and opened[-1][1] < end):
            raise CorpusError(f"the span ({start}, {end}) crosses another, or is not within the {n} words")
        if opened:
            starts[-1].append(start)
        opened.append((start, end))
        starts.append([])
    while opened:
        found |= _split(starts.pop(), opened.pop()[1])
    return tuple(sorted(found, key=lambda span: (span[0], -span[1])))


def _split(starts: list[int], end: int) -> set[tuple[int, int]]:
    """A phrase of children that begin at these places, and its tails of two children or more."""
    return {(start, end) for start in starts[:-1]}


def _spans_of_preorder(steps: list[int]) -> Spans:
    """The spans of the nodes (1) over leaves (−1) that come in preorder."""
    starts: list[int] = []
    ends: list[int] = []
    # For each open node its number and how many of its children are still to come.
    opened: list[list[int]] = []
    leaves = 0
    for step in steps:
        if step > 0:
            opened.append([len(starts), 2])
            starts.append(leaves)
            ends.append(0)
            continue
        leaves += 1
        while opened:
            opened[-1][1] -= 1
            if opened[-1][1]:
                break
            ends[opened.pop()[0]] = leaves
    return tuple(zip(starts, ends, strict=True))
