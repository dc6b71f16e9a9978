"""What was changed in a line, for people: marked in the text, or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from fstce.corpora.running_text import Token
from fstce.correction.decoding import Change, Correction
from fstce.correction.factors.respacing import written

Piece = tuple[str, str]  # a text, and whether it is "same", "old" or "new"
MARKED = {"same": "{}", "old": "[-{}-]", "new": "{{+{}+}}"}
STYLE = {"same": "", "old": "red strike", "new": "green"}
DOUBT = 0.01  # alternatives of less probability are not shown
DOUBTS = 5  # alternatives of a word, at most


def write_marked(pieces: Sequence[Piece], end: str) -> None:
    """Write a line with its changes, coloured on a terminal."""
    if not sys.stdout.isatty():
        sys.stdout.write("".join(MARKED[kind].format(text) for text, kind in pieces) + end)
        return
    from rich.console import Console
    from rich.text import Text

    text = Text.assemble(*((piece, STYLE[kind]) for piece, kind in pieces))
    Console(highlight=False).print(text, soft_wrap=True, end=end)


def markings(line: str, tokens: Sequence[Token], changes: Sequence[Change]) -> list[Piece]:
    """The line in pieces: what stays, what goes, what comes."""
    pieces: list[Piece] = []
    at = 0
    for change in changes:
        start, end = _place(tokens, change)
        pieces += [(line[at:start], "same"), (line[start:end], "old")]
        pieces.append((written(change.words), "new"))
        at = end

    pieces.append((line[at:], "same"))
    return [piece for piece in pieces if piece[0]]


def json_of(number: int, line: str, tokens: Sequence[Token], correction: Correction | None) -> str:
    """A line as editors want it: changes and doubts, placed by characters, as a JSON object."""
    record: dict[str, Any] = {"line": number, "text": line, "changes": [], "doubts": []}
    if correction is not None:
        record["changes"] = [_change_record(line, tokens, change) for change in correction.changes]
        doubts = zip(tokens, correction.alternatives, strict=False)
        record["doubts"] = [row for doubt in doubts if (row := _doubt_record(*doubt)) is not None]
    return json.dumps(record, ensure_ascii=False)


def _change_record(line: str, tokens: Sequence[Token], change: Change) -> dict[str, Any]:
    start, end = _place(tokens, change)
    return {
        "start": start,
        "end": end,
        "observed": line[start:end],
        "words": written(change.words),
        "probability": round(change.probability, 4),
    }


def _doubt_record(token: Token, ranked: Sequence[tuple[str, float]]) -> dict[str, Any] | None:
    """A word in doubt with what it may be; None of others."""
    likely = [(word, p) for word, p in ranked[:DOUBTS] if p >= DOUBT]
    if not likely or [word for word, _ in likely] == [token.text]:
        return None
    return {
        "start": token.start,
        "end": token.end,
        "observed": token.text,
        "suggestions": [{"word": word, "probability": round(p, 4)} for word, p in likely],
    }


def _place(tokens: Sequence[Token], change: Change) -> tuple[int, int]:
    """Where in the line the change is; what is inserted stands behind the word before it."""
    if change.end > change.start:
        return tokens[change.start].start, tokens[change.end - 1].end
    at = tokens[change.start - 1].end if change.start else tokens[0].start
    return at, at
