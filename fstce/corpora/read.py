"""Corpora by name or path: the one way in for text, treebanks and the bundled sample.

:func:`iter_corpus` finds the documents (a file, the members of a folder or a zip archive,
a stream, a named corpus) and passes the sentences on as they come; :func:`read_corpus` makes a
list of them, :func:`iter_passages` also has what stands between them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from fstce.corpora import documents
from fstce.corpora.documents import Document, members
from fstce.corpora.faults import Faults
from fstce.corpora.formats import SUFFIXES, known_format, recognized, running
from fstce.corpora.passages import Passage, passages
from fstce.corpora.running_text import TextReader
from fstce.corpora.sentence import Sentence
from fstce.corpora.shipped import sample
from fstce.corpora.streams import READERS
from fstce.errors import CorpusError, ParameterError
from fstce.numeric.types import PathName
from fstce.parameters.rules import choice, instance

FORMAT = choice(*SUFFIXES).or_none()
WITH_MARK = ("conllu", "conllx", *READERS)  # written with the byte order mark before them
TAG_COLUMN = choice("xpos", "upos").or_none()
READER = instance("a TextReader", "TextReader").or_none()
FAULTS = instance("Faults", "Faults").or_none()


def read_corpus(
    spec: PathName | IO[Any],
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
    format : {"penn", "conllu", "conllx", "tagged", "vertical", "table", "jsonl", "apertium", "cg",
        "plain"}, optional
        Inferred from the suffix (.mrg .prd .psd .penn .ptb .tree .parse .cfg are
        penn; .conllu; .conll .conllx .dp are conllx; .pos .tagged are tagged; .csv is a table),
        perhaps before one of compression (.gz .bz2 .xz), or else from the first lines of each file;
        plain text is what is left. Named corpora know their own.
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

    Examples
    --------
    >>> import io
    >>> read_corpus(io.StringIO("the/DT dog/NN barks/VBZ"), format="tagged")[0].tags
    ('DT', 'NN', 'VBZ')
    """
    return list(iter_corpus(spec, format, encoding, tag_column, text=text, faults=faults))


def iter_corpus(
    spec: PathName | IO[Any],
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
    passages = iter_passages(
        spec, format, encoding, tag_column, text=text, faults=faults, some=True
    )
    return (passage.sentence for passage in passages if passage.sentence is not None)


def iter_passages(
    spec: PathName | IO[Any],
    format: str | None = None,
    encoding: str = "utf-8",
    tag_column: str | None = None,
    *,
    text: TextReader | None = None,
    faults: Faults | None = None,
    plain: str = "plain",
    some: bool = False,
) -> Iterator[Passage]:
    """The sentences of a corpus with what stands around them, for whoever writes it back.

    As :func:`read_corpus`. ``plain``: the format of a text that looks like no other. ``some``:
    whether a corpus without a sentence is refused even where nothing in it is wrong. Places that
    cannot be read are passages without a sentence if faults are passed through, and so is the byte
    order mark of columns.
    """
    documents.check_encoding(encoding)
    FORMAT.check(format=format)
    TAG_COLUMN.check(tag_column=tag_column)
    READER.check(text=text)
    FAULTS.check(faults=faults)
    if isinstance(spec, str) and spec == "sample":
        return (Passage(sentence) for sentence in sample())
    texts, known_format, name = _documents(spec, format)
    faults = faults or Faults()

    def each() -> Iterator[Passage]:
        is_empty = True
        for number, document in enumerate(texts):
            mark, lines = documents.without_mark(document.lines(encoding))
            own_format = known_format
            if own_format is None:
                own_format, lines = recognized(lines, document.name)
                if own_format == "plain":
                    own_format = plain
                if own_format == "plain":
                    lines = running(lines, document.name, (text or TextReader()).lookahead)

            if mark and number == 0 and own_format in WITH_MARK:
                yield Passage(None, (mark,), format=own_format)
            where = (document.name, own_format, tag_column)
            for passage in passages(lines, *where, text, faults, encoding):
                is_empty = is_empty and passage.sentence is None
                yield passage

        faults.finish()
        if is_empty and faults.count:
            fault = f"the first fault: {faults.messages[0]}"
            raise CorpusError(f"{name}: holds no sentence that can be read; {fault}")
        if is_empty and some:
            raise CorpusError(f"{name}: holds no sentence")

    return each()


def _documents(spec: Any, format: str | None) -> tuple[Iterable[Document], str | None, str]:
    if hasattr(spec, "read"):
        stream = documents.from_stream(spec)
        return [stream], format or known_format(stream.name), stream.name
    if not isinstance(spec, str | os.PathLike):
        raise ParameterError(
            f"a corpus is a path, a name or an open stream, not {type(spec).__name__}"
        )
    if isinstance(spec, str) and spec.startswith("nltk:"):
        name = spec.removeprefix("nltk:")
        choice(*NLTK_CORPORA).check(**{"NLTK corpus": name})
        path, names, format = find_nltk(name)
        return documents.open_members(path, names), format, spec

    path = documents.expanded(spec)
    if not path.exists():
        raise CorpusError(
            f"{path}: no such file or folder (corpora with a name: sample, "
            + ", ".join(f"nltk:{name}" for name in NLTK_CORPORA)
            + ")"
        )

    if path.is_dir() or path.suffix.lower() == ".zip":
        names, members_format = documents.choose_members(members(path), format, str(path))
        if format is None and members_format != "plain":  # texts are looked into, one by one
            format = members_format
        return documents.open_members(path, names), format, str(path)
    return [documents.from_file(path)], format or known_format(path.name), str(path)


NLTK_CORPORA: dict[str, tuple[str, str]] = {
    "treebank": ("penn", r"(.*/)?combined/[^/]+\.mrg"),
    "brown": ("tagged", r"(.*/)?c[a-r]\d\d"),
    "dependency_treebank": ("conllx", r".*\.dp"),
}


def nltk_places() -> list[Path]:
    """The folders in which NLTK looks for its data.

    Where NLTK is imported, which takes a second, its own list, as a program may have added to it.
    """
    nltk = sys.modules.get("nltk.data")
    if nltk is not None:
        return [Path(place) for place in nltk.path if place]

    given = filter(None, os.environ.get("NLTK_DATA", "").split(os.pathsep))
    python = Path(sys.prefix)
    system = map(Path, ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib"))
    roots = (Path.home(), python, python / "share", python / "lib", *system)
    return [*map(Path, given), *(root / "nltk_data" for root in roots)]


def find_nltk(name: str) -> tuple[Path, list[str], str]:
    """Where an NLTK corpus lies, which of its files to read, and their format.

    ``path``: the corpus's folder or zip archive. ``names``: its files, relative to the path.
    """
    folders = [place / "corpora" for place in nltk_places()]
    candidates = [folder / f"{name}{end}" for folder in folders for end in ("", ".zip")]
    path = next(filter(Path.exists, candidates), None)
    if path is None:
        raise CorpusError(
            f"nltk:{name}: NLTK's data has no such corpus; set NLTK_DATA to the folder that holds "
            f"corpora/{name}, or fetch it with: python -m nltk.downloader {name} "
            f"(nltk.download({name!r}))"
        )

    format, pattern = NLTK_CORPORA[name]
    names = [member for member in members(path) if re.fullmatch(pattern, member)]
    if not names:
        raise CorpusError(f"{path}: none of the files of nltk:{name}; download the corpus again")
    return path, names, format
