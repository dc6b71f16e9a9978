"""A model at work on a text: batch after batch, in other processes too, in the order of the text.

How fast it goes is shown on standard error, as :mod:`fstce.cli.progress` does.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from typing import Annotated, Any, TypeVar

from fstce.cli.options import option
from fstce.cli.progress import sentences_shown
from fstce.cli.streams import waits
from fstce.errors import CorpusError, MachineError
from fstce.processes.workers import bind_to, number_of_workers

Item = TypeVar("Item")
Answer = TypeVar("Answer")

AHEAD = 2  # batches a process that wait for it
Jobs = Annotated[int, option("--jobs N", "Processes that work at a time; -1 for one a core.")]
_work: Callable[[Any], Any] | None = None


def applied(
    work: Callable[[list[Item]], Answer], batches: Iterable[list[Item]], text: str, jobs: int
) -> Iterator[tuple[list[Item], Answer]]:
    """Each batch with its answer, in order.

    Parameters
    ----------
    work : callable
        From a batch to its answer, picklable; `work` itself need not be.
    batches : iterable of lists
    text : str
        What they are read from; from ``-`` no more is read while answers are due.
    jobs : int
        Processes; one for none but this, −1 for one a core. The answers are the same for any number.

    Raises
    ------
    MachineError
        A process died.
    CorpusError
        What the batches raise, behind the answers to those before.

    Examples
    --------
    >>> list(applied(sum, [[1, 2], [3]], "my.txt", jobs=1))
    [([1, 2], 3), ([3], 3)]
    """
    processes = number_of_workers(jobs)
    if processes < 2:
        for batch in batches:
            yield batch, work(batch)
        return
    pending: deque[tuple[list[Item], Future[Answer]]] = deque()
    with _pool(processes, work) as pool:
        try:
            for batch in batches:
                pending.append((batch, pool.submit(_run, batch)))
                while pending and (len(pending) > AHEAD * processes or pending[0][1].done() or waits(text)):
                    yield _next(pending)
        except CorpusError:
            yield from _rest(pending)
            raise
        yield from _rest(pending)


@contextmanager
def _pool(processes: int, work: Callable[[Any], Any]) -> Iterator[ProcessPoolExecutor]:
    """Processes that are ended, whatever they are at, when the block ends badly."""
    context = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(processes, context, _begin, (work, os.getpid()))
    try:
        yield pool
        pool.shutdown()
    except BrokenProcessPool:
        raise MachineError(
            "a process died, probably for want of memory; use fewer --jobs or shorter sentences"
        ) from None
    finally:
        for child in multiprocessing.active_children():
            child.terminate()


def _begin(work: Callable[[Any], Any], parent: int) -> None:
    global _work
    _work = work
    bind_to(parent)


def _run(batch: Any) -> Any:
    if _work is None:
        raise RuntimeError("a worker was asked before it was set up")
    return _work(batch)


def _next(pending: deque[tuple[list[Item], Future[Answer]]]) -> tuple[list[Item], Answer]:
    batch, answer = pending.popleft()
    return batch, answer.result()


def _rest(pending: deque[tuple[list[Item], Future[Answer]]]) -> Iterator[tuple[list[Item], Answer]]:
    while pending:
        yield _next(pending)


def pace_shown(quiet: bool) -> AbstractContextManager[Callable[..., None]]:
    """What shows how many sentences and words a second are done; see :func:`sentences_shown`."""
    # On one terminal with the output a bar would stand between its lines.
    return sentences_shown(quiet=quiet or sys.stdout.isatty())
