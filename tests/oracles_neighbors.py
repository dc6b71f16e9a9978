"""Brute-force twins of the neighborhoods beyond the papers' five, as plainly as their definitions read."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Sequence

Words = Sequence[str]
Strings = set[tuple[str, ...]]


def without(words: Words, removable: Collection[str]) -> Strings:
    """The sentence, and the sentence without its i-th word, if that may be removed."""
    shorter = {(*words[:i], *words[i + 1 :]) for i, word in enumerate(words) if word in removable}
    return {tuple(words)} | shorter - {()}


def disjoint_swaps(words: Words) -> Strings:
    """Every order in which each word stands at most one place from its own."""
    orders = itertools.permutations(range(len(words)))
    near = (order for order in orders if all(abs(i - place) <= 1 for place, i in enumerate(order)))
    return {tuple(words[i] for i in order) for order in near}


def rotate1(words: Words) -> Strings:
    """The sentence, rotated by one word to the left, and to the right."""
    return {tuple(words), (*words[1:], *words[:1]), (*words[-1:], *words[:-1])}


def move2(words: Words) -> Strings:
    """The sentence with one word taken out and put back at most two places away."""
    found = set()
    for i, j in itertools.product(range(len(words)), repeat=2):
        if abs(i - j) <= 2:
            rest = [*words[:i], *words[i + 1 :]]
            found.add((*rest[:j], words[i], *rest[j:]))
    return found


def rotations(words: Words) -> Strings:
    """The sentence, beginning at each of its words."""
    return {(*words[i:], *words[:i]) for i in range(len(words))}


def window(words: Words, size: int) -> Strings:
    """Orders whose next word is always among the `size` positions from the first that is not yet taken."""

    def orders(free: tuple[int, ...]) -> list[tuple[int, ...]]:
        if not free:
            return [()]
        chosen = [place for place in free if place < free[0] + size]
        return [(i, *rest) for i in chosen for rest in orders(tuple(j for j in free if j != i))]

    return {tuple(words[i] for i in order) for order in orders(tuple(range(len(words))))}


def sub1(words: Words, substitutes: Callable[[str], Collection[str]]) -> Strings:
    """The sentence, and the sentence with word i replaced by one of its substitutes."""
    places = [(i, new) for i, word in enumerate(words) for new in substitutes(word)]
    return {tuple(words)} | {(*words[:i], new, *words[i + 1 :]) for i, new in places}


def levenshtein(a: str, b: str, transposition: bool = False) -> int:
    """The distance by its recurrence; two adjacent letters that change places may be one edit."""
    if not a or not b:
        return len(a) + len(b)
    ways = [
        levenshtein(a[1:], b, transposition) + 1,
        levenshtein(a, b[1:], transposition) + 1,
        levenshtein(a[1:], b[1:], transposition) + (a[0] != b[0]),
    ]
    if transposition and len(a) > 1 and a[:2] == b[1::-1]:
        ways.append(levenshtein(a[2:], b[2:], transposition) + 1)
    return min(ways)


def spell(
    words: Words, vocabulary: Collection[str], k: int, transposition: bool = False
) -> Strings:
    """Each word in turn is itself or a word of the vocabulary within k edits of it."""
    near = [
        {word, *(v for v in vocabulary if levenshtein(word, v, transposition) <= k)}
        for word in words
    ]
    return set(itertools.product(*near))


def punc(words: Words, marks: Collection[str], k: int) -> Strings:
    """What at most k insertions, deletions and substitutions of marks make of the sentence."""
    found = {tuple(words)}
    for _ in range(k):
        for old in list(found):
            places = [i for i, word in enumerate(old) if word in marks]
            found |= {(*old[:i], *old[i + 1 :]) for i in places}
            found |= {(*old[:i], mark, *old[i + 1 :]) for i in places for mark in marks}
            found |= {(*old[:i], mark, *old[i:]) for i in range(len(old) + 1) for mark in marks}
    return found - {()}
