"""Files that appear whole or not at all: written next to their place, then moved into it.

What users name is opened and read here too, bounded in size and in time: a device is refused, a
pipe is waited for `PATIENCE` seconds, and no file is read whole that has more than `LARGEST` bytes.
"""

from __future__ import annotations

import errno
import io
import os
import re
import select
import shutil
import stat
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any

from fstce.errors import FstceError
from fstce.numeric.types import PathName
from fstce.processes.signals import undisturbed
from fstce.storage.locks import fresh, sweep

_LITTLE = 1 << 16  # bytes left of a disk that is full
_HIDDEN = ".fstce-"  # what the name of a file that is being written begins with
_swept: set[Path] = set()
_group: ContextVar[ExitStack | None] = ContextVar("files that are moved together", default=None)


@contextmanager
def together() -> Iterator[None]:
    """Move the files that are written in the block into place at its end, all of them or none."""
    with ExitStack() as files:
        files.callback(_group.set, _group.get())
        _group.set(files)
        yield
        with undisturbed():
            files.close()


@contextmanager
def replacing(path: PathName, error_type: type[FstceError]) -> Iterator[Path]:
    """A temporary path beside `path`, moved to it when the block ends well, or that of `together`
    around it; else an `error_type`.

    A device, a pipe and ``/dev/stdout`` are written into: moved there, the file would take their
    place. A link stays one, and a file that is replaced keeps its rights.
    """
    path = Path(path)
    group = _group.get()
    with ExitStack() as file:
        yield file.enter_context(_replacing(path, error_type))
        if group is not None and not is_written_into(path):
            group.enter_context(file.pop_all())


@contextmanager
def _replacing(path: Path, error_type: type[FstceError]) -> Iterator[Path]:
    through = is_written_into(path)
    target = path if through else Path(os.path.realpath(path))
    folder = Path(tempfile.gettempdir()) if through else target.parent

    def name() -> Path:
        # The suffix stays, for graphviz and for people who look at a running job.
        return folder / f"{_HIDDEN}{uuid.uuid4().hex}{path.suffix[:20]}"

    def make(temporary: Path) -> None:
        temporary.touch(0o600 if target.is_file() else 0o666, exist_ok=False)

    try:
        check_place(path, error_type)
        _sweep(folder)
        with fresh(name, make) as temporary:
            if target.is_file():
                shutil.copymode(target, temporary)

            yield temporary
            # Still locked: between the end of a lock and the move another's sweep may come.
            if through:
                with _opened(path) as stream, temporary.open("rb") as content:
                    shutil.copyfileobj(content, stream)
            elif target.is_symlink():  # which leads in a circle
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            else:
                temporary.replace(target)
    except FstceError:
        raise
    except OSError as error:
        why = reason(error, target.parent)
        raise error_type(f"{path}: cannot be written ({why}); choose another folder") from None


def _sweep(folder: Path) -> None:
    """Remove what writers that were killed have left in a folder; once a process."""
    if folder not in _swept:
        _swept.add(folder)
        sweep(folder, rf"{re.escape(_HIDDEN)}[0-9a-f]{{32}}(\..*)?")


def write_whole(path: PathName, content: str | bytes, error_type: type[FstceError]) -> Path:
    """Write text (UTF-8) or bytes; the path holds the old or the new content.

    Line ends are as they are.
    """
    path = Path(path)
    data = content if isinstance(content, bytes) else _encoded(content, path, error_type)
    with replacing(path, error_type) as temporary:
        temporary.write_bytes(data)
    return path


def reason(error: Exception, folder: Path) -> str:
    """Why a folder cannot be written; numpy and OpenFst do not say that a disk is full."""
    strerror = getattr(error, "strerror", None)
    if strerror:
        return str(strerror)
    with suppress(OSError):
        if "requested and" in str(error) or shutil.disk_usage(folder).free < _LITTLE:
            return os.strerror(errno.ENOSPC)
    return str(error)


def marked(text: str) -> str:
    """The text as a file begins with it: a word's own U+FEFF would be taken for the file's mark.

    >>> marked("dog"), marked("\\ufeffdog")
    ('dog', '\\ufeff\\ufeffdog')
    """
    return "\ufeff" * text.startswith("\ufeff") + text


def _encoded(text: str, path: Path, error_type: type[FstceError]) -> bytes:
    try:
        return marked(text).encode("utf-8")
    except UnicodeEncodeError as error:
        around = ascii(text[max(error.start - 20, 0) : error.end + 20])
        raise error_type(
            f"{path}: cannot be written: half a character (a surrogate) in {around}"
        ) from None


def _opened(path: Path) -> IO[bytes]:
    """A device or a pipe to write into; a pipe is waited for until somebody reads it."""
    if not path.is_fifo():
        return path.open("wb")

    until = time.monotonic() + PATIENCE
    while True:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > until:
                raise OSError(f"a pipe from which nobody has read for {PATIENCE} seconds") from None

            time.sleep(0.05)
        else:
            os.set_blocking(descriptor, True)
            return os.fdopen(descriptor, "wb")


def is_written_into(path: Path) -> bool:
    """Whether a path is a device, a pipe, a socket or an open file, and is not replaced."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    if stat.S_ISDIR(mode):
        return False
    ways = (path, path.readlink() if path.is_symlink() else path)
    return not stat.S_ISREG(mode) or any(re.match("/proc/|/dev/fd/", str(way)) for way in ways)


def check_place(path: Path, error_type: type[FstceError]) -> None:
    """Raise an `error_type` where a file cannot be written, before the work that makes it."""
    reason = ""
    if str(path).encode("utf-8", "replace").decode() != str(path):
        reason = "the path is not UTF-8; choose another"
    elif path.is_dir():
        reason = "it is a folder; name a file in it"
    elif not path.parent.is_dir():
        reason = f"there is no folder {path.parent}; make it first"
    elif not is_written_into(path) and not os.access(path.parent, os.W_OK):
        reason = f"the folder {path.parent} is read-only; choose another"

    if reason:
        raise error_type(f"{path}: cannot be written: {reason}")


PATIENCE = 10  # seconds
LARGEST = 1 << 30  # bytes of a file that is read whole
_BLOCK = 1 << 20


def opened(path: Path, patient: bool = False) -> IO[bytes]:
    """The bytes of a regular file, a pipe or a terminal; raises OSError for what is none of them.

    ``patient``: whether a pipe into which something was written may be silent for any time after
    that.
    """
    mode = path.stat().st_mode
    if stat.S_ISFIFO(mode):
        return io.BufferedReader(_Pipe(path, patient))
    device = stat.S_ISCHR(mode) and path.resolve() != Path(os.devnull)
    if stat.S_ISBLK(mode) or (device and not _is_terminal(path)):
        raise OSError("a device, not a file")
    return path.open("rb")


def read_bytes(path: Path, error_type: type[FstceError]) -> bytes:
    """All bytes of a file, at most `LARGEST`; else an `error_type`."""
    try:
        with opened(path) as stream:
            return read_stream(stream)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise error_type(
            f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})"
        ) from None


def read_stream(stream: IO[bytes]) -> bytes:
    """All bytes of a stream; raises OSError where there are more than `LARGEST`."""
    blocks = []
    size = 0
    while block := stream.read(_BLOCK):
        blocks.append(block)
        size += len(block)
        if size > LARGEST:
            raise OSError(f"it has more than {LARGEST:,} bytes")
    return b"".join(blocks)


def hashed(path: Path, digest: Any) -> str:
    """The digest of a file by a hash of :mod:`hashlib`, in hexadecimal digits."""
    with opened(path) as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return str(digest.hexdigest())


class _Pipe(io.RawIOBase):
    """A pipe with a name, of which no read waits for ever."""

    def __init__(self, path: Path, patient: bool) -> None:
        # Without O_NONBLOCK this would wait for a writer
        self._descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self._patient = patient
        self._begun = False

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
