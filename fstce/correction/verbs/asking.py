"""``fstce corrector correct --interactive``: every change is shown on standard error, and asked about."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fstce.console.output import note
from fstce.correction.mistakes.respacing import written

if TYPE_CHECKING:
    from fstce.correction.decoding import Change, Correction

AROUND = 8  # words on each side of a change that are shown
ANSWERS = "y, n, another word, or q for no more changes"


class Asked:
    """Asks about changes until it is told to stop; what was said of a change holds for its like."""

    def __init__(self) -> None:
        self._said: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = {}
        self._ended = False

    def chosen(self, number: int, found: Correction) -> Correction:
        """The correction with the changes that are wanted."""
        changes: list[Change] = []
        words: list[str] = []
        at = 0
        for change in found.changes:
            answer = self._answer(number, change, found.typed)
            words += found.typed[at : change.start]
            at = change.end
            new = change.typed if answer == "n" else change.words if answer == "y" else tuple(answer.split())
            words += new
            if new != change.typed:
                changes.append(replace(change, words=new))
        return replace(found, words=(*words, *found.typed[at:]), changes=tuple(changes))

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
