"""``fstce machine apply`` and ``equivalent``: what a machine answers, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import typer

from fstce.console.options import (
    ArcType,
    InputSymbols,
    Machine,
    OutputSymbols,
    TokenType,
    argument,
    helped,
    option,
)
from fstce.console.output import remark, silenced
from fstce.console.places import as_file
from fstce.errors import ParameterError


@helped("""Look strings up in a machine, best outputs first.

A line is the string, a tab, an output, a tab, its weight (−log); a string without output has
+? and inf, as hfst-lookup writes it. Of an output the best path counts, whatever the machine's arc
type: what comes out is no machine, so there is no --arc-type. Letters that the machine does not
know are read by its ?. Flag diacritics are obeyed. Without STRING the lines of standard input are
looked up.

\b
Examples:
  fstce machine apply analyser.hfst cats dogs
  fstce machine apply lexicon.foma cats+N+Pl --side output
  fstce machine apply trans1.fst "a delicate thing"
  cut -f1 words.tsv | fstce machine apply analyser.att
""")
def apply(
    file: Machine,
    strings: Annotated[
        list[str] | None, argument("STRING...", "What to look up; words if symbols are words.")
    ] = None,
    side: Annotated[
        Literal["input", "output"], option("--side", "Where the machine reads the strings.")
    ] = "input",
    number: Annotated[
        int | None, option("--number N", "Outputs of a string at most.", min=1)
    ] = None,
    isymbols: InputSymbols = None,
    osymbols: OutputSymbols = None,
    token_type: TokenType = None,
) -> None:
    from fstce.machines.analyser import MOST, Analyser
    from fstce.machines.convert import read_machine

    if not strings and str(file) == "-":
        raise ParameterError("- is the machine, so the strings must be given; name the machine")
    with as_file(file) as path, silenced():
        fst = read_machine(
            path, isymbols=isymbols, osymbols=osymbols, arc_type="standard", token_type=token_type
        )
    analyser = Analyser(fst, side=side, name=str(file))
    for string in strings or _lines_of_stdin():
        outputs = list(analyser.weighted(string).items())
        if analyser.is_cut and (number is None or number > len(outputs)):
            remark(f"{string}: it has {MOST} outputs or more, of which {len(outputs)} are listed")
        outputs = outputs[:number]
        for symbols, weight in outputs:
            between = " " if analyser.reads_words(string) else ""
            typer.echo(f"{string}\t{between.join(symbols)}\t{weight:.6f}")
        if not outputs:
            typer.echo(f"{string}\t{string}+?\tinf")


def _lines_of_stdin() -> Iterator[str]:
    """The lines of standard input as they come; raises CorpusError at one that is no text."""
    from fstce.console.streams import standard_input
    from fstce.corpora.documents import checked, from_stream

    stream: Any = standard_input()
    document = from_stream(stream)
    for _, line in checked(document.lines(), document.name):
        yield line


@helped("""Say whether two machines have the same strings with the same weights.

Transducers are compared by the pairs of labels on their paths. The exit code is 0 if they are
equivalent and 1 if not, as that of cmp.

\b
Examples:
  fstce machine equivalent lattice.fst minimal.fst
  fstce machine equivalent analyser.hfst analyser.att
""")
def equivalent(first: Machine, second: Machine, arc_type: ArcType = None) -> None:
    from fstce.machines.convert import read_machine
    from fstce.machines.operations import equivalent as are_equivalent

    if str(first) == str(second) == "-":
        raise ParameterError("- is standard input, which holds one machine; name the other")
    machines = []
    with silenced():
        for file in (first, second):
            with as_file(file) as path:
                machines.append(read_machine(path, arc_type=arc_type))
        same = are_equivalent(machines[0], machines[1], f"{first} ≡ {second}")
    if not same:
        typer.echo("not equivalent")
        raise typer.Exit(1)
    typer.echo("equivalent")
