"""Text that is answered as it comes: in batches from a file, at once from a keyboard."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from fstce.errors import CorpusError

Item = TypeVar("Item")
BATCH = 500


def batches(items: Iterable[Item], text: str) -> Iterator[list[Item]]:
    """Many at a time; one at a time from a keyboard, so that the answer follows the question.

    What stands before a damaged place is whole: it comes out before the error is raised.

    Parameters
    ----------
    items : iterable
    text : str
        What they are read from; ``-`` is standard input.

    Examples
    --------
    >>> [len(batch) for batch in batches(range(1200), "my.txt")]
    [500, 500, 200]
    """
    size = 1 if text == "-" and sys.stdin.isatty() else BATCH
    batch: list[Item] = []
    try:
        for item in items:
            batch.append(item)
            if len(batch) == size:
                yield batch
                batch = []
    except CorpusError:
        if batch:
            yield batch
        raise
    if batch:
        yield batch
