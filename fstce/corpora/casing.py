"""Capitals and accents: a word's lower-case form, and the same capitals put on another word."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

PARTS = "-'’"  # between the parts of a word: ``al-Qaida``
_STROKES = str.maketrans("łŁøØđĐħĦŧŦı", "lLoOdDhHtTi")


def capitals(word: str) -> str:
    """How a word is capitalized: ``upper``, ``first``, or the empty string for all else.

    >>> capitals("NATO"), capitals("Paris"), capitals("A"), capitals("paris"), capitals("McCoy")
    ('upper', 'first', 'first', '', '')
    """
    if word[:1].isupper() and word[1:] == word[1:].lower():
        return "first"
    if word.isupper():
        return "upper"
    return ""


def capitalized(word: str, how: str) -> str:
    """The word with capitals put on, as :func:`capitals` describes them.

    A word whose first part has capitals of its own begins as it does.

    >>> capitalized("paris", "upper"), capitalized("iPhone", "first")
    ('PARIS', 'iPhone')
    >>> capitalized("al-Qaida", "first")
    'Al-Qaida'
    """
    if how == "upper":
        return word.upper()
    if how == "first":
        first_part = re.split(f"[{PARTS}]", word, maxsplit=1)[0]
        if first_part == first_part.lower():
            return word[:1].upper() + word[1:]
    return word


@lru_cache(maxsize=1 << 16)
def plain(word: str) -> str:
    """The word without capitals and accents, by which its variants are equal.

    >>> plain("Cafés"), plain("CAFES")
    ('cafes', 'cafes')
    """
    return word.lower() if word.isascii() else without_accents(word.casefold())


def without_accents(word: str) -> str:
    """The word without accents, and with plain letters for those with strokes.

    >>> without_accents("Łódź"), without_accents("søren")
    ('Lodz', 'soren')
    """
    parts = unicodedata.normalize("NFD", word.translate(_STROKES))
    letters = "".join(c for c in parts if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", letters) or word


def has_accents(word: str) -> bool:
    """Whether any letter of a word in NFC has an accent; signs between letters are none.

    >>> has_accents("fête"), has_accents("हिन्दी"), has_accents("한국")
    (True, False, False)
    """
    return any(letter != without_accents(letter) for letter in word)


def in_small_letters(counts: Mapping[str, int]) -> Counter[str]:
    """The counts of words, whatever their capitals, by their small letters."""
    summed = Counter[str]()
    for word, count in counts.items():
        summed[word.lower()] += count
    return summed
