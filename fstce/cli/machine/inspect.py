"""``fstce machine inspect``: any machine, neighborhood or model as a page to look around in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from fstce.console.models import load
from fstce.console.options import (
    ArcType,
    InputSymbols,
    Key,
    OutputSymbols,
    Sentence,
    Weighted,
    argument,
    helped,
    option,
)
from fstce.console.output import remark, silenced, words_of
from fstce.console.places import as_file, check_file
from fstce.errors import ParameterError


@helped("""Write a page in which a machine can be looked around in, without a network.

Properties and what they mean, strings, dead states, ambiguity; a drawing that moves and
zooms, is searched, and shows the path of a string. Of a neighborhood the stages from
sentence to lattice; of a tagger the posteriors and weights that can be dragged.

\b
Examples:
  fstce machine inspect lattice.fst -o page.html
  fstce machine inspect trans1 "a delicate thing" -o stages.html
  fstce machine inspect model "the baker will light the lamp" -o why.html
  fstce machine inspect lattices.far --key 007 -o page.html
  fstcompile machine.txt | fstce machine inspect - -o page.html
""")
def inspect(
    target: Annotated[
        str,
        argument(
            "WHAT",
            "A machine's file (.fst .far .txt .att .hfst .foma, or -), a neighborhood, or a "
            "model's folder.",
        ),
    ],
    output: Annotated[Path, option("--output -o FILE", "The page, .html.", show_default=False)],
    sentence: Sentence = None,
    neighborhood: Annotated[
        str | None, option("--neighborhood --neighbourhood -n NAME", "Of a model, not its own.")
    ] = None,
    key: Key = None,
    isymbols: InputSymbols = None,
    osymbols: OutputSymbols = None,
    arc_type: ArcType = None,
    weighted: Weighted = False,
) -> None:
    from fstce.inspection.inspect import inspect as ask
    from fstce.inspection.inspect import is_file

    check_file(output, ".html")
    words = words_of(" ".join(sentence)) if sentence else None
    reading = {"key": key, "isymbols": isymbols, "osymbols": osymbols, "arc_type": arc_type}
    options: dict[str, Any] = {name: value for name, value in reading.items() if value is not None}
    with silenced(), as_file(Path(target)) as file:
        if Path(target).is_dir():
            page = ask(load(Path(target), explained=True), words, neighborhood=neighborhood)
        elif neighborhood is not None:
            raise ParameterError("--neighborhood is for a model's folder; leave it out")
        elif is_file(file) and not weighted:
            page = ask(file, words, **options)
        elif options:
            option_name = next(iter(options)).replace("_", "-")
            raise ParameterError(f"--{option_name} is for a machine's file; leave it out")
        else:
            from fstce.neighborhoods.registry import neighborhood as named  # not for a file

            page = ask(named(target, weighted=weighted), words)
    page.write(output)
    remark(f"wrote {output}")
