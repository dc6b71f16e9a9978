"""``fstce neighborhood draw``: pictures of neighbourhoods, as they are and as a model sees them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fstce.cli.kinds import load
from fstce.cli.neighborhood.show import DRAWINGS, check_suffix
from fstce.cli.options import Name, Sentence
from fstce.cli.output import note, words_of

if TYPE_CHECKING:
    import pynini

Picture = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help=f"The picture, {' '.join(DRAWINGS)}; by default DOT is printed.",
    ),
]


def draw(
    name: Name,
    sentence: Sentence = None,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            metavar="FOLDER",
            help="The more probable an arc is to this tagger or parser, the thicker it is drawn.",
        ),
    ] = None,
    output: Picture = None,
) -> None:
    """Draw the lattice of a sentence.

    Graphviz draws where it is installed; .svg and .dot can be written without it. With
    --model an arc says its posterior when pointed at.

    \b
    Examples:
      fstce neighborhood draw trans1 "natural language is fun" --output lattice.svg
      fstce neighborhood draw ./mine.py "a delicate thing" --output mine.svg
      fstce neighborhood draw trans1 "a delicate thing" --model model --output posteriors.svg
      fstce neighborhood draw del1word "a delicate thing" | dot -Tpng > lattice.png
    """
    from fstce.explanation.explain import over
    from fstce.neighborhoods.registry import neighborhood

    words = words_of(" ".join(sentence or []))
    if output is not None:
        check_suffix(output, DRAWINGS)
    if model is None:
        draw_or_print(neighborhood(name)(words).to_fst(), output)
        return
    asked = over(load(model, "tagger", "parser"), tuple(words), name)
    draw_or_print(asked.lattice.to_fst(), output, asked.arc_posteriors().tolist())


def draw_or_print(fst: pynini.Fst, output: Path | None, posteriors: Sequence[float] | None = None) -> None:
    """Write the picture of a machine, or print its DOT."""
    from fstce.machines.drawing import to_dot, write_drawing

    if output is None:
        print(to_dot(fst, posteriors=posteriors), end="")
    else:
        write_drawing(fst, output, posteriors=posteriors)
        note(f"wrote {output}")
