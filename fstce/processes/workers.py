"""What our child processes have in common: how many there are, and that none outlives its parent."""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from fstce.errors import MachineError

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
Item = TypeVar("Item")
Answer = TypeVar("Answer")
MOST = 1000  # processes: as many semaphores are taken before the first begins


def number_of_workers(jobs: int | None) -> int:
    """How many processes `jobs` asks for: None or less than two for one, negative for one a core.

    A daemon may have no children, so it works alone. There are never more than `MOST`.

    >>> number_of_workers(None), number_of_workers(0), number_of_workers(3), number_of_workers(10**12)
    (1, 1, 3, 1000)
    """
    if multiprocessing.current_process().daemon:
        return 1
    return len(os.sched_getaffinity(0)) if jobs is not None and jobs < 0 else max(1, min(jobs or 1, MOST))


def in_threads(work: Callable[[Item], Answer], items: Iterable[Item], jobs: int | None) -> Iterator[Answer]:
    """`work` on each of the items in so many threads, the answers in order.

    What it is for releases Python's lock most of the time, as the loops of scipy and numpy do.

    >>> list(in_threads(len, ["a", "bc"], jobs=2))
    [1, 2]
    """
    threads, rows = number_of_workers(jobs), list(items)
    if min(threads, len(rows)) < 2:
        yield from map(work, rows)
        return
    with ThreadPoolExecutor(min(threads, len(rows))) as pool:
        yield from pool.map(work, rows)


Crew = Callable[[Callable[[Any], object], Iterable[Any]], None]


@contextmanager
def crew(jobs: int | None) -> Iterator[Crew]:
    """So many threads for many rounds: called with work and items, it returns when the work is done on all.

    The items of a round must not depend on one another; a thread that has done one takes the next.

    >>> found = []
    >>> with crew(2) as each:
    ...     each(found.append, [1])
    ...     each(found.append, [2])
    >>> found
    [1, 2]
    """
    others = number_of_workers(jobs) - 1
    with ThreadPoolExecutor(max(1, others)) as pool:  # which starts a thread when there is work for it

        def each(work: Callable[[Any], object], items: Iterable[Any]) -> None:
            waiting = iter(list(items))  # whose next item goes to one thread alone

            def take() -> None:
                for item in waiting:
                    work(item)

            begun = [pool.submit(take) for _ in range(others)]
            take()
            for one in begun:
                one.result()

        yield each


def bind_to(parent: int) -> None:
    """In a child: leave Ctrl-C to the parent, and end with it, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before the line above
        os._exit(1)


_work: Callable[[Any], Any] | None = None


def map_items(
    work: Callable[[Item], Answer], items: Sequence[Item], jobs: int | None = None
) -> Iterator[Answer]:
    """`work` on each of the items, large ones, in order.

    ``work``: from an item to its result, which must be picklable; `work` itself need not be. ``jobs``:
    processes; one (no other process) by default, −1 for as many as there are cores.
    """
    processes = min(number_of_workers(jobs), len(items))
    if processes < 2:
        yield from map(work, items)
        return
    context = multiprocessing.get_context("fork")
    with _frozen(), ProcessPoolExecutor(processes, context, begin, (work, os.getpid())) as pool:
        try:
            yield from pool.map(answered, items)
        except BrokenProcessPool:
            raise MachineError(
                "a process that builds machines died, probably for want of memory; "
                "use fewer jobs, shorter sentences or a coarser tagset"
            ) from None


@contextmanager
def _frozen() -> Iterator[None]:
    """What there is now is left alone by the garbage collector: else children copy all that it marks."""
    if gc.get_freeze_count():  # by someone who knows why
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def begin(work: Callable[[Any], Any], parent: int) -> None:
    """Set up a worker, which ends with its parent."""
    global _work
    _work = work
    bind_to(parent)


def answered(item: Any) -> Any:
    """The work on an item, in a worker."""
    if _work is None:
        raise RuntimeError("a worker was asked before it was set up")
    return _work(item)
