"""``fstce speller evaluate``: how often the right form is suggested, and how early."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fstce.console.models import load
from fstce.console.options import AsJson, Model, Quiet, argument, helped, option
from fstce.console.output import facts, note, seconds, tables
from fstce.console.places import check_file

if TYPE_CHECKING:
    from fstce.speller.evaluation import SpellerScores


@helped("""Score a speller on typos.

Reachable typos have their right form in the lexicon and within two Damerau-Levenshtein
edits. All other numbers are of these; no suggestion is a wrong one. A false alarm is a
right form that the lexicon has not. With --against another speller: who alone is right,
by McNemar's exact test.

\b
Examples:
  fstce speller evaluate model typos.tsv --page page.html
  fstce speller evaluate model typos.tsv --against other --json
""")
def evaluate(
    model: Model,
    typos: Annotated[Path, argument("TYPOS", "Lines of typed, tab, meant.")],
    against: Annotated[Path | None, option("--against MODEL", "Another speller to compare with.")] = None,
    misses: Annotated[int, option("--misses N", "How many misses are listed, the worst first.", min=0)] = 20,
    page: Annotated[Path | None, option("--page FILE", "Also write a page, .html, for a browser.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    from fstce.speller.evaluation import speller_scores
    from fstce.speller.typos import read_typos

    check_file(page, ".html", option="--page")
    pairs = read_typos(typos)
    scores = speller_scores(load(model, "speller"), pairs)
    record = scores.record(misses)
    if against is not None:
        better, worse, p = scores.against(speller_scores(load(against, "speller"), pairs))
        record["against"] = {"better": better, "worse": worse, "p": p}
    if page is not None:
        scores.page(scores.tables(misses), _facts(scores, record)).write(page)
    if as_json:
        print(json.dumps(record, ensure_ascii=False))
        return
    facts([*_facts(scores, record).items()])
    print()
    tables(scores.tables(misses), first_title=False)
    if not quiet and page is not None:
        note(f"written: {page}")


def _facts(scores: SpellerScores, record: dict[str, Any]) -> dict[str, str]:
    place = record["mean_place"]
    lines = {
        "typos": f"{record['pairs']:,}, of which within reach {record['reachable']:,}",
        "mean place": "" if place is None else f"{place:.2f}",
        "false alarms": f"{record['false_alarms']:,}",
        "time": seconds(record["seconds"]),
    }
    if "against" in record:
        better, worse, p = record["against"].values()
        lines["first alone"] = f"{better:,}, the other speller {worse:,}; p = {p:.3g}"
    return lines
