"""What was changed in a line, for people: marked in the text, or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from fstce.corpora.running_text import Token
from fstce.correction.decoding import Change, Correction
from fstce.correction.mistakes.respacing import written

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
        start, end = _place(line, tokens, change)
        rows = [(line[at:start], "same"), (line[start:end], "old"), (written(change.words), "new")]
        pieces += [piece for piece in rows if piece[0]]
        at = end
    return [*pieces, (line[at:], "same")]


def json_of(number: int, line: str, tokens: Sequence[Token], correction: Correction | None) -> str:
    """A line as editors want it: changes and doubts, placed by characters, as a JSON object."""
    changes, doubts = [], []
    for change in correction.changes if correction is not None else ():
        start, end = _place(line, tokens, change)
        own, words = line[start:end], written(change.words)
        p = round(change.probability, 4)
        changes.append(
            {"start": start, "end": end, "observed": own, "words": words, "probability": p}
        )
    for token, ranked in zip(
        tokens, correction.alternatives if correction is not None else (), strict=False
    ):
        likely = [(word, round(p, 4)) for word, p in ranked[:DOUBTS] if p >= DOUBT]
        if len(likely) > 1 or (likely and likely[0][0] != token.text):
            words_of = [{"word": word, "probability": p} for word, p in likely]
            doubts.append(
                {
                    "start": token.start,
                    "end": token.end,
                    "observed": token.text,
                    "suggestions": words_of,
                }
            )
    return json.dumps(
        {"line": number, "text": line, "changes": changes, "doubts": doubts}, ensure_ascii=False
    )


def _place(line: str, tokens: Sequence[Token], change: Change) -> tuple[int, int]:
    """Where in the line the change is; what is inserted stands behind the word before it."""
    if change.end > change.start:
        return tokens[change.start].start, tokens[change.end - 1].end
    at = tokens[change.start - 1].end if change.start else tokens[0].start
    return at, at
