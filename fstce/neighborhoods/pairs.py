"""Neighborhoods as data: a sentence and a neighbor at a time, in the fields of BLiMP.

What nobody checks is whether the neighbor is ungrammatical; three filters drop some that are not:
neighbors that the text has, those that may have the sentence's own sequence of tags, those in which
no word of a class changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator
from typing import Any

from fstce.corpora.words import common_ends
from fstce.errors import NeighborhoodError
from fstce.machines.symbols import SIGMA, SIGMA_ID, Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.types import Rows

Words = tuple[str, ...]
Lookup = Callable[[str], Collection[str]]
MOST = 100_000  # neighbors of a sentence that are listed


def pairs(
    neighborhood: Neighborhood,
    sentences: Rows,
    *,
    tags: Lookup | None = None,
    changed: Container[Any] | None = None,
) -> Iterator[dict[str, Any]]:
    """The pairs of all sentences, in their order.

    ``sentences``: the text; repeated ones count once. ``tags``: from a word to those that it may
    have. ``changed``: a class of words of which one must change. A pair has ``sentence_good`` and
    ``sentence_bad``, words with blanks between them; ``UID``, the neighborhood; ``pair_id``;
    ``change``, what was done; ``good`` and ``bad``, the words that differ, and ``place``, where
    they begin, from 0.

    >>> from fstce import neighborhood
    >>> row = next(pairs(neighborhood("del1word"), [["the", "cat", "sat"]], changed={"the"}))
    >>> row["sentence_bad"], row["change"], row["good"], row["bad"], row["place"]
    ('cat sat', 'deletion', ['the'], [], 0)
    """
    text = dict.fromkeys(tuple(words) for words in sentences)
    neighborhood = neighborhood.for_text(list(text))
    number = 0
    if neighborhood.corpus_wide:
        raise NeighborhoodError(
            f"{neighborhood.name} is one set of sentences for the whole text, not one for each"
        )

    words = dict.fromkeys(word for sentence in text for word in sentence)
    symbols = Symbols([*words, *neighborhood.introduced(list(words))])

    for good, lattice in zip(text, neighborhood.expand(text, symbols), strict=True):
        if (lattice.arrays.ilabel == SIGMA_ID).any():
            raise NeighborhoodError(
                f"{neighborhood.name} has any word in its neighbors ({SIGMA}), which are no "
                "sentences"
            )
        if lattice.count() > MOST:
            raise NeighborhoodError(
                f"{' '.join(good)[:60]}: {lattice.count():,} neighbors, more than {MOST:,}; leave "
                "it out, or choose a smaller neighborhood"
            )
        for bad in lattice.strings():
            start, mine, theirs = difference(good, bad)
            dropped = (
                bad in text
                or (changed is not None and not any(word in changed for word in (*mine, *theirs)))
                or (tags is not None and may_share_tags(good, bad, tags))
            )
            if not dropped:
                yield {
                    "sentence_good": " ".join(good),
                    "sentence_bad": " ".join(bad),
                    "UID": neighborhood.name,
                    "pair_id": str(number),
                    "change": change(mine, theirs),
                    "place": start,
                    "good": list(mine),
                    "bad": list(theirs),
                }
                number += 1


def difference(good: Words, bad: Words) -> tuple[int, Words, Words]:
    """Where two sentences begin to differ, and the words of each that do.

    >>> difference(tuple("abcd"), tuple("acbd"))
    (1, ('b', 'c'), ('c', 'b'))
    """
    start, end = common_ends(good, bad)
    return start, good[start : len(good) - end], bad[start : len(bad) - end]


def change(good: Words, bad: Words) -> str:
    """The name of the change to the words that differ.

    >>> change(tuple("abc"), tuple("bca")), change(("a", "b"), ("b", "a")), change(("a",), ())
    ('movement', 'transposition', 'deletion')
    """
    if not bad:
        return "deletion"
    if not good:
        return "insertion"
    if len(good) == len(bad) == 1:
        return "substitution"
    if good[::-1] == bad and len(good) == 2:
        return "transposition"
    moved = bad in (good[1:] + good[:1], good[-1:] + good[:-1])
    if moved:
        return "movement"
    return "reordering" if sorted(good) == sorted(bad) else "several"


def may_share_tags(good: Words, bad: Words, tags: Lookup) -> bool:
    """Whether both may have one sequence of tags, repeated tags counted once.

    A word without tags may have none.

    >>> lists = {"old": ["A"], "black": ["A"], "cat": ["N"], "the": ["D"]}
    >>> good = ("the", "old", "black", "cat")
    >>> [may_share_tags(good, bad, lists.__getitem__) for bad in (good[:1] + good[2:], good[1:])]
    [True, False]
    """
    of_good, of_bad = (
        [*(frozenset(tags(word)) for word in words), frozenset()] for words in (good, bad)
    )

    # A state is how many words of each are read, and the tag that both had last.
    waiting = {(0, 0, "")}
    seen = set[tuple[int, int, str]]()
    while waiting:
        i, j, tag_before = state = waiting.pop()
        if state[:2] == (len(good), len(bad)):
            return True
        seen.add(state)
        steps = {(i + 1, j + 1, tag) for tag in of_good[i] & of_bad[j]}
        if tag_before in of_good[i]:
            steps.add((i + 1, j, tag_before))
        if tag_before in of_bad[j]:
            steps.add((i, j + 1, tag_before))
        waiting |= steps - seen
    return False
