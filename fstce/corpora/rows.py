"""Sentences and what is said of their words, as rows side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from numbers import Integral
from typing import Any

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.trees import Tree
from fstce.corpora.words import fault
from fstce.errors import CorpusError
from fstce.numeric.rules import is_listable, shown
from fstce.numeric.types import Rows


def listed(items: Any, what: str, rows: bool = False) -> list[Any]:
    """What belongs to the sentences, as a list; with `rows` each must have an entry for every word."""
    check_listable(items, what)
    found = list(items)
    for number, row in enumerate(found, 1):
        if rows and not (is_listable(row) and isinstance(row, Sized)):
            has = f"no {what}" if row is None else f"{what}={shown(row)}"
            raise CorpusError(f"sentence {number} has {has}: give a list, one for each word")
    return found


def checked_counts(counts: Any, sentences: int) -> list[int] | None:
    """How often each sentence occurs, or None."""
    if counts is None:
        return None
    found = listed(counts, "counts")
    if len(found) != sentences:
        raise CorpusError(f"{sentences} sentences but {len(found)} counts; give each sentence its own")
    for number, count in enumerate(found, 1):
        if isinstance(count, bool) or not isinstance(count, Integral) or count < 1:
            raise CorpusError(f"sentence {number} has count={shown(count)}: give a whole number from 1")
    return [int(count) for count in found]


def checked_rows(sentences: Any) -> list[list[str]]:
    """Sentences as lists of strings; raises CorpusError, with the sentence, where one is none."""
    rows = [list(row) for row in listed(sentences, "sentences", rows=True)]
    for number, row in enumerate(rows, 1):
        if not all(isinstance(word, str) for word in row):
            raise CorpusError(f"sentence {number} is {shown(row)}: give a list of words")
    return rows


def check_listable(items: Any, what: str) -> None:
    """Raise CorpusError unless one can go through what there is of each sentence."""
    if not is_listable(items):
        raise CorpusError(f"{what}={shown(items)}: give a list, with an item for each sentence")


def optional_rows(items: Any, what: str) -> list[Any] | None:
    """The rows of :func:`listed`, or None."""
    return None if items is None else listed(items, what, rows=True)


def listed_trees(trees: Any) -> list[Tree]:
    """Trees as a list; raises CorpusError where they are none."""
    found = listed(trees, "trees")
    for number, tree in enumerate(found, 1):
        if not isinstance(tree, Tree):
            raise CorpusError(f"sentence {number}: {shown(tree)} is no tree; see fstce.corpora.parse_tree")
    return found


def check_aligned(
    rows: Sequence[Sequence[object]],
    others: Sequence[Sequence[object]],
    what: str = "tags",
    of: str = "words",
) -> None:
    """Raise CorpusError unless every sentence has its row, with an entry for every word."""
    if len(rows) != len(others):
        raise CorpusError(
            f"{len(rows)} sentences but {len(others)} rows of {what}; give each sentence its own"
        )
    for number, (words, row) in enumerate(zip(rows, others, strict=True), 1):
        if len(words) != len(row):
            raise CorpusError(f"sentence {number} has {len(words)} {of} and {len(row)} {what}")


def dictionary_of(rows: Rows, tags: Rows) -> TagDictionary:
    """The tags that each word has; rows of tags without words are left out."""
    allowed: dict[str, set[str]] = {}
    for words, row in zip(rows, tags, strict=False):
        for word, tag in zip(words, row, strict=True):
            allowed.setdefault(word, set()).add(tag)
    return TagDictionary(allowed)


def checked_sentences(
    sentences: Iterable[Sequence[str]], least: int = 1, first: int = 1
) -> list[Sequence[str]]:
    """At least so many sentences as a list, each a sequence of at least one word that can be a symbol.

    ``first``: the number that messages give the first of them.
    """
    if isinstance(sentences, str):
        raise CorpusError("sentences are lists of words, but a string was given; split it first")
    rows = listed(sentences, "sentences")
    if len(rows) < least:
        raise CorpusError("there is no sentence; give at least one, as a list of words")
    for number, row in enumerate(rows, first):
        where = f"sentence {number}"
        if isinstance(row, str):
            raise CorpusError(f"{where} is the string {row[:40]!r}, not a list of words; split it first")
        if not is_listable(row) or not hasattr(row, "__len__"):
            raise CorpusError(f"{where} is {shown(row)}, not a list of words")
        if not len(row):
            raise CorpusError(f"{where} is empty; leave it out")
        for word in row:
            reason = fault(word)
            if reason is not None:
                raise CorpusError(f"{where}: {word!r} is no word: {reason}; respell it or leave it out")
    return rows
