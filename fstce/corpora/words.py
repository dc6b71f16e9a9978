"""What a word may be: no reserved spelling, no white space inside.

Machines number their symbols, and the spellings in :data:`RESERVED` are symbols with a
meaning of their own; a corpus word spelt like one would silently become it. Symbol files
separate their columns by white space, so a word holds none.
"""

from __future__ import annotations

import re
from functools import lru_cache

import regex

from fstce.errors import CorpusError

RESERVED = ("<epsilon>", "<sigma>", "<s>", "</s>", "<unk>")
BRACKETS = {"(": "-LRB-", ")": "-RRB-", "{": "-LCB-", "}": "-RCB-", "[": "-LSB-", "]": "-RSB-"}
ESCAPED = frozenset(BRACKETS.values())
_SPELT = regex.compile(r"[\p{L}\p{M}\u200c\u200d]+(?:[-‐‑][\p{L}\p{M}\u200c\u200d]+)*")
_SPACE = re.compile(r"\s+")
_UNFIT = re.compile(r"[\s\0\ud800-\udfff]")


def fault(word: object) -> str | None:
    """What keeps a word from being a symbol, None if nothing does: the one rule for all rooms.

    >>> fault("dog"), fault("New York"), fault("<s>")
    (None, 'it holds white space', 'it is spelt like a reserved symbol')
    """
    if not isinstance(word, str):
        return "it is no string"
    if word.isalpha():  # most are, and are asked for often
        return None
    if not word:
        return "it is empty"
    unfit = _UNFIT.search(word)
    if unfit is None:
        return "it is spelt like a reserved symbol" if word in RESERVED else None
    if unfit.group().isspace():
        return "it holds white space"
    return "it holds NUL" if unfit.group() == "\0" else "it holds a lone surrogate, which no text file can"


def is_fit(word: str) -> bool:
    """Whether a word can be a symbol as it stands."""
    return fault(word) is None


def clean_word(word: str, where: str) -> str:
    """The word (or tag) with each stretch of inner white space written ``_``.

    ``where``: file and line, for the CorpusError of a word that cannot be one.
    """
    if word in RESERVED:
        raise CorpusError(f"{where}: {word!r} is a reserved symbol; spell the word differently in the corpus")
    cleaned = word if is_fit(word) else _SPACE.sub("_", word)
    reason = fault(cleaned)
    if reason is not None:
        raise CorpusError(f"{where}: {word!r} cannot be a word: {reason}")
    return cleaned


@lru_cache(maxsize=1 << 16)
def is_spelt(word: str) -> bool:
    """Whether a token is made of letters alone, perhaps with hyphens between them.

    >>> [is_spelt(word) for word in ("half-baked", "47th", "N.Y.", "n't", "'s", "-LRB-", "x")]
    [True, False, False, False, False, False, True]
    """
    return _SPELT.fullmatch(word) is not None and word not in ESCAPED
