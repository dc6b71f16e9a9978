"""Heads as numbers: whether they are a tree, whether it is projective, and the tree of fewer words.

A word whose head is removed is lifted to the nearest ancestor that is kept. Where the
root itself is removed, the first in the sentence of the words that are left without a
head becomes the root, and the others attach to it. Both rules keep a projective tree
projective.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from fstce.errors import CorpusError


def check_heads(heads: Sequence[int], source: str = "") -> None:
    """Raise CorpusError unless the heads, one a word from 1 with 0 the root, are a tree with one root.

    ``source``: file and line, for the message.
    """
    _check_links(heads, source)
    _check_roots(heads, range(1, len(heads) + 1), source)


def is_projective(heads: Sequence[int]) -> bool:
    """Whether no two links cross, the root's link included, which comes from the left of all words.

    In a tree with one root this says that every word between a head and its child is below
    the head.
    """
    spans = sorted((min(child, head), max(child, head)) for child, head in enumerate(heads, 1))
    return not any(a < c < b < d for (a, b), (c, d) in combinations(spans, 2))


def lifted_heads(heads: Sequence[int], kept: Sequence[int], source: str = "") -> tuple[int, ...]:
    """The heads of the words that are kept, numbered among themselves from 1.

    ``heads``: one a word, from 1; 0 is the root. Words that are not kept may be further roots. ``kept``: the
    positions, from 0 and ascending, of the words that are kept.
    """
    _check_links(heads, source)
    _check_roots(heads, [place + 1 for place in kept], source)
    number = {0: 0} | {place + 1: n for n, place in enumerate(kept, 1)}
    above = []
    for place in kept:
        head = heads[place]
        while head not in number:
            head = heads[head - 1]
        above.append(number[head])
    headless = [n for n, head in enumerate(above, 1) if head == 0]
    root = next((n for n in headless if heads[kept[n - 1]] == 0), headless[0] if headless else 0)
    return tuple(head or root * (n != root) for n, head in enumerate(above, 1))


def _check_links(heads: Sequence[int], source: str) -> None:
    """Raise CorpusError unless every chain of heads ends in 0."""
    where, n = source or "heads", len(heads)
    for number, head in enumerate(heads, 1):
        if not 0 <= head <= n:
            raise CorpusError(f"{where}: head {head} of word {number} is outside its sentence of {n} words")
    walk = [0] * (n + 1)  # which walk came by a word, from 1
    for start in range(1, n + 1):
        word = start
        while word and not walk[word]:
            walk[word] = start
            word = heads[word - 1]
        if word and walk[word] == start:
            raise CorpusError(f"{where}: {_cycle(heads, word)}")


def _cycle(heads: Sequence[int], word: int) -> str:
    if heads[word - 1] == word:
        return f"head {word} of word {word} is the word itself"
    words = [word]
    while (head := heads[words[-1] - 1]) != word:
        words.append(head)
    return f"the heads of words {', '.join(map(str, sorted(words)))} run in a cycle; no root is above them"


def _check_roots(heads: Sequence[int], words: Sequence[int], source: str) -> None:
    roots = [word for word in words if heads[word - 1] == 0]
    if len(roots) > 1:
        listed = ", ".join(map(str, roots))
        raise CorpusError(f"{source or 'heads'}: words {listed} are all roots (head 0); a tree has one root")
