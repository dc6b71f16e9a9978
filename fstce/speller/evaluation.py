"""How good a speller is: the place of the right form among its suggestions, by kind of edit."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fstce.reporting.tables import Table
from fstce.speller.features import kind_of, scripts
from fstce.speller.speller import Speller, Suggestion
from fstce.speller.typos import Typo

LISTED = 10  # suggestions that are looked at
MISSES = 20  # that are named


class Outcome(NamedTuple):
    """One reachable typo: the suggestions, and the place of the right form from 1, 0 if none."""

    observed: str
    intended: str
    kind: str
    place: int
    suggested: tuple[str, ...]


@dataclass(frozen=True)
class SpellerScores:
    """The suggestions of a speller for typos, with their scores.

    ``pairs``: all typos. ``accepted``: how many of the right forms the lexicon has. ``outcomes``:
    of the reachable ones, whose right form is in the lexicon and within two Damerau–Levenshtein
    edits, whatever the error model can reach. ``seconds``: of all suggestions.
    """

    pairs: int
    accepted: int
    outcomes: tuple[Outcome, ...]
    seconds: float

    def among(self, number: int, kind: str | None = None) -> int:
        """How many right forms are among so many suggestions, of one kind of edit or all."""
        return sum(0 < row.place <= number for row in self.outcomes if kind in (None, row.kind))

    def kinds(self) -> dict[str, int]:
        """How many typos each kind of edit made, the commonest first."""
        return dict(Counter(row.kind for row in self.outcomes).most_common())

    def misses(self) -> list[Outcome]:
        """The worst of those whose right form is not first: not suggested at all before late."""
        wrong = [row for row in self.outcomes if row.place != 1]
        return sorted(wrong, key=lambda row: (-(row.place or LISTED + 1), row.observed))[:MISSES]

    def record(self) -> dict[str, Any]:
        """The scores as JSON has them."""
        places = [row.place for row in self.outcomes if row.place]
        mean_place = sum(places) / len(places) if places else None

        kinds = {
            kind: {
                "reachable": times,
                "first": self.among(1, kind),
                "among_five": self.among(5, kind),
            }
            for kind, times in self.kinds().items()
        }

        return {
            "pairs": self.pairs,
            "reachable": len(self.outcomes),
            "first": self.among(1),
            "among_five": self.among(5),
            "mean_place": mean_place,
            "false_alarms": self.pairs - self.accepted,
            "seconds": self.seconds,
            "kinds": kinds,
            "misses": [row._asdict() for row in self.misses()],
        }

    def tables(self) -> list[Table]:
        """By kind of edit, and the worst misses, if there are some."""
        record = self.record()
        rows = []
        for name, of_kind in {"all": record, **record["kinds"]}.items():
            times = of_kind["reachable"]
            shares = [
                100 * of_kind[key] / times if times else None for key in ("first", "among_five")
            ]
            rows.append((name, times, *shares))

        worst = [
            (row.observed, row.intended, str(row.place or "none"), " ".join(row.suggested[:3]))
            for row in self.misses()
        ]

        tables = [
            Table("edits", "By kind of edit", ("edit", "typos", "% first", "% among five"), rows),
        ]
        header = ("observed", "intended", "place", "suggested")
        if worst:
            tables.append(Table("misses", "The worst misses", header, worst))
        return tables


def speller_scores(speller: Speller, typos: Sequence[Typo]) -> SpellerScores:
    """The scores of a speller on typos, each pair once."""
    pairs = list(dict.fromkeys(typos))
    accepted = speller.lexicon_.costs(intended for _, intended in pairs)
    ways = {pair: scripts(*pair) for pair in pairs if pair[1] in accepted}
    reachable = [pair for pair in pairs if ways.get(pair)]
    began = time.perf_counter()
    rows = speller.suggest([observed for observed, _ in reachable], LISTED)
    seconds = time.perf_counter() - began
    outcomes = [
        _outcome(*pair, ways[pair][0], row) for pair, row in zip(reachable, rows, strict=True)
    ]
    return SpellerScores(len(pairs), sum(w in accepted for _, w in pairs), tuple(outcomes), seconds)


def _outcome(
    observed: str, intended: str, script: Any, suggestions: Sequence[Suggestion]
) -> Outcome:
    words = tuple(row.word for row in suggestions)
    place = words.index(intended) + 1 if intended in words else 0
    kind = "two edits"
    if len(script) == 1:
        [edit] = script
        kind = kind_of(observed[edit.start : edit.end], intended[edit.first : edit.last])
    return Outcome(observed, intended, kind, place, words)
