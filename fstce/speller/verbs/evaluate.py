"""``fstce speller evaluate``: how often the right form is suggested, and how early."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fstce.console.models import load
from fstce.console.options import AsJson, Model, Quiet, argument, helped, option
from fstce.console.output import facts, note, percent, seconds, table

if TYPE_CHECKING:
    from fstce.speller.evaluation import SpellerScores


@helped("""Score a speller on typos.

Reachable typos have their right form in the lexicon and within two Damerau-Levenshtein
edits. All other numbers are of these; no suggestion is a wrong one. A false alarm is a
right form that the lexicon has not. With --against another speller: who alone is right,
by McNemar's exact test.

\b
Examples:
  fstce speller evaluate model typos.tsv
  fstce speller evaluate model typos.tsv --against other --json
""")
def evaluate(
    model: Model,
    typos: Annotated[Path, argument("TYPOS", "Lines of typed, tab, meant.")],
    against: Annotated[Path | None, option("--against MODEL", "Another speller to compare with.")] = None,
    misses: Annotated[int, option("--misses N", "How many misses are listed, the worst first.", min=0)] = 20,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    from fstce.speller.evaluation import speller_scores
    from fstce.speller.typos import read_typos

    pairs = read_typos(typos)
    scores = speller_scores(load(model, "speller"), pairs)
    record = scores.record(misses)
    if against is not None:
        better, worse, p = scores.against(speller_scores(load(against, "speller"), pairs))
        record["against"] = {"better": better, "worse": worse, "p": p}
    if as_json:
        print(json.dumps(record, ensure_ascii=False))
        return
    _show(scores, record, misses)
    if against is not None and not quiet:
        note(f"alone right at the first place: {better:,}, {against}: {worse:,}; p = {p:.3g}")


def _show(scores: SpellerScores, record: dict[str, Any], misses: int) -> None:
    place = record["mean_place"]
    facts(
        [
            ("typos", f"{record['pairs']:,}, of which reachable {record['reachable']:,}"),
            ("mean place", "" if place is None else f"{place:.2f}"),
            ("false alarms", f"{record['false_alarms']:,}"),
            ("time", seconds(record["seconds"])),
        ]
    )
    print()
    kinds = {"all": record, **record["kinds"]}
    rows = [
        (kind, str(row["reachable"]), *(_share(row, name) for name in ("first", "among_five")))
        for kind, row in kinds.items()
    ]
    table(("edit", "typos", "% first", "% among five"), rows, numbers=(1, 2, 3))
    worst = [
        (row.typed, row.meant, str(row.place or "none"), " ".join(row.suggested[:3]))
        for row in scores.misses(misses)
    ]
    if worst:
        print()
        table(("typed", "meant", "place", "suggested"), worst, numbers=(2,))


def _share(row: dict[str, Any], name: str) -> str:
    return percent(100 * row[name] / row["reachable"]) if row["reachable"] else ""
