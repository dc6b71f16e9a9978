"""Sentences and what is said of their words, as rows side by side."""

from __future__ import annotations

from collections.abc import Sequence

from fstce.corpora.dictionary import TagDictionary
from fstce.errors import CorpusError
from fstce.numeric.types import Rows


def check_aligned(rows: Rows, others: Sequence[Sequence[object]], what: str = "tags") -> None:
    """Raise CorpusError unless every sentence has its row, with an entry for every word.

    Parameters
    ----------
    rows : sequence of sequences of str
        The words of each sentence.
    others : sequence of sequences
        The tags, the heads, … of each.
    what : str
        What these are, for the message.
    """
    if len(rows) != len(others):
        raise CorpusError(
            f"{len(rows)} sentences but {len(others)} rows of {what}; give each sentence its own"
        )
    for number, (words, row) in enumerate(zip(rows, others, strict=True), 1):
        if len(words) != len(row):
            raise CorpusError(f"sentence {number} has {len(words)} words and {len(row)} {what}")


def dictionary_of(rows: Rows, tags: Rows) -> TagDictionary:
    """The tags that each word has; rows of tags without words are left out.

    >>> dictionary_of([["it", "rains"], ["rains"]], [["N", "V"], ["N"]])["rains"]
    ('N', 'V')
    """
    allowed: dict[str, set[str]] = {}
    for words, row in zip(rows, tags, strict=False):
        for word, tag in zip(words, row, strict=True):
            allowed.setdefault(word, set()).add(tag)
    return TagDictionary(allowed)
