"""``fstce neighborhood show`` and ``draw``.

What a sentence is contrasted with, in words and in pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from fstce.console.models import load
from fstce.console.options import (
    Name,
    Sentence,
    Transducer,
    Weighted,
    argument,
    helped,
    option,
)
from fstce.console.output import count, remark, table, words_of
from fstce.console.places import check_file
from fstce.errors import ParameterError

if TYPE_CHECKING:
    import pynini


SHOWN = 50
DRAWINGS = (".dot", ".svg", ".png", ".pdf")


@helped("""Print the neighborhood of a sentence, or list the known neighborhoods.

The strings go to standard output, one a line; sizes go to standard error.

\b
Examples:
  fstce neighborhood show
  fstce neighborhood show trans1 "natural language is a delicate thing"
  fstce neighborhood show del1subseq natural language is fun --count
  fstce neighborhood show "sub1band(words.tsv) | window3" "a delicate thing"
""")
def show(
    name: Annotated[
        str | None,
        argument(
            "NEIGHBORHOOD",
            "A name, an expression, or a file of yours; by default the known are listed.",
        ),
    ] = None,
    sentence: Sentence = None,
    shown: Annotated[int, option("--list N", "How many strings are printed.", min=0)] = SHOWN,
    only_count: Annotated[
        bool, option("--count", "Print the number of strings and nothing else.")
    ] = False,
    weighted: Weighted = False,
) -> None:
    from fstce.neighborhoods.registry import neighborhood

    if name is None:
        _list_known()
        return

    neighbors = neighborhood(name, weighted=weighted)
    if neighbors.wants_vocabulary:
        remark(
            f"the vocabulary of {name} is here the bundled sample's; name yours: {name}(words.tsv)"
        )

    lattice = neighbors(words_of(" ".join(sentence or [])))
    total = lattice.count()
    if only_count:
        print(total)
        return

    arcs = count(len(lattice.arrays.source), "arc")
    remark(f"{count(total, 'string')}; the lattice has {count(len(lattice), 'state')} and {arcs}")
    for words in lattice.strings(shown):
        print(" ".join(words))

    if total > shown:
        remark(f"… and {total - shown:,} more; see --list")
    if total == 1:
        remark(f"{name} exchanges no word of this sentence: it is its only neighbor")


def _list_known() -> None:
    """The names of fstce's own and what they hold."""
    from fstce.neighborhoods import shipped
    from fstce.neighborhoods.author import summary_of
    from fstce.neighborhoods.registry import neighborhood

    transducers = sorted([*shipped.names(), *shipped.names_over_vocabulary()])
    rows = [(name, summary_of(shipped.shipped_module(name))) for name in transducers]
    for name in shipped.direct_names():
        neighbors = neighborhood(name)
        rows.append((name, summary_of(getattr(neighbors, "half", neighbors))))
    table(("name", "what it holds"), rows)


# Who says what stands where.
Engine = Literal["auto", "layered", "dot"]
EngineOption = Annotated[
    Engine, option("--engine", "Of an .svg: fstce's layers, or graphviz (dot).")
]
Picture = Annotated[
    Path | None,
    option("--output -o FILE", f"The picture, {' '.join(DRAWINGS)}; by default DOT is printed."),
]


@helped("""Draw the lattice of a sentence, or its transducer.

An .svg has fstce's own layers, or graphviz's (--engine dot); .svg and .dot can be written
without graphviz. With --model an arc says its posterior when pointed at.

\b
Examples:
  fstce neighborhood draw trans1 "a delicate thing" -o lattice.svg
  fstce neighborhood draw ./mine.py "a delicate thing" --output mine.svg
  fstce neighborhood draw trans1 "a delicate thing" --model model -o why.svg
  fstce neighborhood draw del1word "a thing" | dot -Tpng > lattice.png
  fstce neighborhood draw trans1 "a thing" --transducer -o machine.svg
  fstce neighborhood draw trans1 "a thing" --engine layered -o lattice.svg
""")
def draw(
    name: Name,
    sentence: Sentence = None,
    model: Annotated[
        Path | None,
        option(
            "--model FOLDER",
            "The more probable an arc is to this tagger or parser, the thicker it is drawn.",
        ),
    ] = None,
    transducer: Transducer = False,
    weighted: Weighted = False,
    engine: EngineOption = "auto",
    output: Picture = None,
) -> None:
    from fstce.explanation.explain import over
    from fstce.neighborhoods.registry import neighborhood

    words = words_of(" ".join(sentence or []))
    check_file(output, *DRAWINGS)
    neighbors = neighborhood(name, weighted=weighted)
    if transducer and model is not None:
        raise ParameterError("--transducer and --model are two pictures; ask for one")
    if model is None:
        machine = neighbors.transducer(words) if transducer else neighbors(words).to_fst()
        draw_or_print(machine, output, engine=engine)
        return

    if weighted:
        raise ParameterError("--weighted is not for --model; leave it out")

    asked = over(load(model, explained=True), tuple(words), name)
    draw_or_print(asked.lattice.to_fst(), output, asked.arc_posteriors().tolist(), engine)


def draw_or_print(
    fst: pynini.Fst,
    output: Path | None,
    posteriors: Sequence[float] | None = None,
    engine: Engine = "auto",
) -> None:
    """Write the picture of a machine, or print its DOT."""
    from fstce.machines.drawing import to_dot, write_drawing

    if output is None:
        print(to_dot(fst, posteriors=posteriors), end="")
    else:
        write_drawing(fst, output, posteriors=posteriors, engine=engine)
        remark(f"wrote {output}")
