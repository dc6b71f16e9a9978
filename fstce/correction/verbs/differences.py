"""What was changed in a line, for people: marked in the text, as JSON, or asked about one by one."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace

from fstce.console.output import note
from fstce.corpora.tokens import Token
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
        probability = round(change.probability, 4)
        changes.append({"start": start, "end": end, "typed": own, "words": words, "probability": probability})
    for token, ranked in zip(tokens, correction.alternatives if correction is not None else (), strict=False):
        likely = [(word, round(p, 4)) for word, p in ranked[:DOUBTS] if p >= DOUBT]
        if len(likely) > 1 or (likely and likely[0][0] != token.text):
            words_of = [{"word": word, "probability": p} for word, p in likely]
            doubts.append(
                {"start": token.start, "end": token.end, "typed": token.text, "suggestions": words_of}
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


AROUND = 8  # words on each side of a change that are shown
ANSWERS = "y, n, another word, or q for no more changes"


class Asked:
    """Asks about changes until it is asked to stop; what was said of a change holds for its like."""

    def __init__(self) -> None:
        self._said: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = {}
        self._ended = False

    def chosen(self, number: int, correction: Correction) -> Correction:
        """The correction with the changes that are wanted."""
        changes: list[Change] = []
        words: list[str] = []
        at = 0
        for change in correction.changes:
            answer = self._answer(number, change, correction.typed)
            words += correction.typed[at : change.start]
            at = change.end
            new = change.typed if answer == "n" else change.words if answer == "y" else tuple(answer.split())
            words += new
            if new != change.typed:
                changes.append(replace(change, words=new))
        return replace(correction, words=(*words, *correction.typed[at:]), changes=tuple(changes))

    def _answer(self, number: int, change: Change, words: Sequence[str]) -> str:
        key = change.typed, change.words
        if self._ended:
            return "n"
        if key not in self._said:
            typed, intended = " ".join(change.typed), written(change.words)
            around = (words[max(change.start - AROUND, 0) : change.start], words[change.end :][:AROUND])
            before, behind = (written(part) for part in around)
            note(f"line {number}: {before} [{typed}] {behind}".rstrip())
            note(f"{typed!r} to {intended!r} ({change.probability:.2f})? {ANSWERS}")
            answer = sys.stdin.readline()
            self._ended = not answer or answer.strip().lower() == "q"
            said = answer.strip()
            self._said[key] = (
                "n" if self._ended else said.lower() if said.lower() in ("y", "n") else said or "y"
            )
        return self._said[key]
