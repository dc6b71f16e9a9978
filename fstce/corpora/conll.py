"""CoNLL-U and CoNLL-X, a line at a time through the `conllu` package.

Multiword ranges and empty nodes are no words; ``_`` means missing. Ranges and ``SpaceAfter=No``
say how the words were written, which the sentence keeps as its text and spans. Files called CoNLL-X
may also have the three or four columns of the older dependency formats: word, tag, head
and perhaps relation, without numbers and without comments. White space inside a word is
written ``_``, because symbol files separate their columns by it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from fstce.corpora.sentence import Sentence
from fstce.corpora.words import clean_word
from fstce.errors import CorpusError

_FULL = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel")
_SHORT = ("form", "xpos", "head", "deprel")
_COLUMN = re.compile(r"\t| {2,}")
_SPACES = re.compile(r" {2,}")
LONGEST = 9  # digits of a word's number
_MISSING = (None, "", "_")


class _Row(NamedTuple):
    """One word, with the columns that a sentence keeps; None where missing."""

    where: str
    number: int
    word: str
    upos: str | None
    xpos: str | None
    head: int | None
    deprel: str | None


Block = Sequence[tuple[int, str]]


def blocks(
    lines: Iterable[tuple[int, str]], ends: Collection[str] = ("",)
) -> Iterator[list[tuple[int, str]]]:
    """Numbered lines up to one that ends a sentence, an empty one, and that one."""
    block: list[tuple[int, str]] = []
    for number, line in lines:
        block.append((number, line))
        if line.strip() in ends:
            yield block
            block = []
    if block:
        yield block


def conllu_sentence_of(block: Block, name: str, tag_column: str | None = None) -> Sentence | None:
    """The sentence of a block of CoNLL-U, from the line of its first word; None where it has no word.

    ``tag_column``: of the tags; by default XPOS where every word of the sentence has one, else UPOS.
    """
    return _sentence_of(block, name, tag_column, "CoNLL-U")


def conllx_sentence_of(block: Block, name: str, tag_column: str | None = None) -> Sentence | None:
    """The sentence of a block of CoNLL-X, or of the columns word, tag, head and relation.

    POSTAG counts as ``"xpos"`` and CPOSTAG as ``"upos"``.
    """
    return _sentence_of(block, name, tag_column, "CoNLL-X")


def _sentence_of(block: Block, name: str, tag_column: str | None, format: str) -> Sentence | None:
    rows: list[_Row] = []
    for number, line in block:
        if line.strip():
            rows.extend(_rows(line, f"{name}:{number}", len(rows) + 1, format))
    return _sentence(rows, tag_column, [line.split("\t") for _, line in block]) if rows else None


def _rows(line: str, where: str, number: int, format: str) -> Iterator[_Row]:
    row = _SPACES.sub(" ", line) if "\t" in line else line
    width = len(_COLUMN.split(row))
    if row.startswith("#") and not (format == "CoNLL-X" and width in (3, 4)):
        return
    token = _parse(row, where, _fields(format, width, where))
    if isinstance(token.get("id", number), tuple):
        return
    if token.get("id", number) != number:
        raise CorpusError(f"{where}: the word is numbered {token['id'] or '_'} where {number} is due")
    if not token["form"]:
        raise CorpusError(f"{where}: the column of the word is empty")
    upos, xpos, deprel = (_optional(token.get(column), where) for column in ("upos", "xpos", "deprel"))
    yield _Row(where, number, clean_word(token["form"], where), upos, xpos, token["head"], deprel)


def _parse(row: str, where: str, fields: tuple[str, ...]) -> Any:
    from conllu.exceptions import ParseException  # start-up
    from conllu.parser import parse_id_value, parse_line  # start-up

    def head(values: list[str], column: int) -> int | None:
        if values[column] in _MISSING:
            return None
        if not (values[column].isascii() and values[column].isdigit()) or len(values[column]) > LONGEST:
            raise ParseException(f"{values[column]!r} is not the number of a word")
        return int(values[column])

    if len(row) > LONGEST and row[: LONGEST + 1].isdecimal() and "id" in fields:
        raise CorpusError(f"{where}: {row[:LONGEST]}… is not the number of a word")
    try:
        return parse_line(row, fields, {"id": lambda values, i: parse_id_value(values[i]), "head": head})
    except ParseException as error:
        raise CorpusError(f"{where}: {error}") from None


def _fields(format: str, width: int, where: str) -> tuple[str, ...]:
    """The names of the columns of a row."""
    is_older = format == "CoNLL-X"
    if is_older and width in (3, 4):
        return _SHORT[:width]
    if width == 10 or (is_older and width == 8):
        return _FULL
    widths = " (or 8, 4 or 3)" if is_older else ""
    raise CorpusError(f"{where}: {width} columns where {format} has 10, separated by tabs{widths}")


def _optional(value: str | None, where: str) -> str | None:
    return None if value is None or value in _MISSING else clean_word(value, where)


def _sentence(rows: list[_Row], tag_column: str | None, written: list[list[str]]) -> Sentence:
    for row in rows:
        if row.head is not None and (row.head > len(rows) or row.head == row.number):
            raise CorpusError(f"{row.where}: head {row.head} of word {row.number} is {_fault(row, rows)}")
    return Sentence(
        tuple(row.word for row in rows),
        tags=_tags(rows, tag_column),
        heads=_whole(rows, "head"),
        deprels=_whole(rows, "deprel", strict=False),
        source=rows[0].where,
        **_layout([row for row in written if len(row) == 10 and row[0][:1] != "#"], len(rows)),
    )


def _layout(rows: list[list[str]], n: int) -> dict[str, Any]:
    """The text that ten columns spell, and the span of each word in it."""
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    end = last = 0  # last: the last word of the range that was read
    for number, form, *_, misc in rows:
        first, dash, until = number.partition("-")
        if not first.isdecimal():
            continue  # an empty node
        if dash or int(first) > last:
            pieces.append(form if "SpaceAfter=No" in misc else f"{form} ")
            span = (end, end + len(form))
            end += len(pieces[-1])
            last = int(until) if until.isdecimal() else last
        if not dash:
            spans.append(span)
    return {"text": "".join(pieces).rstrip(), "spans": spans} if len(spans) == n else {}


def _fault(row: _Row, rows: list[_Row]) -> str:
    return "the word itself" if row.head == row.number else f"outside its sentence of {len(rows)} words"


def _tags(rows: list[_Row], tag_column: str | None) -> tuple[str, ...] | None:
    if tag_column is None:
        xpos: tuple[str, ...] | None = _whole(rows, "xpos", strict=False)
        return xpos or _whole(rows, "upos", strict=False)
    for row in rows:
        if getattr(row, tag_column) is None:
            raise CorpusError(f"{row.where}: no {tag_column.upper()} here; choose another tag_column")
    tags: tuple[str, ...] | None = _whole(rows, tag_column)
    return tags


def _whole(rows: list[_Row], column: str, strict: bool = True) -> Any:
    values = tuple(getattr(row, column) for row in rows)
    if None not in values:
        return values
    if strict and any(value is not None for value in values):
        row = rows[values.index(None)]
        raise CorpusError(f"{row.where}: word {row.number} has no {column}, others of its sentence have one")
    return None
