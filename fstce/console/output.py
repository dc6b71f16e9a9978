"""What verbs print: tables, notes, errors as one line."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from fstce.errors import ParameterError

if TYPE_CHECKING:
    from fstce.reporting.tables import Table

Cell = str | int | float | None
Row = Sequence[Any]  # of cells
# A table: the header, the rows, the columns of numbers as text.
Sheet = tuple[Sequence[str], Sequence[Row]] | tuple[Sequence[str], Sequence[Row], Sequence[int]]
_MOST = 560  # characters of a message that somebody still reads
_QUIET: ContextVar[bool] = ContextVar("quiet", default=False)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Interruption(Exception):
    """Ctrl-C, with a message that says what was saved."""


def complain(message: str) -> None:
    """One line on standard error, its middle left out where it is long."""
    text = " ".join(message.split())
    if len(text) > _MOST:
        text = f"{text[: _MOST - 200]} … {text[-200:]}"
    note(f"fstce: {text}")


def note(message: str = "") -> None:
    """A line on standard error, which a reader of the output need not see."""
    with suppress(OSError, ValueError):  # the reader has gone, or has closed it
        print(visible(message), file=sys.stderr, flush=True)


def remark(message: str) -> None:
    """A line on standard error about the work, unless --quiet."""
    if not is_quiet():
        note(message)


@contextmanager
def quietly(quiet: bool = True) -> Iterator[None]:
    """While it lasts nothing is written but what is asked for, warnings and errors."""
    before = _QUIET.set(quiet)
    try:
        yield
    finally:
        _QUIET.reset(before)


def is_quiet() -> bool:
    """Whether that is so."""
    return _QUIET.get()


def visible(text: str) -> str:
    r"""A text from outside, its control characters spelt out, for a terminal acts on them."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


@contextmanager
def silenced() -> Iterator[None]:
    """Keep OpenFst from writing to standard error what an exception will say better."""
    sys.stderr.flush()
    descriptor = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(descriptor, 2)
        os.close(descriptor)
        os.close(nowhere)


def table(header: Sequence[str], rows: Iterable[Row], numbers: Sequence[int] = ()) -> None:
    """Print a table on standard output, integers with commas, other numbers with one digit.

    ``header``: Titles of the columns; empty for a table without. ``numbers``: Columns of numbers as
    text, which stand to the right as others with numbers do.

    >>> table(("tag", "count", "%"), [("NN", 1234, 12.34), ("V", 7, float("nan"))])
    tag  count     %
    NN   1,234  12.3
    V        7     –
    """
    cells = [list(row) for row in rows]
    right = {*numbers}
    for row in cells:
        right |= {i for i, cell in enumerate(row) if isinstance(cell, (int, float))}

    lines = [list(map(_text, row)) for row in cells]
    if header:
        lines.insert(0, list(header))
    if sys.stdout.isatty():
        lines = [list(map(visible, line)) for line in lines]

    width = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        for i, text in enumerate(line):
            pad = text.rjust if i in right else text.ljust
            line[i] = pad(width[i])
        print("  ".join(line).rstrip())


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return percent(cell)
    if isinstance(cell, int):
        return f"{cell:,}"
    return cell


def sections(*parts: Sheet) -> None:
    """Print tables, an empty line between two; one without rows is left out."""
    for number, part in enumerate(part for part in parts if part[1]):
        if number:
            print()
        table(*part)


def report(as_json: bool, record: Mapping[str, Any], *parts: Sheet) -> None:
    """Print what a verb has to report: a record as JSON, or tables."""
    if as_json:
        print_json(record)
    else:
        sections(*parts)


def interval(low: float, high: float) -> str:
    """The ends of an interval in percent."""
    if low != low:
        return "–"
    return f"{percent(low)} to {percent(high)}"


def print_json(value: Any, indent: int | None = None) -> None:
    """Print a value as JSON has it: named tuples are objects, NaN, of nothing, is null."""
    print(json.dumps(_plain(value), ensure_ascii=False, indent=indent))


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return None if value != value else value


def tables(shown_tables: Sequence[Table], *, first_title: bool = True) -> None:
    """Print tables with their titles, an empty line between two.

    ``first_title``: whether the first has its title, too.
    """
    for number, shown in enumerate(shown_tables):
        if number or first_title:
            print(f"\n{shown.title}")

        cells = []
        for row in shown.rows:
            texts = ["" if cell is None else shown.shown(cell, i) for i, cell in enumerate(row)]
            cells.append(texts + [""] * (len(shown.columns) - len(row)))
        table(shown.columns, cells, [i for i, side in enumerate(shown.sides) if side == "right"])
        if shown.note:
            print(f"\n{shown.note}")


def facts(rows: Iterable[Row]) -> None:
    """Print names and their values."""
    table((), [list(map(_text, row)) for row in rows])


def count(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size_of(fst: Any) -> str:
    """How many states and arcs a machine has."""
    arcs = sum(map(fst.num_arcs, fst.states()))
    return f"{count(fst.num_states(), 'state')}, {count(arcs, 'arc')}"


def percent(value: float) -> str:
    """A percentage with one digit, or a dash where there was nothing to count."""
    if value != value:
        return "–"
    return f"{value:.1f}"


def seconds(value: float) -> str:
    """A duration."""
    if value < 10:
        return f"{value:.1f} s"
    if value < 60:
        return f"{value:.0f} s"
    minutes, over = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes} min {over} s"
    return f"{minutes // 60} h {minutes % 60} min"


def words_of(text: str) -> list[str]:
    """The words of a sentence given on the command line."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ParameterError(
            "the sentence is not valid UTF-8; check the terminal's encoding"
        ) from None
    if not text.split():
        raise ParameterError("the sentence is empty; give at least one word")
    return text.split()
