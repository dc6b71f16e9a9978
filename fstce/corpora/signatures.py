"""Signatures: the classes of words that have not been seen, by their spelling.

The classes are those of the Berkeley parser (after Stanford's), for English: capitals and
where they stand, whether the lower-case form is known, digits, dashes, suffixes.
"""

from __future__ import annotations

from collections.abc import Callable

_SUFFIXES = ("ed", "ing", "ion", "er", "est", "ly", "ity", "y", "al")


def signature(word: str, first: bool, known: Callable[[str], bool]) -> str:
    """The class of a word.

    ``first``: whether it begins the sentence, where a capital says little. ``known``: whether a
    word has been seen; asked for the lower-case form of a word that begins a sentence.

    >>> signature("Frobnication", False, {"the"}.__contains__)
    'UNK-CAPS-ion'
    >>> signature("twenty-2nds", False, {"the"}.__contains__)
    'UNK-LC-NUM-DASH-s'
    """
    capitals = sum(character.isupper() or character.istitle() for character in word)
    digit = any(character.isdigit() for character in word)
    case = _case(word, capitals, first)
    if case == "-INITC" and known(word.lower()):
        case = "-INITC-KNOWNLC"
    suffix = _suffix(word, word.lower(), digit and capitals > 0)
    return "".join(("UNK", case, "-NUM" * digit, "-DASH" * ("-" in word), suffix))


def _case(word: str, capitals: int, first: bool) -> str:
    initial = word[:1]
    if initial.isupper() or initial.istitle():
        if first and capitals == 1:
            return "-INITC"
        return "-CAPS"
    if not initial.isalpha() and capitals:
        return "-CAPS"
    return "-LC" * any(character.islower() for character in word)


def _suffix(word: str, lowered: str, code: bool) -> str:
    if lowered.endswith("s") and len(word) >= 3:
        # Words in -ss, -is and -us are rarely plurals or verbs.
        return "-s" * (lowered[-2] not in "siu")
    if len(word) < 5 or "-" in word or code:
        return ""
    return next((f"-{suffix}" for suffix in _SUFFIXES if lowered.endswith(suffix)), "")
