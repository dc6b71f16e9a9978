"""Classes of words, by name or from a file: function words, content words, punctuation, numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from fstce.corpora.documents import expanded, lines_of
from fstce.errors import NeighborhoodError
from fstce.transducers.del1function import function_words


class WordClass(NamedTuple):
    """A set of words, known by whether a word is in it.

    ``holds``: from a word to whether it belongs.
    """

    name: str
    holds: Callable[[str], bool]

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.holds(word)


def word_class(name: str, folder: Path | None = None) -> WordClass:
    """The class of this name, or that of a file of words, one a line.

    ``name``: ``function-words`` (English, in any case), ``content-words``, ``punctuation``, ``numbers``, or a
    path.

    >>> "The" in word_class("function-words"), "dog" in word_class("content-words")
    (True, True)
    """
    if name.lower() in CLASSES:
        return WordClass(name.lower(), CLASSES[name.lower()])
    path = (folder or Path()) / expanded(name)
    if not path.is_file():
        raise NeighborhoodError(
            f"no class of words {name!r}: known are {', '.join(CLASSES)}, or a file of words, one a line"
        )
    words = frozenset(" ".join(lines_of(path, NeighborhoodError)).split())
    return WordClass(name, words.__contains__)


def _is_function_word(word: str) -> bool:
    return word.lower() in function_words()


def _is_content_word(word: str) -> bool:
    return not (_is_function_word(word) or _is_punctuation(word) or _is_number(word))


def _is_punctuation(word: str) -> bool:
    return not any(character.isalnum() for character in word)


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word)) and not any(map(str.isalpha, word))


CLASSES: dict[str, Callable[[str], bool]] = {
    "function-words": _is_function_word,
    "content-words": _is_content_word,
    "punctuation": _is_punctuation,
    "numbers": _is_number,
}
