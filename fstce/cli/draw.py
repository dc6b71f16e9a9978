"""``fstce draw``: pictures of neighbourhoods and of machines in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fstce.cli.neighborhood import DRAWINGS, check_suffix
from fstce.cli.output import note, silenced, words_of
from fstce.errors import ParameterError

if TYPE_CHECKING:
    import pynini

MACHINES = (".fst", ".txt")


def draw(
    source: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE", help="A neighbourhood or a machine: .fst, or .txt for AT&T text."
        ),
    ],
    sentence: Annotated[
        list[str] | None,
        typer.Argument(help="For a neighbourhood: its words.", show_default=False),
    ] = None,
    symbols: Annotated[
        Path | None,
        typer.Option("--symbols", help="A .syms file for a machine without symbols."),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            help="A model's folder: the more probable an arc is to it, the thicker it is drawn.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help=f"The picture, {' '.join(DRAWINGS)}; by default DOT is printed."),
    ] = None,
) -> None:
    """Draw the lattice of a sentence, or a machine from a file.

    Graphviz draws where it is installed; .svg and .dot can be written without it. With
    --model an arc says its posterior when pointed at.

    \b
    Examples:
      fstce draw trans1 "natural language is a delicate thing" --output lattice.svg
      fstce draw ./mine.py "a delicate thing" --output mine.svg
      fstce draw trans1 "a delicate thing" --model model --output posteriors.svg
      fstce draw lattice.fst --output lattice.pdf
      fstce draw machine.txt --symbols words.syms --output machine.png
      fstce draw del1word "a delicate thing" | dot -Tpng > lattice.png
    """
    from fstce.machines.drawing import to_dot, write_drawing

    if output is not None:
        check_suffix(output, DRAWINGS)
    given = " ".join(sentence or [])
    if model is not None:
        fst, posteriors = _under_model(model, source, given, symbols)
    else:
        fst, posteriors = _machine(source, given, symbols), None
    if output is None:
        print(to_dot(fst, posteriors=posteriors), end="")
    else:
        write_drawing(fst, output, posteriors=posteriors)
        note(f"wrote {output}")


def _under_model(
    model: Path, source: str, sentence: str, symbols: Path | None
) -> tuple[pynini.Fst, list[float]]:
    """The lattice of a neighbourhood with its arcs' posteriors under a trained model."""
    from fstce.cli.explain import loaded
    from fstce.explanation.explain import over

    if symbols is not None or (Path(source).suffix.lower() in MACHINES and not sentence):
        raise ParameterError(
            "--model goes with a neighbourhood and a sentence, not with a machine from a file"
        )
    asked = over(loaded(model), tuple(words_of(sentence)), source)
    return asked.lattice.to_fst(), asked.arc_posteriors().tolist()


def _machine(source: str, sentence: str, symbols: Path | None) -> pynini.Fst:
    """The machine to be drawn: from a file by its suffix, else a neighbourhood's lattice."""
    from fstce.neighborhoods.registry import neighborhood

    if Path(source).suffix.lower() in MACHINES and not sentence:
        return _from_file(Path(source), symbols)
    if Path(source).is_file() and not sentence:
        raise ParameterError(
            f"{source}: a machine is a .fst file, or a .txt file with AT&T text; "
            "to draw what a neighbourhood makes of a sentence, give one"
        )
    if symbols is not None:
        raise ParameterError("--symbols goes with a machine from a file; a neighbourhood has its words")
    kind = neighborhood(source)
    return kind(words_of(sentence)).to_fst()


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
