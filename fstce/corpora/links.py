"""Dependency trees drawn as text, a word a line, and as SVG, links above the words.

Links stand in levels, short ones nearest the words, each beyond what it spans; in a
projective tree nothing crosses. Heads need not be a tree: several roots, cycles and
crossing links are drawn as they are. In the picture a link runs up from its head, along at its
level, and down to an arrow at its child; every link meets its word at a place of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import combining, east_asian_width

import numpy as np

from fstce.errors import CorpusError, ParameterError
from fstce.svg import MARGIN, Svg, escaped, label, tree_picture

_JOINED = str.maketrans("┌└", "┬┴")
_STEP, _PORT, _CORNER, _GAP, _ARROW = 20.0, 9.0, 7.0, 16.0, 7.0
_LETTER, _SMALL_LETTER = 7.4, 6.6  # the mean widths of letters of 13 and 11 pixels


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
    digits = len(str(len(words)))
    width = max(map(columns, words))
    names = [""] * len(words) if tags is None else tags
    rows = zip(_art(heads), words, names, strict=True)
    lines = []
    for number, (art, word, tag) in enumerate(rows, 1):
        padding = " " * (width - columns(word))
        lines.append(f"{art} {number:>{digits}} {word}{padding} {tag}".rstrip())
    return "\n".join(lines)


def stacked(heads: Sequence[int], touching: bool) -> list[Link]:
    """The links, short ones first, each at a level above all that span some of the same stretch.

    Where links must not even touch (`touching`), those that end at the same word differ in
    level too. The root's is at level 0.
    """
    height = np.zeros(len(heads) + 1, dtype=np.int64)
    levels_at: list[set[int]] = [set() for _ in range(len(heads) + 1)]
    pairs = []
    for child, head in enumerate(heads, 1):
        if head:
            pairs.append((abs(head - child), min(head, child), head, child))

    links = []
    for _, left, head, child in sorted(pairs):
        spanned = slice(left, max(head, child))
        level = int(height[spanned].max()) + 1
        while touching and level in levels_at[head] | levels_at[child]:
            level += 1
        height[spanned] = level
        levels_at[head].add(level)
        levels_at[child].add(level)
        links.append(Link(head, child, level))
    return links + [Link(0, child, 0) for child, head in enumerate(heads, 1) if head == 0]


def check_columns(
    words: Sequence[object],
    heads: Sequence[int] | None,
    where: str = "",
    **others: Sequence[object] | None,
) -> None:
    """Raise CorpusError unless each word has one of everything, and heads are words or 0."""
    if len(words) == 0:
        raise CorpusError("a sentence without words cannot be drawn")
    begin = f"{where}: " * bool(where)
    for name, column in {"heads": heads, **others}.items():
        if column is not None and len(column) != len(words):
            raise CorpusError(f"{begin}{len(column)} {name} for {len(words)} words")

    if heads is None:
        return
    for child, head in enumerate(heads, 1):
        if not 0 <= head <= len(words) or head == child:
            raise CorpusError(
                f"{begin}head {head} of word {child} is the word itself or outside its "
                f"{len(words)} words"
            )


def columns(text: str) -> int:
    """The places of a terminal that a text takes: wide letters two, combining marks none."""
    letters = [letter for letter in text if not combining(letter)]
    return len(letters) + sum(east_asian_width(letter) in "WF" for letter in letters)


def _art(heads: Sequence[int]) -> list[str]:
    """The rows of links: two letters a level, the highest on the left, the root's arrow first."""
    links = stacked(heads, touching=True)
    depth = max(link.level for link in links)
    # By word and column: the corner down or up, and the child's arrow.
    ends: dict[tuple[int, int], str] = {}
    passing: set[tuple[int, int]] = set()

    for head, child, level in links:
        if not head:
            ends[child, 0] = "─►"
            continue
        column = depth + 1 - level
        above = min(head, child)
        below = max(head, child)
        ends[above, column] = "┌"
        ends[below, column] = "└"
        ends[head, column] += "─"
        ends[child, column] += "►"
        passing.update((word, column) for word in range(above + 1, below))
    return [_row(word, depth, ends, passing) for word in range(1, len(heads) + 1)]


def _row(
    word: int, depth: int, ends: dict[tuple[int, int], str], passing: set[tuple[int, int]]
) -> str:
    """One word's row: from its outermost link a line runs to the word."""
    first = min(column for column in range(depth + 1) if (word, column) in ends)
    cells = []
    for column in range(depth + 1):
        is_within = column > first
        line, crossing = ("─", "┼") if is_within else (" ", "│")
        cell = line + line
        if (word, column) in passing:
            cell = crossing + line
        cell = ends.get((word, column), cell)
        cells.append(cell.translate(_JOINED) if is_within else cell)
    return "".join(cells)


def tree_svg(
    words: Sequence[str],
    heads: Sequence[int],
    tags: Sequence[str] | None = None,
    *,
    weights: Sequence[float] | None = None,
) -> Svg:
    """A dependency tree as an SVG picture, which a notebook shows.

    ``heads``: the head of each word, from 1; 0 is the root. ``weights``: for each word a number
    from 0 to 1, such as the posterior of its link, which makes the link thicker. Returns a whole
    SVG document, a str.
    """
    check_columns(words, heads, tags=tags, weights=weights)
    shares = [] if weights is None else list(weights)
    names = [] if tags is None else list(tags)
    for number, share in enumerate(shares, 1):
        if not -1e-6 <= share <= 1 + 1e-6:
            raise ParameterError(f"weight {share} of word {number}: give a number from 0 to 1")

    links = stacked(heads, touching=False)
    centres, ends, right = _places(words, names, links)
    top = -_STEP * (1 + max(link.level for link in links)) - _ARROW
    word_of = ["the root", *words]
    shapes = []
    for link in links:
        title = f"{word_of[link.child]} ← {word_of[link.head]}"
        thickness = 1.2
        if shares:
            title += f", {shares[link.child - 1]:.2f}"
            thickness = 0.5 + 2.5 * shares[link.child - 1]
        drawn = _path(link, top, ends.get((link.head, link), 0.0), ends[link.child, link])
        shapes.append(
            f'<g stroke-width="{thickness:.2f}"><title>{escaped(title)}</title>{drawn}</g>\n'
        )

    texts = [label(word, x, 18) for word, x in zip(words, centres, strict=True)]
    for tag, x in zip(names, centres, strict=False):
        texts.append(label(tag, x, 34, ' font-size="11" fill="#555"'))
    return tree_picture(" ".join(words), shapes, texts, right, top, 40 if names else 24)


def _places(
    words: Sequence[str], tags: Sequence[str], links: Sequence[Link]
) -> tuple[list[float], dict[tuple[int, Link], float], float]:
    """The x of every word, and of each link's end at its words; where the last word ends.

    Links meet a word from left to right: left ones by level, the root's, right ones. They stand
    closer where they are many and the word is short.
    """
    meeting: dict[int, list[tuple[int, int, Link]]] = {}
    for link in links:
        for word, end in ((link.head, link.child), (link.child, link.head)):
            side = int(np.sign(end - word)) * (end != 0)
            meeting.setdefault(word, []).append((side, -side * link.level, link))

    centres: list[float] = []
    ends: dict[tuple[int, Link], float] = {}
    right = MARGIN
    rows = zip(words, tags or [""] * len(words), strict=True)
    for number, (text, tag) in enumerate(rows, 1):
        width = _LETTER * columns(text)
        n = len(meeting[number])
        port = min(_PORT, max(_PORT / 2, width / n))
        spread = (n - 1) * port
        # Links that stand wider than their word must still be nearer to it than to its neighbors.
        room = _GAP + max(width, _SMALL_LETTER * columns(tag), 2 * spread - width)
        centres.append(right + room / 2)
        right += room
        for place, (*_, link) in enumerate(sorted(meeting[number])):
            ends[number, link] = centres[-1] - spread / 2 + place * port
    return centres, ends, right


def _path(link: Link, top: float, start: float, end: float) -> str:
    """Line and arrowhead; the root's comes from the top."""
    if link.head:
        y = -_STEP * link.level
        corner = _CORNER if end > start else -_CORNER
        line = (
            f"M{start:.1f},0 V{y + _CORNER:.1f} Q{start:.1f},{y:.1f} {start + corner:.1f},{y:.1f}"
            f" H{end - corner:.1f} Q{end:.1f},{y:.1f} {end:.1f},{y + _CORNER:.1f} V{-_ARROW:.1f}"
        )
    else:
        line = f"M{end:.1f},{top:.1f} V{-_ARROW:.1f}"
    head = f"M{end:.1f},0 l-3.5,{-_ARROW:.1f} h7 z"
    return f'<path d="{line}"/><path d="{head}" fill="currentColor" stroke="none"/>'
