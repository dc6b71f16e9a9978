"""A table's text in CSV, Markdown and HTML: what ``Table.to_csv`` and its like return."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from fstce.reporting.cells import Cell, Rule, escaped_lines, markdown

if TYPE_CHECKING:
    from fstce.reporting.tables import Table

SIDES = {"l": "left", "r": "right", "c": "center"}
_DASHES = {"l": ":--", "r": "--:", "c": ":-:"}


def csv_text(table: Table) -> str:
    """The table for machines; rules become a first column."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([table.group, *table.columns] if table.has_rules else table.columns)
    under = ""
    for row in table.rows:
        if isinstance(row, Rule):
            under = row.text
        else:
            writer.writerow([under, *row] if table.has_rules else row)
    return out.getvalue()


def markdown_text(table: Table) -> str:
    """The title, the rows, the note."""
    dashes = f"|{'|'.join(_DASHES[letter] for letter in table.alignment)}|"
    rows = [_markdown_row(table, number) for number in range(len(table.rows))]
    note = f"\n{markdown(table.note)}\n" if table.note else ""
    lines = [f"**{markdown(table.title)}**\n", _line(map(markdown, table.columns)), dashes, *rows]
    return "\n".join(lines) + f"\n{note}"


def html_text(table: Table, label: str) -> str:
    """One table element, a ``tbody`` for each group of rows."""
    head = "".join(
        f'<th scope="col" class="{SIDES[letter]}">{escaped_lines(column)}</th>'
        for letter, column in zip(table.alignment, table.columns, strict=True)
    )
    body = "".join(
        f"<tbody>\n{''.join(_html_row(table, number) for number in group)}</tbody>\n"
        for group in table.groups()
    )
    caption = f"<caption><span>{label}{escaped_lines(table.title)}</span></caption>"
    return f"<table>\n{caption}\n<thead>\n<tr>{head}</tr>\n</thead>\n{body}{_html_note(table)}</table>\n"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_row(table: Table, number: int) -> str:
    row = table.rows[number]
    if isinstance(row, Rule):
        return _line([f"**{markdown(row.text)}**", *[""] * (len(table.columns) - 1)])
    texts = [markdown(table.shown(cell, column)) for column, cell in enumerate(row)]
    return _line(_strong(text, (number, c) in table.mark, "**", "**") for c, text in enumerate(texts))


def _html_row(table: Table, number: int) -> str:
    row = table.rows[number]
    if isinstance(row, Rule):
        span = f'<th scope="rowgroup" colspan="{len(table.columns)}">{escaped_lines(row.text)}</th>'
        return f'<tr class="rule">{span}</tr>\n'
    return f"<tr>{''.join(_html_cell(table, number, c, cell) for c, cell in enumerate(row))}</tr>\n"


def _html_cell(table: Table, row: int, column: int, cell: Cell) -> str:
    text = escaped_lines(table.shown(cell, column))
    text = _strong(text, (row, column) in table.mark, "<strong>", "</strong>")
    # All digits, for the script that sorts and for people who scrape pages.
    value = f' data-value="{cell!r}"' if isinstance(cell, (int, float)) else ""
    tag, scope = ("th", ' scope="row"') if column == 0 else ("td", "")
    return f'<{tag}{scope} class="{SIDES[table.alignment[column]]}"{value}>{text}</{tag}>'


def _html_note(table: Table) -> str:
    if not table.note:
        return ""
    note = f'<td colspan="{len(table.columns)}"><span>{escaped_lines(table.note)}</span></td>'
    return f"<tfoot>\n<tr>{note}</tr>\n</tfoot>\n"


def _strong(text: str, marked: bool, before: str, after: str) -> str:
    return f"{before}{text}{after}" if marked and text else text
