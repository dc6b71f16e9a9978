"""Files that verbs read and write, standard streams among them: can one be written?

Machines come and go there, too, so that verbs stand in a pipe with fstcompile and fstprint.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fstce.errors import FstceError, ParameterError
from fstce.storage.atomic import check_place, read_stream

MAGIC = {2125659606: ".fst", 2125656924: ".far", 5656924: ".far"}


def check_file(path: Path | None, *suffixes: str, option: str = "--output") -> None:
    """Whether a file can be written; None is no file."""
    if path is None:
        return
    if suffixes and path.suffix.lower() not in suffixes:
        raise ParameterError(
            f"{option} {path}: the suffix says what is written; use {' '.join(suffixes)}"
        )

    check_place(path, ParameterError)


@contextmanager
def as_file(path: Path) -> Iterator[Path]:
    """The path; for ``-`` a file of standard input, its suffix by what it holds."""
    if str(path) != "-":
        yield path
        return

    try:
        data = read_stream(sys.stdin.buffer)
    except OSError as error:
        raise ParameterError(f"standard input cannot be read: {error.strerror or error}") from None

    if not data:
        raise ParameterError(
            "standard input is empty; pipe a machine into it, for example from fstcompile"
        )

    suffix = MAGIC.get(int.from_bytes(data[:4], "little"), ".txt")
    with _temporary(suffix, "standard input") as file:
        file.write_bytes(data)
        yield file


@contextmanager
def to_file(path: Path) -> Iterator[Path]:
    """The path itself.

    For ``-`` a file that is copied to standard output when the block ends well.
    """
    if str(path) != "-":
        yield path
        return
    if sys.stdout.isatty():
        raise ParameterError(
            "a machine is binary, and standard output is a terminal; name a file or pipe it"
        )
    with _temporary(".fst", "standard output") as file:
        yield file
        sys.stdout.flush()
        sys.stdout.buffer.write(file.read_bytes())
        sys.stdout.buffer.flush()


@contextmanager
def _temporary(suffix: str, called: str) -> Iterator[Path]:
    """A file that goes when the block ends; errors call it as the user does."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"machine{suffix}"
        try:
            yield file
        except FstceError as error:
            raise type(error)(str(error).replace(os.fspath(file), called)) from None
