"""Lists of misspellings: what people typed and what they meant, cut into edits by the cheapest alignment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import resources
from typing import NamedTuple

from fstce.corpora.documents import lines_of
from fstce.errors import CorpusError, MissingToolError

Misspelling = tuple[str, str]  # typed, meant


class Edit(NamedTuple):
    """One edit of an alignment.

    ``meant``, ``typed``: as in the confusions of a :class:`fstce.correction.mistakes.channel.Channel`.
    ``before``: the letter that was meant before it, empty at the beginning of the word. ``place``: where in
    the word that was meant it begins.
    """

    meant: str
    typed: str
    before: str
    place: int


def read_misspellings(path: str | os.PathLike[str]) -> tuple[Misspelling, ...]:
    """Lines of misspelling, tab, word; several words that may be meant are separated by commas."""
    found = []
    for number, line in enumerate(lines_of(path), 1):
        if not line.strip():
            continue
        typed, _, words = line.partition("\t")
        meant = [word.strip() for word in words.split(",")]
        if not typed.strip() or not all(meant):
            raise CorpusError(
                f"{path}:{number}: expected a misspelling and the word meant, separated by a tab"
            )
        found += [(typed, word) for word in meant if word != typed]
    if not found:
        raise CorpusError(f"{path}: holds no misspelling; give lines of misspelling, tab, word")
    return tuple(found)


def codespell() -> tuple[Misspelling, ...]:
    """The list of the package codespell, where it is installed.

    Raises
    ------
    MissingToolError
        It is not.
    """
    try:
        files = resources.files("codespell_lib").joinpath("data", "dictionary.txt")
    except ImportError:
        raise MissingToolError(
            "codespell, which has the list of misspellings, is not installed; install it with: "
            "python -m pip install codespell"
        ) from None
    rows = (line.partition("->") for line in files.read_text(encoding="utf-8").splitlines())
    return tuple(
        (typed, word.strip())
        for typed, _, words in rows
        for word in words.split(",")
        if word.strip().isalpha()  # a reason may stand behind the last comma
    )


def edits_of(typed: str, meant: str) -> list[Edit]:
    """The edits of the cheapest alignment, one nat each, a transposition of two letters being one.

    >>> [edit[:2] for edit in edits_of("recieve", "receive")], [edit[:2] for edit in edits_of("cat", "cart")]
    ([('ei', 'ie')], [('r', '')])
    """
    n, m = len(meant), len(typed)
    cost = [[i + j for j in range(m + 1)] for i in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost[i][j] = min(
                cost[i - 1][j - 1] + (meant[i - 1] != typed[j - 1]), cost[i - 1][j] + 1, cost[i][j - 1] + 1
            )
            if _swapped(meant, typed, i, j):
                cost[i][j] = min(cost[i][j], cost[i - 2][j - 2] + 1)
    found, i, j = [], n, m
    while i or j:
        if i and j and meant[i - 1] == typed[j - 1] and cost[i][j] == cost[i - 1][j - 1]:
            i, j = i - 1, j - 1
            continue
        di, dj = _step(cost, meant, typed, i, j)
        before = meant[i - di - 1] if i - di else ""
        found.append(Edit(meant[i - di : i], typed[j - dj : j], before, i - di))
        i, j = i - di, j - dj
    return found[::-1]


def _swapped(meant: str, typed: str, i: int, j: int) -> bool:
    pair = meant[i - 2 : i]
    return i > 1 and j > 1 and pair[0] != pair[1] and pair == typed[j - 2 : j][::-1]


def _step(cost: Sequence[Sequence[int]], meant: str, typed: str, i: int, j: int) -> tuple[int, int]:
    """How many letters the last edit takes of each side."""
    steps = [(2, 2)] if _swapped(meant, typed, i, j) else []
    for di, dj in (*steps, (1, 1), (1, 0), (0, 1)):
        if i >= di and j >= dj and cost[i][j] == cost[i - di][j - dj] + 1:
            return di, dj
    raise AssertionError("unreachable: every cell has a step")
