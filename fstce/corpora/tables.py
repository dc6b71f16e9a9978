"""Tables of corpora, dictionaries, answers and typos: their rows, and the columns they name.

Commas, semicolons or tabs separate columns. Between commas and semicolons quotation marks are
those of CSV; between tabs they are text, but for fields that a spreadsheet has quoted.
In tables without a header a comment is a hash followed by a space. A line whose first field is
the hash alone is data: ``#`` is both a word and a tag of the Penn Treebank.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from importlib import resources
from itertools import chain, dropwhile, islice

from fstce.errors import CorpusError
from fstce.numeric.types import Sentences

COMMENT = "# "
WORD = ("form", "word", "token", "wordform")
TAG = ("tags", "upos", "pos", "xpos", "tag", "part of speech")  # tag: perhaps of entities
TAGSETS = ("upos", "xpos")
SENTENCE = ("sentence", "sentence_id", "sent_id", "sent", "text")
_QUOTED = re.compile(r'"(?:[^"]|"")+"')
_SEMICOLON = re.compile(r"[^;,\t]+;")  # a word without a comma, then a semicolon
_MARK_NAMED = re.compile(r"\"?sep=.\"?\s*")  # the first line of a table of Excel's
_NO_ROW = re.compile(r'"?# |[\s;,"]*$')  # a comment, which a spreadsheet may quote; nothing
MOST = 1 << 53


def table_rows(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    r"""The rows of a table with their line numbers, blank lines and comments left out."""
    for number, line in enumerate(lines, start=1):
        row = line.rstrip("\r\n")
        if row.strip() and not row.startswith(COMMENT):
            yield number, row.split("\t")


def separated(
    lines: Iterable[tuple[int, str]], mark: str, where: str = "table"
) -> Iterator[tuple[int, list[str]]]:
    r"""The rows of numbered lines, each with the number of the line on which it ends.

    ``mark``: what separates columns. ``where``: the file that errors name.
    Raises CorpusError, with the line, where it is no row.

    >>> [row for _, row in separated([(1, 'a,"b, c"'), (2, '"d",e')], ",")]
    [['a', 'b, c'], ['d', 'e']]
    >>> [row for _, row in separated([(1, "'a\tN"), (2, 'a "b"\tN')], "\t")]
    [["'a", 'N'], ['a "b"', 'N']]
    """
    if mark == "\t":
        for number, line in lines:
            cells = line.rstrip("\r\n").split("\t")
            yield number, unquoted_row(cells)
        return

    last = 0

    def texts() -> Iterator[str]:
        nonlocal last
        for number, line in lines:
            last = number
            yield line.rstrip("\r\n") + "\n"

    try:
        for row in csv.reader(texts(), delimiter=mark):
            yield last, row
    except csv.Error as error:  # a cell of more than 131,072 letters, or a lone carriage return
        raise CorpusError(f"{where}:{last}: no row of a table ({error}); mend the line") from None


def unquoted_row(cells: list[str]) -> list[str]:
    """The cells of a row between tabs without the quotation marks that a spreadsheet has put.

    They are around a cell that has some, or around all texts.

    >>> unquoted_row(['"saw"', '"NN"', "3"]), unquoted_row(['"saw"', "NN"])
    (['saw', 'NN', '3'], ['"saw"', 'NN'])
    """
    if not any('"' in cell for cell in cells):
        return cells
    texts = [cell for cell in cells if cell and not cell.isdecimal()]
    is_export = len(cells) > 1 and all(map(_QUOTED.fullmatch, texts))
    unquoted = []
    for cell in cells:
        inner = cell[1:-1]
        if _QUOTED.fullmatch(cell) and (is_export or '""' in inner):
            cell = inner.replace('""', '"')
        unquoted.append(cell)
    return unquoted


def delimiter(lines: Sequence[str]) -> str:
    r"""The separator of a table: a tab, a comma, or a semicolon, where commas are decimal.

    >>> delimiter(["# the usual, then others;", "word;tag", "saw;NN", ";"])
    ';'
    >>> delimiter(["word,tag"]), delimiter(["word\ttag"])
    (',', '\t')
    """
    rows = [line for line in lines if not _NO_ROW.match(line)]
    if "\t" in "".join(rows[:1]):
        return "\t"
    return ";" if rows and all(map(_SEMICOLON.match, rows)) else ","


def column(header: Sequence[str], names: Sequence[str]) -> int | None:
    """The number of the column that has the first of these names that there is, in any capitals."""
    cells = [cell.strip("# \t").lower() for cell in header]
    return next((cells.index(name) for name in names if name in cells), None)


def csv_text(rows: Sentences, mark: str = ",") -> str:
    """Rows as they stand in a .csv, or with another mark between their cells.

    >>> csv_text([("word", "tags"), (",", "PUNCT")])
    'word,tags\\n",",PUNCT\\n'
    """
    text = io.StringIO()
    csv.writer(text, delimiter=mark, lineterminator="\n").writerows(rows)
    return text.getvalue()


def tag_names(tag_column: str | None) -> tuple[str, ...]:
    """The names that a column of tags may have, the first the one that is asked for."""
    if tag_column is None:
        return TAG
    return (tag_column, *(name for name in TAG if name not in TAGSETS))


def tagset_of(header: Sequence[str], place: int | None) -> str:
    """Of which of the two tagsets of CoNLL-U a column is by its name, or nothing."""
    name = cell(header, place).lower()
    return name if name in TAGSETS else ""


LONGEST_HEADER = 10_000  # characters


def is_header(line: str) -> bool:
    r"""Whether a line of several columns names that of the words and one of tags or sentences.

    >>> is_header("word\ttag\n"), is_header("the\tDT\n")
    (True, False)
    """
    row = line.strip()
    if len(row) > LONGEST_HEADER or "\r" in row:
        return False
    _, cells = next(separated([(1, row)], delimiter([row])))
    return None not in (column(cells, WORD), column(cells, (*TAG, *SENTENCE)))


def named_columns(
    lines: Sequence[str], *names: Sequence[str], where: str = "table", is_table: bool = False
) -> Iterator[tuple[int, list[str]]] | None:
    r"""The cells of columns that a header names, and their line numbers; None without a header.

    ``names``: of each column those that it may have. ``where``: the file that errors name.
    ``is_table``: whether without a header the first columns are meant, as in a file that is called
    ``.csv``.

    >>> list(named_columns(["n,Word,POS", "1,saw,NN"], WORD, TAG))
    [(2, ['saw', 'NN'])]
    """
    _, header, rows = table_of(enumerate(lines, 1), where)
    places = [column(header, some) for some in names]
    if None not in places:
        next(rows)
    elif is_table:
        places = [*range(len(names))]
    else:
        return None

    filled = ((number, row) for number, row in rows if any(map(str.strip, row)))
    return ((number, list(map(partial(cell, row), places))) for number, row in filled)


def cell(row: Sequence[str], place: int | None) -> str:
    """The text of a column in a row; empty where there is no such column."""
    if place is None or place >= len(row):
        return ""
    return row[place].strip()


def table_of(
    lines: Iterable[tuple[int, str]], where: str, most: int = 20
) -> tuple[str, list[str], Iterator[tuple[int, list[str]]]]:
    """What separates columns, the first row that has anything, and the rows from it on.

    ``most``: how many lines are looked at for the separator.
    """
    lines = dropwhile(lambda line: _MARK_NAMED.fullmatch(line[1]), lines)
    first_lines = list(islice(lines, most))
    mark = delimiter([line for _, line in first_lines if line.strip()])
    rows = separated(chain(first_lines, lines), mark, where)
    first = next((row for row in rows if any(map(str.strip, row[1]))), (1, [""]))
    return mark, first[1], chain([first], rows)


def bundled_rows(name: str, room: str = "fstce.grammars") -> list[list[str]]:
    """The rows of one of the tables that come with fstce, by its file name and its room."""
    text = resources.files(room).joinpath(name).read_text(encoding="utf-8")
    return [fields for _, fields in table_rows(text.split("\n"))]
