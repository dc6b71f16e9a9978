"""Tab-separated tables with comments, for tagging dictionaries, tag maps and head rules.

A comment is a hash followed by a space. A line whose first field is the hash alone is
data: ``#`` is both a word and a tag of the Penn Treebank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import resources

COMMENT = "# "
MOST = 1 << 53


def table_rows(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    r"""The rows of a table with their line numbers, blank lines and comments left out.

    >>> list(table_rows(["# a comment", "#\tN", "", "the\tDT PDT"]))
    [(2, ['#', 'N']), (4, ['the', 'DT PDT'])]
    """
    for number, line in enumerate(lines, start=1):
        row = line.rstrip("\r\n")
        if row.strip() and not row.startswith(COMMENT):
            yield number, row.split("\t")


def whole_number(text: str) -> int | None:
    """The count that a field spells in digits, None if it is none or more than 2⁵³, all that a float counts.

    >>> whole_number("12"), whole_number("1e3"), whole_number("1" * 5000)
    (12, None, None)
    """
    digits = text.strip()
    if not (digits.isascii() and digits.isdecimal()) or len(digits.lstrip("0")) > 16:
        return None
    return int(digits) if int(digits) <= MOST else None


def bundled_rows(name: str) -> list[list[str]]:
    """The rows of one of the tables that come with fstce, by its file name."""
    text = resources.files("fstce.grammars").joinpath(name).read_text(encoding="utf-8")
    return [fields for _, fields in table_rows(text.split("\n"))]
