"""``fstce neighborhood show``: the sentences that a sentence is contrasted with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fstce.console.options import Exponent, Sentence, Weighted, argument, helped, option
from fstce.console.output import count, note, table, words_of
from fstce.console.places import check_file

if TYPE_CHECKING:
    from fstce.machines.lattice import Lattice

SHOWN = 50
DRAWINGS = (".dot", ".svg", ".png", ".pdf")
SUFFIXES = (".fst", ".far", ".txt", ".att", ".hfst", ".foma", *DRAWINGS)


@helped("""Print the neighborhood of a sentence, or list the known neighborhoods.

The strings go to standard output, one a line; sizes go to standard error.

\b
Examples:
  fstce neighborhood show
  fstce neighborhood show trans1 "natural language is a delicate thing"
  fstce neighborhood show del1subseq natural language is fun --count
  fstce neighborhood show del1word "a delicate thing" --output lattice.svg
  fstce neighborhood show "sub1stem(words.tsv) | window3" "a delicate thing"
""")
def show(
    name: Annotated[
        str | None,
        argument(
            "NEIGHBORHOOD", "A name, an expression, or a file of yours; by default the known are listed."
        ),
    ] = None,
    sentence: Sentence = None,
    shown: Annotated[int, option("--list N", "How many strings are printed.", min=0)] = SHOWN,
    only_count: Annotated[bool, option("--count", "Print the number of strings and nothing else.")] = False,
    weighted: Weighted = False,
    exponent: Exponent = None,
    output: Annotated[
        Path | None,
        option("--output -o FILE", f"Write the lattice; the suffix says how: {' '.join(SUFFIXES)}"),
    ] = None,
) -> None:
    from fstce.neighborhoods.registry import neighborhood as known

    if name is None:
        _list_known()
        return
    kind, words = known(name, weighted=weighted, exponent=exponent), words_of(" ".join(sentence or []))
    if kind.wants_vocabulary:
        note(f"the vocabulary of {name} is here the bundled sample's; name yours: {name}(words.tsv)")
    check_file(output, *SUFFIXES)
    lattice = kind(words)
    total = lattice.count()
    if only_count:
        print(total)
    else:
        _show(lattice, total, shown)
        if total == 1:
            note(f"{name} exchanges no word of this sentence: it is its only neighbor")
    if output is not None:
        write(lattice, output)
        note(f"wrote {output}")


def write(lattice: Lattice, path: Path) -> None:
    """Write a lattice as its suffix says."""
    from fstce.machines.convert import write_machine
    from fstce.machines.drawing import write_drawing

    put = write_drawing if path.suffix.lower() in DRAWINGS else write_machine
    put(lattice.to_fst(), path)


def _list_known() -> None:
    """Names and what they hold: fstce's own, installed packages'."""
    from fstce.neighborhoods import shipped
    from fstce.neighborhoods.author import summary_of
    from fstce.neighborhoods.registry import neighborhood, registered_names, registered_summary

    transducers = sorted([*shipped.names(), *shipped.names_over_vocabulary()])
    rows = [(name, summary_of(shipped.shipped_module(name))) for name in transducers]
    for name in shipped.direct_names():
        kind = neighborhood(name)
        rows.append((name, summary_of(getattr(kind, "half", kind))))
    rows += [(name, registered_summary(name)) for name in registered_names()]
    table(("name", "what it holds"), rows)


def _show(lattice: Lattice, total: int, shown: int) -> None:
    arcs = count(len(lattice.arrays.source), "arc")
    note(f"{count(total, 'string')}; the lattice has {count(len(lattice), 'state')} and {arcs}")
    for words in lattice.strings(shown):
        print(" ".join(words))
    if total > shown:
        note(f"… and {total - shown:,} more; see --list")
