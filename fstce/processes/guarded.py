"""Work in a child process with limits of time, memory and output, reported step by step.

An author's machine can make OpenFst crash, or determinize for ever: that ends the child alone.
Where nothing is forked, and the work cannot be sent, it is done here, without limits.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import tempfile
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import IO, Any

from fstce.processes.memory import limit
from fstce.processes.workers import Child, can_be_sent, packed, unpacked

Event = dict[str, Any]
Send = Callable[[Event], None]
DIED = "died"
_MOST_OUTPUT = 2**26  # bytes that the child may write to any one file: its messages are kept in one
_ENDED = {"ended": True}  # without it the work called exit(), whatever the exit code


def guarded(work: Callable[[Send], None], seconds: float, megabytes: int) -> Iterator[Event]:
    """The events that `work` sends; where the child dies a last event ``{"died": why}``.

    ``work``: takes a function that sends an event, a dictionary that JSON can hold. ``seconds``:
    the longest time between two events. ``megabytes``: the memory that the child may take besides
    what this process has.

    >>> list(guarded(lambda send: send({"answer": 42}), seconds=60, megabytes=512))
    [{'answer': 42}]
    """
    if not can_be_sent(work):
        events: list[Event] = []
        work(events.append)
        yield from events
        return

    with tempfile.NamedTemporaryFile() as log:
        child = Child(_run, packed(work), log.name, megabytes, daemon=True)
        try:
            child.start()
            while child.pipe.poll(seconds):
                event = json.loads(child.pipe.recv_bytes())
                if event == _ENDED:
                    return

                yield event

            yield {DIED: f"did not end within {seconds:g} s"}
        except EOFError:
            child.process.join()
            yield {DIED: _cause(child.end, megabytes, log)}
        finally:
            child.kill()
            child.pipe.close()


def openfst_says(log: IO[bytes]) -> str:
    """The last error that OpenFst wrote, without its mark; empty where there is none."""
    lines = _text(log).splitlines()
    marked = [line.partition(": ")[2] for line in lines if line.startswith(("ERROR: ", "FATAL: "))]
    return marked[-1] if marked else ""


def _text(log: IO[bytes]) -> str:
    size = os.fstat(log.fileno()).st_size
    return os.pread(log.fileno(), size, 0).decode(errors="replace")


def _run(send: Connection, work: Any, log: str, megabytes: int) -> None:
    faulthandler.disable()  # a crash shows by its exit code; a traceback would go to the terminal
    os.dup2(os.open(log, os.O_RDWR | os.O_APPEND), 2)  # what OpenFst says there is read again
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_OUTPUT, _MOST_OUTPUT))
    limit(megabytes * 2**20)
    unpacked(work)(lambda event: send.send_bytes(json.dumps(event).encode()))
    send.send_bytes(json.dumps(_ENDED).encode())


def _cause(end: str, megabytes: int, log: IO[bytes]) -> str:
    """Why a child ended so; C++ says so where it aborts for want of memory."""
    message = openfst_says(log)
    if end == "SIGABRT" and not message and "bad_alloc" in _text(log):
        return f"needs more than {megabytes:,} MB of memory"
    if end == "exit code 0":
        return "ended the process with exit(0) before it was done"
    return f"crashed the process ({end}{': ' if message else ''}{message})"
