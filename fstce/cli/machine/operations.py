"""``fstce machine compose`` and the like: OpenFst's operations on machines in any files, in a pipe too.

Each verb is made of a row of :data:`OPERATIONS`; what it does is in :mod:`fstce.machines.operations`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from fstce.console.options import Machine, argument, option
from fstce.console.output import silenced
from fstce.console.places import as_file, check_file, to_file
from fstce.errors import ParameterError

Several = Annotated[list[Path], argument("FILE...", "Two machines or more; - is standard input.")]
Output = Annotated[
    Path, option("--output -o FILE", "The result, as its suffix says; - is standard output, a .fst.")
]
Paths = Annotated[int, option("--paths N", "How many.", min=1)]
Seed = Annotated[int, option("--seed N", "Of the drawing.", min=0)]
Least = Annotated[int, option("--least N", "So many times at least.", min=0)]
Most = Annotated[int | None, option("--most N", "So many times at most; by default any number.", min=1)]
Side = Annotated[Literal["input", "output"], option("--side", "Which is kept.")]


class Operation(NamedTuple):
    """A verb: its summary, two examples behind ``fstce machine``, its options with their defaults."""

    summary: str
    examples: tuple[str, str]
    options: dict[str, tuple[Any, Any]] = {}


OPERATIONS = {
    "compose": Operation(
        "Compose machines: what one writes the next reads.",
        ("compose sentence.fst trans1.fst emissions.fst -o tagged.fst", "compose a.att b.hfst | fstprint"),
    ),
    "union": Operation(
        "Unite machines: what any of them has.",
        ("union nouns.fst verbs.fst -o words.fst", "union a.fst b.fst c.fst | fstinfo"),
    ),
    "intersect": Operation(
        "Intersect acceptors: what all of them have.",
        ("intersect words.fst pattern.fst -o fitting.fst", "intersect - pattern.att -o fitting.foma"),
    ),
    "difference": Operation(
        "Take away from an acceptor what others, which have no weights, accept.",
        ("difference words.fst known.fst -o new.fst", "difference a.fst b.fst c.fst | fstprint"),
    ),
    "concat": Operation(
        "Concatenate machines: one after the other.",
        ("concat stem.fst ending.fst -o word.fst", "concat a.fst b.fst | fstprint"),
    ),
    "closure": Operation(
        "Repeat a machine: any number of times, or within bounds.",
        ("closure word.fst -o text.fst", "closure word.fst --least 1 --most 3 | fstprint"),
        {"least": (Least, 0), "most": (Most, None)},
    ),
    "project": Operation(
        "Keep one side of a transducer.",
        ("project tagged.fst -o tags.fst", "compose a.fst b.fst | fstce machine project - --side input"),
        {"side": (Side, "output")},
    ),
    "invert": Operation(
        "Exchange input and output.",
        ("invert analyser.hfst -o generator.hfst", "invert a.fst | fstprint"),
    ),
    "reverse": Operation(
        "Turn every path backwards.", ("reverse words.fst -o endings.fst", "reverse a.fst | fstprint")
    ),
    "optimize": Operation(
        "Make a machine small: without ε:ε, deterministic, minimal, as far as that can be.",
        ("optimize words.txt -o words.fst", "optimize - -o small.fst"),
    ),
    "shortest": Operation(
        "Keep the best paths, of each string one; for weights of which the least counts.",
        ("shortest tagged.fst -o best.fst", "shortest tagged.fst --paths 5 | fstprint"),
        {"paths": (Paths, 1)},
    ),
    "sample": Operation(
        "Draw paths: arc by arc, by their weights as probabilities.",
        ("sample words.fst --paths 10 -o some.fst", "sample words.fst --seed 7 | fstprint"),
        {"paths": (Paths, 1), "seed": (Seed, 0)},
    ),
}
SEVERAL = ("compose", "union", "intersect", "difference", "concat")  # take two machines or more
_NOTE = """A file is of any format that fstce machine convert reads. Where two tables of symbols
differ, the second machine is renumbered. An empty result is an error."""


def _apply(operation: str, files: list[Path], output: Path, options: dict[str, Any]) -> None:
    from fstce.machines.convert import read_machine, write_machine
    from fstce.machines.operations import operate

    if operation in SEVERAL and len(files) < 2:
        raise ParameterError(f"{operation} takes two machines or more")
    if [str(file) for file in files].count("-") > 1:
        raise ParameterError("- is standard input, which holds one machine; name the others")
    least, most = options.get("least", 0), options.get("most")
    if most is not None and most < least:
        raise ParameterError(f"--least {least} is more than --most {most}")
    if str(output) != "-":
        check_file(output)
    machines = []
    for file in files:
        with silenced(), as_file(file) as path:
            machines.append(read_machine(path))
    with silenced():
        result = operate(operation, machines, list(map(str, files)), **options)
    with to_file(output, ".fst") as path:
        write_machine(result, path)


def _verb(name: str, operation: Operation) -> Callable[..., None]:
    """The function of a verb, with the arguments and options that typer reads off it."""
    several = name in SEVERAL
    columns = {
        "files": (Several if several else Machine, inspect.Parameter.empty),
        **operation.options,
        "output": (Output, Path("-")),
    }

    def verb(files: list[Path] | Path, output: Path, **options: Any) -> None:
        _apply(name, files if isinstance(files, list) else [files], output, options)

    keyword = inspect.Parameter.KEYWORD_ONLY
    signature = [
        inspect.Parameter(column, keyword, default=default, annotation=kind)
        for column, (kind, default) in columns.items()
    ]
    verb.__name__ = name
    verb.__signature__ = inspect.Signature(signature)  # type: ignore[attr-defined]
    examples = "\n".join(f"  fstce machine {line}" for line in operation.examples)
    verb.help = f"{operation.summary}\n\n{_NOTE}\n\n\b\nExamples:\n{examples}\n"  # type: ignore[attr-defined]
    return verb


globals().update({name: _verb(name, operation) for name, operation in OPERATIONS.items()})
