"""Memory: how much there is, and whether compiled code may take so much of it."""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SLACK = 24 << 20  # bytes: what one operation of OpenFst on a machine of ordinary size may take


def memory() -> int:
    """The bytes of memory that can be taken without swapping; else all of it."""
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return _said_by_linux("/proc/meminfo", "MemAvailable:") or physical


def own_memory() -> int:
    """The bytes that this process has for itself, without mapped files; 0 where none are told."""
    return _said_by_linux("/proc/self/status", "RssAnon:")


def _said_by_linux(file: str, name: str) -> int:
    with suppress(OSError, LookupError, ValueError, StopIteration):
        rows = (line.split() for line in Path(file).read_text().splitlines())
        return 1024 * next(int(row[1]) for row in rows if row[0] == name)
    return 0


def check_room(nbytes: int = SLACK) -> None:
    """Raise MemoryError where so many bytes are not left: OpenFst would abort, OpenBLAS wait.

    >>> check_room(1 << 60)
    Traceback (most recent call last):
    MemoryError: no room for 1,152,921,504,606,846,976 bytes
    """
    try:
        mmap.mmap(-1, nbytes).close()
    except OSError:
        raise MemoryError(f"no room for {nbytes:,} bytes") from None


def keep_freed() -> None:
    """Let this process keep the memory that it frees, for what it takes next, where glibc can.

    Else large arrays go back to the system, and the next ones cost a page fault every 4 kB.
    """
    with suppress(AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(-4, 0)  # M_MMAP_MAX of malloc.h
        mallopt(-1, -1)  # M_TRIM_THRESHOLD


def limit(nbytes: int) -> None:
    """Let this process take at most so many bytes more than it has, and leave no core."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError):  # no /proc: macOS keeps no limit of memory either
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = pages * resource.getpagesize() + nbytes
        if soft == resource.RLIM_INFINITY or most < soft:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))


@contextmanager
def limited(nbytes: int) -> Iterator[None]:
    """Let this process take at most so many bytes more than it has while the block lasts.

    That is for one that has a limit already: beyond it, compiled code ends the process.
    """
    before = resource.getrlimit(resource.RLIMIT_AS)
    if before[0] != resource.RLIM_INFINITY:
        limit(nbytes)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
