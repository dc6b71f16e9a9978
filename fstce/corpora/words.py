"""What a word may be, and sentences of words with what is said of these, as rows side by side.

Machines number their symbols, and the spellings in :data:`RESERVED` are symbols with a
meaning of their own; a corpus word spelt like one would silently become it. Symbol files
separate their columns by white space, so a word holds none.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence, Sized
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from numbers import Integral
from typing import Any, TypeVar
from unicodedata import category, normalize

from fstce.errors import CorpusError
from fstce.numeric.types import Rows, Sentences, Words
from fstce.parameters.rules import is_listable, shown

Item = TypeVar("Item")
RESERVED = ("<epsilon>", "<sigma>", "<s>", "</s>", "<unk>")
BRACKETS = {"(": "-LRB-", ")": "-RRB-", "{": "-LCB-", "}": "-RCB-", "[": "-LSB-", "]": "-RSB-"}
ESCAPED = frozenset(BRACKETS.values())
_ROUND = str.maketrans({"(": "-LRB-", ")": "-RRB-"})
_HYPHEN = re.compile("[-‐‑]")
_SPACE = re.compile(r"\s+")
_UNFIT = re.compile(r"[\s\0\ud800-\udfff]")


def fault(word: object) -> str | None:
    """The reason why a word cannot be a symbol, or None: the one rule for all rooms.

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
    if unfit.group() == "\0":
        return "it holds NUL"
    return "it holds a lone surrogate, which no text file can"


def is_fit(word: str) -> bool:
    """Whether a word can be a symbol as it stands."""
    return fault(word) is None


def clean_word(word: str, where: str) -> str:
    """The word (or tag) with each stretch of inner white space written ``_``.

    ``where``: file and line, for the CorpusError of a word that cannot be one.
    """
    if is_fit(word):
        return word
    if word in RESERVED:
        raise CorpusError(
            f"{where}: {word!r} is a reserved symbol; spell the word differently in the corpus"
        )

    cleaned = _SPACE.sub("_", word)
    reason = fault(cleaned)
    if reason is not None:
        raise CorpusError(f"{where}: {word!r} cannot be a word: {reason}")
    return cleaned


def with_brackets_named(word: str) -> str:
    """A word as treebanks spell it: brackets have names.

    >>> with_brackets_named("["), with_brackets_named("(s)")
    ('-LSB-', '-LRB-s-RRB-')
    """
    return BRACKETS.get(word) or word.translate(_ROUND)


def composed(word: str) -> str:
    """A word in the normal form in which words are compared, NFC."""
    return word if word.isascii() else normalize("NFC", word)


@lru_cache(maxsize=1 << 16)
def is_spelt(word: str) -> bool:
    """Whether a token is made of letters alone, perhaps with hyphens between them.

    >>> [is_spelt(word) for word in ("half-baked", "47th", "N.Y.", "n't", "'s", "-LRB-", "x")]
    [True, False, False, False, False, False, True]
    """
    if word in ESCAPED:
        return False
    return all(part and all(map(_is_letter, part)) for part in _HYPHEN.split(word))


def _is_letter(character: str) -> bool:
    """Whether it is a letter, or a mark or joiner that stands with letters alone."""
    return category(character)[0] in "LM" or character in "\u200c\u200d"


def listed(items: Any, what: str, rows: bool = False) -> list[Any]:
    """Values that belong to the sentences, as a list; with `rows` one for every word."""
    check_listable(items, what)
    found = list(items)
    for number, row in enumerate(found, 1):
        if rows and not (is_listable(row) and isinstance(row, Sized)):
            has = f"no {what}" if row is None else f"{what}={shown(row)}"
            raise CorpusError(f"sentence {number} has {has}: give a list, one for each word")
    return found


def instances(items: Iterable[Item], kind: type[Item], what: str = "sentences") -> Iterator[Item]:
    """What there is of each sentence, one by one; raises CorpusError where it is none of a kind."""
    check_listable(items, what)
    for number, item in enumerate(items, 1):
        if not isinstance(item, kind):
            raise CorpusError(
                f"sentence {number} is {shown(item)}: give a fstce.corpora.{kind.__name__}"
            )
        yield item


def checked_counts(counts: Any, sentences: int) -> list[int] | None:
    """How often each sentence occurs, or None."""
    if counts is None:
        return None
    found = listed(counts, "counts")
    if len(found) != sentences:
        raise CorpusError(
            f"{sentences} sentences but {len(found)} counts; give each sentence its own"
        )
    for number, count in enumerate(found, 1):
        if isinstance(count, bool) or not isinstance(count, Integral) or count < 1:
            raise CorpusError(
                f"sentence {number} has count={shown(count)}: give a whole number from 1"
            )
    return [int(count) for count in found]


def in_known_forms(rows: Rows, known: Container[str]) -> list[Sequence[str]]:
    """Sentences with words in that normal form of Unicode, composed or not, that is known.

    >>> in_known_forms([["e\\u0301", "x"]], ["\\xe9"]) == [["\\xe9", "x"]]
    True
    """
    unknown = {word for row in rows for word in row if not word.isascii() and word not in known}
    forms: dict[str, str] = {}
    for word in unknown:
        for form in (normalize("NFC", word), normalize("NFD", word)):
            if form in known:
                forms[word] = form
    if not forms:
        return list(rows)
    return [[forms.get(word, word) for word in row] for row in rows]


def checked_rows(sentences: Any) -> list[list[str]]:
    """Sentences as lists of strings; raises CorpusError, with the sentence, where one is none."""
    rows = [list(row) for row in listed(sentences, "sentences", rows=True)]
    for number, row in enumerate(rows, 1):
        if not all(isinstance(word, str) for word in row):
            raise CorpusError(f"sentence {number} is {shown(row)}: give a list of words")
    return rows


def check_listable(items: Any, what: str) -> None:
    """Raise CorpusError unless one can go through what there is of each sentence."""
    if not is_listable(items):
        raise CorpusError(f"{what}={shown(items)}: give a list, with an item for each sentence")


def optional_rows(items: Any, what: str) -> list[Any] | None:
    """The rows of :func:`listed`, or None."""
    return None if items is None else listed(items, what, rows=True)


def check_aligned(
    rows: Sequence[Sequence[object]],
    others: Sequence[Sequence[object]],
    what: str = "tags",
    of: str = "words",
) -> None:
    """Raise CorpusError unless every sentence has its row, with an entry for every word."""
    if len(rows) != len(others):
        raise CorpusError(
            f"{len(rows)} sentences but {len(others)} rows of {what}; give each sentence its own"
        )
    for number, (words, row) in enumerate(zip(rows, others, strict=True), 1):
        if len(words) != len(row):
            raise CorpusError(f"sentence {number} has {len(words)} {of} and {len(row)} {what}")


def checked_sentences(sentences: Sentences, least: int = 1, first: int = 1) -> list[Sequence[str]]:
    """At least so many sentences as a list, each of at least one word that can be a symbol.

    ``first``: the number that messages give the first of them.
    """
    if isinstance(sentences, str):
        raise CorpusError("sentences are lists of words, but a string was given; split it first")
    rows = listed(sentences, "sentences")
    if len(rows) < least:
        raise CorpusError("there is no sentence; give at least one, as a list of words")

    # What cannot be hashed is no word, as is said below.
    with suppress(TypeError):
        types = set(map(type, rows))
        are_rows = all(issubclass(of, Sequence) and not issubclass(of, str) for of in types)
        if are_rows and all(map(len, rows)) and not any(map(fault, set(chain(*rows)))):
            return rows

    for number, row in enumerate(rows, first):
        where = f"sentence {number}"
        if isinstance(row, str) or not is_listable(row) or not hasattr(row, "__len__"):
            raise CorpusError(f"{where} is {shown(row)}, not a list of words; split it first")
        if not len(row):
            raise CorpusError(f"{where} is empty; leave it out")
        for word in row:
            reason = fault(word)
            if reason is not None:
                raise CorpusError(
                    f"{where}: {word!r} is no word: {reason}; respell it or leave it out"
                )
    return rows


def common_ends(old: Words, new: Words) -> tuple[int, int]:
    """How many words, or letters, two have in common at the beginning, and then at the end.

    >>> common_ends("abbc", "abc")
    (2, 1)
    """
    shorter = min(len(old), len(new))
    first = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - first
    return first, next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
