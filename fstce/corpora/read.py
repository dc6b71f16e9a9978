"""Corpora by name or path: the one way in for text, treebanks and the bundled sample.

:func:`iter_corpus` finds the documents (a file, the members of a folder or a zip archive,
a stream, a named corpus), gives each to the reader of its format and passes the sentences
on as they come; :func:`read_corpus` makes a list of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any

from fstce.corpora import documents, formats
from fstce.corpora.conll import read_conllu, read_conllx
from fstce.corpora.documents import Document, Lines
from fstce.corpora.faults import Faults
from fstce.corpora.nltk_data import NLTK_CORPORA, find_nltk
from fstce.corpora.passages import Passage, passages
from fstce.corpora.penn import read_penn
from fstce.corpora.plain import read_plain
from fstce.corpora.running_text import TextReader
from fstce.corpora.sample import sample
from fstce.corpora.sentence import Sentence
from fstce.corpora.spreadsheet import read_table
from fstce.corpora.tagged import read_tagged, read_vertical
from fstce.errors import CorpusError, ParameterError
from fstce.numeric.rules import instance

Reader = Callable[[Lines, str, Faults], Iterator[Sentence]]
TAG_COLUMNS = ("xpos", "upos")


def read_corpus(
    spec: str | os.PathLike[str] | IO[Any],
    format: str | None = None,
    encoding: str = "utf-8",
    tag_column: str | None = None,
    *,
    text: TextReader | None = None,
    faults: Faults | None = None,
) -> list[Sentence]:
    """All sentences of a corpus.

    Parameters
    ----------
    spec : str, path or open stream
        A file; a folder or zip archive, read recursively in sorted order; an open stream;
        ``"sample"``, the trees that come with fstce; or ``"nltk:treebank"``,
        ``"nltk:brown"``, ``"nltk:dependency_treebank"``.
    format : {"penn", "conllu", "conllx", "tagged", "vertical", "table", "plain"}, optional
        Inferred from the suffix (.mrg .prd .psd .penn .ptb .tree .parse .cfg are penn; .conllu;
        .conll .conllx .dp are conllx; .pos .tagged are tagged; .csv is a table), perhaps before one of
        compression (.gz .bz2 .xz), or else from the first lines of each file; plain text is
        what is left. Named corpora know their own.
    encoding : str
        How the bytes are read.
    tag_column : {"xpos", "upos"}, optional
        For CoNLL; by default XPOS where a sentence has it, else UPOS.
    text : TextReader, optional
        How words are found in plain text; by default as in English where the text looks like
        running text, and at white space where its punctuation stands alone.
    faults : Faults, optional
        What to do about places that cannot be read; by default an error names the first and
        counts the others.

    Returns
    -------
    list of Sentence

    Raises
    ------
    CorpusError
        What is wrong in the text, with file and line; there is no such file, or there is
        no sentence in it.
    ParameterError
        An unknown format, encoding, tag column or corpus name.
    MissingToolError
        An ``nltk:`` corpus without NLTK.

    Examples
    --------
    >>> import io
    >>> read_corpus(io.StringIO("the/DT dog/NN barks/VBZ"), format="tagged")[0].tags
    ('DT', 'NN', 'VBZ')
    """
    return list(iter_corpus(spec, format, encoding, tag_column, text=text, faults=faults))


def iter_corpus(
    spec: str | os.PathLike[str] | IO[Any],
    format: str | None = None,
    encoding: str = "utf-8",
    tag_column: str | None = None,
    *,
    text: TextReader | None = None,
    faults: Faults | None = None,
) -> Iterator[Sentence]:
    """The sentences of a corpus as they are read; see :func:`read_corpus`.

    What can be checked before reading (names, formats, that the file exists) is checked
    at the call, the rest as the sentences come.
    """
    _check_choices(format, encoding, tag_column)
    instance("a TextReader", "TextReader").or_none().check(text=text)
    instance("Faults", "Faults").or_none().check(faults=faults)
    if isinstance(spec, str) and spec == "sample":
        return iter(sample())
    texts, format, name = _documents(spec, format)
    readers = _readers(tag_column, text)
    return _sentences(texts, name, format, readers, encoding, faults or Faults())


def iter_passages(
    spec: str | os.PathLike[str] | IO[Any],
    format: str | None = None,
    encoding: str = "utf-8",
    tag_column: str | None = None,
    *,
    text: TextReader | None = None,
    faults: Faults | None = None,
    plain: str = "plain",
) -> Iterator[Passage]:
    """The sentences of a corpus with what stands around them, for whoever writes it back.

    ``plain``: the format of a text that looks like no other. ``spec``, ``format``, ``encoding``,
    ``tag_column``, ``text``, ``faults``: as for :func:`read_corpus`. Places that cannot be read are passages
    without a sentence if faults are passed through, and so is the byte order mark of columns.
    """
    _check_choices(format, encoding, tag_column)
    faults, text = faults or Faults(), text or TextReader()
    if spec == "sample":
        yield from (Passage(sentence) for sentence in sample())
        return
    texts, format, name = _documents(spec, format)
    found = False
    for number, document in enumerate(texts):
        mark, lines = documents.without_mark(document.lines(encoding, whole=True))
        own, lines = (format, lines) if format else formats.recognized(lines)
        kind = plain if own == "plain" and format is None else own
        if mark and number == 0 and kind.startswith("conll"):
            yield Passage(None, (mark,), format=kind)
        parts = (document.name, kind, tag_column, text, faults, encoding)
        table = map(Passage, read_table(lines, document.name, faults, text)) if kind == "table" else None
        for passage in passages(lines, *parts) if table is None else table:
            found = found or passage.sentence is not None
            yield passage
    faults.finish()
    if faults.count and not found:
        raise _unread(name, faults)


def _check_choices(format: str | None, encoding: str, tag_column: str | None) -> None:
    documents.check_encoding(encoding)
    if format is not None:
        formats.check_choice("format", format, formats.SUFFIXES)
    if tag_column is not None:
        formats.check_choice("tag_column", tag_column, TAG_COLUMNS)


def _readers(tag_column: str | None, text: TextReader | None) -> dict[str, Reader]:
    return {
        "penn": read_penn,
        "conllu": partial(read_conllu, tag_column=tag_column),
        "conllx": partial(read_conllx, tag_column=tag_column),
        "tagged": read_tagged,
        "vertical": read_vertical,
        "table": partial(read_table, reader=text),
        "plain": partial(read_plain, reader=text),
    }


def _documents(spec: Any, format: str | None) -> tuple[Iterable[Document], str | None, str]:
    if hasattr(spec, "read"):
        stream = documents.from_stream(spec)
        return [stream], format or formats.known_format(stream.name), stream.name
    if not isinstance(spec, str | os.PathLike):
        raise ParameterError(f"a corpus is a path, a name or an open stream, not {type(spec).__name__}")
    if isinstance(spec, str) and spec.startswith("nltk:"):
        name = spec.removeprefix("nltk:")
        formats.check_choice("NLTK corpus", name, NLTK_CORPORA)
        path, names, format = find_nltk(name)
        return documents.open_members(path, names), format, spec
    return _at_path(documents.expanded(spec), format)


def _at_path(path: Path, format: str | None) -> tuple[Iterable[Document], str | None, str]:
    if not path.exists():
        raise CorpusError(
            f"{path}: no such file or folder (corpora with a name: sample, "
            + ", ".join(f"nltk:{name}" for name in NLTK_CORPORA)
            + ")"
        )
    if path.is_dir() or path.suffix.lower() == ".zip":
        names, found = formats.choose_members(documents.members(path), format, str(path))
        # Texts are looked into, one by one.
        return documents.open_members(path, names), format or (None if found == "plain" else found), str(path)
    return [documents.from_file(path)], format or formats.known_format(path.name), str(path)


def _sentences(
    texts: Iterable[Document],
    name: str,
    format: str | None,
    readers: dict[str, Reader],
    encoding: str,
    faults: Faults,
) -> Iterator[Sentence]:
    empty = True
    for text in texts:
        lines = text.lines(encoding, faults)
        own, lines = (format, lines) if format else formats.recognized(lines)
        for sentence in readers[own](lines, text.name, faults):
            empty = False
            if not faults.fatal:  # what follows is only read to count its faults
                yield sentence
    faults.finish()
    if empty:
        raise _unread(name, faults)


def _unread(name: str, faults: Faults) -> CorpusError:
    found = f" that can be read; the first fault: {faults.messages[0]}" if faults.count else ""
    return CorpusError(f"{name}: holds no sentence{found}")
