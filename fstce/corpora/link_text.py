"""Dependency trees drawn as text, a word a line; and how links are stacked, in text and picture.

Links stand in levels, short ones nearest the words, each beyond what it spans; in a
projective tree nothing crosses. Heads need not be a tree: several roots, cycles and
crossing links are drawn as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import combining, east_asian_width

import numpy as np

from fstce.errors import CorpusError


class Link(NamedTuple):
    """A head (0 is the root) and its child, numbered from 1, and how far out their link runs."""

    head: int
    child: int
    level: int


def tree_text(words: Sequence[str], heads: Sequence[int], tags: Sequence[str] | None = None) -> str:
    """A dependency tree for the terminal: a word a line, links on the left.

    A line runs from each head to its children. The arrow is at the child's end; the root's comes
    from the left edge; ``┼`` is where two links cross.

    ``heads``: the head of each word, from 1; 0 is the root.

    >>> print(tree_text(["The", "old", "dog", "barks"], [3, 3, 4, 0], ["DT", "JJ", "NN", "VBZ"]))
      ┌►──── 1 The   DT
      │   ┌► 2 old   JJ
      └─┬►┴─ 3 dog   NN
    ─►──┴─── 4 barks VBZ
    """
    check_columns(words, heads, tags=tags)
    number, word = len(str(len(words))), max(map(columns, words))
    rows = zip(_art(heads), words, [""] * len(words) if tags is None else tags, strict=True)
    return "\n".join(
        f"{art} {n:>{number}} {text}{' ' * (word - columns(text))} {tag}".rstrip()
        for n, (art, text, tag) in enumerate(rows, 1)
    )


def stacked(heads: Sequence[int], touching: bool) -> list[Link]:
    """The links, short ones first, each at a level above all that span some of the same stretch.

    Where links must not even touch (`touching`), those that end at the same word differ in
    level too. The root's is at level 0.

    >>> stacked([2, 3, 0], touching=True)
    [Link(head=2, child=1, level=1), Link(head=3, child=2, level=2), Link(head=0, child=3, level=0)]
    """
    height = np.zeros(len(heads) + 1, dtype=np.int64)
    taken: list[set[int]] = [set() for _ in range(len(heads) + 1)]
    pairs = [
        (abs(head - child), min(head, child), head, child) for child, head in enumerate(heads, 1) if head
    ]
    links = []
    for _, left, head, child in sorted(pairs):
        spanned = slice(left, max(head, child))
        level = int(height[spanned].max()) + 1
        while touching and level in taken[head] | taken[child]:
            level += 1
        height[spanned] = level
        taken[head].add(level)
        taken[child].add(level)
        links.append(Link(head, child, level))
    return links + [Link(0, child, 0) for child, head in enumerate(heads, 1) if head == 0]


def check_columns(words: Sequence[str], heads: Sequence[int], **others: Sequence[object] | None) -> None:
    """Raise CorpusError unless there is one of everything for each word, and heads are words or 0."""
    if len(words) == 0:
        raise CorpusError("a sentence without words cannot be drawn")
    for name, column in {"heads": heads, **others}.items():
        if column is not None and len(column) != len(words):
            raise CorpusError(f"{len(column)} {name} for {len(words)} words")
    for child, head in enumerate(heads, 1):
        if not 0 <= head <= len(words) or head == child:
            raise CorpusError(
                f"head {head} of word {child} is the word itself or outside its {len(words)} words"
            )


def columns(text: str) -> int:
    """How many places of a terminal a text takes; East Asian wide letters take two, combining marks none."""
    return sum(0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in text)


def _art(heads: Sequence[int]) -> list[str]:
    """The rows of links: two letters a level, the highest on the left, before it the root's arrow."""
    links = stacked(heads, touching=True)
    depth = max(link.level for link in links)
    ends: dict[tuple[int, int], str] = {}  # by word and column: the corner down or up, and the child's arrow
    passing: set[tuple[int, int]] = set()
    for head, child, level in links:
        column = depth + 1 - level if head else 0
        ends[child, column] = ("─" if not head else "┌" if child < head else "└") + "►"
        if head:
            ends[head, column] = ("┌" if head < child else "└") + "─"
            passing.update((word, column) for word in range(min(head, child) + 1, max(head, child)))
    return [_row(word, depth, ends, passing) for word in range(1, len(heads) + 1)]


def _row(word: int, depth: int, ends: dict[tuple[int, int], str], passing: set[tuple[int, int]]) -> str:
    """One word's row: from its outermost link a line runs to the word."""
    first = min(column for column in range(depth + 1) if (word, column) in ends)
    cells = []
    for column in range(depth + 1):
        line = "─" if column > first else " "
        crossing = "┼" if column > first else "│"
        cell = ends.get((word, column), (crossing if (word, column) in passing else line) + line)
        cells.append(cell.translate(_JOINED) if column > first else cell)
    return "".join(cells)


_JOINED = str.maketrans("┌└", "┬┴")
