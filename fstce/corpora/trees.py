"""Phrase-structure trees: immutable, printed and taken apart without recursion.

Every method is one loop over :meth:`Tree.walk`, so a tree may be as deep as it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, cast

Value = TypeVar("Value")


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
        return tuple(pair for pair in self.read_off()[0] if pair[1])

    def spans(self) -> tuple[tuple[str, int, int], ...]:
        """Each phrase as label, start and end (words, from 0, end excluded), parents first.

        Tags are not phrases.
        """
        return tuple(self.read_off()[1])

    def read_off(
        self, is_deleted: Callable[[str], bool] = ().__contains__
    ) -> tuple[list[tuple[str, str]], list[tuple[str, int, int]], list[str]]:
        """Each word that counts with its tag, or with nothing where it has none; spans over them.

        And the tags of those that do not count. ``is_deleted``: of the tag of each word in turn.
        """
        words: list[tuple[str, str]] = []
        tags_of_others: list[str] = []
        labels: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        stack: list[Tree | str | int] = [self]  # a number closes the phrase of that number

        while stack:
            node = stack.pop()
            if isinstance(node, Tree):
                tag, children = node.label, node.children
                if len(children) == 1 and isinstance(children[0], str):
                    if is_deleted(tag):
                        tags_of_others.append(tag)
                    else:
                        words.append((children[0], tag))
                    continue
                stack.append(len(ends))
                stack.extend(children[::-1])
                labels.append(tag)
                starts.append(len(words))
                ends.append(len(words))
            elif isinstance(node, str):
                words.append((node, ""))
            else:
                ends[node] = len(words)

        return words, list(zip(labels, starts, ends, strict=True)), tags_of_others

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
