"""One command in a forked child: its exit code or signal, and all that it printed.

A child of a process that has imported what the verbs import (`warm`) begins its work at once.
"""

from __future__ import annotations

import gc
import importlib
import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

SECONDS = 60.0  # a case that has not ended by then, though the machine is free, hangs
PROCESSOR = 10.0  # seconds of the processor that a command may take, and so much more
PROCESSOR_A_BYTE = 1e-4  # for each byte of the files that it names
PEAK = 250.0  # megabytes that a command may take beside what the process has, and so much more
PEAK_A_BYTE = 4e-4  # for each byte
MEGABYTES = 1500  # of addresses, beside what the process has already: a hard end
MEMORY = "/dev/shm"  # where it is there, files that live as long as a case lie in memory
PLACE = MEMORY if os.access(MEMORY, os.W_OK) else None
_ENDING = {signal.SIGINT, signal.SIGTERM}
Sent = tuple[float, int]  # after so many seconds, which signal


class Spent(NamedTuple):
    """What a command takes, or may: seconds of the processor, and megabytes beside the parent's."""

    processor: float
    megabytes: float


class Ended(NamedTuple):
    """How a child ended: `code` is None where it was killed for its time, negative for a signal."""

    code: int | None
    out: bytes
    err: bytes
    seconds: float
    spent: Spent
    budget: Spent | None = None


def run(
    arguments: Sequence[str],
    *,
    prepare: Callable[[], None] = lambda: None,
    seconds: float = SECONDS,
    megabytes: int | None = MEGABYTES,
    folder: Path | None = None,
    stdin: bytes = b"",
    sent: Sent | None = None,
) -> Ended:
    """The end of ``fstce ARGUMENTS`` in a child that `prepare` is called in first, and that a signal may meet."""

    def work() -> int:
        from fstce.__main__ import run as program

        sys.argv = ["fstce", *arguments]
        try:
            program()
        except SystemExit as exit:
            return exit.code if isinstance(exit.code, int) else 70
        return 0

    return call(
        work,
        prepare=prepare,
        budget=_budget(arguments, folder, stdin) if seconds <= SECONDS else None,
        seconds=seconds,
        megabytes=megabytes,
        folder=folder,
        stdin=stdin,
        sent=sent,
    )


def _budget(arguments: Sequence[str], folder: Path | None, stdin: bytes) -> Spent:
    """What a command may take, by the bytes of its inputs."""
    size = len(stdin)
    for argument in arguments:
        with suppress(OSError, ValueError):
            path = Path(folder or ".", argument)
            size += path.stat().st_size if path.is_file() else 0
    return Spent(PROCESSOR + size * PROCESSOR_A_BYTE, PEAK + size * PEAK_A_BYTE)


def warm(commands: Iterable[Sequence[str]], folder: Path) -> None:
    """Import what these commands import, each run in a child, that their next children need not."""
    from fstce.cli import main

    for command in commands:

        def work(arguments: Sequence[str] = command) -> int:
            main.main(arguments)
            found = [
                name for name, module in sys.modules.items() if getattr(module, "__spec__", None)
            ]
            Path(listed.name).write_text("\n".join(found))
            return 0

        with tempfile.NamedTemporaryFile() as listed:
            call(work, folder=folder)
            for name in Path(listed.name).read_text().splitlines():
                with suppress(ImportError):  # made by its package, not found by its name
                    importlib.import_module(name)
    gc.freeze()  # a collection in a child would copy the pages of all that is here


def call(
    work: Callable[[], int],
    *,
    prepare: Callable[[], None] = lambda: None,
    budget: Spent | None = None,
    seconds: float = SECONDS,
    megabytes: int | None = MEGABYTES,
    folder: Path | None = None,
    stdin: bytes = b"",
    sent: Sent | None = None,
) -> Ended:
    """The end of `work` in a child; its result is the exit code.

    ``budget``: what the child may take; at twice its seconds of the processor it is ended.
    """
    with (
        tempfile.TemporaryFile(dir=PLACE) as given,
        tempfile.TemporaryFile(dir=PLACE) as out,
        tempfile.TemporaryFile(dir=PLACE) as err,
    ):
        given.write(stdin)
        given.flush()
        os.lseek(given.fileno(), 0, os.SEEK_SET)
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)  # until the child can take them
        began = time.monotonic()
        resident = _pages()[1] * resource.getpagesize()
        child = os.fork()
        if not child:
            os.setsid()
            for number, stream in enumerate((given, out, err)):
                os.dup2(stream.fileno(), number)
            _work(work, prepare, budget, megabytes, folder)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        code, usage = _awaited(child, seconds, sent)
        taken = time.monotonic() - began
        grown = usage.ru_maxrss / 1024 - resident / 2**20
        spent = Spent(usage.ru_utime + usage.ru_stime, max(0.0, grown))
        return Ended(code, _content(out.fileno()), _content(err.fileno()), taken, spent, budget)


def _pages() -> list[int]:
    """The pages of addresses that this process has, those of them in memory, and others."""
    return [int(number) for number in Path("/proc/self/statm").read_text().split()]


def _work(
    work: Callable[[], int],
    prepare: Callable[[], None],
    budget: Spent | None,
    megabytes: int | None,
    folder: Path | None,
) -> None:
    """Never returns."""
    code = 70
    try:
        pages = _pages()[0]
        prepare()
        sys.stdin, sys.stdout, sys.stderr = (_stream(i, mode) for i, mode in enumerate("rww"))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        if megabytes is not None:
            most = pages * resource.getpagesize() + megabytes * 2**20
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        if budget is not None:
            longest = int(2 * budget.processor)
            resource.setrlimit(resource.RLIMIT_CPU, (longest, longest + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if folder is not None:
            os.chdir(folder)
        code = work()
    except KeyboardInterrupt:  # before the command began, or after its end
        code = 130
    except MemoryError:  # in what is not the command's own
        code = _without_memory()
    except BaseException as error:  # the child must never go on in its parent's loop
        try:
            if isinstance(error, SystemError) and "without" in str(error):  # of functions in C
                code = _without_memory()
            else:
                sys.stderr.write(f"Traceback: {type(error).__name__}: {error}\n")
        except MemoryError:
            code = _without_memory()
        except (OSError, ValueError, AttributeError):
            pass
    finally:
        try:
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError, AttributeError, MemoryError):
                    stream.flush()
        finally:  # there may be no memory to suppress what comes from having none
            os._exit(code)


def _without_memory() -> int:
    os.write(2, b"out of memory\n")
    return 1


def _stream(descriptor: int, mode: str) -> Any:
    """As Python opens its standard streams: None where the descriptor is closed."""
    try:
        return os.fdopen(descriptor, mode, errors="backslashreplace" if descriptor == 2 else None)
    except OSError:
        return None


def _awaited(
    child: int, seconds: float, sent: Sent | None
) -> tuple[int | None, resource.struct_rusage]:
    """The child's exit code, −n for signal n, None for one that had to be killed; its use."""
    handle = os.pidfd_open(child)
    seconds *= max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # others work here, too
    try:
        if sent and not select.select([handle], [], [], sent[0])[0]:
            os.kill(child, sent[1])
        ended = bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)
    if not ended:
        os.killpg(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    with suppress(ProcessLookupError):  # grandchildren that it left behind
        os.killpg(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(status)
    return code if ended else None, usage


def _content(descriptor: int) -> bytes:
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0)
