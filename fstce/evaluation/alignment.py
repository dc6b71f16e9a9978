"""What was changed between two sentences: an alignment of their words.

An alignment of the fewest changes, in which a word is never aligned with a punctuation
mark: a comma that went and a word that came are two changes, not one. Of equally short ones
it is one that rather moves marks than words, and always the same one, so that two
corrections that are equal are seen to be equal. Lines of more than a thousand words or so
are first cut at what is equal in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

Pair = tuple[int | None, int | None]
LARGEST = 1_000_000  # cells of a table of distances


class Edit(NamedTuple):
    """One change: the words ``[start, end)`` of the first sentence become `words`.

    ``start``, ``end``: equal where a word is inserted before word `start`.
    """

    start: int
    end: int
    words: tuple[str, ...]


def align(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """Pairs of positions, None where a word has no counterpart.

    >>> align("well then go".split(), "well , then stop".split())
    [(0, 0), (None, 1), (1, 2), (2, 3)]
    """
    same = min(len(old), len(new))
    first = next((i for i in range(same) if old[i] != new[i]), same)
    rest = next((i for i in range(same - first) if old[-1 - i] != new[-1 - i]), same - first)
    middle = _aligned(old[first : len(old) - rest], new[first : len(new) - rest])
    pairs: list[Pair] = [(i, i) for i in range(first)]
    pairs += _shifted(middle, first, first)
    pairs += [(len(old) - i, len(new) - i) for i in range(rest, 0, -1)]
    return pairs


def edits(old: Sequence[str], new: Sequence[str]) -> list[Edit]:
    """The changes that make the new sentence of the old one, in order.

    >>> edits("teh cat sat".split(), "the cat , sat".split())
    [Edit(start=0, end=1, words=('the',)), Edit(start=2, end=2, words=(',',))]
    """
    return list(_changes(old, new))


def word_errors(old: Sequence[str], new: Sequence[str]) -> int:
    """The Levenshtein distance in words: substitutions, insertions and deletions.

    >>> word_errors("a b c".split(), "a x c d".split())
    2
    """
    row = list(range(len(new) + 1))
    for i, word in enumerate(old, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(new, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]


def is_mark(word: str) -> bool:
    """Whether a token is punctuation: no letter and no digit, or a Penn Treebank bracket.

    >>> is_mark("--"), is_mark("-LRB-"), is_mark("n't")
    (True, True, False)
    """
    return not any(map(str.isalnum, word)) or (word[:1] == word[-1:] == "-" and word[1:-1] in _BRACKETS)


_BRACKETS = frozenset({"LRB", "RRB", "LCB", "RCB", "LSB", "RSB"})


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[Edit]:
    after = 0
    for i, j in align(old, new):
        if i is None or j is None or old[i] != new[j]:
            start = after if i is None else i
            yield Edit(start, start + (i is not None), () if j is None else (new[j],))
        after = after if i is None else i + 1


def _aligned(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """The table of distances between what is left of both sentences, and the way through it."""
    if not old or not new:
        return [(i, None) for i in range(len(old))] + [(None, j) for j in range(len(new))]
    if len(old) * len(new) > LARGEST:
        return _in_blocks(old, new)
    cost = _distances(old, new)
    pairs: list[Pair] = []
    i = j = 0
    while i < len(old) or j < len(new):
        here = cost[i][j]
        if i < len(old) and j < len(new) and here == cost[i + 1][j + 1] + _change(old[i], new[j]):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif i < len(old) and here == cost[i + 1][j] + _single(old[i]):
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    return pairs


def _in_blocks(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """A good alignment where the table for the best would be too large: blocks that are equal first."""
    pairs: list[Pair] = []
    for kind, i, i_end, j, j_end in SequenceMatcher(None, old, new).get_opcodes():
        if kind == "equal":
            pairs += zip(range(i, i_end), range(j, j_end), strict=True)
        elif (i_end - i) * (j_end - j) <= LARGEST:
            pairs += _shifted(_aligned(old[i:i_end], new[j:j_end]), i, j)
        else:
            pairs += [*((n, None) for n in range(i, i_end)), *((None, n) for n in range(j, j_end))]
    return pairs


def _shifted(pairs: Sequence[Pair], i: int, j: int) -> list[Pair]:
    return [(None if a is None else a + i, None if b is None else b + j) for a, b in pairs]


def _distances(old: Sequence[str], new: Sequence[str]) -> list[list[int]]:
    """The distance between ``old[i:]`` and ``new[j:]``, from the end on."""
    insertion = list(map(_single, new))
    table = [list(accumulate(reversed(insertion), initial=0))[::-1]]
    for i in range(len(old) - 1, -1, -1):
        below, deletion = table[-1], _single(old[i])
        row = [0] * len(new) + [below[-1] + deletion]
        for j in range(len(new) - 1, -1, -1):
            changed = below[j + 1] + _change(old[i], new[j])
            row[j] = min(below[j] + deletion, row[j + 1] + insertion[j], changed)
        table.append(row)
    return table[::-1]


# A change weighs so much that no number of words moved in a line of that length outweighs one.
_CHANGE = 1_000_000


def _single(word: str) -> int:
    return _CHANGE if is_mark(word) else _CHANGE + 1


def _change(old: str, new: str) -> int:
    if old == new:
        return 0
    return _CHANGE if is_mark(old) == is_mark(new) else 3 * _CHANGE
