"""``fstce speller``: learned from typos and a lexicon, and scored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fstce.console.models import Saving, load
from fstce.console.options import AsJson, LexiconFormat, Model, argument, helped, option
from fstce.console.output import facts, print_json, remark, seconds, tables
from fstce.console.parameters import Given, Parameters
from fstce.console.progress import Display
from fstce.errors import ParameterError
from fstce.speller.evaluation import speller_scores
from fstce.speller.lexicon import LETTERS, read_lexicon
from fstce.speller.speller import Speller
from fstce.speller.typos import read_typos

SPELLER = Parameters("fstce.speller.speller.Speller")


Typos = Annotated[Path, argument("TYPOS", "Lines of misspelling, tab, intended word.")]


@helped("""Learn what errors cost from typos and a lexicon.

TYPOS has lines of a misspelling, tab, the intended word; more columns and lines that begin
with # are left out. A lexicon is a list of words, words with counts, a table of UniMorph, a
text whose words are counted, hunspell's .dic with its .aff, or an acceptor: .hfst .hfstol
.zhfst .att .fst. Several files are added up.

\b
Examples:
  fstce speller learn typos.tsv --lexicon words.txt -o model
  fstce speller learn typos.tsv --lexicon a.txt --lexicon b.txt -o model
  fstce speller learn typos.tsv --lexicon speller.zhfst -o model
""")
def learn(
    typos: Typos,
    parameters: Annotated[Given, SPELLER],
    *,
    lexicon: Annotated[
        list[Path] | None, option("--lexicon FILE", "The words; may be repeated.")
    ] = None,
    lexicon_format: LexiconFormat = None,
    saving: Saving,
) -> None:
    if not lexicon:
        raise ParameterError(
            "a speller needs words: --lexicon FILE, a list, a text, a .dic or an acceptor"
        )
    saving.check("speller")
    pairs = read_typos(typos)
    words, taken_for = read_lexicon(lexicon, lexicon_format, pairs)
    for line in taken_for:
        remark(line)

    with saving.alone(), Display("typos", bounded=True) as display:
        speller = Speller(**parameters).fit(
            pairs, words, progress=lambda done: display.show(done, len(pairs), f"{done:,} typos")
        )
        if saving.output is not None:
            speller.save(saving.output)
    remark(f"{speller.reached_:,} of {len(pairs):,} typos are within reach of the intended word")
    observed, intended = zip(*pairs, strict=True)
    n_observed = len(speller.lexicon_.costs(observed))
    n_intended = len(speller.lexicon_.costs(intended))
    if n_observed > n_intended:
        remark(
            f"the lexicon has {n_observed:,} of the misspellings and {n_intended:,} of the "
            "intended words: are the columns swapped? a line is misspelling, tab, intended word"
        )
    errors = speller.errors_
    if len(errors.letters) == LETTERS:
        remark(f"of so many letters {LETTERS} are edited, those of the typos first; others never")
    remark(f"{len(errors.weights):,} weights, {len(errors.strings):,} edits of strings")


@helped("""Score a speller on typos.

Reachable typos have their right form in the lexicon and within two Damerau-Levenshtein
edits. All other numbers are of these; no suggestion is a wrong one. A false alarm is a
right form that the lexicon has not.

\b
Examples:
  fstce speller evaluate model typos.tsv
  fstce speller evaluate model typos.tsv --json
""")
def evaluate(
    model: Model,
    typos: Typos,
    as_json: AsJson = False,
) -> None:
    scores = speller_scores(load(model, "speller"), read_typos(typos))
    record = scores.record()
    if as_json:
        print_json(record)
        return

    place = record["mean_place"]
    lines = [
        ("typos", f"{record['pairs']:,}, of which within reach {record['reachable']:,}"),
        ("mean place", "" if place is None else f"{place:.2f}"),
        ("false alarms", f"{record['false_alarms']:,}"),
        ("time", seconds(record["seconds"])),
    ]
    facts(lines)
    print()
    tables(scores.tables(), first_title=False)
