"""Temporary folders that are removed at the end, and swept by the next one after a kill.

A process locks its folder as long as it lives; one that can be locked has lost its process.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import ParameterError, ShardError
from fstce.numeric.types import PathName

PREFIX = "fstce-scratch-"
_BLOCK = 1 << 20  # bytes written at once


@contextmanager
def scratch_folder(place: PathName | None = None) -> Iterator[Path]:
    """A new folder in `place` (by default that of the system's temporary files), removed with the
    block.
    """
    parent = Path(tempfile.gettempdir() if place is None else place)

    def make() -> Path:
        try:
            return Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        except OSError as error:
            raise ParameterError(
                f"scratch={str(parent)!r}: {error.strerror}; name a folder on a disk"
            ) from None

    with suppress(OSError):
        sweep(parent, f"{PREFIX}.*")

    with locked(make) as folder:
        yield folder


@contextmanager
def locked(make: Callable[[], Path]) -> Iterator[Path]:
    """A new folder, locked until it is removed at the end or its process dies."""
    while True:
        folder = make()
        try:
            descriptor = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:  # a sweep came between the making and the locking
            continue

        try:
            with suppress(OSError):  # some file systems have no locks; then nothing is swept either
                fcntl.flock(descriptor, fcntl.LOCK_EX)

            if folder.exists():  # else the sweep came between these two
                yield folder
                return
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(descriptor)


def sweep(place: Path, pattern: str) -> None:
    """Remove the folders of such names whose process is gone."""
    for folder in place.iterdir():
        if not re.fullmatch(pattern, folder.name) or folder.is_symlink() or not folder.is_dir():
            continue
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(
                    descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB
                )  # raises while its process lives
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(descriptor)


def mapped(folder: Path, length: int, dtype: Any) -> NDArray[Any]:
    """An array on the disk of a folder.

    Without a name, so that it ends with the last that uses it.
    """
    item = np.dtype(dtype)
    size = max(1, length * item.itemsize)

    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            # The room is taken here: where it lacks when a page is written, the system ends the
            # process.
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
            else:
                for at in range(0, size, _BLOCK):
                    file.write(bytes(min(_BLOCK, size - at)))

                file.flush()

            return np.asarray(np.memmap(file, item, "r+", shape=(length,)))
    except OSError as error:
        raise ShardError(
            f"{folder}: no room for {size:,} bytes of a temporary file ({error.strerror}); "
            "name a folder on another disk (--scratch)"
        ) from None
