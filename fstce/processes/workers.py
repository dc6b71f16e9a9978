"""Child processes: how they begin, how many there are, that none outlives its parent.

Where the system's libraries do not survive it, as macOS's Accelerate, nothing is forked: a child is
a Python of its own (``spawn``), which only what can be pickled is sent to. What cannot is done in
this process.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.reduction import ForkingPickler
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar

from fstce.errors import MachineError
from fstce.processes.signals import end_by_default, undisturbed

FORKS = hasattr(os, "fork") and sys.platform != "darwin"
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
Item = TypeVar("Item")
Answer = TypeVar("Answer")
MOST = 64  # processes, on a machine of fewer cores: each takes a while to begin, and memory


def starting() -> ForkContext | SpawnContext:
    """The context that starts child processes."""
    return multiprocessing.get_context("fork") if FORKS else multiprocessing.get_context("spawn")


def can_be_sent(work: object) -> bool:
    """Whether a child can be given this: a forked one anything, another what can be pickled."""
    if not FORKS:
        try:
            ForkingPickler.dumps(work)
        except Exception:  # whatever of it says that it cannot
            return False
    return True


def packed(work: Any) -> Any:
    """The work as a child is given it."""
    if FORKS:
        return work
    return bytes(ForkingPickler.dumps(work))


def unpacked(work: Any) -> Any:
    """The work in the child; an author's file may start a process when it is loaded."""
    if FORKS:
        return work
    return ForkingPickler.loads(work)


def number_of_workers(jobs: int | None, work: object = None) -> int:
    """How many processes `jobs` asks for: None or less than two for one, negative for one a core.

    A daemon may have no children, so it works alone, as does `work` that cannot be sent.

    >>> [number_of_workers(jobs) for jobs in (None, 0, 3)], number_of_workers(10**12) < 10**6
    ([1, 1, 3], True)
    """
    wanted = jobs or 1
    processes = cores() if wanted < 0 else min(wanted, max(MOST, cores()))
    single = multiprocessing.current_process().daemon or (processes > 1 and not can_be_sent(work))
    return 1 if single else processes


def cores() -> int:
    """The cores that this process may use, where the system says it; else all that there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_threads(
    work: Callable[[Item], Answer], items: Iterable[Item], jobs: int | None
) -> Iterator[Answer]:
    """`work` on each of the items in so many threads, the answers in order.

    What it is for releases Python's lock most of the time, as the loops of scipy and numpy do.
    """
    with crew(jobs) as each:
        yield from each(work, items)


Crew = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]


@contextmanager
def crew(jobs: int | None) -> Iterator[Crew]:
    """So many threads for many rounds: called with work and items, it gives the answers in order.

    The items of a round must not depend on one another; a thread that has done one takes the next.
    """
    threads = number_of_workers(jobs)
    if threads < 2:
        yield map
        return

    executor = ThreadPoolExecutor(threads)  # which starts a thread when there is work for it

    def each(work: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        with undisturbed():
            answers = [Pending(executor.submit(work, item)) for item in items]
        return (answer.result() for answer in answers)

    try:
        yield each
    finally:
        with undisturbed():
            executor.shutdown(cancel_futures=True)


class Pending(Generic[Answer]):
    """The answer to an item that another thread or process works on; Ctrl-C ends the wait for it.

    A `Future` is waited for with locks of :mod:`threading`: an exception between two steps of that
    leaves one taken, for which whoever brings the answer waits for ever. It is made undisturbed.
    """

    def __init__(self, future: Future[Answer]) -> None:
        self._ended: SimpleQueue[Future[Answer]] = SimpleQueue()
        future.add_done_callback(self._ended.put)

    def done(self) -> bool:
        """Whether the answer is there."""
        return not self._ended.empty()

    def result(self) -> Answer:
        """The answer, once; raises what the work has raised."""
        return self._ended.get().result()


def bind_to(parent: int) -> None:
    """In a child: leave Ctrl-C to the parent, and end with it, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_by_default()
    prctl = getattr(ctypes.CDLL(None), "prctl", None)  # of Linux alone
    if prctl is not None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        Thread(target=_end_with_parent, daemon=True).start()
    if os.getppid() != parent:  # it ended before the line above
        os._exit(1)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


class Child:
    """A process in a session of its own, killed with all it started, and its pipe.

    ``run``: called in the process with its end of the pipe and the arguments. It begins with
    :meth:`start`, in a block that ends with :meth:`kill`: Ctrl-C may come right behind the start.
    """

    def __init__(self, run: Callable[..., None], *arguments: Any, daemon: bool = False) -> None:
        context = starting()
        self.pipe: Any
        self.pipe, self._end = context.Pipe(duplex=False)
        target = partial(_in_session, run, self._end, os.getpid())
        self.process: Any = context.Process(target=target, args=arguments, daemon=daemon)

    def start(self) -> None:
        """Start the process."""
        with undisturbed():
            self.process.start()
            self._end.close()

    def kill(self) -> None:
        """End the process, if it has begun, and those that it started."""
        if self.process.pid is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()

    @property
    def end(self) -> str:
        """How the process has ended: the name of a signal, or its exit code."""
        code = self.process.exitcode or 0
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def _in_session(run: Callable[..., None], pipe: Connection, parent: int, *arguments: Any) -> None:
    os.setsid()  # what it starts is of its process group, which ends with it
    bind_to(parent)
    run(pipe, *arguments)


_work: Callable[[Any], Any]  # of a worker, from its beginning


def map_items(
    work: Callable[[Item], Answer], items: Sequence[Item], jobs: int | None = None
) -> Iterator[Answer]:
    """`work` on each of the items, large ones, in order; results must be picklable."""
    processes = min(number_of_workers(jobs, work), len(items))
    if processes < 2:
        yield from map(work, items)
        return
    with _frozen(), pool(processes, work) as submit:
        futures = [submit(item) for item in items]
        yield from (future.result() for future in futures)


@contextmanager
def pool(
    processes: int, work: Callable[[Item], Answer]
) -> Iterator[Callable[[Item], Pending[Answer]]]:
    """A function that sends an item to processes; they are ended when the block ends badly."""
    before = multiprocessing.active_children()
    executor = ProcessPoolExecutor(processes, starting(), _begin, (packed(work), os.getpid()))

    def submit(item: Item) -> Pending[Answer]:
        with undisturbed():
            return Pending(executor.submit(_answered, item))

    try:
        yield submit
        executor.shutdown()
    except BrokenProcessPool:
        raise MachineError(
            "a process died, probably for want of memory; use fewer jobs (on the command line "
            "fewer --jobs), shorter sentences or a coarser tagset"
        ) from None
    except BaseException:
        with undisturbed():
            for child in multiprocessing.active_children():
                if child not in before:
                    child.kill()

        raise


@contextmanager
def _frozen() -> Iterator[None]:
    """Keep the garbage collector from what there is now: else children copy all that it marks."""
    if gc.get_freeze_count():  # by someone who knows why
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _begin(work: Any, parent: int) -> None:
    """Set up a worker, which ends with its parent."""
    global _work
    _work = unpacked(work)
    bind_to(parent)


def _answered(item: Any) -> Any:
    """The work on an item, in a worker."""
    return _work(item)
