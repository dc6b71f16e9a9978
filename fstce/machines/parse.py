"""AT&T text to arrays: lines as fields, with their place for messages, and the machine that they describe."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fstce.errors import MachineError
from fstce.machines.image import Arrays

LARGEST = 2**31 - 1
Labels = Mapping[str, int] | None
_Arc = tuple[int, int, int, int, float]  # source, target, labels, weight


class MachineLine(NamedTuple):
    """A line's fields and its place, ``file:number``."""

    where: str
    fields: list[str]


def fields_of(path: Path, data: bytes) -> Iterator[MachineLine]:
    """The lines of a file that hold anything, split as fstcompile splits them."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise MachineError(f"{path}: not UTF-8 text; is it a binary machine? read it with read_fst") from None
    for number, line in enumerate(re.split(r"\r\n?|\n", text), 1):
        if line.strip():
            yield MachineLine(f"{path}:{number}", re.split(r"[\t ]+", line.strip()))


def number(field: str, what: str, where: str, hint: str = "") -> int:
    """The field as an integer that OpenFst can hold; raises MachineError naming the line."""
    # isdecimal also holds for digits of other scripts, which OpenFst does not read.
    if not (field.isascii() and field.isdecimal() and len(field) < 11 and int(field) <= LARGEST):
        raise MachineError(f"{where}: {field!r} is no {what}: a number from 0 to {LARGEST}{hint}")
    return int(field)


def is_weight(field: str) -> bool:
    """Whether the field is a weight: a number in −log, or Infinity."""
    try:
        return float(field) > -np.inf
    except ValueError:
        return False


def weight_of(fields: list[str], where: str) -> float:
    """The weight that the fields give, 0 where they give none; raises MachineError naming the line."""
    if not fields:
        return 0.0
    if not is_weight(fields[0]):
        raise MachineError(f"{where}: {fields[0]!r} is no weight: a number in −log, or Infinity")
    return float(fields[0])


def parse_att(
    lines: Sequence[MachineLine],
    ids: Labels,
    outputs: Labels = None,
    sources: Sequence[str] = ("the symbol table", "the symbol table"),
) -> Arrays:
    """The machine that the lines describe; labels are numbers where `ids` is None.

    ``outputs``: the ids of output labels, by default also `ids`. ``sources``: where the ids of both stand.

    >>> lines = [MachineLine("a.txt:1", ["0", "1", "the"]), MachineLine("a.txt:2", ["1", "0.5"])]
    >>> arrays = parse_att(lines, {"the": 5})
    >>> arrays.ilabel.tolist(), arrays.final.tolist()
    ([5], [inf, 0.5])
    """
    arc_lines = [line for line in lines if len(line.fields) > 2]
    sides = (ids, sources[0]), (ids if outputs is None else outputs, sources[1])
    acceptor = is_acceptor(arc_lines, sides[1][0])
    arcs = [_arc(line, acceptor, sides) for line in arc_lines]
    finals = {
        number(fields[0], "state", where): weight_of(fields[1:], where)
        for where, fields in lines
        if len(fields) <= 2
    }
    start = [number(line.fields[0], "state", line.where) for line in lines[:1]]
    given = np.unique([*start, *finals, *(state for arc in arcs for state in arc[:2])])
    columns = list(zip(*arcs, strict=True)) if arcs else [()] * 5
    source, target, ilabel, olabel = (np.array(column, dtype=np.int32) for column in columns[:4])
    return Arrays(
        start=int(np.searchsorted(given, start[0])) if start else -1,
        final=np.array([finals.get(label, np.inf) for label in given.tolist()]),
        source=np.searchsorted(given, source).astype(np.int32),
        ilabel=ilabel,
        olabel=olabel,
        weight=np.array(columns[4], dtype=float),
        next=np.searchsorted(given, target).astype(np.int32),
    )


def is_acceptor(arc_lines: Sequence[MachineLine], ids: Labels) -> bool:
    """Whether lines have one label; where all have four fields, the fourth is a weight if it is no label."""
    sizes = {len(line.fields): line for line in arc_lines}
    if {3, 5} <= set(sizes):
        raise MachineError(
            f"{sizes[5].where}: 5 fields, in a file whose other lines have one label; give one or two"
        )
    if sizes.keys() & {3, 5}:
        return 3 in sizes
    fourth = [line.fields[3] for line in arc_lines if len(line.fields) == 4]
    labels = all(field.isdecimal() if ids is None else field in ids for field in fourth)
    return not labels and all(is_weight(field) for field in fourth)


def _arc(line: MachineLine, acceptor: bool, sides: Sequence[tuple[Labels, str]]) -> _Arc:
    where, fields = line
    labels = 1 if acceptor else 2
    if not 2 + labels <= len(fields) <= 3 + labels:
        raise MachineError(
            f"{where}: {len(fields)} fields; an arc is 'source target input output [weight]', "
            "in an acceptor 'source target label [weight]'"
        )
    source, target = (number(field, "state", where) for field in fields[:2])
    ilabel, olabel = (
        _label(fields[at], *side, where) for at, side in zip((2, 1 + labels), sides, strict=True)
    )
    return source, target, ilabel, olabel, weight_of(fields[2 + labels :], where)


def _label(field: str, ids: Labels, source: str, where: str) -> int:
    if ids is None:
        return number(field, "label", where, "; give a file of symbols if labels are words")
    if field not in ids:
        raise MachineError(f"{where}: the symbol {field!r} is not in {source}; add it there")
    return ids[field]
