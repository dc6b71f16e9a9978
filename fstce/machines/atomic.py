"""Files of machines: whole or not there, and there before they are read."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path

from fstce.errors import MachineError
from fstce.storage import atomic
from fstce.storage.atomic import read_bytes


def replacing(path: Path | str) -> AbstractContextManager[Path]:
    """A temporary path that becomes `path` when the block ends well; see ``storage.atomic``."""
    return atomic.replacing(path, MachineError)


def write_text(text: str, path: Path | str) -> None:
    """Write UTF-8 text, whole or not at all; raises MachineError where it cannot."""
    atomic.write_whole(path, text, MachineError)


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


def content(path: Path) -> bytes:
    """The bytes of a file; raises MachineError for a device, and for a pipe into which nobody writes."""
    return read_bytes(path, MachineError)
