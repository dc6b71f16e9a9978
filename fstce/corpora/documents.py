"""Files, folders, zip archives and open streams as documents: a name and numbered lines.

Files may be compressed by gzip, bzip2 or xz, which their first bytes tell. A document knows
what messages call it and how to open itself; its lines are decoded one at a time, so that
whatever is wrong with the bytes is reported with file and line.

In a folder only known suffixes count, unless the format is given and none has its suffix;
``.txt`` only where nothing else is found (treebanks come with a licence in it), and ``.prd`` only
without ``.mrg`` (the Penn Treebank has every tree in both, without tags in ``.prd``).
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from itertools import chain, takewhile
from pathlib import Path, PurePath
from typing import IO, Any, cast

from fstce.corpora.foreign import check_is_text
from fstce.corpora.formats import SUFFIXES, Lines, suffix_of
from fstce.errors import CorpusError, FstceError, ParameterError
from fstce.numeric.types import PathName
from fstce.parameters.rules import shown
from fstce.storage import atomic
from fstce.storage.atomic import opened

LONGEST = 1 << 24  # bytes of a line
# Of the corpus of a run of the program, by which its other files are read, too.
ENCODING: ContextVar[str | None] = ContextVar("encoding", default=None)
_OVERHEAD = 64  # bytes that a string takes besides its letters
_NO_CHARSETS = {"idna", "punycode", "raw-unicode-escape", "unicode-escape"}
_MARK = "\ufeff"
_ADVICE = "convert the file or name its encoding (--encoding)"
_WIDE = "it begins like UTF-16 (--encoding utf-16)"
_AS_UTF8 = "convert the file to UTF-8"
_COMPRESSED: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
}
_UNREADABLE = (lzma.LZMAError, OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
_HIDDEN = re.compile(r"(?:^|/)(?:\.|__)")
_ABOUT = re.compile(r"(?i)(licen[cs]e|readme|copying|changelog|makefile|index)\b")


@dataclass(frozen=True)
class Document:
    """A text to be read.

    ``name``: what messages and sources call it: ``"wsj.zip/combined/wsj_0001.mrg"``. ``open``:
    gives a context manager around a stream of lines, bytes or text.
    """

    name: str
    open: Callable[[], AbstractContextManager[IO[Any]]]

    def lines(self, encoding: str = "utf-8") -> Lines:
        """The numbered lines with their ends, the first with its byte order mark.

        A byte that is no text is a lone surrogate (PEP 383): see :func:`checked` and
        :func:`check_text`.
        """
        number = 0
        encoding = "utf-8" if codecs.lookup(encoding).name == "utf-8-sig" else encoding

        try:
            with self.open() as stream:
                raws = _physical_lines(stream, encoding)
                if codecs.lookup(encoding).name != "utf-8":
                    raws = _watched(raws, self.name, encoding)

                for number, raw in enumerate(raws, start=1):
                    if number == 1 and isinstance(raw, bytes):
                        check_is_text(raw, self.name)
                    if len(raw) > LONGEST:
                        raise CorpusError(
                            f"{self.name}:{number}: a line of more than {LONGEST:,} bytes"
                        )
                    yield number, raw if isinstance(raw, str) else _decoded(raw, encoding)
        except UnicodeError as error:  # UTF-16 without its mark is no UnicodeDecodeError
            wrong = getattr(error, "encoding", encoding)
            raise CorpusError(f"{self.name}: after line {number}: not valid {wrong}") from None
        except _UNREADABLE as error:
            raise _unreadable(self.name, error) from None


def checked(
    lines: Lines, name: str, encoding: str = "utf-8", errors: dict[int, CorpusError] | None = None
) -> Lines:
    """The lines without mark and ends; raises CorpusError for one that is no text.

    ``errors``: gets the error by its line instead, and the line follows all the same, so
    that a sentence over several lines is known to be faulty.
    """
    _, lines = without_mark(lines)
    for number, line in lines:
        try:
            check_text(line, f"{name}:{number}", encoding)
        except CorpusError as error:
            if errors is None:
                raise
            errors[number] = error
        yield number, line.rstrip("\r\n")


def check_encoding(encoding: str) -> None:
    """Raise ParameterError unless Python knows the encoding, and it is one of text."""
    with suppress(LookupError, TypeError, ValueError):
        "".encode(encoding)
        if codecs.lookup(encoding).name not in _NO_CHARSETS:
            return
    raise ParameterError(f"encoding={shown(encoding)}: give one that Python knows, as 'utf-8'")


def without_mark(lines: Lines) -> tuple[str, Lines]:
    """The byte order mark before whole lines, or nothing, and the lines without it."""
    for number, first in lines:
        mark = _MARK * first.startswith(_MARK)
        return mark, chain([(number, first.removeprefix(mark))], lines)
    return "", lines


def from_stream(stream: IO[Any]) -> Document:
    """An open stream, read from where it stands and left open."""
    name = getattr(stream, "name", None)
    return Document(name if isinstance(name, str) else "<stream>", lambda: nullcontext(stream))


def from_file(path: Path, patient: bool = True) -> Document:
    """A file on disk, perhaps compressed; a pipe with a name is waited for as in :func:`opened`."""
    return Document(str(path), partial(_decompressed, path, patient))


def lines_of(
    path: PathName,
    kind: type[FstceError] = CorpusError,
    errors: dict[int, CorpusError] | None = None,
) -> list[str]:
    """All lines of a table or a list, in UTF-8 or else as the corpus; raises an error of this kind.

    The encoding of the corpus is that of the run (:data:`ENCODING`), if it has one. ``errors``:
    gets those of lines that are no text, as of :func:`checked`.
    """
    encoding = ENCODING.get()
    try:
        data = _bytes_of(path)
        if encoding is None or _is_utf8(data):
            encoding = "utf-8"
        document = Document(str(path), lambda: nullcontext(io.BytesIO(data)))
        lines = checked(document.lines(encoding), str(path), encoding, errors)
        return [line for _, line in lines]
    except CorpusError as error:
        # An option that names one would be of the corpus, too.
        message = str(error).replace(_WIDE, _AS_UTF8).replace(_ADVICE, _AS_UTF8)
        raise kind(message) from None


def _bytes_of(path: PathName) -> bytes:
    """All bytes of a file, of which there may not be more than fit into memory as lines."""
    try:
        with _decompressed(expanded(path), patient=False) as stream:
            data = atomic.read_stream(stream)
            if len(data) + _OVERHEAD * data.count(b"\n") > atomic.LARGEST:
                raise OSError(f"it has more than {atomic.LARGEST:,} bytes")
            return data
    except _UNREADABLE as error:
        raise _unreadable(path, error) from None


def _unreadable(name: PathName, error: Exception) -> CorpusError:
    reason = getattr(error, "strerror", None) or error
    return CorpusError(f"{name}: cannot be read ({reason})")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def expanded(spec: PathName) -> Path:
    """The path with ``~`` and ``~user`` replaced; raises CorpusError where there is none."""
    try:
        return Path(spec).expanduser()
    except RuntimeError:
        raise CorpusError(f"{spec}: no such user; write the path out") from None


def is_file(name: PathName) -> bool:
    """Whether a file has this name; none has one that is too long, of which Path's own raises."""
    return os.path.isfile(name)  # noqa: PTH113


def _decompressed(path: Path, patient: bool) -> IO[bytes]:
    stream = opened(path, patient)
    if not stream.seekable():
        return stream
    magic = stream.read(6)
    stream.seek(0)
    for start, opener in _COMPRESSED.items():
        if magic.startswith(start):
            return cast(IO[bytes], opener(stream))
    return stream


def members(path: Path) -> list[str]:
    """The files below a folder or in a zip archive, by relative name, sorted, none hidden."""
    try:
        if path.is_dir():
            names = [
                file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file()
            ]
        else:
            with opened(path) as stream, zipfile.ZipFile(stream) as archive:
                names = [info.filename for info in archive.infolist() if not info.is_dir()]
    except _UNREADABLE as error:
        raise _unreadable(path, error) from None

    return sorted(name for name in names if not _HIDDEN.search(name))


def open_members(path: Path, names: Iterable[str]) -> Iterator[Document]:
    """The named members as documents, each to be read before the next is asked for."""
    if path.is_dir():
        yield from (from_file(path / name) for name in names)
        return
    with opened(path) as stream, zipfile.ZipFile(stream) as archive:
        for name in names:
            yield Document(f"{path}/{name}", partial(_member, archive, name))


def _member(archive: zipfile.ZipFile, name: str) -> io.BufferedReader:
    """A member of an archive; zipfile's own lines take ten times as long."""
    return io.BufferedReader(cast(Any, archive.open(name)))


def _physical_lines(stream: IO[Any], encoding: str) -> Iterable[Any]:
    """The lines as they come, each of one byte too many at most."""
    raws: Iterable[Any] = stream  # what flows from standard input bounds its lines itself
    if hasattr(stream, "readline"):
        raws = takewhile(len, iter(partial(stream.readline, LONGEST + 1), None))
    if not codecs.lookup(encoding).name.startswith(("utf-16", "utf-32")):
        return raws
    return _wide_lines(raws, codecs.getincrementaldecoder(encoding)())


def _watched(raws: Iterable[Any], name: str, encoding: str) -> Iterator[Any]:
    """The lines; behind the last a warning if all letters outside of ASCII are those of UTF-8."""
    word: str | None = ""  # the first with such letters; None where a line is not UTF-8
    for raw in raws:
        if isinstance(raw, bytes) and not raw.isascii() and word is not None:
            try:
                word = word or next(w for w in raw.decode().split() if not w.isascii())
            except (UnicodeDecodeError, StopIteration):
                word = None
        yield raw
    if word:
        read_as = word.encode().decode(encoding, "replace")
        warnings.warn(
            f"{name}: the text is UTF-8 and was read as {encoding}, {word} as {read_as}; leave "
            "--encoding out",
            stacklevel=2,
        )


def _wide_lines(raws: Iterable[Any], decoder: codecs.IncrementalDecoder) -> Iterator[str]:
    """Lines of characters of several bytes, where a line end is more than the byte 0x0A."""
    rest = ""
    for raw in chain(raws, [b""]):
        text = raw if isinstance(raw, str) else decoder.decode(raw, not raw)
        *lines, rest = (rest + text).split("\n")
        yield from (f"{line}\n" for line in lines)
        if len(rest) > LONGEST:
            break
    if rest:
        yield rest


def _decoded(raw: bytes, encoding: str) -> str:
    """The characters of a line, and of bytes that are none lone surrogates."""
    try:
        return raw.decode(encoding, "surrogateescape")
    except UnicodeDecodeError:  # of encodings in which letters of ASCII are part of others
        return raw.decode("ascii", "surrogateescape")


def check_text(line: str, where: str, encoding: str) -> None:
    """Raise CorpusError if a line is no text: a byte that was not valid is a lone surrogate."""
    try:
        line.encode("utf-8")
    except UnicodeEncodeError as error:
        byte = ord(line[error.start]) - 0xDC00
        if not 0x80 <= byte <= 0xFF:  # others have decoded it
            raise CorpusError(
                f"{where}: bytes that are not valid text; open the stream with its encoding"
            ) from None
        advice = _ADVICE
        if line.startswith(("\udcff\udcfe", "\udcfe\udcff")):
            advice = _WIDE
        raise CorpusError(f"{where}: byte 0x{byte:02x} is not valid {encoding}; {advice}") from None

    if "\0" in line:
        raise CorpusError(f"{where}: a NUL byte; this is not a text file")


def choose_members(names: Sequence[str], format: str | None, where: str) -> tuple[list[str], str]:
    """The files to read among the members of a folder or archive, and their one format.

    ``format``: the format asked for, None to infer it. Returns the chosen names, in order.
    """
    sought = SUFFIXES[format] if format else chain.from_iterable(SUFFIXES.values())
    names_of_format: dict[str, list[str]] = {}
    for name in names:
        for own, suffixes in SUFFIXES.items():
            if suffix_of(name) in suffixes:
                names_of_format.setdefault(own, []).append(name)

    if format is not None:
        named = [name for name in names if not _ABOUT.match(PurePath(name).name)]
        chosen = names_of_format.get(format, named)
    else:
        plain = names_of_format.pop("plain", [])
        if len(names_of_format) > 1:
            raise CorpusError(
                f"{where}: files of several formats ({', '.join(sorted(names_of_format))}); choose "
                "one with format= (--input-format)"
            )
        format, chosen = next(iter(names_of_format.items()), ("plain", plain))

    if not chosen:
        raise CorpusError(f"{where}: no file to read; sought the suffixes {' '.join(sought)}")
    if any(name.lower().endswith(".mrg") for name in chosen):
        chosen = [name for name in chosen if not name.lower().endswith(".prd")]
    return chosen, format
