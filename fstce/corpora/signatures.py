"""Signatures: the classes of words that have not been seen, by their spelling.

The classes are those of the Berkeley parser (after Stanford's), for English: capitals and
where they stand, whether the lower-case form is known, digits, dashes, suffixes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

_SUFFIXES = ("ed", "ing", "ion", "er", "est", "ly", "ity", "y", "al")


def signature(word: str, first: bool, known: Callable[[str], bool]) -> str:
    """The class of a word.

    ``first``: whether it begins the sentence, where a capital says little. ``known``: whether a word has been
    seen; asked for the lower-case form of a word that begins a sentence.

    >>> signature("Frobnication", False, {"the"}.__contains__)
    'UNK-CAPS-ion'
    >>> signature("The", True, {"the"}.__contains__)
    'UNK-INITC-KNOWNLC'
    >>> signature("twenty-2nds", False, {"the"}.__contains__)
    'UNK-LC-NUM-DASH-s'
    """
    found, asked = _spelling(word, first)
    return found.replace("-INITC", "-INITC-KNOWNLC", 1) if asked and known(word.lower()) else found


@lru_cache(maxsize=1 << 14)  # every grammar of a product asks of the same words
def _spelling(word: str, first: bool) -> tuple[str, bool]:
    """The class of a word whose lower-case form is not known, and whether it matters if it is."""
    capitals = sum(character.isupper() or character.istitle() for character in word)
    digit = any(character.isdigit() for character in word)
    case = _case(word, capitals, first)
    parts = ["UNK", case, *["-NUM"] * digit, *["-DASH"] * ("-" in word)]
    parts.append(_suffix(word, word.lower(), digit and capitals > 0))
    return "".join(parts), case == "-INITC"


def _case(word: str, capitals: int, first: bool) -> str:
    initial = word[:1]
    if initial.isupper() or initial.istitle():
        return "-INITC" if first and capitals == 1 else "-CAPS"
    if not initial.isalpha() and capitals:
        return "-CAPS"
    return "-LC" if any(character.islower() for character in word) else ""


def _suffix(word: str, lowered: str, code: bool) -> str:
    if lowered.endswith("s") and len(word) >= 3:
        # Words in -ss, -is and -us are rarely plurals or verbs.
        return "" if lowered[-2] in "siu" else "-s"
    if len(word) < 5 or "-" in word or code:
        return ""
    return next((f"-{suffix}" for suffix in _SUFFIXES if lowered.endswith(suffix)), "")
