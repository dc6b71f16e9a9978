"""``fstce machine draw``: pictures of machines in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fstce.cli.neighborhood.draw import Engine, EngineOption, Picture, draw_or_print
from fstce.cli.neighborhood.show import DRAWINGS
from fstce.console.options import Machine, option
from fstce.console.output import silenced
from fstce.console.pipes import as_file
from fstce.console.places import check_file
from fstce.errors import ParameterError

if TYPE_CHECKING:
    import pynini

SUFFIXES = (".fst", ".txt")

HELP = """Draw a machine from a file: .fst, or .txt for AT&T text.

Graphviz draws what is small where it is installed, fstce's own layers what is larger;
.svg and .dot can be written without graphviz.

\b
Examples:
  fstce machine draw lattice.fst --output lattice.pdf
  fstce machine draw machine.txt --symbols words.syms --output machine.png
  fstce machine draw lattice.fst | dot -Tpng > lattice.png
  fstcompile machine.txt | fstce machine draw - --output machine.svg
"""


def draw(
    file: Machine,
    symbols: Annotated[
        Path | None, option("--symbols FILE", "A .syms file for a machine without symbols.")
    ] = None,
    engine: EngineOption = Engine.auto,
    output: Picture = None,
) -> None:
    check_file(output, *DRAWINGS)
    with as_file(file) as path:
        if path.suffix.lower() not in SUFFIXES:
            raise ParameterError(f"{file}: a machine is a .fst file, or a .txt file with AT&T text")
        draw_or_print(_from_file(path, symbols), output, engine=engine)


def _from_file(path: Path, symbols: Path | None) -> pynini.Fst:
    from fstce.machines.files import read_att, read_fst, read_symbols

    if path.suffix.lower() == ".txt":
        return read_att(path, symbols)
    with silenced():
        fst = read_fst(path)
    if symbols is not None:
        named = read_symbols(symbols)
        fst.set_input_symbols(named)
        fst.set_output_symbols(named)
    return fst
