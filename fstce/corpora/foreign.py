"""Files of other programs, which are no corpus: what they are, and what to do about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from fstce.corpora.tables import bundled_rows
from fstce.errors import CorpusError

_MARKED_UP = re.compile(r"<(\w+)(?:\s[^<>]*)?>.*</\1\s*>|<\w+ [\w:-]+=[\"'\w]|<\w [A-Z]")
# A word, a mark and a tag, or a mark in its place; closing brackets belong to the tag.
_JOINED = re.compile(r"\S+?([^\w\s'’]|_)(?:([^\W\d_][\w$<>|:+-]*[\])>}]?)|[^\w\s]+)")
_NEVER_INSIDE = "#~^@|_<([{*\\"  # of words, so that a tag in small letters tells as well
_BULLETS = "-–—*•"
_SENTENCE = re.compile(r"\s*\S*\w[?!。？！…][”»」』\"']?\s*")  # as of a script without blanks
FIRST = 5  # rows, of which each word tells
LONGEST = 200  # letters of a word joined to a tag
_MANY = 4  # rows, of which one begins with a mark
_rows = cache(bundled_rows)


def check_is_text(start: bytes, name: str) -> None:
    """Raise CorpusError if a file's first line is that of a known form of file that is no text.

    Or of a text whose lines end as on old Macs: it would be one line.
    """
    if b"\r" in start.rstrip(b"\r\n") and not start.endswith(b"\n"):
        raise CorpusError(f"{name}: line ends of old Macs: convert them (tr '\\r' '\\n')")
    for magic, advice in _rows("foreign_files.tsv", "fstce.corpora"):
        if start.startswith(bytes.fromhex(magic)):
            raise CorpusError(f"{name}: no text, but {advice}")


def known_text(lines: Sequence[str]) -> str:
    """The advice for first lines of another program's text; nothing for others."""
    for beginning, advice in _rows("foreign_texts.tsv", "fstce.corpora"):
        if any(re.match(beginning, line) for line in lines):
            return advice
    return ""


def not_running(rows: Sequence[str]) -> str:
    """The advice for rows that only look like running text; nothing for text.

    >>> not_running(["the#DT dog#NN barks#VBZ"])
    "words joined to their tags, as 'the#DT': put a slash between them (the/DT)"
    >>> not_running(["the dog barks ."])
    ''
    """
    if any(map(_MARKED_UP.search, rows[:FIRST])):
        return "marks of XML or HTML in the text: take them out (sed 's/<[^>]*>//g')"
    if _are_cells(rows):
        return "a table: name its columns in a first line (word, tag; or sentence)"
    tokens = " ".join(rows[:FIRST]).split()
    if _are_joined(tokens):
        return f"words joined to their tags, as {tokens[0]!r}: put a slash between them (the/DT)"

    widths = {len(row.split()) for row in rows}
    beginnings = [row.split()[0] for row in rows]
    marks = [
        word for word in beginnings if not any(map(str.isalnum, word)) and word not in _BULLETS
    ]
    if len(rows) < _MANY or len(widths) > 1 or not 0 < len(marks) < len(rows):
        return ""
    if any(map(_SENTENCE.fullmatch, rows)):
        return ""
    if widths == {1}:
        return "a word a line: join those of a sentence (awk 'BEGIN{RS=\"\"}{$1=$1}1')"
    return "columns between blanks: put tabs there (tr -s ' ' '\\t')"


def _are_joined(tokens: Sequence[str]) -> bool:
    """Whether almost all tokens are a word and a tag with one mark between them."""
    matches = [match for token in tokens if (match := _JOINED.fullmatch(token[:LONGEST]))]
    ((mark, n),) = Counter(match[1] for match in matches).most_common(1) or [("", 0)]
    tags = [match[2] for match in matches if match[1] == mark and match[2]]
    is_sure = mark in _NEVER_INSIDE or all(map(str.isupper, tags))
    return len(tokens) > 2 and n >= 0.9 * len(tokens) and len(tags) > 1 and is_sure


def _are_cells(rows: Sequence[str]) -> bool:
    """Whether all rows have tabs or bars between them, or are each a stretch with commas."""
    is_stretch = len(rows) > 2 and " " not in "".join(rows)
    for mark in "\t|,;":
        numbers = {row.count(mark) for row in rows}
        if 0 not in numbers and (mark in "\t|" or (is_stretch and len(numbers) == 1)):
            return len(rows) > 1
    return False
