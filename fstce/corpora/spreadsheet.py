"""Corpora as tables with a header: a word a row, or a sentence.

A word a row: a column of words (``word``, ``form``, ``token``), perhaps one of tags (``tag``,
``upos``, ``pos``), and one that says where sentences begin (``sentence``, ``sentence_id``: another
value than above); without it empty rows do, and numbers of words (``id``, ``token_id``) that begin
again. A sentence a row: a column ``sentence`` or ``text``, perhaps one of ``tags``, separated by
blanks, as are then the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import dropwhile
from typing import NamedTuple

from fstce.corpora.formats import Lines
from fstce.corpora.running_text import TextReader
from fstce.corpora.sentence import Sentence, sentence_of_rows
from fstce.corpora.tables import SENTENCE, WORD, cell, column, table_of, tag_names, tagset_of
from fstce.errors import CorpusError

NUMBER = ("id", "token_id")
_NO_WORD = re.compile(r"\d+[-.]\d+")  # a range or an empty node of CoNLL-U
LONGEST = 500  # words of a sentence, beyond which a table is taken to lack where they end
Word = tuple[str, str, str | None]  # file and line, the word, its tag
Read = Callable[[], list[Sentence] | Sentence | None]  # what reads a row, or those of a sentence
Rows = Iterator[tuple[int, list[str]]]


class Places(NamedTuple):
    """The places of the columns, None of one that the table has not.

    ``number``: of a word in its sentence.
    """

    word: int | None
    tag: int | None
    sentence: int | None
    number: int | None


def read_table(
    lines: Lines, name: str, reader: TextReader | None = None, tag_column: str | None = None
) -> Iterator[tuple[int, Read]]:
    """The sentences of a table, each with the line on which it ends.

    Raises CorpusError where the header names no column of words or of sentences.
    ``reader``: how words are found in a column of untagged sentences. ``tag_column``: that of the
    tags; by default the first that there is of `TAG`.
    """
    lines = dropwhile(lambda row: not row[1].strip(), lines)
    _, header, rows = table_of(lines, name, most=1)
    next(rows)

    names = (WORD, tag_names(tag_column), SENTENCE, NUMBER)
    places = Places(*(column(header, some) for some in names))
    tagset = tagset_of(header, places.tag)
    if places.word is not None:
        for group in _words(rows, places, header, name):
            last, _, _ = group[-1]
            yield int(last.rpartition(":")[2]), partial(sentence_of_rows, group, tagset)
    elif places.sentence is None:
        raise CorpusError(
            f"{name}:1: a table needs a header that names a column of words "
            f"({', '.join(WORD)}) or of sentences (sentence, text), and begins with "
            f"{', '.join(header)[:60]!r}; name its columns, or save running text as .txt"
        )
    elif places.tag is not None:
        for number, row in rows:
            words, tags = (cell(row, place).split() for place in (places.sentence, places.tag))
            yield number, partial(_of_cells, words, tags, f"{name}:{number}", tagset)
    else:
        text = reader or TextReader()
        texts = text.decided((number, cell(row, places.sentence)) for number, row in rows)
        for number, line in texts:
            yield number, partial(text.sentences, line, f"{name}:{number}")


def _of_cells(words: list[str], tags: list[str], source: str, tagset: str) -> Sentence | None:
    """The sentence of a row; None of one without words and tags."""
    if not (words or tags):
        return None
    return Sentence(words, tags=tags, source=source, tag_column=tagset)


def _words(rows: Rows, places: Places, header: Sequence[str], name: str) -> Iterator[list[Word]]:
    """The words of each sentence; numbers of words begin again with it."""
    group: list[Word] = []
    last = first = ""
    has_ends = places.sentence is not None

    for number, row in rows:
        value = cell(row, places.sentence)
        at = cell(row, places.number)
        if _NO_WORD.fullmatch(at):
            continue
        if at and at == first and len(group) == 1 and not has_ends:
            raise CorpusError(
                f"{name}:1: does {header[places.number or 0]!r} number sentences or words? call the "
                "column sentence_id, or leave empty rows between sentences and take it out"
            )
        first = first or at
        is_empty = not any(map(str.strip, row))
        is_end = is_empty or (group and at and at == first)
        if is_end or (value and value != last):
            if group:
                yield group
            group = []
            has_ends = has_ends or bool(is_end)
        last = value or last

        if not is_empty:
            tag = None if places.tag is None else cell(row, places.tag)
            group.append((f"{name}:{number}", cell(row, places.word), tag))
        if len(group) > LONGEST and not has_ends:
            raise CorpusError(
                f"{name}:1: a table with a word a row needs a column that says where sentences "
                "begin (sentence), or empty rows between them"
            )
    if group:
        yield group
