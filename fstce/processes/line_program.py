r"""A program that answers lines, each with one line, as ``--tokenizer`` names it.

The protocol: a line of UTF-8 and ``\n`` go in; exactly one line comes out, which has the characters
of the line but for blanks, before the next goes in. Whatever else happens ends the program and
names the line, for an answer that is lost or that comes too much would shift all that follow.
"""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import weakref
from contextlib import suppress
from typing import IO, Any, cast

from fstce.errors import ParameterError

SILENCE = 30.0
FIRST = 120.0  # seconds without a byte; before the first answer, for some load a model
_GRACE = 1.0  # seconds that a program may take to end after its input has
_BLOCK = 1 << 16
_SHOWN = 40  # characters of a line in a message


class LineProgram:
    """From a line to the words of the answer, by a program that starts with the first line.

    It ends with this object.

    >>> LineProgram("sed -u 's/n/n /'")("sonnets")
    ['son', 'nets']
    """

    def __init__(self, command: str) -> None:
        self._command = command
        self._child: subprocess.Popen[bytes] | None = None
        try:
            self._arguments = shlex.split(command)
        except ValueError as error:
            raise self._error(f"cannot be run: {error}") from None
        if not self._arguments:
            raise self._error("cannot be run: name a command")

    def __call__(self, line: str) -> list[str]:
        """The words of the answer, none of a blank line, which is not asked."""
        if not line.strip():
            return []
        if self._child is None:
            self._child = self._started()
        try:
            words = self._words(self._answer(self._child, line), line)
        except BaseException:
            _end(self._child, os.getpid(), grace=0.0)
            self._child = None  # the next line begins it anew
            raise
        self._seconds = SILENCE
        return words

    def _started(self) -> subprocess.Popen[bytes]:
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
        try:
            child = subprocess.Popen(self._arguments, start_new_session=True, **pipes)
        except (OSError, ValueError) as error:
            raise self._error(
                f"cannot be run: {getattr(error, 'strerror', None) or error}"
            ) from None
        self._seconds = FIRST
        os.set_blocking(cast(IO[bytes], child.stdin).fileno(), False)
        weakref.finalize(self, _end, child, os.getpid())
        return child

    def _answer(self, child: subprocess.Popen[bytes], line: str) -> bytearray:
        """The bytes that answer a line; writing and reading take turns as the pipes allow."""
        into, out = (cast(IO[bytes], stream).fileno() for stream in (child.stdin, child.stdout))
        unsent = memoryview(line.encode("utf-8", "surrogateescape") + b"\n")
        most = 4 * len(unsent) + _BLOCK
        answer = bytearray()
        if select.select([out], [], [], 0)[0] and os.read(out, _BLOCK):
            raise self._error("has written more than its one line before", line)

        while unsent or not answer.endswith(b"\n"):
            ready, free, _ = select.select([out], [into] if unsent else [], [], self._seconds)
            if not (ready or free):
                raise self._error(
                    f"has not answered for {self._seconds:g} seconds (it must answer each line at "
                    "once, without a buffer: sed -u, stdbuf -oL …)",
                    line,
                )

            try:
                if free:
                    unsent = unsent[os.write(into, unsent) :]
                block = os.read(out, _BLOCK) if ready else b""
                has_ended = bool(ready) and not block
            except BrokenPipeError:
                has_ended = True

            if has_ended:
                raise self._error("ended, or reads no more, without an answer to", line)

            # What came before this block has been looked at, but for its last byte.
            answer += block
            if answer.find(b"\n", -len(block) - 1, -1) >= 0 or len(answer) > most:
                raise self._error("writes more than its one line for", line)

        return answer

    def _words(self, answer: bytearray, line: str) -> list[str]:
        words = answer.decode("utf-8", "surrogateescape").split()
        if "".join(words) != "".join(line.split()):
            raise self._error(
                f"answers {' '.join(words)[:_SHOWN]!r}, which has other characters than", line
            )
        return words

    def _error(self, reason: str, line: str = "") -> ParameterError:
        named = f" the line {line[:_SHOWN]!r}" if line else ""
        return ParameterError(f"tokenizer {self._command!r} {reason}{named}")


def _end(child: subprocess.Popen[bytes], owner: int, grace: float = _GRACE) -> None:
    """Close what a program reads, and end it with all that it started; once, and not in a fork."""
    into, out = (cast(IO[bytes], stream) for stream in (child.stdin, child.stdout))
    if os.getpid() != owner or out.closed:  # its number may be another's by now
        return
    into.close()
    with suppress(subprocess.TimeoutExpired):
        child.wait(grace)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    out.close()
