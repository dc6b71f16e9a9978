"""Corrected words back into their line, with the spacing that it had."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, count

from fstce.corpora.tokens import Token, looks_tokenized
from fstce.correction.decoding import Change
from fstce.correction.mistakes.respacing import is_piece
from fstce.evaluation.correction import Pair, align, is_mark

OPENING = frozenset({"``", "`", "“", "‘", "(", "[", "{", "«", "¿", "¡", "-LRB-", "-LSB-", "-LCB-"})
SPACED = frozenset({"--", "-", "–", "—"})


def restore(
    line: str,
    tokens: Sequence[Token],
    words: Sequence[str],
    split: bool | None = None,
    changes: Sequence[Change] | None = None,
) -> str:
    """The line with its tokens changed to other words, everything else as it was.

    ``tokens``: of :func:`fstce.corpora.tokens.tokenize`. ``words``: what the tokens should be; words may have
    been substituted, inserted and deleted. ``split``: as for :func:`fstce.corpora.tokens.tokenize`.
    ``changes``: the places that differ; by default they are looked for. Returns a mark that is inserted joins
    the word before it, or the one behind it if it opens a bracket or quotation; in a tokenized line it stands
    alone. With a token that is deleted goes the white space before it.
    """
    writer = _Writer(line, looks_tokenized(line) is True if split is None else not split)
    texts = [token.text for token in tokens]
    pairs = align(texts, words) if changes is None else _pairs(texts, changes)
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


def _pairs(texts: Sequence[str], changes: Sequence[Change]) -> list[Pair]:
    """The alignment of tokens with what changes make of them."""
    pairs: list[Pair] = []
    i = j = 0
    for change in changes:
        pairs += zip(range(i, change.start), count(j))
        j += change.start - i
        inside = align(texts[change.start : change.end], change.words)
        pairs += [(a if a is None else a + change.start, b if b is None else b + j) for a, b in inside]
        i, j = change.end, j + len(change.words)
    return [*pairs, *zip(range(i, len(texts)), count(j))]


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
        joins = is_mark(word) or is_piece(word)
        opens, alone = word in OPENING, self._apart or not joins or word in SPACED
        if start < len(self._line) and (opens or not self._begun):
            self._copy(start)
        tail = self._written[-1][-1:] if self._written else ""
        head = self._line[self._at : self._at + 1]
        before = alone and self._begun and not tail.isspace()
        after = (alone or not self._begun) and not (opens and not alone) and bool(head.strip())
        if after and not joins and not self._apart:  # a mark behind the word stays where it is
            after = head.isalnum() or head in OPENING
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
