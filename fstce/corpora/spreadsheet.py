"""Corpora as tables with a header: a word a row, or a sentence.

A word a row: a column of words (``word``, ``form``, ``token``), perhaps one of tags (``tag``,
``upos``, ``pos``), and one that says where sentences begin (``sentence``, ``sentence_id``: another
value than above); without it empty rows do, and numbers of words (``id``, ``token_id``) that begin
again. A sentence a row: a column ``sentence`` or ``text``, perhaps one of ``tags``, separated by
blanks, as are then the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, dropwhile, islice

from fstce.corpora.formats import Lines
from fstce.corpora.running_text import TextReader
from fstce.corpora.sentence import Sentence, sentence_of_rows
from fstce.corpora.tables import SENTENCE, WORD, column, table_of, tag_names, tagset_of
from fstce.errors import CorpusError

NUMBER = ("id", "token_id")
_NO_WORD = re.compile(r"\d+[-.]\d+")  # a range or an empty node of CoNLL-U
LONGEST = 500  # words of a sentence, beyond which a table is taken to lack where they end
Word = tuple[str, str, str | None]  # file and line, the word, its tag
Read = Callable[[], list[Sentence] | Sentence | None]  # what reads a row, or those of a sentence


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

    names = (WORD, tag_names(tag_column), SENTENCE)
    word, tag, sentence = (column(header, some) for some in names)
    number_of_word = column(header, NUMBER)
    first_rows = list(islice(rows, 2))
    rows = chain(first_rows, rows)
    ids = [_cell(row, number_of_word) for _, row in first_rows]
    if sentence is None and len(ids) > 1 and "" != ids[0] == ids[1]:
        raise CorpusError(
            f"{name}:1: does {header[number_of_word or 0]!r} number sentences or words? call the "
            "column sentence_id, or leave empty rows between sentences and take it out"
        )
    chosen = tagset_of(header, tag)

    def of_row(number: int, row: Sequence[str]) -> Sentence | None:
        words, tags = (_cell(row, place).split() for place in (sentence, tag))
        if not (words or tags):
            return None
        return Sentence(words, tags=tags, source=f"{name}:{number}", tag_column=chosen)

    if word is not None:
        for group in _words(rows, word, tag, sentence, number_of_word, name):
            last, _, _ = group[-1]
            yield int(last.rpartition(":")[2]), partial(sentence_of_rows, group, chosen)
    elif sentence is None:
        raise CorpusError(
            f"{name}:1: a table needs a header that names a column of words "
            f"({', '.join(WORD)}) or of sentences (sentence, text), and begins with "
            f"{', '.join(header)[:60]!r}; name its columns, or save running text as .txt"
        )
    elif tag is not None:
        for number, row in rows:
            yield number, partial(of_row, number, row)
    else:
        text = reader or TextReader()
        texts = text.decided((number, _cell(row, sentence)) for number, row in rows)
        for number, line in texts:
            yield number, partial(text.sentences, line, f"{name}:{number}")


def _words(
    rows: Iterable[tuple[int, list[str]]],
    word: int,
    tag: int | None,
    sentence: int | None,
    number_of_word: int | None,
    name: str,
) -> Iterator[list[Word]]:
    """The words of each sentence; numbers of words begin again with it."""
    group: list[Word] = []
    last = first = ""
    has_ends = sentence is not None

    for number, row in rows:
        value = _cell(row, sentence)
        at = _cell(row, number_of_word)
        if _NO_WORD.fullmatch(at):
            continue
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
            tag_of_word = _cell(row, tag) if tag is not None else None
            group.append((f"{name}:{number}", _cell(row, word), tag_of_word))
        if len(group) > LONGEST and not has_ends:
            raise CorpusError(
                f"{name}:1: a table with a word a row needs a column that says where sentences "
                "begin (sentence), or empty rows between them"
            )
    if group:
        yield group


def _cell(row: Sequence[str], number: int | None) -> str:
    return row[number].strip() if number is not None and number < len(row) else ""
