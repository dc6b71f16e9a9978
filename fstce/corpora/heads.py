"""Dependency heads from phrase structure, by the head rules of Collins (1999, p. 239).

The rules are data, ``grammars/collins_heads.tsv``: rows of a parent are tried in order.
Where none finds a child, the leftmost or rightmost child that is not punctuation is the
head, by the side of the parent's last row; for a parent without rows the leftmost.
Coordination (p. 240): if the child before the head is ``CC`` or ``CONJP``, the first
child before it that is not punctuation becomes the head, once: X CC Y is headed by X.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

from fstce.corpora.sentence import Sentence
from fstce.corpora.tables import bundled_rows
from fstce.corpora.trees import Tree
from fstce.errors import CorpusError

PUNCTUATION = frozenset(
    {",", ".", ":", "``", "''", "-LRB-", "-RRB-", "(", ")", "-LCB-", "-RCB-", "-LSB-", "-RSB-"}
)
_COORDINATORS = frozenset({"CC", "CONJP"})


class HeadRule(NamedTuple):
    """One row of the table: how to look for which labels."""

    manner: str
    labels: tuple[str, ...]


@cache
def head_rules() -> dict[str, tuple[HeadRule, ...]]:
    """The rows of the table, by parent."""
    rules: dict[str, tuple[HeadRule, ...]] = {}
    for parent, manner, labels in bundled_rows("collins_heads.tsv"):
        rule = HeadRule(manner, tuple(labels.split()))
        rules[parent] = rules[labels] if manner == "as" else (*rules.get(parent, ()), rule)
    return rules


def head_child(node: Tree) -> int:
    """The position of a phrase's head among its children, from 0."""
    return _head_position(
        node.label, tuple(child.label for child in node.children if isinstance(child, Tree))
    )


def head_indices(tree: Tree) -> tuple[int, ...]:
    """The head of every word of a tree, numbered from 1; 0 is the root."""
    heads: list[int] = []
    done: list[int] = []
    opened: list[tuple[Tree, int]] = []
    for item in tree.walk():
        if isinstance(item, Tree):
            opened.append((item, len(done)))
        elif isinstance(item, str):
            heads.append(0)
            done.append(len(heads))
        else:
            node, start = opened.pop()
            if not node.is_preterminal:
                done[start:] = [_attach(heads, done[start:], head_child(node))]
    return tuple(heads)


def with_heads(sentence: Sentence) -> Sentence:
    """The sentence with heads: its own, else those of its tree; raises CorpusError if it has neither."""
    if sentence.heads is not None:
        return sentence
    if sentence.tree is None:
        raise CorpusError(f"{sentence.source or sentence}: neither heads nor a tree to find them in")
    return replace(sentence, heads=head_indices(sentence.tree))


@lru_cache(maxsize=1 << 16)
def _head_position(parent: str, labels: tuple[str, ...]) -> int:
    rules = head_rules().get(parent, (HeadRule("left", ()),))
    found = (_search(labels, rule) for rule in rules)
    head = next((position for position in found if position is not None), None)
    return _first_conjunct(labels, _default(labels, rules[-1].manner) if head is None else head)


def _attach(heads: list[int], children: list[int], position: int) -> int:
    head = children[position]
    for child in children:
        if child != head:
            heads[child - 1] = head
    return head


def _search(labels: tuple[str, ...], rule: HeadRule) -> int | None:
    if rule.manner == "last":
        return len(labels) - 1 if labels[-1] in rule.labels else None
    order = range(len(labels)) if rule.manner.startswith("left") else range(len(labels) - 1, -1, -1)
    sets = [rule.labels] if rule.manner.endswith("-any") else [(label,) for label in rule.labels]
    return next((position for wanted in sets for position in order if labels[position] in wanted), None)


def _default(labels: tuple[str, ...], manner: str) -> int:
    positions = [i for i, label in enumerate(labels) if label not in PUNCTUATION] or list(range(len(labels)))
    return positions[0] if manner.startswith("left") else positions[-1]


def _first_conjunct(labels: tuple[str, ...], head: int) -> int:
    if head < 2 or labels[head - 1] not in _COORDINATORS:
        return head
    before = [i for i in range(head - 1) if labels[i] not in PUNCTUATION]
    return before[-1] if before else head
