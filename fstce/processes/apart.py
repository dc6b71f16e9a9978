"""Work of compiled code that may end its process, done where it takes none but itself along."""

from __future__ import annotations

import faulthandler
from collections.abc import Callable
from multiprocessing import current_process
from multiprocessing.connection import Connection

from fstce.errors import MachineError
from fstce.processes.memory import limit, memory
from fstce.processes.workers import FORKS, Child


def apart(
    work: Callable[[], bytes],
    where: str,
    most: int | None = None,
    hint: str = "try smaller machines",
) -> bytes:
    """The result of the work, done in a forked process that may take so many bytes of memory.

    By default what is free now, and never more. Where nothing is forked the work is done here.
    Raises MachineError where the work does, and where it ends the process; ``where`` says what it
    is about, ``hint`` what to do then.

    >>> apart(lambda: b"done", "example")
    b'done'
    """
    if not FORKS or current_process().daemon:  # such a one is itself apart, and may start none
        return work()

    free = memory()
    child = Child(_answer, work, min(most or free, free))
    try:
        child.start()
        answer = child.pipe.recv()
    except EOFError:
        child.process.join()
        raise MachineError(
            f"{where}: needs more memory than it may take, or OpenFst cannot do it "
            f"({child.end}); {hint}"
        ) from None
    finally:
        child.kill()
        child.pipe.close()

    if isinstance(answer, bytes):
        return answer
    raise MachineError(answer)


def _answer(pipe: Connection, work: Callable[[], bytes], most: int) -> None:
    """Send the result of the work, or why it is refused as text."""
    faulthandler.disable()  # how it ends is said by the parent
    limit(most)
    try:
        pipe.send(work())
    except MachineError as error:
        pipe.send(str(error))
