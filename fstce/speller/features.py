"""What a speller knows of an error: the edits that turn what was observed into a word, by features.

Every edit has its kind, what its letters have in common, its letters, and its place in the word; a
letter too many or missing may be one of a double. Two adjacent edits are one edit of strings
(Brill & Moore 2000), and so is an edit with the letter before or behind it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from fstce.corpora.words import common_ends

EDITS = 2  # of a word at most
# Letters next to those that differ where an edit may stand as well: of a double either one
SLACK = 2
BEGIN, INSIDE, END = range(3)
PLACES = ("begin", "inside", "end")
KINDS = ("substitution", "insertion", "deletion", "transposition")
VOWELS = frozenset("aeiouyæœøəıαεηιοωυаеиоуыэюяєіөүәѣ")


class Edit(NamedTuple):
    """One edit: ``observed[start:end]`` for ``intended[first:last]``, one of them perhaps empty."""

    start: int
    end: int
    first: int
    last: int


Script = tuple[Edit, ...]


def scripts(observed: str, intended: str) -> list[Script]:
    """The ways to make one word of the other with the fewest edits, at most :data:`EDITS`.

    A transposition of two letters is one edit, and no letter is edited twice.

    >>> scripts("recieve", "receive")
    [(Edit(start=3, end=5, first=3, last=5),)]
    >>> len(scripts("comit", "commit")), scripts("fonetic", "physics")
    (2, [])
    """
    head, tail = (max(shared - SLACK, 0) for shared in common_ends(observed, intended))
    core = observed[head : len(observed) - tail], intended[head : len(intended) - tail]
    for most in range(EDITS + 1):
        rows = _scripts(*core, most)
        if rows:
            return [_behind(head, script) for script in rows]
    return []


def _behind(letters: int, script: Script) -> Script:
    """The edits, so many letters later in both words."""
    edits = []
    for start, end, start_intended, end_intended in script:
        place = start + letters, end + letters
        edits.append(Edit(*place, start_intended + letters, end_intended + letters))
    return tuple(edits)


@lru_cache(maxsize=1 << 16)
def _scripts(observed: str, intended: str, most: int) -> tuple[Script, ...]:
    return tuple(_ways(observed, intended, 0, 0, most))


def _ways(observed: str, intended: str, i: int, j: int, most: int) -> Iterator[Script]:
    n = len(observed)
    m = len(intended)
    if abs((n - i) - (m - j)) > most:
        return
    if i == n and j == m:
        yield ()
    elif i < n and j < m and observed[i] == intended[j]:
        yield from _ways(observed, intended, i + 1, j + 1, most)
    if not most:
        return

    steps = []
    if i < n and j < m and observed[i] != intended[j]:
        steps.append((1, 1))
        if observed[i : i + 2] == intended[j : j + 2][::-1] and i + 1 < n:
            steps.append((2, 2))

    for di, dj in (*steps, (1, 0), (0, 1)):
        if i + di <= n and j + dj <= m:
            edit = Edit(i, i + di, j, j + dj)
            yield from (
                (edit, *script) for script in _ways(observed, intended, i + di, j + dj, most - 1)
            )


def features(observed: str, intended: str, script: Script) -> list[str]:
    """The names of all features of a script, one as often as it holds.

    >>> features("nife", "knife", scripts("nife", "knife")[0])[:3]
    ['deletion', 'begin', 'deletion begin']
    """
    names = [name for edit in script for name in _of_edit(observed, intended, edit)]
    if len(script) > 1:
        before, behind = script
        names.append("two")
        between = behind.start - before.end
        if between < 2 and behind.first - before.last == between:
            typed = observed[before.start : behind.end]
            names.append(f"string {typed}>{intended[before.first : behind.last]}")
    return names


def _of_edit(observed: str, intended: str, edit: Edit) -> list[str]:
    a = observed[edit.start : edit.end]
    b = intended[edit.first : edit.last]
    names = [*letter_features(a, b, place_of(edit.start, edit.end, len(observed)))]
    before = observed[edit.start - 1 : edit.start] if edit.start else ""
    behind = observed[edit.end : edit.end + 1]
    if len(a + b) == 1 and (a + b) in (before, behind):
        names += double_features(a, b)
    if before:
        names.append(f"context {before}{a}>{before}{b}")
    if behind:
        names.append(f"context {a}{behind}>{b}{behind}")
    return names


def place_of(start: int, end: int, length: int) -> int:
    """Where an edit stands: at the word's begin, inside, or at its end."""
    if not start:
        return BEGIN
    return END if end == length else INSIDE


@lru_cache(maxsize=1 << 16)
def letter_features(a: str, b: str, place: int) -> tuple[str, ...]:
    """The features of an edit of letters at a place, whatever stands next to it."""
    edit = kind_of(a, b)
    if edit == KINDS[0]:
        names = substitution_features(letter_class(a), letter_class(b), place)
        if a.lower() == b.lower():
            names.append(f"{edit} case")
        elif base(a) == base(b):
            names.append(f"{edit} accent")
    else:
        names = [edit, *_place_features(edit, place)]
        if len(a + b) == 1:
            names.append(f"{edit} {letter_class(a or b)}")

    names.append(f"{a}>{b}")
    if place != INSIDE:
        names.append(f"{a}>{b} {PLACES[place]}")
    return tuple(names)


def double_features(a: str, b: str) -> list[str]:
    """The features that a letter too many, or a missing one, has next to its like."""
    return [f"{kind_of(a, b)} double", f"{kind_of(a, b)} double {letter_class(a or b)}"]


def kind_of(a: str, b: str) -> str:
    """The kind of an edit: the letters observed and intended."""
    if not a:
        return "deletion"
    if not b:
        return "insertion"
    return "transposition" if len(a) == 2 else "substitution"


def substitution_features(observed: str, intended: str, place: int) -> list[str]:
    """The features of a letter of one class observed for one of another, whatever they are."""
    names = [KINDS[0]]
    if observed != intended:
        names.append(f"{KINDS[0]} mixed")
    elif observed == "vowel":
        names.append(f"{KINDS[0]} vowels")
    return [*names, *_place_features(KINDS[0], place)]


def _place_features(edit: str, place: int) -> list[str]:
    if place == INSIDE:
        return []
    return [PLACES[place], f"{edit} {PLACES[place]}"]


@lru_cache(maxsize=4096)
def letter_class(letter: str) -> str:
    """Whether it is a vowel, a consonant or a mark.

    >>> letter_class("ö"), letter_class("ŋ"), letter_class("-")
    ('vowel', 'consonant', 'mark')
    """
    if not letter.isalpha():
        return "mark"
    return "vowel" if base(letter) in VOWELS else "consonant"


@lru_cache(maxsize=4096)
def base(letter: str) -> str:
    """The small letter without its marks, as Unicode names it.

    >>> base("Á"), base("đ"), base("ŋ")
    ('a', 'd', 'ŋ')
    """
    name = unicodedata.name(letter, "").replace(" CAPITAL ", " SMALL ").partition(" WITH ")[0]
    try:
        return unicodedata.lookup(name)
    except KeyError:
        return letter.lower()
