"""Capitals: a word's lower-case form, and the same capitals put on another word."""

from __future__ import annotations


def capitals(word: str) -> str:
    """How a word is capitalized: ``upper``, ``first``, or the empty string for all else.

    >>> capitals("NATO"), capitals("Paris"), capitals("A"), capitals("paris"), capitals("McCoy")
    ('upper', 'first', 'first', '', '')
    """
    if word[:1].isupper() and word[1:] == word[1:].lower():
        return "first"
    return "upper" if word.isupper() else ""


def capitalized(word: str, how: str) -> str:
    """The word with capitals put on, as :func:`capitals` describes them.

    >>> capitalized("paris", "upper"), capitalized("paris", "first"), capitalized("McCoy", "")
    ('PARIS', 'Paris', 'McCoy')
    """
    if how == "upper":
        return word.upper()
    return word[:1].upper() + word[1:] if how == "first" else word
