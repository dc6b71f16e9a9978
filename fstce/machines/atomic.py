"""Files that appear whole or not at all: written beside their place, then moved into it."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fstce.errors import MachineError


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """A temporary path in the folder of `path`, moved to `path` when the block ends well.

    Parameters
    ----------
    path : Path or str
        Where the file shall be; a file that is there stays as it is until the new one is whole.

    Raises
    ------
    MachineError
        The folder is missing or cannot be written, or `path` is a folder.

    Examples
    --------
    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp(), "words.txt")
    >>> with replacing(target) as temporary:
    ...     _ = temporary.write_text("whole")
    >>> target.read_text(), len(list(target.parent.iterdir()))
    ('whole', 1)
    """
    path = Path(path)
    _check_place(path)
    # The suffix stays, for graphviz and for people who look at a running job.
    temporary = path.with_name(f".{uuid.uuid4().hex}{path.suffix}")
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise MachineError(
            f"{path}: cannot be written ({error.strerror or error}); choose another folder"
        ) from None
    finally:
        temporary.unlink(missing_ok=True)


def write_text(text: str, path: Path | str) -> None:
    """Write UTF-8 text, whole or not at all; raises MachineError where it cannot."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def existing(path: Path | str) -> Path:
    """The path itself if a file is there, else a MachineError that says what is."""
    path = Path(path)
    if path.is_dir():
        raise MachineError(f"{path}: is a folder; name a file in it")
    if not path.exists():
        raise MachineError(f"{path}: no such file; check the path")
    if not os.access(path, os.R_OK):
        raise MachineError(f"{path}: cannot be read; ask for the right to read it")
    return path


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise MachineError(f"{path}: cannot be written: it is a folder; name a file in it")
    if not path.parent.is_dir():
        raise MachineError(f"{path}: cannot be written: there is no folder {path.parent}; make it first")
