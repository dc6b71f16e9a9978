"""``fstce speller learn`` and ``evaluate``: a speller from typos and a lexicon, and how good it is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from fstce.console.models import Saving, load
from fstce.console.options import AsJson, Model, Quiet, argument, helped, option
from fstce.console.output import facts, note, print_json, seconds, tables
from fstce.console.parameters import Given, Parameters
from fstce.console.places import check_file
from fstce.console.progress import Display
from fstce.errors import ParameterError
from fstce.speller.evaluation import SpellerScores, speller_scores
from fstce.speller.speller import Speller
from fstce.speller.typos import read_typos

SPELLER = Parameters("fstce.speller.speller.Speller")


@helped("""Learn what errors cost from typos and a lexicon.

TYPOS has lines of what was typed, tab, what was meant; more columns and lines that begin
with # are left out. A lexicon is a list of words, words with counts (tab), a text whose
words are counted, hunspell's .dic with its .aff, or an acceptor: .hfst .hfstol .zhfst
.att .fst. Several files are added up.

\b
Examples:
  fstce speller learn typos.tsv --lexicon words.txt -o model
  fstce speller learn typos.tsv --lexicon a.txt --lexicon b.txt -o model
  fstce speller learn typos.tsv --lexicon speller.zhfst -o model
""")
def learn(
    typos: Annotated[Path, argument("TYPOS", "Lines of typed, tab, meant.")],
    parameters: Annotated[Given, SPELLER],
    *,
    lexicon: Annotated[list[Path] | None, option("--lexicon FILE", "The words; may be repeated.")] = None,
    saving: Saving,
) -> None:
    if not lexicon:
        raise ParameterError("a speller needs words: --lexicon FILE, a list, a text, a .dic or an acceptor")
    saving.check("speller")
    pairs = read_typos(typos)
    with saving.alone(), Display(saving.quiet, "typos", bounded=True) as display:
        speller = Speller(**parameters).fit(
            pairs, lexicon, progress=lambda done: display.show(done, len(pairs), f"{done:,} typos")
        )
        if saving.output is not None:
            speller.save(saving.output)
    saving.note(f"{speller.reached_:,} of {len(pairs):,} typos are within reach of the word that was meant")
    saving.note(
        f"{len(speller.errors_.weights):,} weights, {len(speller.errors_.strings):,} edits of strings"
    )


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
        print_json(record)
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


def show(speller: Speller) -> None:
    """What a speller was learnt from, and the size of its machines."""
    errors, words = speller.machines()
    arcs = [sum(map(machine.num_arcs, machine.states())) for machine in (errors, words)]
    facts(
        [
            ("typos learnt from", speller.reached_),
            ("letters edited", len(speller.errors_.letters)),
            ("edits of strings", len(speller.errors_.strings)),
            ("exponent of words", f"{speller.exponent_:.3g}"),
            ("error model", f"{errors.num_states():,} states, {arcs[0]:,} arcs"),
            ("words", f"{words.num_states():,} states, {arcs[1]:,} arcs"),
        ]
    )
