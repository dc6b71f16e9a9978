"""Work in a child process with limits of time, memory and output, reported step by step.

An author's machine can make OpenFst crash, or determinize for ever: that ends the child alone. Where nothing
is forked, and the work cannot be sent, it is done here, without limits.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any

from fstce.processes.workers import bind_to, can_be_sent, packed, starting, unpacked

Event = dict[str, Any]
Tell = Callable[[Event], None]
DIED = "died"
_MOST_OUTPUT = 2**26  # bytes that the child may write to any one file: its messages are kept in one
_ENDED = {"ended": True}  # without it the work called exit(), whatever the exit code


def guarded(work: Callable[[Tell], None], seconds: float, megabytes: int) -> Iterator[Event]:
    """What `work` tells, as it comes; where the child dies a last event ``{"died": why}``.

    ``work``: takes a function that sends an event, a dictionary that JSON can hold. ``seconds``: the longest
    time between two events. ``megabytes``: the memory that the child may take besides what this process has.

    >>> list(guarded(lambda tell: tell({"answer": 42}), seconds=60, megabytes=512))
    [{'answer': 42}]
    """
    if not can_be_sent(work):
        events: list[Event] = []
        work(events.append)
        yield from events
        return
    context = starting()
    receive, send = context.Pipe(duplex=False)
    with tempfile.NamedTemporaryFile() as log:
        child = context.Process(
            target=_run, args=(packed(work), send, log.name, megabytes, os.getpid()), daemon=True
        )
        child.start()
        send.close()
        try:
            while receive.poll(seconds):
                event = json.loads(receive.recv_bytes())
                if event == _ENDED:
                    return
                yield event
            yield {DIED: f"did not end within {seconds:g} s"}
        except EOFError:
            child.join()
            yield {DIED: _cause(child.exitcode or 0, megabytes, log)}
        finally:
            if child.pid is not None:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
            child.kill()
            child.join()
            receive.close()


def openfst_says(log: IO[bytes]) -> str:
    """The last error that OpenFst wrote, without its mark; empty where there is none."""
    lines = _text(log).splitlines()
    marked = [line.partition(": ")[2] for line in lines if line.startswith(("ERROR: ", "FATAL: "))]
    return marked[-1] if marked else ""


def _text(log: IO[bytes]) -> str:
    size = os.fstat(log.fileno()).st_size
    return os.pread(log.fileno(), size, 0).decode(errors="replace")


def _run(work: Any, send: Connection, log: str, megabytes: int, parent: int) -> None:
    os.setsid()  # what it starts is of its process group, which ends with it
    bind_to(parent)
    faulthandler.disable()  # a crash shows by its exit code; a traceback would go to the terminal
    os.dup2(os.open(log, os.O_RDWR | os.O_APPEND), 2)  # what OpenFst says there is read again
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_OUTPUT, _MOST_OUTPUT))
    with suppress(FileNotFoundError):  # no /proc: macOS keeps no limit of memory either
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])  # of the address space
        most = pages * resource.getpagesize() + megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    unpacked(work)(lambda event: send.send_bytes(json.dumps(event).encode()))
    send.send_bytes(json.dumps(_ENDED).encode())


def _cause(code: int, megabytes: int, log: IO[bytes]) -> str:
    """Why a child ended with this code; C++ says so where it aborts for want of memory."""
    said = openfst_says(log)
    if code == -signal.SIGABRT and not said and "bad_alloc" in _text(log):
        return f"needs more than {megabytes:,} MB of memory"
    if code == 0:
        return "ended the process with exit(0) before it was done"
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return f"crashed the process ({name}{': ' if said else ''}{said})"
