"""Phrase-structure trees: immutable, printed and taken apart without recursion.

Every method is one loop over :meth:`Tree.walk`, so a tree may be as deep as it likes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fstce.corpora.tree_picture import Opens, phrase_svg


@dataclass(frozen=True, slots=True, repr=False)
class Tree:
    """A labelled node; a word stands alone under its tag.

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

    def with_tags(self, tags: Iterable[str]) -> Tree:
        """The same tree with other tags over its words, given from left to right."""
        remaining = iter(tags)
        done: list[Tree | str] = []
        opened: list[tuple[Tree, int]] = []
        for item in self.walk():
            if isinstance(item, Tree):
                opened.append((item, len(done)))
            elif isinstance(item, str):
                done.append(item)
            else:
                node, start = opened.pop()
                label = next(remaining) if node.is_preterminal else node.label
                done[start:] = [Tree(label, tuple(done[start:]))]
        tree = done[0]
        return tree if isinstance(tree, Tree) else self

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
        return phrase_svg(Opens(item.label) if isinstance(item, Tree) else item for item in self.walk())

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
