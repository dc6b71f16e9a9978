"""Phrase-structure trees: immutable, printed and taken apart without recursion.

Every method is one loop over :meth:`Tree.walk`, so a tree may be as deep as it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from fstce.corpora.links import columns
from fstce.corpora.svg import escaped

Value = TypeVar("Value")
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


@dataclass
class _Node:
    """A label or word: the middle of it, how many nodes are below, the indices of its children."""

    text: str
    x: float = 0.0
    height: int = 0
    children: list[int] = field(default_factory=list)


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
    italic = ' font-style="italic"'
    texts = [
        f'<text x="{node.x + shift:.1f}" y="{at:.1f}"{"" if node.children else italic}>'
        f"{escaped(node.text)}</text>\n"
        for node, at in zip(nodes, y, strict=True)
    ]
    size = {"w": right + shift + _MARGIN - _GAP, "h": 2 * _MARGIN + _STEP * top + 10}
    return _SVG.format(lines="".join(lines), texts="".join(texts), **size)


def _width(text: str) -> float:
    """The width of a text of 13 pixels."""
    return _LETTER * columns(text)


@dataclass(frozen=True, slots=True, repr=False)
class Tree:
    """A labeled node; a word stands alone under its tag.

    Parameters
    ----------
    label : str
        A category (``NP``) or, over a word, a tag (``NN``).
    children : tuple of Tree or str
        The nodes below, or the one word.

    Examples
    --------
    >>> dog = Tree("NP", (Tree("DT", ("the",)), Tree("NN", ("dog",))))
    >>> print(dog)
    (NP (DT the) (NN dog))
    >>> dog.pos()
    (('the', 'DT'), ('dog', 'NN'))
    """

    label: str
    children: tuple[Tree | str, ...]

    @property
    def is_preterminal(self) -> bool:
        """Whether the node is a tag over a word."""
        return len(self.children) == 1 and isinstance(self.children[0], str)

    def walk(self) -> Iterator[Tree | str | None]:
        """The tree from left to right: a node as it opens, a word, None as a node closes."""
        stack: list[Tree | str | None] = [self]
        while stack:
            item = stack.pop()
            yield item
            if isinstance(item, Tree):
                stack.append(None)
                stack.extend(reversed(item.children))

    def nodes(self) -> Iterator[Tree]:
        """Every node, parents before children."""
        return (item for item in self.walk() if isinstance(item, Tree))

    def leaves(self) -> tuple[str, ...]:
        """The words."""
        return tuple(item for item in self.walk() if isinstance(item, str))

    def pos(self) -> tuple[tuple[str, str], ...]:
        """Each word with its tag."""
        return tuple((str(node.children[0]), node.label) for node in self.nodes() if node.is_preterminal)

    def spans(self) -> tuple[tuple[str, int, int], ...]:
        """Each phrase as label, start and end (words, from 0, end excluded), parents first.

        Tags are not phrases.
        """
        found: list[tuple[str, int, int]] = []
        opened: list[tuple[Tree, int]] = []
        words = 0
        for item in self.walk():
            if isinstance(item, Tree):
                opened.append((item, len(found)))
                if not item.is_preterminal:
                    found.append((item.label, words, words))
            elif isinstance(item, str):
                words += 1
            else:
                node, index = opened.pop()
                if not node.is_preterminal:
                    found[index] = (node.label, found[index][1], words)
        return tuple(found)

    def fold(self, value: Callable[[Tree, list[Any]], Value]) -> Value:
        """The value of the tree: of each node by the values of its children, words as they are."""
        done: list[Any] = []
        opened: list[tuple[Tree, int]] = []
        for item in self.walk():
            if isinstance(item, Tree):
                opened.append((item, len(done)))
            elif isinstance(item, str):
                done.append(item)
            else:
                node, start = opened.pop()
                done[start:] = [value(node, done[start:])]
        return cast(Value, done[0])

    def with_tags(self, tags: Iterable[str]) -> Tree:
        """The same tree with other tags over its words, given from left to right."""
        remaining = iter(tags)
        return self.fold(
            lambda node, children: Tree(
                next(remaining) if node.is_preterminal else node.label, tuple(children)
            )
        )

    def pretty(self) -> str:
        """The tree over several lines; a phrase of tags alone stays on one."""
        pieces: list[str] = []
        flat: list[bool] = []
        for item in self.walk():
            if isinstance(item, Tree):
                gap = " " if flat and flat[-1] else "\n" + "  " * len(flat)
                pieces.append(f"{gap}({item.label}")
                flat.append(all(isinstance(child, str) or child.is_preterminal for child in item.children))
            elif isinstance(item, str):
                pieces.append(f" {item}")
            else:
                pieces.append(")")
                flat.pop()
        return "".join(pieces).strip()

    def svg(self) -> str:
        """The tree as an SVG picture: words below, phrases above them."""
        nodes: list[_Node] = []
        opened: list[int] = []
        begins: list[float] = []
        right = _MARGIN
        for step in self.walk():
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
            text = step.label if isinstance(step, Tree) else step
            if opened:
                nodes[opened[-1]].children.append(len(nodes))
            if isinstance(step, Tree):
                opened.append(len(nodes))
                begins.append(right)
                nodes.append(_Node(text))
            else:
                widest = max(_width(text), _width(nodes[opened[-1]].text) if opened else 0.0)
                nodes.append(_Node(text, right + widest / 2))
                right += widest + _GAP
        return _picture(nodes, right)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        """The tree on one line."""
        return "".join(map(_piece, self.walk())).strip()

    def __repr__(self) -> str:
        """The tree on one line, marked as a tree."""
        return f"<Tree {self}>"


def _piece(item: Tree | str | None) -> str:
    if isinstance(item, Tree):
        return f" ({item.label}"
    return ")" if item is None else f" {item}"
