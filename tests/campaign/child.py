"""One command in a forked child: its exit code or signal, and all that it printed."""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

SECONDS = 60.0  # a case on these small inputs takes under one; beyond, it hangs
MEGABYTES = 1500  # beside what the process has already


class Ended(NamedTuple):
    """How a child ended: `code` is None where it was killed for its time, negative for a signal."""

    code: int | None
    out: bytes
    err: bytes
    seconds: float


def run(
    arguments: Sequence[str],
    *,
    prepare: Callable[[], None] = lambda: None,
    seconds: float = SECONDS,
    megabytes: int | None = MEGABYTES,
    folder: Path | None = None,
    stdin: bytes = b"",
) -> Ended:
    """The end of ``fstce ARGUMENTS`` in a child that `prepare` is called in first."""

    def work() -> int:
        from fstce.cli import main

        sys.argv = ["fstce", *arguments]
        try:
            main.run()
        except SystemExit as exit:
            return exit.code if isinstance(exit.code, int) else 70
        return 0

    return call(work, prepare=prepare, seconds=seconds, megabytes=megabytes, folder=folder, stdin=stdin)


def call(
    work: Callable[[], int],
    *,
    prepare: Callable[[], None] = lambda: None,
    seconds: float = SECONDS,
    megabytes: int | None = MEGABYTES,
    folder: Path | None = None,
    stdin: bytes = b"",
) -> Ended:
    """The end of `work` in a child; its result is the exit code."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.flush()
        os.lseek(given.fileno(), 0, os.SEEK_SET)
        began = time.monotonic()
        child = os.fork()
        if not child:
            os.setsid()
            for number, stream in enumerate((given, out, err)):
                os.dup2(stream.fileno(), number)
            _work(work, prepare, megabytes, folder)
        code = _awaited(child, seconds)
        taken = time.monotonic() - began
        return Ended(code, _content(out.fileno()), _content(err.fileno()), taken)


def _work(
    work: Callable[[], int], prepare: Callable[[], None], megabytes: int | None, folder: Path | None
) -> None:
    """Never returns."""
    code = 70
    try:
        prepare()
        sys.stdin, sys.stdout, sys.stderr = (_stream(i, mode) for i, mode in enumerate("rww"))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if megabytes is not None:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            most = pages * resource.getpagesize() + megabytes * 2**20
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if folder is not None:
            os.chdir(folder)
        code = work()
    except KeyboardInterrupt:  # before the command began, or after its end
        code = 130
    except MemoryError:  # in what is not the command's own
        code = 1
        os.write(2, b"out of memory\n")
    except BaseException as error:  # the child must never go on in its parent's loop
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(f"Traceback: {type(error).__name__}: {error}\n")
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(code)


def _stream(descriptor: int, mode: str) -> Any:
    """As Python opens its standard streams: None where the descriptor is closed."""
    try:
        return os.fdopen(descriptor, mode)
    except OSError:
        return None


def _awaited(child: int, seconds: float) -> int | None:
    """The child's exit code, −n for signal n, None for one that had to be killed."""
    handle = os.pidfd_open(child)
    try:
        ended = bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)
    if not ended:
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with suppress(ProcessLookupError):  # grandchildren that it left behind
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status) if ended else None


def _content(descriptor: int) -> bytes:
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0)
