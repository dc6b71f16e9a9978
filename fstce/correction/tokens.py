"""Running text into words and punctuation, and back, with the spacing that it had.

A token knows where it stands in its line, so that a correction changes the tokens that it
means to and nothing else. The conventions are those of the Penn Treebank: ``don't`` is
``do`` ``n't``, punctuation stands alone, a full stop belongs to an abbreviation and not to
the last word of a sentence. A line that is tokenized already is cut at white space only.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from fstce.corpora.tables import bundled_rows
from fstce.evaluation.alignment import align, is_mark

OPENING = frozenset({"``", "`", "“", "‘", "(", "[", "{", "«", "¿", "¡", "-LRB-", "-LSB-", "-LCB-"})
SPACED = frozenset({"--", "-", "–", "—"})

_PIECE = re.compile(
    r"""
    -[LR][RSC]B-                              # brackets of the Penn Treebank
    | (?:https?://|www\.)\S*[^\s.,;:?!)'"]    # addresses
    | [^\s@]+@[^\s@]+\.\w+
    | ``|''|--+|—|–|\.\.+|…                   # quotation marks, dashes, dots
    | '(?:s|S|m|M|d|D|ll|LL|re|RE|ve|VE)\b    # the ends of contractions
    | ’(?:s|S|m|M|d|D|ll|LL|re|RE|ve|VE)\b
    | \d(?:[\d.,:/]*\d)?(?:\w|[-'’]\w)*       # numbers
    | (?:[^\W\d_]\.){2,}                      # U.S.
    | \w(?:\w|(?!--)[-.&/'’](?=\w))*          # words, with hyphens and more inside
    | \S
    """,
    re.VERBOSE,
)
_CONTRACTION = re.compile(r"(?i)(n['’]t|['’](?:s|m|d|ll|re|ve))$")
_STANDING = re.compile(r"(?:^|\s)(?:[,.;:?!]|n't|'s)(?=\s|$)")
_HANGING = re.compile(r"\w[,;:?!](?=\s|$)|\w\.$|['\"’”)][,.;:?!]|[\"“(]\w")


class Token(NamedTuple):
    """A word or a mark, and where it stands in its line.

    Attributes
    ----------
    text : str
    start, end : int
        ``line[start:end]`` is the text.
    """

    text: str
    start: int
    end: int


def tokenize(line: str, known: Container[str] = (), split: bool | None = None) -> list[Token]:
    """The tokens of a line, in order; every character that is no white space is in one.

    Parameters
    ----------
    line : str
        A line or a sentence.
    known : container of str
        Words, such as a vocabulary; one that ends in a full stop keeps it before a capital.
    split : bool, optional
        Whether tokens are looked for inside stretches without white space. By default unless
        the line looks tokenized already (:func:`is_tokenized`).

    Returns
    -------
    list of Token

    Examples
    --------
    >>> [token.text for token in tokenize('"Well," said Mr. Fox, "I don\\'t know."')]
    ['"', 'Well', ',', '"', 'said', 'Mr.', 'Fox', ',', '"', 'I', 'do', "n't", 'know', '.', '"']
    >>> [token.text for token in tokenize("Mr. Fox does n't know , you see .")]
    ['Mr.', 'Fox', 'does', "n't", 'know', ',', 'you', 'see', '.']
    """
    if is_tokenized(line) if split is None else not split:
        return [Token(found.group(), *found.span()) for found in re.finditer(r"\S+", line)]
    return list(_with_stops(line, list(_pieces(line)), known))


@cache
def abbreviations() -> frozenset[str]:
    """Those of ``grammars/abbreviations.tsv``, without their last full stop.

    >>> "Mr" in abbreviations(), "e.g" in abbreviations()
    (True, True)
    """
    return frozenset(word for _, words in bundled_rows("abbreviations.tsv") for word in words.split())


def is_tokenized(line: str) -> bool:
    """Whether a line looks as if its punctuation had been set apart.

    >>> is_tokenized("Well , then ."), is_tokenized("Well, then."), is_tokenized("no marks")
    (True, False, False)
    """
    return _STANDING.search(line) is not None and _HANGING.search(line) is None


def restore(line: str, tokens: Sequence[Token], words: Sequence[str], split: bool | None = None) -> str:
    """The line with its tokens changed to other words, everything else as it was.

    Parameters
    ----------
    line : str
    tokens : sequence of Token
        Of :func:`tokenize`.
    words : sequence of str
        What the tokens should be; words may have been substituted, inserted and deleted.
    split : bool, optional
        As for :func:`tokenize`.

    Returns
    -------
    str
        A mark that is inserted joins the word before it, or the one behind it if it opens a
        bracket or quotation; in a tokenized line it stands alone. With a token that is
        deleted goes the white space before it.

    Examples
    --------
    >>> line = "Well then,  I wil go."
    >>> tokens = tokenize(line)
    >>> restore(line, tokens, "Well , then I will go .".split())
    'Well, then  I will go.'
    """
    writer = _Writer(line, is_tokenized(line) if split is None else not split)
    pairs = align([token.text for token in tokens], words)
    starts = [len(line) if i is None else tokens[i].start for i, _ in pairs]
    behind = list(accumulate(reversed(starts), min))[::-1]
    for start, (i, j) in zip(behind, pairs, strict=True):
        if i is None:
            writer.insert(words[j or 0], start)
        elif j is None:
            writer.delete(tokens[i])
        else:
            writer.put(tokens[i], words[j])
    return writer.finished()


class _Writer:
    """A line on its way to another: what is written, and how far the old one is read."""

    def __init__(self, line: str, apart: bool) -> None:
        self._line, self._apart = line, apart
        self._written: list[str] = []
        self._at = 0
        self._begun = False

    def put(self, token: Token, word: str) -> None:
        """A word in a token's place."""
        self._copy(token.start)
        self._written.append(word)
        self._at, self._begun = token.end, True

    def insert(self, word: str, start: int) -> None:
        """A word between what is written and the token that starts there, or the end of the line."""
        opens, alone = word in OPENING, self._apart or not is_mark(word) or word in SPACED
        if start < len(self._line) and (opens or not self._begun):
            self._copy(start)
        tail = self._written[-1][-1:] if self._written else ""
        head = self._line[self._at : self._at + 1]
        before = alone and self._begun and not tail.isspace()
        after = (alone or not self._begun) and not (opens and not alone) and bool(head.strip())
        self._written.append(f"{' ' if before else ''}{word}{' ' if after else ''}")
        self._begun = True

    def delete(self, token: Token) -> None:
        """No word in a token's place: of the white space around it one side stays, the other goes."""
        gap, rest = self._line[self._at : token.start], self._line[token.end :]
        self._at = token.end
        if not self._begun:
            self._written.append(gap)
            self._at += len(rest) - len(rest.lstrip())
        elif rest[:1].strip():
            joins = not gap and self._line[token.start - 1].isalnum() and rest[0].isalnum()
            self._written.append(" " if joins else gap)

    def finished(self) -> str:
        """The whole line."""
        return "".join((*self._written, self._line[self._at :]))

    def _copy(self, end: int) -> None:
        if end > self._at:
            self._written.append(self._line[self._at : end])
            self._at = end


def _pieces(line: str) -> Iterator[Token]:
    """Words and marks, a contraction cut from its word."""
    for found in _PIECE.finditer(line):
        text, (start, end) = found.group(), found.span()
        ending = _CONTRACTION.search(text)
        if ending is None or ending.start() == 0:
            yield Token(text, start, end)
            continue
        cut = start + ending.start()
        yield Token(line[start:cut], start, cut)
        yield Token(line[cut:end], cut, end)


def _with_stops(line: str, pieces: Sequence[Token], known: Container[str]) -> Iterator[Token]:
    """Full stops joined to the abbreviations that they belong to, and cut from last words."""
    last = max((i for i, piece in enumerate(pieces) if any(map(str.isalnum, piece.text))), default=-1)
    skip = False
    for i, piece in enumerate(pieces):
        if skip:
            skip = False
            continue
        stop = pieces[i + 1] if i + 1 < len(pieces) else None
        joined = stop is not None and stop.text == "." and stop.start == piece.end
        if joined and stop and i != last and _is_abbreviation(line, piece, stop.end, known):
            yield Token(line[piece.start : stop.end], piece.start, stop.end)
            skip = True
        else:
            yield piece


def _is_abbreviation(line: str, piece: Token, end: int, known: Container[str]) -> bool:
    """Whether a full stop in the middle of a line belongs to the word before it."""
    if not piece.text[0].isalpha():
        return False
    behind = line[end:].lstrip()[:1]
    if behind and (behind.islower() or behind in ",;:?!"):
        return True
    short = len(piece.text) == 1 and piece.text.isupper()
    return short or piece.text in abbreviations() or f"{piece.text}." in known
