"""Temporary folders that are removed at the end, and swept by the next one after a kill.

Each holds a file that its process has locked; a folder whose file can be locked has lost its process.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import ParameterError, ShardError

PREFIX = "fstce-scratch-"
_LOCK = "lock"


@contextmanager
def scratch_folder(place: str | os.PathLike[str] | None = None) -> Iterator[Path]:
    """A new folder in `place` (by default that of the system's temporary files), removed with the block.

    >>> with scratch_folder() as folder:
    ...     _ = (folder / "shard.npy").write_bytes(b"")
    >>> folder.exists()
    False
    """
    parent = Path(tempfile.gettempdir() if place is None else place)
    sweep(parent)
    try:
        folder, lock = _locked(parent)
    except OSError as error:
        raise ParameterError(f"scratch={str(parent)!r}: {error.strerror}; name a folder on a disk") from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        lock.close()


def _locked(parent: Path) -> tuple[Path, IO[str]]:
    """A new folder and its locked file; another where a sweep came between the making and the locking."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        lock = (folder / _LOCK).open("w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / _LOCK).exists():
            return folder, lock
        lock.close()


def sweep(place: Path) -> list[Path]:
    """Remove the folders in a place whose process is gone; returns them."""
    swept = []
    for folder in place.glob(f"{PREFIX}*"):
        with suppress(OSError), (folder / _LOCK).open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises while its process lives
            shutil.rmtree(folder, ignore_errors=True)
            swept.append(folder)
    return swept


def mapped(folder: Path, length: int, dtype: Any) -> NDArray[Any]:
    """An array on the disk of a folder: without a name, so that it ends with the last that uses it.

    >>> mapped(Path(tempfile.gettempdir()), 2, np.float32).tolist()
    [0.0, 0.0]
    """
    kind = np.dtype(dtype)
    size = max(1, length * kind.itemsize)
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            # The room is taken here: where it lacks when a page is written, the system ends the process.
            os.posix_fallocate(file.fileno(), 0, size)
            return np.asarray(np.memmap(file, kind, "r+", shape=(length,)))
    except OSError as error:
        raise ShardError(
            f"{folder}: no room for {size:,} bytes of a temporary file ({error.strerror}); "
            "name a folder on another disk (--scratch)"
        ) from None
