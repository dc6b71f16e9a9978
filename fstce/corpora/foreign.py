"""Files of other programs, which are no corpus: what they are, and what to do about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from fstce.corpora.tables import bundled_rows
from fstce.errors import CorpusError

# A word, a mark and a tag, or a mark in its place; closing brackets belong to the tag.
_JOINED = re.compile(r"\S+?([^\w\s'’]|_)(?:([^\W\d_][\w$<>|:+-]*[\])>}]?)|[^\w\s]+)")
_NEVER_INSIDE = "#~^@|_<([{*\\"  # of words, so that a tag in small letters tells as well
LONGEST = 200  # letters of a word joined to a tag
_rows = cache(bundled_rows)


def check_is_text(start: bytes, name: str) -> None:
    """Raise CorpusError if a file's first line is that of a known form of file that is no text.

    Or of a text whose lines end as on old Macs: it would be one line.
    """
    if re.fullmatch(rb"[^\n\0]*\r[^\n\0]*[^\r\n\0]\r*", start):
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
    text = "".join(f"{row}\n" for row in rows)
    for pattern, alike, advice in _rows("foreign_rows.tsv", "fstce.corpora"):
        if re.fullmatch(pattern, text) and len({len(re.findall(alike, row)) for row in rows}) == 1:
            return advice
    tokens = " ".join(rows[:5]).split()
    if _are_joined(tokens):
        return f"words joined to their tags, as {tokens[0]!r}: put a slash between them (the/DT)"
    return ""


def _are_joined(tokens: Sequence[str]) -> bool:
    """Whether almost all tokens are a word and a tag with one mark between them."""
    matches = [match for token in tokens if (match := _JOINED.fullmatch(token[:LONGEST]))]
    ((mark, n),) = Counter(match[1] for match in matches).most_common(1) or [("", 0)]
    tags = [match[2] for match in matches if match[1] == mark and match[2]]
    is_sure = mark in _NEVER_INSIDE or all(map(str.isupper, tags))
    return len(tokens) > 2 and n >= 0.9 * len(tokens) and len(tags) > 1 and is_sure
