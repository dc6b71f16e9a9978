"""``fstce machine compose`` and the like.

OpenFst's operations on machines in any files, in a pipe too.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Literal

from fstce.console.options import ArcType, argument, helped, option, starting_with
from fstce.console.output import silenced
from fstce.console.places import as_file, check_file, to_file
from fstce.errors import ParameterError
from fstce.processes.memory import keep_freed

SEVERAL = ("compose", "union", "intersect", "difference", "concat")
OPERATIONS = (
    *SEVERAL,
    *("closure", "project", "invert", "reverse", "determinize", "minimize", "rmepsilon", "push"),
    *("connect", "optimize", "shortest"),
)
TAKER = {"side": "project", "paths": "shortest"}  # of each option


@helped("""Do what OpenFst's programs do, with machines of any file.

\b
  compose     what one writes the next reads (two machines or more)
  union       what any of them has (two or more)
  intersect   what all of them have (acceptors)
  difference  what the first has and no other (acceptors)
  concat      one after the other (two or more)
  closure     any number of times
  project     one --side of a transducer
  invert      input and output exchanged
  reverse     every path backwards
  determinize at most one arc a label and state; if that never ends: optimize
  minimize    the fewest states, of a deterministic machine
  rmepsilon   without ε:ε
  push        weights as near to the start as can be
  connect     without states that are on no path
  optimize    without ε:ε, deterministic, minimal, as far as that can be
  shortest    the best --paths, of each string one (arc type standard)

Where two tables of symbols differ, the second machine is renumbered, and the first's table
stays. ? of HFST's and foma's machines stands for the symbols that neither knows; flag diacritics
are obeyed. An empty result is an error. The word operate may be left out.

\b
Examples:
  fstce machine compose sentence.fst trans1.fst -o neighbors.fst
  fstce machine compose a.att b.hfst | fstprint
  fstce machine operate closure word.fst -o words.fst
  fstcompile a.txt | fstce machine shortest - --paths 5 | fstprint
""")
def operate(
    operation: Annotated[str, argument("OPERATION", "One of these.", starting_with(OPERATIONS))],
    files: Annotated[list[Path], argument("FILE...", "Machines; - is standard input.")],
    side: Annotated[
        Literal["input", "output"] | None, option("--side", "Which is kept; by default the output.")
    ] = None,
    paths: Annotated[int | None, option("--paths N", "How many; by default one.", min=1)] = None,
    arc_type: ArcType = None,
    output: Annotated[
        Path,
        option("--output -o FILE", "The result, as its suffix says; - is standard output, a .fst."),
    ] = Path("-"),
) -> None:
    from fstce.machines import operations
    from fstce.machines.convert import read_machine, write_machine

    keep_freed()
    asked = {"side": side, "paths": paths}
    options = {name: value for name, value in asked.items() if value is not None}
    _check(operation, files, options)
    if str(output) != "-":
        check_file(output)
    machines = []
    with silenced():
        for file in files:
            with as_file(file) as path:
                machines.append(read_machine(path, arc_type=arc_type))
    names = list(map(str, files))
    with silenced(), to_file(output) as path:
        if path.suffix == ".fst":
            operations.write_result(path, operation, machines, names, **options)
        else:
            result = operations.operate(operation, machines, names, **options)
            write_machine(result, path, sound=True)


def _check(operation: str, files: list[Path], options: Collection[str]) -> None:
    if operation not in OPERATIONS:
        raise ParameterError(f"{operation!r} is no operation; these are {', '.join(OPERATIONS)}")
    if (len(files) > 1) != (operation in SEVERAL):
        number = "two machines or more" if operation in SEVERAL else "one machine"
        raise ParameterError(f"{operation} takes {number}")
    if list(map(str, files)).count("-") > 1:
        raise ParameterError("- is standard input, which holds one machine; name the others")
    for name in options:
        if operation != TAKER[name]:
            raise ParameterError(f"--{name} is for {TAKER[name]}, not for {operation}")
