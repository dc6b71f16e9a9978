"""``fstce neighborhood check``.

Whether a neighborhood does what its author means, and whether it ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fstce.console.options import AsJson, Name, Sentence, TextOption, Words, helped, option
from fstce.console.output import count, note, print_json, remark, sections, words_of

if TYPE_CHECKING:
    from fstce.neighborhoods.check import Report

WRONG = 2


@helped("""Check a neighborhood: machine, lattices, growth.

The machine is built in a process of its own with limits, so that one that never ends
is reported and not waited for. Exit code 0 when all holds, 2 when not.

\b
Examples:
  fstce neighborhood check trans1
  fstce neighborhood check ./mine.py "natural language is a delicate thing"
  fstce neighborhood check ./mine.py --text my.txt
  fstce neighborhood check "trans1 @ trans1" --json
""")
def check(
    name: Name,
    sentence: Sentence = None,
    text: TextOption = None,
    words: Words = None,
    seconds: Annotated[float, option("--seconds X", "The longest time for one question.")] = 10.0,
    megabytes: Annotated[int, option("--megabytes N", "The memory for all of them.")] = 1024,
    as_json: AsJson = False,
) -> None:
    from fstce.console.texts import read
    from fstce.neighborhoods.check import check as ask

    asked: dict[str, Any] = {"seconds": seconds, "megabytes": megabytes}
    if sentence:
        asked["sentence"] = words_of(" ".join(sentence))
    if text is not None:
        asked["text"] = [row.words for row in read(text, words)]

    report = ask(name, **asked)
    if as_json:
        print_json(report.to_dict(), indent=2)
    else:
        _show(report)

    if not report.holds:
        raise typer.Exit(WRONG)


def _show(report: Report) -> None:
    """The report for people: tables on standard output, errors and warnings on standard error."""
    columns = ("words", "states", "arcs", "strings", "seconds")
    sizes = []
    for row in report.growth:
        numbers = [row[column] for column in columns[:4]]
        sizes.append([*numbers, f"{row['seconds']:.3f}"])

    sections(
        ((), list(_facts(report))),
        (columns, sizes, (4,)),
        (("edits", "strangest neighbors"), report.strangest),
    )

    for warning in report.warnings:
        note(f"warning: {warning}")

    for error in report.errors:
        note(f"error: {error}")

    verdict = "all holds"
    if not report.holds:
        verdict = f"{report.name}: {count(len(report.errors), 'error')}"
    if report.warnings:
        verdict += f"; {count(len(report.warnings), 'warning')}"
    remark(verdict)


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    yield "neighborhood", report.name
    yield "example", report.sentence or "–"
    if report.transducer:
        yield "transducer", _size(report.transducer)

    lattice = report.lattice
    if lattice:
        yield "lattice", f"{_size(lattice)}, {count(lattice['strings'], 'string')}; x is among them"
    if report.neighbors:
        sentences = count(len(report.neighbors), "sentence")
        mean = sum(report.neighbors) / len(report.neighbors)
        yield "neighbors", f"mean {mean:,.1f}, most {max(report.neighbors):,}, in {sentences}"


def _size(machine: dict[str, int]) -> str:
    return f"{count(machine['states'], 'state')}, {count(machine['arcs'], 'arc')}"
