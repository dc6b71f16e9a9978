"""Dependency trees drawn as text, a word a line, and as SVG, links above the words.

In the picture a link runs up beside its head, along at its level, and down to an arrow at its
child; short ones are nearest the words, each beyond what it spans. In a projective tree nothing
crosses. Heads need not be a tree: several roots, cycles and crossing links are drawn as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from fstce.errors import CorpusError
from fstce.svg import MARGIN, Svg, escaped, label, tree_picture

_STEP, _STEM, _GAP, _ARROW = 20.0, 5.0, 16.0, 7.0
_LETTER, _SMALL_LETTER = 7.4, 6.6  # the mean widths of letters of 13 and 11 pixels
ROUNDING = 1e-6  # by which a sum of probabilities may be below 0 or above 1


class Link(NamedTuple):
    """A head (0 is the root) and its child, numbered from 1, and how far out their link runs."""

    head: int
    child: int
    level: int


def tree_text(words: Sequence[str], heads: Sequence[int], tags: Sequence[str] | None = None) -> str:
    """A dependency tree for the terminal: a word a line, further in the further from the root.

    Behind the arrow stands the number of the head.

    ``heads``: the head of each word, from 1; 0 is the root.

    >>> print(tree_text(["The", "old", "dog", "barks"], [3, 3, 4, 0], ["DT", "JJ", "NN", "VBZ"]))
        1 The DT → 3
        2 old JJ → 3
      3 dog NN → 4
    4 barks VBZ → 0
    """
    check_columns(words, heads, tags=tags)
    lines = []
    for number, (word, head) in enumerate(zip(words, heads, strict=True), 1):
        depth = 0
        above = head
        while above and depth < len(words):  # of a cycle there is no end
            depth += 1
            above = heads[above - 1]
        tag = "" if tags is None else f" {tags[number - 1]}"
        lines.append(f"{'  ' * depth}{number} {word}{tag} → {head}")
    return "\n".join(lines)


def stacked(heads: Sequence[int]) -> list[Link]:
    """The links, short ones first, each at a level above all that span some of the same stretch.

    The root's is at level 0.
    """
    height = [0] * (len(heads) + 1)
    pairs = []
    for child, head in enumerate(heads, 1):
        if head:
            pairs.append((abs(head - child), min(head, child), head, child))

    links = []
    for _, left, head, child in sorted(pairs):
        right = max(head, child)
        height[left:right] = [max(height[left:right]) + 1] * (right - left)
        links.append(Link(head, child, height[left]))
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
    begin = f"{where}: " if where else ""
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
    if weights is not None:
        for word, weight in zip(words, weights, strict=True):
            if not -ROUNDING <= weight <= 1 + ROUNDING:
                raise CorpusError(f"the weight {weight:g} of {word!r} is no number from 0 to 1")

    centres: list[float] = []
    texts: list[str] = []
    right = MARGIN
    tag_of_word = [""] * len(words) if tags is None else tags
    for word, tag in zip(words, tag_of_word, strict=True):
        room = _GAP + max(_LETTER * columns(word), _SMALL_LETTER * columns(tag))
        centres.append(right + room / 2)
        right += room
        texts.append(label(word, centres[-1], 18))
        if tags is not None:
            texts.append(label(tag, centres[-1], 34, ' font-size="11" fill="#555"'))

    links = stacked(heads)
    top = -_STEP * (1 + max(link.level for link in links)) - _ARROW
    shapes = []
    for link in links:
        title = f"{words[link.child - 1]} ← {words[link.head - 1] if link.head else 'the root'}"
        thickness = 1.2
        if weights is not None:
            weight = weights[link.child - 1]
            title += f", {weight:.2f}"
            thickness = 0.5 + 2.5 * weight
        line, end = _line(link, centres, top)
        shapes.append(
            f'<g stroke-width="{thickness:.2f}"><title>{escaped(title)}</title>'
            f'<path d="{line} V{-_ARROW:.1f}"/><path d="M{end:.1f},0 l-3.5,{-_ARROW:.1f} h7 z" '
            'fill="currentColor" stroke="none"/></g>\n'
        )
    return tree_picture(" ".join(words), shapes, texts, right, top, 24 if tags is None else 40)


def _line(link: Link, centres: Sequence[float], top: float) -> tuple[str, float]:
    """The way of a link until it goes down to its child, from the top for the root's; and where."""
    end = centres[link.child - 1]
    if not link.head:
        return f"M{end:.1f},{top:.1f}", end
    stem = centres[link.head - 1] + copysign(_STEM, link.child - link.head)
    return f"M{stem:.1f},0 V{-_STEP * link.level:.1f} H{end:.1f}", end
