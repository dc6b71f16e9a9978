"""Work of compiled code that may end its process, done where it takes none but itself along."""

from __future__ import annotations

import faulthandler
import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from fstce.errors import MachineError

_FORKS = hasattr(os, "fork") and sys.platform != "darwin"
_DONE = b"\0"
_REFUSED = b"\1"


def apart(work: Callable[[], bytes], where: str) -> bytes:
    """The result of the work, done in a forked process that may take the memory that is free now.

    Where nothing is forked it is done here. Raises MachineError where the work does, and where it
    ends the process; ``where`` says what it is about.

    >>> apart(lambda: b"done", "example")
    b'done'
    """
    if not _FORKS:
        return work()

    begin, end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(begin)
        _answer(work, end)

    os.close(end)
    try:
        with os.fdopen(begin, "rb") as pipe:
            answer = pipe.read()
    except BaseException:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)

        raise
    finally:
        _, status = os.waitpid(child, 0)

    if answer.startswith(_REFUSED):
        raise MachineError(answer[1:].decode())
    if status != 0 or not answer:
        code = os.waitstatus_to_exitcode(status)
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        raise MachineError(
            f"{where}: needs more memory than there is, or OpenFst cannot do it ({how}); try "
            "smaller machines"
        )

    return answer[1:]


def _answer(work: Callable[[], bytes], end: int) -> None:
    """Do the work and write the answer, in the child, which ends with it."""
    code = 1
    faulthandler.disable()  # how it ends is said by the parent
    try:
        _limit_memory()
        try:
            answer = _DONE + work()
        except MachineError as error:
            answer = _REFUSED + str(error).encode("utf-8", "replace")
        with os.fdopen(end, "wb") as pipe:
            pipe.write(answer)
        code = 0
    finally:
        os._exit(code)


def _limit_memory() -> None:
    """Let this process take no more than the system has free, where it says how much that is."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + 1024 * free
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))
