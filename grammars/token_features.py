"""Features of a word where it stands, of a conditional random field's grade.

Source: the features of supervised taggers since Ratnaparkhi (1996) and Lafferty et al.
(2001), §5.2: the word, affixes of 1 to 5 characters, its shape, the words next to it, and
what lists of names (gazetteers) say of it; each is conjoined with a tag.
To try: ``Tagger(criterion="conditional", features=("form", "context"))``
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from fstce.grammars import spelling, word_form

SEPARATOR = "␟"
Gazetteer = Mapping[str, tuple[str, ...]]


def in_context(left: str, word: str, right: str) -> str:
    """A word and the words next to it as one symbol; nothing is next to an end."""
    return SEPARATOR.join((left, word, right))


def middle(token: str) -> str:
    """The word of a symbol of :func:`in_context`; a word by itself is its own.

    >>> middle(in_context("the", "cat", "")), middle("cat")
    ('cat', 'cat')
    """
    return token.split(SEPARATOR)[1] if SEPARATOR in token else token


def build(token: str, templates: Collection[str], gazetteer: Gazetteer) -> tuple[str, ...]:
    """The names of the features of a word, in context or by itself.

    >>> build(in_context("the", "Po", ""), ("context",), {"Po": ("river",)})
    ('word=Po', 'left=the', 'right=', 'gazetteer=river')
    """
    return tuple(dict.fromkeys(_names(token, templates, gazetteer)))


def _names(token: str, templates: Collection[str], gazetteer: Gazetteer) -> Iterator[str]:
    word = middle(token)
    yield f"word={word}"
    if SEPARATOR in token:
        left, _, right = token.split(SEPARATOR)
        yield from (f"left={left}", f"right={right}")
    if "form" in templates:
        yield from _form(word)
    if "spelling" in templates:
        yield from spelling.build(word)
    yield from (f"gazetteer={name}" for name in gazetteer.get(word, ()))


@lru_cache(maxsize=1 << 16)
def _form(word: str) -> tuple[str, ...]:
    """The features of a word by itself, which it has wherever it stands."""
    return *word_form.build(word), f"shape={word_form.shape(word)}"
