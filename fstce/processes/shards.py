"""Work on OpenFst machines in several processes: pynini holds Python's lock, so threads do not help.

Results come back in order, so the outcome does not depend on the number of processes.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from fstce.errors import MachineError
from fstce.processes.workers import bind_to, number_of_workers

Item = TypeVar("Item")
Result = TypeVar("Result")

_work: Callable[[Any], Any] | None = None


def map_items(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int | None = None
) -> Iterator[Result]:
    """`work` on each of the items, large ones, in order.

    ``work``: from an item to its result, which must be picklable; `work` itself need not be. ``jobs``:
    processes; one (no other process) by default, −1 for as many as there are cores.
    """
    processes = min(number_of_workers(jobs), len(items))
    if processes < 2:
        yield from map(work, items)
        return
    context = multiprocessing.get_context("fork")
    with _frozen(), ProcessPoolExecutor(processes, context, _begin, (work, os.getpid())) as pool:
        try:
            yield from pool.map(_run, items)
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


def _begin(work: Callable[[Any], Any], parent: int) -> None:
    global _work
    _work = work
    bind_to(parent)


def _run(shard: Any) -> Any:
    if _work is None:
        raise RuntimeError("a worker was asked before it was set up")
    return _work(shard)
