"""The form of a word, for guessing its tags: affixes of 1 to 5 characters, capitals, signs, length.

Source: the features of taggers for unknown words since Ratnaparkhi (1996), at both ends of
the word, since languages inflect at either; no list of affixes is needed.
To try: ``Tagger(unknown_word_model=True)``, and a dictionary that lacks words
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby

AFFIX_LENGTHS = (1, 2, 3, 4, 5)
LONGEST = 8


def build(word: str) -> tuple[str, ...]:
    """The names of the features that a word has.

    Examples
    --------
    >>> build("Un-do")
    ('length=5', 'prefix=U', 'suffix=o', 'prefix=Un', 'suffix=do', 'prefix=Un-', 'suffix=-do', \
'prefix=Un-d', 'suffix=n-do', 'prefix=Un-do', 'suffix=Un-do', 'capital', 'hyphen')
    """
    mixed = not word.isalpha()  # most words are letters alone, which need no second look
    has = {
        "capital": word[:1].isupper(),
        "capitals": len(word) > 1 and word.isupper(),
        "digit": mixed and any(map(str.isdigit, word)),
        "hyphen": "-" in word,
        "no-letter": mixed and not any(map(str.isalpha, word)),
    }
    signs = [name for name, is_so in has.items() if is_so]
    return f"length={min(len(word), LONGEST)}", *_affixes(word), *signs


def folded(word: str) -> tuple[str, ...]:
    """The features of :func:`build`, the affixes of the word without capitals, and its shape.

    >>> [name for name in folded("To") if name not in build("To")]
    ['prefix=t', 'prefix=to', 'suffix=to', 'shape=Xx']
    """
    names = [*build(word)]
    plain = word.casefold()
    if plain != word:
        names += _affixes(plain)
    return tuple(dict.fromkeys([*names, f"shape={shape(word)}"]))


def shape(word: str) -> str:
    """The kinds of the word's characters, each run of one kind once.

    >>> shape("Mid-60s"), shape("U.S.")
    ('Xx-dx', 'X.X.')
    """
    return "".join(kind for kind, _ in groupby(map(_kind, word)))


@cache
def _kind(character: str) -> str:
    if character.isupper():
        return "X"
    if character.islower():
        return "x"
    return "d" if character.isdigit() else character


def _affixes(word: str) -> Iterator[str]:
    for n in AFFIX_LENGTHS[: len(word)]:
        yield f"prefix={word[:n]}"
        yield f"suffix={word[-n:]}"
