"""Temporary folders that are removed at the end, and swept by the next one after a kill."""

from __future__ import annotations

import os
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import ParameterError, ShardError
from fstce.storage.locks import fresh, sweep

PREFIX = "fstce-scratch-"
_BLOCK = 1 << 20  # bytes written at once


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """A new folder in another, removed with the block."""

    def name() -> Path:
        return parent / f"{PREFIX}{uuid.uuid4().hex}"

    def make(folder: Path) -> None:
        try:
            folder.mkdir(0o700)
        except OSError as error:
            raise ParameterError(
                f"{parent}: no temporary files there ({error.strerror}); TMPDIR names a place"
            ) from None

    with suppress(OSError):
        sweep(parent, f"{PREFIX}.*")

    with fresh(name, make) as folder:
        yield folder


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
            "TMPDIR names a folder on another disk"
        ) from None
