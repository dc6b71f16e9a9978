"""The one door for files that users name: what is opened and read there is bounded in size and in time.

A device is refused. A pipe is waited for `PATIENCE` seconds, and no file is read whole that has more than
`LARGEST` bytes.
"""

from __future__ import annotations

import io
import os
import select
import stat
from pathlib import Path
from typing import IO, Any

from fstce.errors import FstceError

PATIENCE = 10  # seconds
LARGEST = 1 << 30  # bytes of a file that is read whole
_BLOCK = 1 << 20


def opened(path: Path, patient: bool = False) -> IO[bytes]:
    """The bytes of a regular file, a pipe or a terminal; raises OSError for what is none of them.

    ``patient``: whether a pipe into which something was written may be silent for any time after that.
    """
    mode = path.stat().st_mode
    if stat.S_ISFIFO(mode):
        return io.BufferedReader(_Pipe(path, patient))
    device = stat.S_ISCHR(mode) and path.resolve() != Path(os.devnull)
    if stat.S_ISBLK(mode) or (device and not _is_terminal(path)):
        raise OSError("a device, not a file")
    return path.open("rb")


def read_bytes(path: Path, kind: type[FstceError], most: int | None = None) -> bytes:
    """All bytes of a file, at most so many (by default `LARGEST`).

    ``kind``: the error to raise: a corpus cannot be read, a machine, ….
    """
    try:
        with opened(path) as stream:
            return read_stream(stream, most)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise kind(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None


def read_stream(stream: IO[bytes], most: int | None = None) -> bytes:
    """All bytes of a stream; raises OSError where there are more than so many (by default `LARGEST`)."""
    most = LARGEST if most is None else most
    blocks, size = [], 0
    while block := stream.read(_BLOCK):
        blocks.append(block)
        size += len(block)
        if size > most:
            raise OSError(f"it has more than {most:,} bytes")
    return b"".join(blocks)


class _Pipe(io.RawIOBase):
    """A pipe with a name, of which no read waits for ever."""

    def __init__(self, path: Path, patient: bool) -> None:
        self._descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # else this would wait for a writer
        self._patient, self._begun = patient, False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        seconds = None if self._patient and self._begun else PATIENCE
        if not select.select([self._descriptor], [], [], seconds)[0]:
            raise OSError(f"a pipe into which nobody has written for {PATIENCE} seconds")
        self._begun = True
        return os.readv(self._descriptor, [buffer])

    def close(self) -> None:
        if not self.closed:
            os.close(self._descriptor)
        super().close()


def _is_terminal(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.isatty()
