"""A table's cell in three spellings: as people read it, in Markdown, and in HTML.

People read rounded numbers with a true minus and grouped thousands, and a dash where
nothing was measured. Files for machines get all digits: see ``Table.to_csv``.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from fstce.corpora.svg import clean, escaped
from fstce.errors import ParameterError

Cell = str | int | float | None

MISSING = "–"
_LINE_END = re.compile(r"\r\n|\r|\n")
# `$` opens a formula on GitHub. A backslash before the `|` of the next cell would be read differently by
# different programs, hence the entity.
_MARKDOWN = {
    **{ord(letter): f"\\{letter}" for letter in "`*_[]|~$"},
    ord("\\"): "&#92;",
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
}


@dataclass(frozen=True)
class Divider:
    """A row that spans the table and heads those under it, such as the name of a condition."""

    text: str


def plain_cell(value: Any, where: str) -> Cell:
    """The value as str, int, float or None; numpy's numbers become Python's."""
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, bool):
        if isinstance(value, Integral):
            return int(value)
        if isinstance(value, Real):
            return float(value)
    raise ParameterError(f"{where}: {value!r} is no cell; a cell is text, a number or None")


def shown(cell: Cell, decimals: int | None = 1) -> str:
    """The cell as people read it.

    ``cell``: none and NaN are shown as a dash. ``decimals``: digits after a float's point; None shows up to
    six significant digits, no zeros at the end.
    """
    if isinstance(cell, str):
        return cell
    if cell is None or math.isnan(cell):
        return MISSING
    if math.isinf(cell):
        return "∞" if cell > 0 else "−∞"
    text = _digits(cell, decimals)
    if text.startswith("-"):
        return f"−{text[1:]}" if text.strip("-0.") else text[1:]
    return text


def _digits(number: int | float, decimals: int | None) -> str:
    if isinstance(number, int):
        return f"{number:,d}"
    return f"{number:,.6g}" if decimals is None else f"{number:,.{decimals}f}"


def markdown(text: str) -> str:
    r"""Text that Markdown shows as it is, on one line."""
    return _LINE_END.sub("<br>", clean(text).translate(_MARKDOWN))


def escaped_lines(text: str) -> str:
    """`escaped`, with line breaks kept."""
    return _LINE_END.sub("<br>", escaped(text))
