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

from fstce.corpora.svg import Svg, escaped
from fstce.errors import CorpusError, ParameterError

_JOINED = str.maketrans("┌└", "┬┴")
_STEP, _PORT, _CORNER, _GAP, _MARGIN, _ARROW = 20.0, 9.0, 7.0, 16.0, 14.0, 7.0
_LETTER, _SMALL_LETTER = 7.4, 6.6  # the mean widths of letters of 13 and 11 pixels
_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{w:.0f}" height="{h:.0f}"
 viewBox="0 {top:.0f} {w:.0f} {h:.0f}">
<title>{title}</title>
<rect x="0" y="{top:.0f}" width="{w:.0f}" height="{h:.0f}" fill="white"/>
<g fill="none" stroke-linecap="round" color="#333" stroke="#333">
{links}</g>
<g font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="13" fill="#111" text-anchor="middle">
{texts}</g>
</svg>
"""


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


def check_columns(
    words: Sequence[object], heads: Sequence[int] | None, where: str = "", **others: Sequence[object] | None
) -> None:
    """Raise CorpusError unless there is one of everything for each word, and heads are words or 0."""
    if len(words) == 0:
        raise CorpusError("a sentence without words cannot be drawn")
    begin = f"{where}: " if where else ""
    for name, column in {"heads": heads, **others}.items():
        if column is not None and len(column) != len(words):
            raise CorpusError(f"{begin}{len(column)} {name} for {len(words)} words")
    for child, head in enumerate(() if heads is None else heads, 1):
        if not 0 <= head <= len(words) or head == child:
            raise CorpusError(
                f"{begin}head {head} of word {child} is the word itself or outside its {len(words)} words"
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


def tree_svg(
    words: Sequence[str],
    heads: Sequence[int],
    tags: Sequence[str] | None = None,
    *,
    weights: Sequence[float] | None = None,
) -> Svg:
    """A dependency tree as an SVG picture, which a notebook shows.

    ``heads``: the head of each word, from 1; 0 is the root. ``weights``: for each word a number from 0 to 1,
    such as the posterior of its link, which makes the link thicker. Returns a whole SVG document, a str.
    """
    check_columns(words, heads, tags=tags, weights=weights)
    for number, weight in enumerate(() if weights is None else weights, 1):
        if not -1e-6 <= weight <= 1 + 1e-6:
            raise ParameterError(f"weight {weight} of word {number}: give a number from 0 to 1")
    links = stacked(heads, touching=False)
    ends = _ends(links)
    centre, width = _centres(words, tags, ends)
    top = -_STEP * (1 + max(link.level for link in links)) - _ARROW
    named, shapes = ["the root", *words], []
    for link in links:
        start, end = (_place(ends, link, words, word, centre) for word in (link.head, link.child))
        shown = "" if weights is None else f", {weights[link.child - 1]:.2f}"
        said = f"<title>{escaped(f'{named[link.child]} ← {named[link.head]}{shown}')}</title>"
        thickness = 1.2 if weights is None else 0.5 + 2.5 * weights[link.child - 1]
        drawn = _path(link, top, start, end)
        shapes.append(f'<g stroke-width="{thickness:.2f}">{said}{drawn}</g>\n')
    svg = _SVG.format(
        w=width,
        h=(24 if tags is None else 40) + _MARGIN - top,
        top=top - _MARGIN / 2,
        title=escaped(" ".join(words)),
        links="".join(shapes),
        texts=_texts(words, centre, 18)
        + _texts(() if tags is None else tags, centre, 34, ' font-size="11" fill="#555"'),
    )
    return Svg(svg)


def _ends(links: Sequence[Link]) -> dict[int, list[Link]]:
    """The links that meet at each word, from left to right: left ones by level, the root's, right ones."""
    ends: dict[int, list[tuple[int, int, Link]]] = {}
    for link in links:
        for here, other in ((link.head, link.child), (link.child, link.head)):
            side = 0 if other == 0 else 1 if other > here else -1
            ends.setdefault(here, []).append((side, -side * link.level, link))
    return {word: [link for *_, link in sorted(meeting)] for word, meeting in ends.items()}


def _centres(
    words: Sequence[str], tags: Sequence[str] | None, ends: dict[int, list[Link]]
) -> tuple[list[float], float]:
    """The x of every word, and the width of the picture."""
    rooms = []
    for number, (word, tag) in enumerate(
        zip(words, [""] * len(words) if tags is None else tags, strict=True), 1
    ):
        width, links = _LETTER * columns(word), len(ends[number])
        # Where links stand wider than their word, they must still be nearer to it than to its neighbors.
        spread = (links - 1) * _port(width, links)
        rooms.append(_GAP + max(width, _SMALL_LETTER * columns(tag), 2 * spread - width))
    right = _MARGIN + np.cumsum(rooms)
    return (right - np.array(rooms) / 2).tolist(), float(right[-1] + _MARGIN)


def _port(width: float, links: int) -> float:
    """How far apart the links of a word stand: closer where they are many and the word is short."""
    return min(_PORT, max(_PORT / 2, width / links))


def _place(
    ends: dict[int, list[Link]], link: Link, words: Sequence[str], word: int, centre: Sequence[float]
) -> float:
    """The x at which a link meets a word."""
    if not word:
        return 0.0
    meeting, width = ends[word], _LETTER * columns(words[word - 1])
    off = meeting.index(link) - (len(meeting) - 1) / 2
    return centre[word - 1] + off * _port(width, len(meeting))


def _path(link: Link, top: float, start: float, end: float) -> str:
    """Line and arrowhead; the root's comes from the top."""
    if link.head:
        y, side = -_STEP * link.level, 1 if end > start else -1
        corner = side * _CORNER
        line = (
            f"M{start:.1f},0 V{y + _CORNER:.1f} Q{start:.1f},{y:.1f} {start + corner:.1f},{y:.1f}"
            f" H{end - corner:.1f} Q{end:.1f},{y:.1f} {end:.1f},{y + _CORNER:.1f} V{-_ARROW:.1f}"
        )
    else:
        line = f"M{end:.1f},{top:.1f} V{-_ARROW:.1f}"
    head = f"M{end:.1f},0 l-3.5,{-_ARROW:.1f} h7 z"
    return f'<path d="{line}"/><path d="{head}" fill="currentColor" stroke="none"/>'


def _texts(texts: Sequence[str], centre: Sequence[float], y: float, style: str = "") -> str:
    return "".join(
        f'<text x="{x:.1f}" y="{y}"{style}>{escaped(text)}</text>\n'
        for text, x in zip(texts, centre, strict=False)
    )
