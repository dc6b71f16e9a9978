"""Corrected words back into their line, with the spacing that it had."""

from __future__ import annotations

from collections.abc import Sequence

from fstce.corpora.running_text import Token, looks_tokenized
from fstce.correction.decoding import Change
from fstce.correction.factors.respacing import is_piece
from fstce.evaluation.correction import align, is_mark

OPENING = frozenset({"``", "`", "“", "‘", "(", "[", "{", "«", "¿", "¡", "-LRB-", "-LSB-", "-LCB-"})
SPACED = frozenset({"--", "-", "–", "—"})


def restore(line: str, tokens: Sequence[Token], changes: Sequence[Change]) -> str:
    """The line with its tokens changed, everything else as it was.

    ``tokens``: of :func:`fstce.corpora.running_text.tokenize`. A mark that is inserted joins the
    word before it, or the one behind it if it opens a bracket or quotation; in a tokenized line it
    stands alone. With a token that is deleted goes the white space before it.
    """
    writer = _Writer(line, looks_tokenized(line) is True)
    for change in changes:
        at = change.start
        writer.copy(tokens[at - 1].end if at else 0)
        for i, j in align(change.observed, change.words):
            if i is None:
                writer.insert(
                    change.words[j or 0], tokens[at].start if at < len(tokens) else len(line)
                )
                continue
            if j is None:
                writer.delete(tokens[at])
            else:
                writer.put(tokens[at], change.words[j])
            at += 1
    return writer.finished()


class _Writer:
    """A line on its way to another: what is written, and how far the old one is read."""

    def __init__(self, line: str, apart: bool) -> None:
        self._line = line
        self._apart = apart
        self._written = ""
        self._at = 0
        self._begun = False

    def copy(self, end: int) -> None:
        """Copy the line to the end of a token that stays."""
        if end > self._at:
            self._written += self._line[self._at : end]
            self._at = end
            self._begun = True

    def put(self, token: Token, word: str) -> None:
        """A word in a token's place."""
        self._written += self._line[self._at : token.start] + word
        self._at = token.end
        self._begun = True

    def insert(self, word: str, start: int) -> None:
        """Put a word between what is written and the token that starts there, or the end."""
        joins = is_mark(word) or is_piece(word)
        is_opening = word in OPENING
        is_apart = self._apart or not joins or word in SPACED
        if start < len(self._line) and (is_opening or not self._begun):
            self._written += self._line[self._at : start]
            self._at = start

        before = is_apart and self._begun and not self._written[-1:].isspace()
        behind = self._line[self._at : self._at + 1]
        after = (is_apart or not self._begun) and bool(behind.strip())
        if is_opening and not is_apart:
            after = False
        if after and not joins and not self._apart:  # a mark behind the word stays where it is
            after = behind.isalnum() or behind in OPENING
        self._written += f"{' ' * before}{word}{' ' * after}"
        self._begun = True

    def delete(self, token: Token) -> None:
        """Put nothing in a token's place: of the white space around it one side stays."""
        gap = self._line[self._at : token.start]
        rest = self._line[token.end :]
        self._at = token.end
        if not self._begun:
            self._written += gap
            self._at += len(rest) - len(rest.lstrip())
        elif rest[:1].strip():
            joins = not gap and self._line[token.start - 1].isalnum() and rest[0].isalnum()
            self._written += " " if joins else gap

    def finished(self) -> str:
        """The whole line."""
        return self._written + self._line[self._at :]
