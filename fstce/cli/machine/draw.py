"""``fstce machine draw``: pictures of machines in files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fstce.cli.neighborhood.show import DRAWINGS, EngineOption, Picture, draw_or_print
from fstce.console.options import ArcType, Machine, helped, option
from fstce.console.output import silenced
from fstce.console.places import as_file, check_file


@helped("""Draw a machine from a file: .fst .far .txt .att .hfst .foma.

An .svg has fstce's own layers, or graphviz's (--engine dot); .svg and .dot can be written
without graphviz.

\b
Examples:
  fstce machine draw lattice.fst --output lattice.pdf
  fstce machine draw machine.txt --symbols words.syms --output machine.png
  fstce machine draw lattice.fst | dot -Tpng > lattice.png
  fstcompile machine.txt | fstce machine draw - --output machine.svg
""")
def draw(
    file: Machine,
    symbols: Annotated[
        Path | None, option("--symbols FILE", "A .syms file for a machine without symbols.")
    ] = None,
    arc_type: ArcType = None,
    engine: EngineOption = "auto",
    output: Picture = None,
) -> None:
    from fstce.machines.convert import read_machine

    check_file(output, *DRAWINGS)
    with as_file(file) as path:
        with silenced():
            fst = read_machine(path, isymbols=symbols, arc_type=arc_type)
        draw_or_print(fst, output, engine=engine)
