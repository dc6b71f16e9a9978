"""Locks on what is being written: whoever made it holds it, and a sweep removes what nobody holds.

Some file systems have no locks: there nothing is swept, and nobody waits.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE = 10  # seconds


@contextmanager
def fresh(name: Callable[[], Path], make: Callable[[Path], None]) -> Iterator[Path]:
    """A new file or folder, locked while the block lasts; whatever ends the block, it is removed.

    ``name``: a path that nobody else uses. ``make``: makes what it names; an interruption within
    it leaves nothing either.
    """
    while True:
        path = name()
        try:
            make(path)
            with _holding(path) as is_held:
                if is_held:  # else a sweep came between the making and the locking
                    yield path
                    return
        finally:
            _remove(path)


@contextmanager
def locked(path: Path, fault: Exception) -> Iterator[None]:
    """A file for a lock, held while the block lasts; raises `fault` where another process holds it.

    A POSIX lock, because it ends with this process: its workers do not inherit it.
    """
    while True:
        with path.open("a") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno in (errno.EACCES, errno.EAGAIN):
                    raise fault from None

            if _is_at(file.fileno(), path):
                try:
                    yield
                finally:
                    _remove(path)

                return


@contextmanager
def _holding(path: Path) -> Iterator[bool]:
    """Whether a path is locked in the block, and still what it named."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return

    try:
        yield _is_held(descriptor, path)
    finally:
        os.close(descriptor)


def _is_held(descriptor: int, path: Path) -> bool:
    """Whether a path is locked now, and still what was opened."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # there are no locks
        pass

    return _is_at(descriptor, path)


def _is_at(descriptor: int, path: Path) -> bool:
    """Whether a path is still what was opened: another process may have removed it."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), path.stat())
    return False


def sweep(place: Path, pattern: str) -> None:
    """Remove the files and folders of such names whose process is gone."""
    for path in place.iterdir():
        if not re.fullmatch(pattern, path.name) or path.is_symlink():
            continue
        with suppress(OSError):
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # it may be a pipe
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises while it is held
                _remove(path)
            finally:
                os.close(descriptor)


def _remove(path: Path) -> None:
    """Remove a file or a folder if it is there, also where Ctrl-C comes meanwhile."""
    try:
        _delete(path)
    except KeyboardInterrupt:
        _delete(path)
        raise


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    with suppress(OSError):
        path.unlink()


@contextmanager
def in_turn(folder: Path) -> Iterator[None]:
    """While it lasts no other process enters this with a folder, unless nobody lets go of it."""
    until = time.monotonic() + PATIENCE
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        while not _is_held(descriptor, folder) and time.monotonic() < until:
            time.sleep(0.01)

        yield
    finally:
        with suppress(OSError):  # else it stays with what was forked meanwhile
            fcntl.flock(descriptor, fcntl.LOCK_UN)

        os.close(descriptor)
