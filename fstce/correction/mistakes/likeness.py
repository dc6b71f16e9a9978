"""What two words have in common as wholes: by keys that are equal where the words are alike.

=============  ==============================================================
``first``      the first letter
``last``       the last letter
``undoubled``  the letters, doubled ones once: letters doubled and undoubled
``letters``    the letters in any order: transpositions over a distance
``frame``      the letters without vowels
``sound``      the consonants by how they sound in English, vowels as one
=============  ==============================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

VOWELS = "aeiouyàâäáãåæèéêëìíîïòóôöõøœùúûüýÿ"
_SOUNDS = (
    (re.compile("^(?:kn|gn|pn)"), "n"),
    (re.compile("^wr"), "r"),
    (re.compile("^ps"), "s"),
    (re.compile("gh(?![aeiouy])"), ""),
    (re.compile("ph"), "f"),
    (re.compile("sc(?=[eiy])|c(?=[eiy])|z"), "s"),
    (re.compile("(?:ti|si|ci)(?=[ao])|sh|sch|ch"), "x"),
    (re.compile("dg|g(?=[eiy])"), "j"),
    (re.compile("ck|c|q"), "k"),
    (re.compile("mb$"), "m"),
    (re.compile("h(?![aeiouy])"), ""),
    (re.compile("[aeiouyw]+"), "a"),
)
_DOUBLED = re.compile(r"(.)\1+")


def undoubled(word: str) -> str:
    """The word with each run of a letter as one.

    >>> undoubled("committee")
    'comite'
    """
    return _DOUBLED.sub(r"\1", word)


def frame(word: str) -> str:
    """The word without vowels.

    >>> frame("separate"), frame("seperate")
    ('sprt', 'sprt')
    """
    return "".join(c for c in word if c not in VOWELS)


@lru_cache(maxsize=1 << 16)
def sound(word: str) -> str:
    """Roughly how an English word sounds, whatever its vowels.

    >>> sound("fisical") == sound("physical"), sound("nife") == sound("knife")
    (True, True)
    """
    for pattern, written in _SOUNDS:
        word = pattern.sub(written, word)
    return undoubled(word).removesuffix("a")


KEYS: Mapping[str, Callable[[str], str]] = {
    "first": lambda word: word[:1],
    "last": lambda word: word[-1:],
    "undoubled": undoubled,
    "letters": lambda word: "".join(sorted(word)),
    "frame": frame,
    "sound": sound,
}


def unlike(typed: str, meant: str) -> list[float]:
    """For each key whether the words differ in it, 1 or 0, in any capitals.

    >>> dict(zip(KEYS, unlike("acommodate", "accommodate")))["undoubled"]
    0.0
    """
    a, b = typed.lower(), meant.lower()
    return [float(key(a) != key(b)) for key in KEYS.values()]
