"""Text that is answered as it comes.

Many sentences at a time from a file, from a pipe what is there.
"""

from __future__ import annotations

import os
import re
import select
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import IO, TypeVar

from fstce.errors import CorpusError

Item = TypeVar("Item")
BATCH = 500
_CHUNK = 1 << 16
# A NUL asks for an answer at once, as Apertium's programs have it
_ENDS = re.compile(rb"(?<=[\n\0])")
_LONGEST = 1 << 24  # bytes of a line


class Flow:
    """Lines of bytes from a descriptor, and whether more of them wait."""

    def __init__(self, descriptor: int, name: str) -> None:
        self.name = name
        self._descriptor = descriptor
        self._partial_line = b""
        self._ended = False
        self._lines = deque[bytes]()

    def __iter__(self) -> Iterator[bytes]:
        """The lines, each as soon as it is there."""
        while self._lines or not self._ended:
            if self._lines:
                yield self._lines.popleft()
            else:
                self._fill()

    def read(self) -> bytes:
        """All that is left."""
        return b"".join(self)

    def ready(self) -> int:
        """How many lines can be read without waiting, 1 if none."""
        self.waits()
        return max(len(self._lines), 1)

    def waits(self) -> bool:
        """Whether the next line would have to be waited for."""
        while not (self._lines or self._ended):
            if not select.select([self._descriptor], [], [], 0)[0]:
                return True
            self._fill()
        return False

    def _fill(self) -> None:
        chunk = os.read(self._descriptor, _CHUNK)
        *lines, rest = _ENDS.split(self._partial_line + chunk)
        self._lines.extend(lines)
        self._partial_line = rest
        self._ended = not chunk
        if rest and (
            self._ended or len(rest) > _LONGEST
        ):  # whoever reads it says that it is too long
            self._lines.append(rest)
            self._partial_line = b""


def standard_input() -> Flow | IO[bytes]:
    """Standard input, with what tells whether more of it waits where it has a descriptor."""
    try:
        return _flow(sys.stdin.buffer)
    except (OSError, ValueError):
        return sys.stdin.buffer


@cache
def _flow(source: IO[bytes]) -> Flow:
    return Flow(source.fileno(), source.name if isinstance(source.name, str) else "<stdin>")


def waits(text: str) -> bool:
    """Whether the next line of a text would have to be waited for."""
    if text != "-":
        return False
    flow = standard_input()
    return isinstance(flow, Flow) and flow.waits()


def batches(
    items: Iterable[Item],
    text: str,
    size: Callable[[Item], float] | None = None,
    most: int | None = None,
) -> Iterator[list[Item]]:
    """Many at a time, but what is there goes on before more is waited for.

    What stands before a damaged place is whole: it comes out before the error is raised.

    ``text``: what they are read from; ``-`` is standard input. ``size``: what part of a batch's
    memory an item takes.
    """
    most = most or BATCH
    batch: list[Item] = []
    filled = 0.0

    try:
        for item in items:
            batch.append(item)
            filled += size(item) if size is not None else 0.0
            if len(batch) >= most or filled >= 1 or waits(text):
                yield batch
                batch = []
                filled = 0.0
    except CorpusError:
        if batch:
            yield batch

        raise

    if batch:
        yield batch
