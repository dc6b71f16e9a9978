"""Dependency heads: from phrases, by the rules of Collins (1999, p. 239), and as numbers.

The rules are data, ``grammars/collins_heads.tsv``: rows of a parent are tried in order.
Where none finds a child, the leftmost or rightmost child that is not punctuation is the
head, by the side of the parent's last row; for a parent without rows the leftmost.
Coordination (p. 240): if the child before the head is ``CC`` or ``CONJP``, the first
child before it that is not punctuation becomes the head, once: X CC Y is headed by X.

A word whose head is removed is lifted to the nearest ancestor that is kept. Where the
root itself is removed, the first of the words left without a head becomes the root, and
the others attach to it. Both keep a projective tree projective.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations

from fstce.corpora.sentence import Sentence
from fstce.corpora.tables import bundled_rows
from fstce.corpora.trees import Tree
from fstce.errors import CorpusError

PUNCTUATION = frozenset(
    {",", ".", ":", "``", "''", "-LRB-", "-RRB-", "(", ")", "-LCB-", "-RCB-", "-LSB-", "-RSB-"}
)
_COORDINATORS = frozenset({"CC", "CONJP"})


HeadRule = tuple[str, tuple[str, ...]]  # a row of the table: how to look for which labels


@cache
def head_rules() -> dict[str, tuple[HeadRule, ...]]:
    """The rows of the table, by parent."""
    rules: dict[str, tuple[HeadRule, ...]] = {}
    for parent, manner, labels in bundled_rows("collins_heads.tsv"):
        if manner == "as":
            rules[parent] = rules[labels]
        else:
            rules[parent] = (*rules.get(parent, ()), (manner, tuple(labels.split())))
    return rules


def head_child(node: Tree) -> int:
    """The position of a phrase's head among its children, from 0."""
    return _head_position(
        node.label, tuple(child.label for child in node.children if isinstance(child, Tree))
    )


def head_indices(tree: Tree) -> tuple[int, ...]:
    """The head of every word of a tree, numbered from 1; 0 is the root."""
    heads: list[int] = []

    def head_word(node: Tree, words: list[int]) -> int:
        if node.is_preterminal:
            heads.append(0)
            return len(heads)
        head = words[head_child(node)]
        for word in words:
            if word != head:
                heads[word - 1] = head
        return head

    tree.fold(head_word)
    return tuple(heads)


def with_heads(sentence: Sentence) -> Sentence:
    """The sentence with heads: its own, else its tree's; raises CorpusError if it has neither."""
    if sentence.heads is not None:
        return sentence
    if sentence.tree is None:
        raise CorpusError(
            f"{sentence.source or sentence}: neither heads nor a tree to find them in"
        )
    return replace(sentence, heads=head_indices(sentence.tree))


@lru_cache(maxsize=1 << 16)
def _head_position(parent: str, labels: tuple[str, ...]) -> int:
    rules = head_rules().get(parent, (("left", ()),))
    for manner, wanted in rules:
        head = _search(labels, manner, wanted)
        if head is not None:
            return _first_conjunct(labels, head)

    positions = [i for i, label in enumerate(labels) if label not in PUNCTUATION]
    positions = positions or list(range(len(labels)))
    is_left = rules[-1][0].startswith("left")
    return _first_conjunct(labels, positions[0 if is_left else -1])


def _search(labels: tuple[str, ...], manner: str, wanted: tuple[str, ...]) -> int | None:
    """The position of the head by one row of the table, None if it has none."""
    order = list(range(len(labels)))
    if manner == "last":
        order = order[-1:]
    elif not manner.startswith("left"):
        order.reverse()

    sets: list[tuple[str, ...]] = [(label,) for label in wanted]
    if manner == "last" or manner.endswith("-any"):
        sets = [wanted]
    return next((position for some in sets for position in order if labels[position] in some), None)


def _first_conjunct(labels: tuple[str, ...], head: int) -> int:
    if head < 2 or labels[head - 1] not in _COORDINATORS:
        return head
    return max((i for i in range(head - 1) if labels[i] not in PUNCTUATION), default=head)


def check_heads(heads: Sequence[int], source: str = "", words: Sequence[int] | None = None) -> None:
    """Raise CorpusError unless the heads, from 1 with 0 the root, are a tree with one root.

    ``source``: file and line, for the message. ``words``: those of which but one may be a root,
    from 1; by default all.
    """
    where = source or "heads"
    n = len(heads)
    for number, head in enumerate(heads, 1):
        if not 0 <= head <= n:
            raise CorpusError(
                f"{where}: head {head} of word {number} is outside its sentence of {n} words"
            )

    walk = [0] * (n + 1)  # which walk came by a word, from 1
    for start in range(1, n + 1):
        word = start
        while word and not walk[word]:
            walk[word] = start
            word = heads[word - 1]
        if word and walk[word] == start:
            raise CorpusError(f"{where}: {_cycle(heads, word)}")

    may_be_roots = range(1, n + 1) if words is None else words
    roots = [word for word in may_be_roots if heads[word - 1] == 0]
    if len(roots) > 1:
        listed = ", ".join(map(str, roots))
        raise CorpusError(f"{where}: words {listed} are all roots (head 0); a tree has one root")


def _cycle(heads: Sequence[int], word: int) -> str:
    if heads[word - 1] == word:
        return f"head {word} of word {word} is the word itself"
    words = [word]
    while (head := heads[words[-1] - 1]) != word:
        words.append(head)
    listed = ", ".join(map(str, sorted(words)))
    return f"the heads of words {listed} run in a cycle; no root is above them"


def is_projective(heads: Sequence[int]) -> bool:
    """Whether no two links cross; the root's link comes from the left of all words."""
    spans = sorted((min(child, head), max(child, head)) for child, head in enumerate(heads, 1))
    return not any(a < c < b < d for (a, b), (c, d) in combinations(spans, 2))


def lifted_heads(heads: Sequence[int], kept: Sequence[int], source: str = "") -> tuple[int, ...]:
    """The heads of the words that are kept, numbered among themselves from 1.

    ``heads``: one a word, from 1; 0 is the root. Words that are not kept may be further roots.
    ``kept``: the positions, from 0 and ascending, of the words that are kept.
    """
    check_heads(heads, source, [place + 1 for place in kept])
    number = {0: 0} | {place + 1: n for n, place in enumerate(kept, 1)}
    above = []
    for place in kept:
        head = heads[place]
        while head not in number:
            head = heads[head - 1]
        above.append(number[head])
    headless = [n for n, head in enumerate(above, 1) if head == 0]
    root = next((n for n in headless if heads[kept[n - 1]] == 0), next(iter(headless), 0))
    return tuple(head or root * (n != root) for n, head in enumerate(above, 1))
