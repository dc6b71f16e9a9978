"""Lines of text as fields, with their place for messages: what the readers of this room's text share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fstce.errors import MachineError
from fstce.machines.atomic import content

LARGEST = 2**31 - 1


class MachineLine(NamedTuple):
    """A line's fields and its place, ``file:number``."""

    where: str
    fields: list[str]


def fields_of(path: Path, data: bytes | None = None) -> Iterator[MachineLine]:
    """The lines of a file that hold anything, split as fstcompile splits them; its bytes are read once."""
    try:
        text = (content(path) if data is None else data).decode("utf-8-sig")
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
