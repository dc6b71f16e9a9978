"""Work on many items together, and on the halves of what exceeds a limit of machines or charts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from fstce.errors import MachineError

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def halved(
    items: Sequence[Item], work: Callable[[Sequence[Item]], Answer]
) -> Iterator[tuple[Sequence[Item], Answer | MachineError]]:
    """Some of the items with what `work` says of them, all in order; of one beyond a limit, its error.

    >>> def work(some):
    ...     if len(some) > 2:
    ...         raise MachineError("too large")
    ...     return sum(some)
    >>> list(halved([1, 2, 3, 4], work))
    [([1, 2], 3), ([3, 4], 7)]
    """
    try:
        answer: Answer | MachineError = work(items)
    except MachineError as error:
        half = len(items) // 2
        if half:
            yield from halved(items[:half], work)
            yield from halved(items[half:], work)
            return
        answer = error
    yield items, answer
