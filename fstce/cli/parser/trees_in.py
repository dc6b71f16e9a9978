"""What ``fstce parser parse`` reads: sentences, those of CoNLL files with the lines they stand on."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fstce.cli.options import Format
from fstce.cli.parser.treebanks import Preparation
from fstce.errors import CorpusError, ParameterError

if TYPE_CHECKING:
    from fstce.corpora import Sentence
    from fstce.corpora.documents import Document, Lines

CONLL = ("conllu", "conllx")
_COLUMNS = re.compile(r"\t| {2,}")
_Read = Callable[["Lines", str], Iterator["Sentence"]]


class Item(NamedTuple):
    """A sentence to be parsed.

    Attributes
    ----------
    sentence : Sentence or None
        None where the lines hold none that can be read.
    lines : tuple of str
        Of a CoNLL file: what is passed through.
    replaced : bool
        Whether heads are put into the lines; else the sentence is written anew.
    fault : str
        Why the lines cannot be read.
    comments : tuple of str
        What is written before a sentence that is written anew.
    """

    sentence: Sentence | None
    lines: tuple[str, ...] = ()
    replaced: bool = False
    fault: str = ""
    comments: tuple[str, ...] = ()


def items(text: str, format: Format | None, preparation: Preparation) -> Iterator[Item]:
    """The sentences of a text; of CoNLL, also what stands between them.

    A text that would be plain is read as ``word/TAG``, unless its words are the tags.
    """
    from fstce.corpora import iter_corpus

    name, by_word = _single_format(text, format), preparation.tags == "word"
    if name in CONLL:
        yield from _conll(_document(text), name, preparation.tag_column)
        return
    if name == "plain" and not by_word:
        if format is not None:
            raise ParameterError("plain text has no tags: give word/TAG text, or take words with --tags word")
        name = "tagged"
    source = sys.stdin.buffer if text == "-" else text
    kind = name or (format and format.value)
    for sentence in iter_corpus(source, kind, tag_column=preparation.tag_column):
        yield Item(sentence)


def _single_format(text: str, format: Format | None) -> str | None:
    """The format of one file or of standard input; None for folders, archives and corpora with a name."""
    from fstce.corpora.formats import format_of

    if text != "-" and (not Path(text).is_file() or Path(text).suffix.lower() == ".zip"):
        return None
    return format.value if format else format_of(text)


def _document(text: str) -> Document:
    from fstce.corpora.documents import from_file, from_stream

    return from_stream(sys.stdin.buffer) if text == "-" else from_file(Path(text))


def _conll(document: Document, format: str, tag_column: str | None) -> Iterator[Item]:
    from fstce.corpora.conll import read_conllu, read_conllx

    reader = read_conllu if format == "conllu" else read_conllx

    def read(lines: Lines, name: str) -> Iterator[Sentence]:
        return reader(lines, name, tag_column=tag_column)

    block: list[tuple[int, str]] = []
    for number, line in document.lines():
        block.append((number, line))
        if not line.strip():
            yield _item(block, document.name, read)
            block = []
    if block:
        yield _item(block, document.name, read)


def _item(block: list[tuple[int, str]], name: str, read: _Read) -> Item:
    """The lines up to an empty one, and their sentence."""
    lines = tuple(line for _, line in block)
    try:
        sentence = next(read(iter(block), name), None)
    except CorpusError as error:
        return Item(None, lines, fault=str(error))
    wide = all(len(_COLUMNS.split(line)) == 10 for line in lines if line.strip() and line[0].isdecimal())
    numbered = any(line[:1].isdecimal() for line in lines)
    return Item(sentence, lines, replaced=wide and numbered)
