"""``fstce speller learn``: a speller from typos and a lexicon."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fstce.console.options import ModelOutput, Quiet, argument, helped, option
from fstce.console.output import note
from fstce.console.parameters import Given, Parameters
from fstce.console.places import check_model, note_unsaved, one_training
from fstce.console.progress import Display
from fstce.errors import ParameterError

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
    lexicon: Annotated[list[Path] | None, option("--lexicon FILE", "The words; may be repeated.")] = None,
    output: ModelOutput = None,
    quiet: Quiet = False,
) -> None:
    from fstce.speller.speller import Speller
    from fstce.speller.typos import read_typos

    if not lexicon:
        raise ParameterError("a speller needs words: --lexicon FILE, a list, a text, a .dic or an acceptor")
    check_model(output, "speller")
    pairs = read_typos(typos)
    note_unsaved(output, quiet)
    with one_training(output), Display(quiet, "typos", bounded=True) as display:
        speller = Speller(**parameters).fit(
            pairs, lexicon, progress=lambda done: display.show(done, len(pairs), f"{done:,} typos")
        )
        if output is not None:
            speller.save(output)
    if not quiet:
        note(f"{speller.reached_:,} of {len(pairs):,} typos are within reach of the word that was meant")
        note(f"{len(speller.errors_.weights):,} weights, {len(speller.errors_.strings):,} edits of strings")
