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
both machines; the others hold the error model. --acceptor puts your words in place of the
model's. --editdist and --strings are GiellaLT's sources, to edit by hand.

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
    hfst: Annotated[
        Path | None, option("--hfst FILE", "HFST's form of OpenFst's machines.")
    ] = None,
    hfstol: Annotated[Path | None, option("--hfstol FILE", "HFST's optimized lookup.")] = None,
    att: Annotated[Path | None, option("--att FILE", "AT&T text in HFST's spelling.")] = None,
    fst: Annotated[Path | None, option("--fst FILE", "OpenFst.")] = None,
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
    forms = {"zhfst": zhfst, "hfst": hfst, "hfstol": hfstol, "att": att, "fst": fst, "far": far}
    machines = {name: path for name, path in forms.items() if path is not None}
    if not machines and hunspell is editdist is strings is None:
        raise ParameterError(
            "nothing to write: give --zhfst FILE, or another form; --help lists them"
        )
    if acceptor is not None and zhfst is None and far is None:
        raise ParameterError(
            "--acceptor goes with --zhfst or --far; the others hold the error model alone"
        )

    for name, path in machines.items():
        check_file(path, f".{name}", option=f"--{name}")
    if hunspell is not None:
        for path in hunspell_files(hunspell):
            check_file(path, path.suffix, option="--hunspell")
    check_file(editdist, option="--editdist")
    check_file(strings, option="--strings")

    speller = load(model, "speller")
    for path in machines.values():
        write_speller(speller, path, language, acceptor)
        remark(f"written: {path}")
    if hunspell is not None:
        left_out = write_hunspell(speller, hunspell)
        several = f"; left out: {left_out:,} of several words" if left_out else ""
        remark(f"written: {' and '.join(map(str, hunspell_files(hunspell)))}{several}")
    if editdist is not None:
        write_editdist(speller.errors_, editdist)
        remark(f"written: {editdist}")
    if strings is not None:
        write_strings(speller.errors_, strings)
        remark(f"written: {strings}")
