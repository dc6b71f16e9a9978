"""A phrase-structure tree as SVG: words on one line, each phrase above the middle of its parts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

_LETTER, _GAP, _STEP, _MARGIN = 7.6, 14.0, 34.0, 14.0
_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{w:.0f}" height="{h:.0f}" viewBox="0 0 {w:.0f} {h:.0f}">
<rect width="{w:.0f}" height="{h:.0f}" fill="white"/>
<g stroke="#777">
{lines}</g>
<g font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="13" fill="#111" text-anchor="middle">
{texts}</g>
</svg>
"""


class Opens(NamedTuple):
    """A node begins."""

    label: str


@dataclass
class _Node:
    """A label or word: the middle of it, how many nodes are below, the indices of its children."""

    text: str
    x: float = 0.0
    height: int = 0
    children: list[int] = field(default_factory=list)


def phrase_svg(steps: Iterable[Opens | str | None]) -> str:
    """The picture of a tree.

    ``steps``: from left to right: a node as it opens, a word, None as a node closes.

    >>> svg = phrase_svg([Opens("NP"), Opens("DT"), "the", None, Opens("NN"), "<dog>", None, None])
    >>> svg.count("<line "), "&lt;dog&gt;" in svg
    (4, True)
    """
    nodes: list[_Node] = []
    opened: list[int] = []
    begins: list[float] = []
    right = _MARGIN
    for step in steps:
        if step is None:
            first, begin = opened.pop(), begins.pop()
            node = nodes[first]
            below = [nodes[child] for child in node.children]
            if below:
                node.x = (below[0].x + below[-1].x) / 2
                node.height = 1 + max(child.height for child in below)
            # A label that is wider than what it stands over moves that to the right, and what follows.
            missing = begin - (node.x - _width(node.text) / 2)
            if missing > 0:
                right += missing
                for moved in nodes[first:]:
                    moved.x += missing
            right = max(right, node.x + _width(node.text) / 2 + _GAP)
            continue
        text = step.label if isinstance(step, Opens) else step
        if opened:
            nodes[opened[-1]].children.append(len(nodes))
        if isinstance(step, Opens):
            opened.append(len(nodes))
            begins.append(right)
            nodes.append(_Node(text))
        else:
            widest = max(_width(text), _width(nodes[opened[-1]].text) if opened else 0.0)
            nodes.append(_Node(text, right + widest / 2))
            right += widest + _GAP
    return _picture(nodes, right)


def _picture(nodes: list[_Node], right: float) -> str:
    left = min([node.x - _width(node.text) / 2 for node in nodes], default=0.0)
    shift = max(_MARGIN - left, 0.0)
    top = max([node.height for node in nodes], default=0)
    y = [_MARGIN + _STEP * (top - node.height) + 8 for node in nodes]
    lines = [
        f'<line x1="{node.x + shift:.1f}" y1="{y[i] + 5:.1f}"'
        f' x2="{nodes[child].x + shift:.1f}" y2="{y[child] - 12:.1f}"/>\n'
        for i, node in enumerate(nodes)
        for child in node.children
    ]
    texts = [
        f'<text x="{node.x + shift:.1f}" y="{at:.1f}"{_look(node)}>{escape(node.text, quote=False)}</text>\n'
        for node, at in zip(nodes, y, strict=True)
    ]
    size = {"w": right + shift + _MARGIN - _GAP, "h": 2 * _MARGIN + _STEP * top + 10}
    return _SVG.format(lines="".join(lines), texts="".join(texts), **size)


def _look(node: _Node) -> str:
    return "" if node.children else ' font-style="italic"'


def _width(text: str) -> float:
    """The width of a text of 13 pixels; wide letters count twice."""
    return _LETTER * sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
