"""Phrase-structure trees: immutable, printed and taken apart without recursion.

Every method is one loop over :meth:`Tree.walk`, so a tree may be as deep as it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np

from fstce.corpora.links import columns
from fstce.corpora.words import listed
from fstce.errors import CorpusError
from fstce.parameters.rules import shown
from fstce.svg import MARGIN, Svg, label, tree_picture

Value = TypeVar("Value")
_LETTER, _GAP, _STEP = 7.6, 14.0, 34.0
_ITALIC = ' font-style="italic"'


@dataclass
class _Node:
    """A label or word, the words below it, how many nodes are below, the node above."""

    text: str
    start: int
    above: _Node | None
    end: int = 0
    height: int = 0


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
        return tuple(
            (str(node.children[0]), node.label) for node in self.nodes() if node.is_preterminal
        )

    def spans(self) -> tuple[tuple[str, int, int], ...]:
        """Each phrase as label, start and end (words, from 0, end excluded), parents first.

        Tags are not phrases.
        """
        steps = [step for step in self.walk() if step is not None]
        spans = []
        for step, node in zip(steps, self._placed(), strict=True):
            if isinstance(step, Tree) and not step.is_preterminal:
                spans.append((node.text, node.start, node.end))
        return tuple(spans)

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
        """A tree of this shape with other tags over its words, given from left to right."""
        remaining = iter(tags)

        def tagged(node: Tree, children: list[Any]) -> Tree:
            label = next(remaining) if node.is_preterminal else node.label
            return Tree(label, tuple(children))

        return self.fold(tagged)

    def _placed(self) -> list[_Node]:
        """The nodes and words, parents first, with the words below each."""
        nodes: list[_Node] = []
        opened: list[_Node] = []
        words = 0

        for step in self.walk():
            if step is not None:
                text = step.label if isinstance(step, Tree) else step
                above = opened[-1] if opened else None
                opened.append(_Node(text, words, above))
                nodes.append(opened[-1])
                words += isinstance(step, str)
            if not isinstance(step, Tree):
                node = opened.pop()
                node.end = words
                if node.above is not None:
                    node.above.height = max(node.above.height, node.height + 1)
        return nodes

    def pretty(self) -> str:
        """The tree over several lines; a phrase of tags alone stays on one."""
        pieces: list[str] = []
        flat: list[bool] = []

        for item in self.walk():
            if isinstance(item, Tree):
                gap = "\n" + "  " * len(flat)
                if flat and flat[-1]:
                    gap = " "
                pieces.append(f"{gap}({item.label}")
                phrases = [child for child in item.children if isinstance(child, Tree)]
                flat.append(all(child.is_preterminal for child in phrases))
            elif isinstance(item, str):
                pieces.append(f" {item}")
            else:
                pieces.append(")")
                flat.pop()
        return "".join(pieces).strip()

    def svg(self) -> Svg:
        """The tree as an SVG picture: words below, phrases above the middle of their words."""
        nodes = self._placed()
        rooms = np.zeros(nodes[0].end)
        for node in nodes:
            room = (_LETTER * columns(node.text) + _GAP) / max(node.end - node.start, 1)
            rooms[node.start : node.end] = np.maximum(rooms[node.start : node.end], room)
        edges = MARGIN + np.append(0.0, np.cumsum(rooms))

        def middle(node: _Node) -> float:
            return float(edges[node.start] + edges[node.end]) / 2

        lines = []
        texts = []
        for node in nodes:
            style = _ITALIC * (node.height == 0)
            texts.append(label(node.text, middle(node), -_STEP * node.height, style))
            if node.above is not None:
                lines.append(
                    f'<line x1="{middle(node.above):.1f}" y1="{5 - _STEP * node.above.height:.1f}"'
                    f' x2="{middle(node):.1f}" y2="{-12 - _STEP * node.height:.1f}"/>\n'
                )

        top = -20 - _STEP * max(node.height for node in nodes)
        return tree_picture(" ".join(self.leaves()), lines, texts, float(edges[-1]), top, 10)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        """The tree on one line."""
        return "".join(map(_piece, self.walk())).strip()

    def __repr__(self) -> str:
        """The tree on one line, marked as a tree."""
        return f"<Tree {self}>"


def _piece(item: Tree | str | None) -> str:
    """A step of a walk as it is written; None ends a node."""
    if isinstance(item, Tree):
        return f" ({item.label}"
    return ")" if item is None else f" {item}"


def listed_trees(trees: Any) -> list[Tree]:
    """Trees as a list; raises CorpusError where they are none."""
    checked = listed(trees, "trees")
    for number, tree in enumerate(checked, 1):
        if not isinstance(tree, Tree):
            raise CorpusError(
                f"sentence {number}: {shown(tree)} is no tree; see fstce.corpora.parse_tree"
            )
    return checked
