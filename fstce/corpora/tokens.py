"""Running text into words and marks, each with its place in the line.

A token knows where it stands, so that what is done to it changes nothing else of the line.
What is a word of its own is a matter of :class:`~fstce.corpora.conventions.Conventions`; by
default ``don't`` is ``do`` ``n't``, punctuation stands alone, a full stop belongs to an
abbreviation and not to the last word of a sentence. A line that is tokenized already is cut
at white space only. Letters, marks and digits are Unicode's in every script: a combining mark
belongs to its word. Every alternative of the pattern looks ahead a bounded way or takes what it
has read, so that the time is linear in the length of the line.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import regex

from fstce.corpora.conventions import BLANK, ENGLISH, LETTER, Conventions, fold
from fstce.corpora.tables import bundled_rows

_STANDING = regex.compile(r"(?:^|\s)(?:[,.،、。，]|n't|'s)(?=\s|$)")
_HANGING = regex.compile(rf"{LETTER}[,;:?!،؟。，](?=\s|$)|{LETTER}\.$|['\"’”)][,.;:?!]|[\"“(]{LETTER}")
_CUTS = regex.compile(r"['’]|(?<=\w)-(?=\w)")


class Token(NamedTuple):
    """A word or a mark, and where it stands in its line."""

    text: str
    start: int
    end: int


def tokenize(
    line: str,
    known: Container[str] = (),
    split: bool | None = None,
    conventions: Conventions = ENGLISH,
) -> list[Token]:
    """The tokens of a line, in order; every character that is no white space is in one.

    ``known``: words, such as a vocabulary; one that ends in a full stop keeps it before a capital. ``split``:
    whether tokens are looked for inside stretches without white space; by default unless the line looks
    tokenized already (:func:`looks_tokenized`).

    >>> [token.text for token in tokenize('"Well," said Mr. Fox, "I don\\'t know."')]
    ['"', 'Well', ',', '"', 'said', 'Mr.', 'Fox', ',', '"', 'I', 'do', "n't", 'know', '.', '"']
    >>> french = Conventions("ud", beginnings=("l'",), endings=("-il",), whole=("aujourd'hui",))
    >>> [token.text for token in tokenize("L'a-t-il vu aujourd'hui?", conventions=french)]
    ["L'", 'a-t', '-il', 'vu', "aujourd'hui", '?']
    """
    if conventions.name == "spaces" or (looks_tokenized(line) if split is None else not split):
        return [Token(found.group(), *found.span()) for found in regex.finditer(rf"[^{BLANK}]+", line)]
    return _with_stops(line, list(_pieces(line, conventions)), known, conventions)


@cache
def abbreviations() -> frozenset[str]:
    """Those of ``grammars/abbreviations.tsv``, without their last full stop."""
    return frozenset(word for _, words in bundled_rows("abbreviations.tsv") for word in words.split())


def looks_tokenized(line: str) -> bool | None:
    """Whether a line looks as if its punctuation had been set apart; None where no mark says either."""
    if _HANGING.search(line) is not None:
        return False
    return True if _STANDING.search(line) is not None else None


def is_lower(letter: str) -> bool:
    r"""Whether a letter is a small one that would be a capital at the beginning of a sentence.

    >>> is_lower("a"), is_lower("A"), is_lower("\N{GEORGIAN LETTER AN}")
    (True, False, False)
    """
    return letter.title() != letter


def _pieces(line: str, rules: Conventions) -> Iterator[Token]:
    """Words and marks, with beginnings and endings cut from their words."""
    for found in rules.piece.finditer(line):
        text, (start, end) = found.group(), found.span()
        places = _places(text, rules) if any(map(text.__contains__, "'’-")) else []
        for a, b in zip([0, *places], [*places, end - start], strict=True):
            yield Token(text[a:b], start + a, start + b)


def _places(text: str, rules: Conventions) -> list[int]:
    """Where a piece is cut: behind beginnings, before endings, and around hyphens if none stay."""
    if not text[0].isalnum() or fold(text) in rules.exceptions:
        return []
    cuts = [found.span() for found in _CUTS.finditer(text)]
    start, end, places = 0, len(text), list[int]()
    for _, place in cuts:
        if place < end and place - start <= rules.longest and fold(text[start:place]) in rules.beginnings:
            places.append(start := place)
    # n't begins a letter before its apostrophe
    starts = sorted({at - n for at, _ in cuts for n in range(1 + (text[at] != "-" and text[at - 1] in "nN"))})
    while True:
        near = starts[bisect_left(starts, end - rules.longest) : bisect_left(starts, end)]
        cut = next((at for at in near if start < at and fold(text[at:end]) in rules.endings), None)
        if cut is None:
            break
        places.append(end := cut)
    if not rules.hyphens:
        places += [i for at, after in cuts if text[at] == "-" and start < at < end for i in (at, after)]
    return sorted(set(places))


def _with_stops(line: str, pieces: Sequence[Token], known: Container[str], rules: Conventions) -> list[Token]:
    """Full stops joined to the abbreviations that they belong to, and cut from last words."""
    last = max((i for i, piece in enumerate(pieces) if any(map(str.isalnum, piece.text))), default=-1)
    cased = any(map(str.isupper, line))
    tokens = list(pieces[:1])
    for i, (before, piece) in enumerate(pairwise(pieces)):
        tokens.append(piece)
        if piece.text == "." and piece.start == before.end and i != last and before.text[0].isalnum():
            word, behind = f"{before.text}.", pieces[i + 2].text[0] if i + 2 < len(pieces) else ""
            if (
                word in known
                or fold(word) in rules.exceptions
                or _is_abbreviation(before.text, behind, cased)
            ):
                tokens[-2:] = [Token(word, before.start, piece.end)]
    return tokens


def _is_abbreviation(word: str, behind: str, cased: bool) -> bool:
    """Whether a full stop in the middle of a line belongs to the word before it."""
    if not word[0].isalpha():
        return False
    if behind and ((cased and is_lower(behind)) or behind in ",;:?!"):
        return True
    return (len(word) == 1 and word.isupper()) or word in abbreviations()
