"""What was changed in a line, for people: marked in the text, or as rows of a table."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fstce.corpora.tokens import Token
    from fstce.correction.decoding import Change, Correction

Piece = tuple[str, str]  # a text, and whether it is "same", "old" or "new"
MARKED = {"same": "{}", "old": "[-{}-]", "new": "{{+{}+}}"}
STYLE = {"same": "", "old": "red strike", "new": "green"}
DOUBT = 0.01  # alternatives of less probability are not told
HEADER = "line\tword\ttyped\tcorrection\talternatives"


class Display:
    """How corrections are shown.

    Parameters
    ----------
    diff : bool
        Whether changes are marked in the text.
    alternatives : int, optional
        How many alternatives a row of the table has; no table by default.
    """

    def __init__(self, diff: bool, alternatives: int | None) -> None:
        self.diff, self.alternatives = diff, alternatives
        self.header = HEADER if alternatives else ""

    def write(self, pieces: Sequence[Piece], end: str) -> None:
        """A line with its changes, coloured on a terminal."""
        if not sys.stdout.isatty():
            sys.stdout.write("".join(MARKED[kind].format(text) for text, kind in pieces) + end)
            return
        from rich.console import Console
        from rich.text import Text

        text = Text.assemble(*((piece, STYLE[kind]) for piece, kind in pieces))
        Console(highlight=False).print(text, soft_wrap=True, end=end)


def markings(line: str, tokens: Sequence[Token], changes: Sequence[Change]) -> list[Piece]:
    """The line in pieces: what stays, what goes, what comes.

    Parameters
    ----------
    line : str
    tokens : sequence of Token
    changes : sequence of Change
        In order.

    Examples
    --------
    >>> from fstce.correction.decoding import Change
    >>> from fstce.corpora.tokens import tokenize
    >>> line = "Teh end."
    >>> pieces = markings(line, tokenize(line), [Change(0, 1, ("Teh",), ("The",), 0.9)])
    >>> "".join(MARKED[kind].format(text) for text, kind in pieces)
    '[-Teh-]{+The+} end.'
    """
    pieces: list[Piece] = []
    at = 0
    for change in changes:
        start, end = _place(line, tokens, change)
        rows = [(line[at:start], "same"), (line[start:end], "old"), (" ".join(change.words), "new")]
        pieces += [piece for piece in rows if piece[0]]
        at = end
    return [*pieces, (line[at:], "same")]


def rows_of(number: int, found: Correction, n: int) -> Iterator[str]:
    """A row for each word that is changed or in doubt: tab-separated, probabilities behind a space."""
    changed = {i: change for change in found.changes for i in range(change.start, change.end)}
    inserted = {change.start: change for change in found.changes if change.start == change.end}
    for i in range(len(found.typed) + 1):
        if i in inserted:
            change = inserted[i]
            words = " ".join(change.words)
            yield f"{number}\t{i + 1}\t\t{words}\t{words} {change.probability:.3f}\n"
        if i == len(found.typed):
            return
        likely = [row for row in found.alternatives[i] if row[1] >= DOUBT]
        if i in changed or len(likely) > 1:
            shown = "\t".join(f"{word} {value:.3f}" for word, value in likely[:n])
            yield f"{number}\t{i + 1}\t{found.typed[i]}\t{_correction(found, changed.get(i), i)}\t{shown}\n"


def _correction(found: Correction, change: Change | None, i: int) -> str:
    """What became of a word; of several words that change together the first has it."""
    if change is None:
        return found.typed[i]
    return " ".join(change.words) if i == change.start else ""


def _place(line: str, tokens: Sequence[Token], change: Change) -> tuple[int, int]:
    """Where in the line the change is; what is inserted stands behind the word before it."""
    if change.end > change.start:
        return tokens[change.start].start, tokens[change.end - 1].end
    at = tokens[change.start - 1].end if change.start else tokens[0].start
    return at, at
