"""Tables of results.

One value, written for machines (CSV), for a terminal and for a page (HTML).
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from fstce.errors import ParameterError
from fstce.reporting.render import render

Cell = str | int | float | None

MISSING = "–"


class Divider(NamedTuple):
    """A row that spans the table and heads those under it, such as the name of a condition."""

    text: str


def shown(cell: Cell, decimals: int | None = 1) -> str:
    """The cell as people read it.

    ``cell``: none and NaN are shown as a dash. ``decimals``: digits after a float's point; None
    shows up to six significant digits, no zeros at the end.
    """
    if isinstance(cell, str):
        return cell
    if cell is None or math.isnan(cell):
        return MISSING
    if math.isinf(cell):
        return "∞" if cell > 0 else "−∞"
    digits = f".{decimals}f"
    if isinstance(cell, int):
        digits = "d"
    elif decimals is None:
        digits = ".6g"

    text = f"{cell:,{digits}}"
    if not text.startswith("-"):
        return text
    if not text.strip("-0."):
        return text[1:]
    return f"−{text[1:]}"


@dataclass(frozen=True)
class Table:
    r"""A table of results.

    ``name``: the name of its files, without suffix. ``columns``: the headings, all different. The
    first column names the rows; columns with numbers stand right. ``rows``: a row is as many cells
    as there are columns (text, numbers or None), or a `Divider`. ``decimals``: digits after a
    float's point as shown (one where a mapping is silent); None shows a float as it is. ``mark``:
    cells to show bold, by row, counted from 0 with rules, and column. ``group``: in CSV, the
    heading of the column that holds the rules' texts.

    >>> rows = [["EM", 60.449], ["CE", 79.0], ["gold", None]]
    >>> table = Table("small", "Accuracy", ["model", "all"], rows)
    >>> sorted(table.best("all").mark)
    [(1, 1)]
    >>> table.to_csv()
    'model,all\r\nEM,60.449\r\nCE,79.0\r\ngold,\r\n'
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    decimals: int | Mapping[str, int | None] | None = 1
    mark: Collection[tuple[int, int]] = frozenset()
    group: str = "group"

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        rows = tuple(map(self._plain_row, self.rows))
        object.__setattr__(self, "rows", rows)

    def best(
        self, *columns: str, lowest: bool = False, among: Iterable[int] | None = None
    ) -> Table:
        """A copy of the table with the best number of each group of rows marked in these columns.

        Numbers that are shown alike are equally good, and all marked.

        ``among``: the rows that compete, counted from 0 with rules; otherwise all.
        """
        competing = set(range(len(self.rows)))
        if among is not None:
            competing = set(among)

        marked = set(self.mark)

        for column in map(self.columns.index, columns):
            for group in self.groups():
                numbers = self._numbers(competing.intersection(group), column)
                if numbers:
                    top = self.shown((min if lowest else max)(numbers.values()), column)
                    marked |= {
                        (n, column)
                        for n, cell in numbers.items()
                        if self.shown(cell, column) == top
                    }

        return replace(self, mark=marked)

    def to_csv(self) -> str:
        """All digits, empty for None, ``nan`` for NaN; CRLF line ends (RFC 4180).

        Where the table has rules, a first column says which of them a row stands under.
        """
        out = io.StringIO(newline="")
        writer = csv.writer(out)

        has_rules = any(isinstance(row, Divider) for row in self.rows)
        writer.writerow([*[self.group] * has_rules, *self.columns])
        under = [""] * has_rules
        for row in self.rows:
            if isinstance(row, Divider):
                under = [row.text]
            else:
                writer.writerow([*under, *row])

        return out.getvalue()

    def to_html(self, label: str = "") -> str:
        """A table element with scoped headings, one ``tbody`` a group.

        ``label``: HTML to put before the caption's text, such as a number.
        """
        return render("table.html", table=self, label=Markup(label))

    def groups(self) -> list[list[int]]:
        """The numbers of the rows from each rule to the next."""
        starts = [i for i, row in enumerate(self.rows) if i == 0 or isinstance(row, Divider)]
        ends = [*starts[1:], len(self.rows)]
        return [list(range(start, end)) for start, end in zip(starts, ends, strict=False)]

    def shown(self, cell: Cell, column: int) -> str:
        """A cell of this column as people read it."""
        if isinstance(self.decimals, Mapping):
            return shown(cell, self.decimals.get(self.columns[column], 1))
        return shown(cell, self.decimals)

    @cached_property
    def sides(self) -> list[str]:
        """On which side of its column a cell stands: numbers on the right."""
        sides = ["left"] * len(self.columns)
        for row in self.rows:
            for number, cell in enumerate(row):
                if isinstance(cell, (int, float)):
                    sides[number] = "right"
        return sides

    def _repr_html_(self) -> str:
        return self.to_html()

    def _plain_row(self, row: Sequence[Cell]) -> tuple[Cell, ...]:
        if isinstance(row, Divider):
            return row
        if len(row) != len(self.columns):
            raise ParameterError(f"table {self.name!r}: {row!r} is no row of {self.columns}")
        # Python's numbers, for their digits.
        return tuple(cell.item() if isinstance(cell, np.generic) else cell for cell in row)

    def _numbers(self, rows: Iterable[int], column: int) -> dict[int, int | float]:
        """The numbers of a column in these rows, by row."""
        numbers = {}
        for n in rows:
            for cell in self.rows[n][column : column + 1]:  # a divider has none there
                if isinstance(cell, int | float) and not math.isnan(cell):
                    numbers[n] = cell
        return numbers
