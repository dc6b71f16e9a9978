"""``fstce speller export``: a speller in the files of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fstce.console.models import load
from fstce.console.options import Model, helped, option
from fstce.console.output import remark
from fstce.console.places import check_file
from fstce.errors import ParameterError
from fstce.speller.export import write_speller
from fstce.speller.sources import hunspell_files, write_editdist, write_hunspell, write_strings


@helped("""Write a speller for other programs.

A .zhfst is what hfst-ospell, divvunspell and LibreOffice's extensions run: words and
error model. --hunspell writes NAME.dic and NAME.aff, which LibreOffice, Firefox and
editors take: the words, and of the errors what hunspell has tables for. The .far holds
both machines, which fstce machine convert writes in other forms. --acceptor puts your
words in place of the model's. --editdist and --strings are GiellaLT's sources, to edit
by hand.

\b
Examples:
  fstce speller export model --zhfst se.zhfst --language se
  fstce speller export model --hunspell se
  fstce speller export model --zhfst se.zhfst --acceptor acceptor.hfst
  fstce speller export model --editdist editdist.txt --strings strings.txt
""")
def export(
    model: Model,
    zhfst: Annotated[
        Path | None, option("--zhfst FILE", "A speller: acceptor and error model.")
    ] = None,
    hunspell: Annotated[
        Path | None, option("--hunspell NAME", "hunspell's NAME.dic and NAME.aff.")
    ] = None,
    far: Annotated[Path | None, option("--far FILE", "OpenFst's archive of both machines.")] = None,
    editdist: Annotated[
        Path | None, option("--editdist FILE", "GiellaLT's table of costs, whole numbers.")
    ] = None,
    strings: Annotated[
        Path | None, option("--strings FILE", "GiellaLT's strings, .txt or .regex.")
    ] = None,
    acceptor: Annotated[
        Path | None, option("--acceptor FILE", "Words for --zhfst and --far.")
    ] = None,
    language: Annotated[str, option("--language CODE", "The language, for --zhfst.")] = "und",
) -> None:
    if zhfst is hunspell is far is editdist is strings is None:
        raise ParameterError(
            "nothing to write: give --zhfst FILE, or another form; --help lists them"
        )
    if acceptor is not None and zhfst is far is None:
        raise ParameterError("--acceptor goes with --zhfst or --far")

    both = () if hunspell is None else hunspell_files(hunspell)
    for path in both:
        check_file(path, path.suffix, option="--hunspell")
    check_file(zhfst, ".zhfst", option="--zhfst")
    check_file(far, ".far", option="--far")
    check_file(editdist, option="--editdist")
    check_file(strings, option="--strings")

    speller = load(model, "speller")
    for archive in (zhfst, far):
        if archive is not None:
            write_speller(speller, archive, language, acceptor)
            remark(f"written: {archive}")
    if hunspell is not None:
        left_out = write_hunspell(speller, hunspell)
        several = f"; left out: {left_out:,} of several words" if left_out else ""
        remark(f"written: {' and '.join(map(str, both))}{several}")
    if editdist is not None:
        write_editdist(speller.errors_, editdist)
        remark(f"written: {editdist}")
    if strings is not None:
        write_strings(speller.errors_, strings)
        remark(f"written: {strings}")
