"""Dependency trees as SVG: links above the words, nothing needed to show it.

A link runs up from its head, along at its level, and down to an arrow at its child; the
root's arrow comes straight from above. Every link meets its word at a place of its own,
so that in a projective tree no lines cross. :func:`tree_text` draws for the terminal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.corpora.link_text import Link, check_columns, columns, stacked, tree_text
from fstce.corpora.svg import Svg, escaped
from fstce.errors import ParameterError

__all__ = ["tree_svg", "tree_text"]

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
    _check_weights(weights)
    links = stacked(heads, touching=False)
    ends = _ends(links)
    centre, width = _centres(words, tags, ends)
    top = -_STEP * (1 + max(link.level for link in links)) - _ARROW
    shapes = []
    for link in links:
        start, end = (_place(ends, link, words, word, centre) for word in (link.head, link.child))
        said = f"<title>{escaped(_said(link, words, weights))}</title>"
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


def _check_weights(weights: Sequence[float] | None) -> None:
    for number, weight in enumerate(() if weights is None else weights, 1):
        if not -1e-6 <= weight <= 1 + 1e-6:
            raise ParameterError(f"weight {weight} of word {number}: give a number from 0 to 1")


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


def _said(link: Link, words: Sequence[str], weights: Sequence[float] | None) -> str:
    """What a link says when pointed at: child, head and weight."""
    named = ["the root", *words]
    said = f"{named[link.child]} ← {named[link.head]}"
    return said if weights is None else f"{said}, {weights[link.child - 1]:.2f}"


def _texts(texts: Sequence[str], centre: Sequence[float], y: float, style: str = "") -> str:
    return "".join(
        f'<text x="{x:.1f}" y="{y}"{style}>{escaped(text)}</text>\n'
        for text, x in zip(texts, centre, strict=False)
    )
