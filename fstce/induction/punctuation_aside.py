"""Which words of a sentence grammar induction sees: those that are no punctuation.

Treebanks say by tags what punctuation is, raw text by its spelling alone. Words that are left
out come back when a tree is drawn: each stands in the smallest constituent around its neighbors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from fstce.corpora import Sentence
from fstce.corpora.tables import bundled_rows
from fstce.errors import CorpusError
from fstce.evaluation.constituents import PUNCTUATION
from fstce.induction import Bracketing
from fstce.induction.parameters import DIRECTED_ALIGNMENT
from fstce.numeric.rules import check

Words = Sequence[str]
Keep = Callable[[Words, int], list[bool]]


@cache
def english_marks() -> frozenset[str]:
    """The marks of ``grammars/punctuation.tsv``."""
    return frozenset(row[0] for row in bundled_rows("punctuation.tsv"))


def keeper(punctuation: str | Collection[str]) -> Keep:
    """The function that says of each word of a sentence whether it is kept.

    ``punctuation``: left out are words with a tag of punctuation (``tags``), or spelt like an English mark
    (``marks``); by tags where a sentence has them, else by marks (``auto``); words of the collection; or
    none. Returns from a sentence and its number, for messages, to a list of bool.
    """
    check(DIRECTED_ALIGNMENT, punctuation=punctuation)
    if not isinstance(punctuation, str):
        marks = frozenset(punctuation)
        return lambda words, number: [word not in marks for word in words]
    rules: dict[str, Keep] = {"auto": _automatic, "tags": _by_tags, "marks": _by_marks}
    return rules.get(punctuation, lambda words, number: [True] * len(words))


def select(sentences: Sequence[Words], keep: Sequence[Sequence[bool]]) -> list[list[str]]:
    """The kept words of each sentence."""
    return [
        [word for word, kept in zip(words, row, strict=True) if kept]
        for words, row in zip(sentences, keep, strict=True)
    ]


def restored(brackets: Bracketing, keep: Sequence[Sequence[bool]]) -> Bracketing:
    """Brackets over the kept words as brackets over all words, from the first word to the last."""
    rows = [np.flatnonzero(row) for row in keep]
    first = np.concatenate(([0], np.cumsum([len(row) for row in rows])))[brackets.sentence]
    place = np.concatenate([np.zeros(0, np.int64), *rows]).astype(np.int32)
    start, end = place[first + brackets.start], place[first + brackets.end - 1] + np.int32(1)
    return replace(brackets, start=start, end=end)


def _automatic(words: Words, number: int) -> list[bool]:
    return _by_marks(words, number) if _tags(words) is None else _by_tags(words, number)


def _by_marks(words: Words, number: int) -> list[bool]:
    marks = english_marks()
    return [word not in marks for word in words]


def _by_tags(words: Words, number: int) -> list[bool]:
    tags = _tags(words)
    if tags is None:
        raise CorpusError(
            f"sentence {number} has no tags that would tell punctuation; use punctuation='marks' or 'auto'"
        )
    # Some tagsets, as Brown's, call a mark by its own name.
    marks = english_marks()
    return [tag not in PUNCTUATION and tag not in marks for tag in tags]


def _tags(words: Words) -> Sequence[str] | None:
    return words.tags if isinstance(words, Sentence) else None
