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
from fstce.corpora.nltk_data import NLTK_CORPORA, find_nltk
from fstce.corpora.penn import read_penn
from fstce.corpora.plain import read_plain
from fstce.corpora.running_text import TextReader
from fstce.corpora.sample import sample
from fstce.corpora.sentence import Sentence
from fstce.corpora.tagged import read_tagged
from fstce.errors import CorpusError, ParameterError

Reader = Callable[[Lines, str], Iterator[Sentence]]
TAG_COLUMNS = ("xpos", "upos")


def read_corpus(
    spec: str | os.PathLike[str] | IO[Any],
    format: str | None = None,
    encoding: str = "utf-8",
    tag_column: str | None = None,
    *,
    text: TextReader | None = None,
) -> list[Sentence]:
    """All sentences of a corpus.

    Parameters
    ----------
    spec : str, path or open stream
        A file; a folder or zip archive, read recursively in sorted order; an open stream;
        ``"sample"``, the trees that come with fstce; or ``"nltk:treebank"``,
        ``"nltk:brown"``, ``"nltk:dependency_treebank"``.
    format : {"penn", "conllu", "conllx", "tagged", "plain"}, optional
        Inferred from the suffix: .mrg .prd .psd .penn are penn; .conllu; .conll .conllx
        .dp are conllx; .pos .tagged are tagged; everything else is plain. Named corpora
        know their own.
    encoding : str
        How the bytes are read.
    tag_column : {"xpos", "upos"}, optional
        For CoNLL; by default XPOS where a sentence has it, else UPOS.
    text : TextReader, optional
        How words are found in plain text; by default as in English where the text looks like
        running text, and at white space where its punctuation stands alone.

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
    return list(iter_corpus(spec, format, encoding, tag_column, text=text))


def iter_corpus(
    spec: str | os.PathLike[str] | IO[Any],
    format: str | None = None,
    encoding: str = "utf-8",
    tag_column: str | None = None,
    *,
    text: TextReader | None = None,
) -> Iterator[Sentence]:
    """The sentences of a corpus as they are read; see :func:`read_corpus`.

    What can be checked before reading (names, formats, that the file exists) is checked
    at the call, the rest as the sentences come.
    """
    _check_choices(format, encoding, tag_column)
    if spec == "sample":
        return iter(sample())
    texts, format, name = _documents(spec, format)
    return _sentences(texts, name, _reader(format, tag_column, text), encoding)


def _check_choices(format: str | None, encoding: str, tag_column: str | None) -> None:
    documents.check_encoding(encoding)
    if format is not None:
        formats.check_choice("format", format, formats.SUFFIXES)
    if tag_column is not None:
        formats.check_choice("tag_column", tag_column, TAG_COLUMNS)


def _reader(format: str, tag_column: str | None, text: TextReader | None) -> Reader:
    readers: dict[str, Reader] = {
        "penn": read_penn,
        "conllu": partial(read_conllu, tag_column=tag_column),
        "conllx": partial(read_conllx, tag_column=tag_column),
        "tagged": read_tagged,
        "plain": partial(read_plain, reader=text),
    }
    return readers[format]


def _documents(spec: Any, format: str | None) -> tuple[Iterable[Document], str, str]:
    if hasattr(spec, "read"):
        stream = documents.from_stream(spec)
        return [stream], format or formats.format_of(stream.name), stream.name
    if not isinstance(spec, str | os.PathLike):
        raise ParameterError(f"a corpus is a path, a name or an open stream, not {type(spec).__name__}")
    if isinstance(spec, str) and spec.startswith("nltk:"):
        name = spec.removeprefix("nltk:")
        formats.check_choice("NLTK corpus", name, NLTK_CORPORA)
        path, names, format = find_nltk(name)
        return documents.open_members(path, names), format, spec
    return _at_path(Path(spec), format)


def _at_path(path: Path, format: str | None) -> tuple[Iterable[Document], str, str]:
    if not path.exists():
        raise CorpusError(
            f"{path}: no such file or folder (corpora with a name: sample, "
            + ", ".join(f"nltk:{name}" for name in NLTK_CORPORA)
            + ")"
        )
    if path.is_dir() or path.suffix.lower() == ".zip":
        names, format = formats.choose_members(documents.members(path), format, str(path))
        return documents.open_members(path, names), format, str(path)
    return [documents.from_file(path)], format or formats.format_of(path.name), str(path)


def _sentences(texts: Iterable[Document], name: str, reader: Reader, encoding: str) -> Iterator[Sentence]:
    empty = True
    for text in texts:
        for sentence in reader(text.lines(encoding), text.name):
            empty = False
            yield sentence
    if empty:
        raise CorpusError(f"{name}: holds no sentence")
