"""``fstce speller suggest`` and ``export``: what may have been meant; the speller for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from fstce.console.models import load
from fstce.console.options import Model, Quiet, helped, option
from fstce.console.output import note
from fstce.console.places import check_file
from fstce.corpora.documents import checked, from_stream
from fstce.errors import ParameterError
from fstce.speller.export import write_errors, write_machines, write_speller, write_table


@helped("""Suggest words for those of standard input, one a line.

A line is the word and its suggestions, separated by tabs, the likeliest first.

\b
Examples:
  echo recieve | fstce speller suggest model
  fstce speller suggest model --number 10 --costs < words.txt
""")
def suggest(
    model: Model,
    number: Annotated[int, option("--number N", "The most suggestions of a word.", min=1)] = 5,
    costs: Annotated[bool, option("--costs", "Each with its cost in nats.")] = False,
    quiet: Quiet = False,
) -> None:
    from fstce.console.streams import standard_input

    speller = load(model, "speller")
    stream: Any = standard_input()
    document = from_stream(stream)
    for _, line in checked(document.lines(), document.name):
        word = line.strip()
        if not word:
            continue
        [rows] = speller.suggest([word], number)
        fields = (f"{row.word} {row.cost:.4f}" if costs else row.word for row in rows)
        sys.stdout.write("\t".join((word, *fields)) + "\n")
        sys.stdout.flush()


@helped("""Write a speller for other programs.

A .zhfst is what hfst-ospell, divvunspell and LibreOffice's extensions run: words and
error model. The .far holds both, too; the others hold the error model. --acceptor puts
your words in place of the model's. --editdist is a table of costs to edit by hand,
without places in the word and strings.

\b
Examples:
  fstce speller export model --zhfst se.zhfst --language se
  fstce speller export model --zhfst se.zhfst --acceptor acceptor.hfst
  fstce speller export model --att errors.att --editdist editdist.txt
""")
def export(
    model: Model,
    zhfst: Annotated[Path | None, option("--zhfst FILE", "A speller: acceptor and error model.")] = None,
    hfst: Annotated[Path | None, option("--hfst FILE", "HFST's form of OpenFst's machines.")] = None,
    hfstol: Annotated[Path | None, option("--hfstol FILE", "HFST's optimized lookup.")] = None,
    att: Annotated[Path | None, option("--att FILE", "AT&T text in HFST's spelling.")] = None,
    fst: Annotated[Path | None, option("--fst FILE", "OpenFst.")] = None,
    far: Annotated[Path | None, option("--far FILE", "OpenFst's archive of both machines.")] = None,
    editdist: Annotated[Path | None, option("--editdist FILE", "GiellaLT's table of costs.")] = None,
    acceptor: Annotated[Path | None, option("--acceptor FILE", "Words for --zhfst and --far.")] = None,
    language: Annotated[str, option("--language CODE", "The language, for --zhfst.")] = "und",
    quiet: Quiet = False,
) -> None:
    machines = {".hfst": hfst, ".hfstol": hfstol, ".att": att, ".fst": fst}
    named = {**machines, ".zhfst": zhfst, ".far": far}
    written = [path for path in (*named.values(), editdist) if path is not None]
    if not written:
        raise ParameterError("nothing to write: give --zhfst FILE, or another form; --help lists them")
    if acceptor is not None and zhfst is None and far is None:
        raise ParameterError("--acceptor goes with --zhfst or --far; the others hold the error model alone")
    for suffix, path in named.items():
        check_file(path, suffix, option=f"--{suffix[1:]}")
    check_file(editdist, option="--editdist")
    speller = load(model, "speller")
    for path in machines.values():
        if path is not None:
            write_errors(speller, path)
    if zhfst is not None:
        write_speller(speller, zhfst, language, acceptor)
    if far is not None:
        write_machines(speller, far, acceptor)
    if editdist is not None:
        write_table(speller.errors_, editdist)
    if not quiet:
        for path in written:
            note(f"written: {path}")
