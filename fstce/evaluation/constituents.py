"""Constituents as scores see them: a tree's phrases over the words that count.

Words are deleted by their tags (empty elements, punctuation), and the spans close over
them; a phrase left without words is none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from fstce.corpora.dependencies import PUNCTUATION_TAGS
from fstce.corpora.trees import Tree
from fstce.errors import CorpusError

EMPTY = "-NONE-"
PUNCTUATION = PUNCTUATION_TAGS | {EMPTY}
Span = tuple[str, int, int]


class Constituents(NamedTuple):
    """A sentence without the words that do not count.

    Attributes
    ----------
    words, tags : tuple of str
        Those that count.
    spans : tuple of (str, int, int)
        Each phrase as label, start and end over these words, parents first, as
        :meth:`Tree.spans` gives them.
    deleted : tuple of str
        The tags of the words that do not count.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    spans: tuple[Span, ...]
    deleted: tuple[str, ...]


def constituents(
    tree: Tree, deleted: Collection[str] = PUNCTUATION, kept: Sequence[bool] | None = None
) -> Constituents:
    """The constituents of a tree over the words that count.

    Parameters
    ----------
    tree : Tree
    deleted : collection of str
        The tags of the words that do not count; by default empty elements and punctuation.
    kept : sequence of bool, optional
        For each word whether it counts, in place of `deleted`.

    Returns
    -------
    Constituents

    Raises
    ------
    CorpusError
        A word without a tag.

    Examples
    --------
    >>> from fstce.corpora import parse_tree
    >>> found = constituents(parse_tree("(S (`` ``) (NP (PRP We)) (, ,) (VP (VBP walk)) (. .))"))
    >>> found.words, found.spans
    (('We', 'walk'), (('S', 0, 2), ('NP', 0, 1), ('VP', 1, 2)))
    """
    words: list[str] = []
    tags: list[str] = []
    gone: list[str] = []
    labels: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    # A number on the stack closes the phrase of that number.
    stack: list[Tree | str | int] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, int):
            ends[node] = len(words)
        elif isinstance(node, str):
            raise CorpusError(f"the word {node!r} has no tag; a word goes with its tag: (NN dog)")
        elif not node.is_preterminal:
            stack.append(len(labels))
            stack.extend(node.children[::-1])
            labels.append(node.label)
            starts.append(len(words))
            ends.append(0)
        elif not kept[len(words) + len(gone)] if kept is not None else node.label in deleted:
            gone.append(node.label)
        else:
            words.append(str(node.children[0]))
            tags.append(node.label)
    spans = tuple(span for span in zip(labels, starts, ends, strict=True) if span[1] < span[2])
    return Constituents(tuple(words), tuple(tags), spans, tuple(gone))
