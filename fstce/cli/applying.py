"""A model at work on a text: batch after batch, in other processes too, in the order of the text.

How fast it goes is shown on standard error: a bar on a terminal, else a line now and then.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from fstce.cli.output import count, note
from fstce.cli.streams import waits
from fstce.errors import CorpusError, MachineError
from fstce.processes.workers import bind_to, number_of_workers

if TYPE_CHECKING:
    from rich.progress import Progress

Item = TypeVar("Item")
Answer = TypeVar("Answer")

PAUSE = 5.0  # seconds between two lines
AHEAD = 2  # batches a process that wait for it
Jobs = Annotated[
    int, typer.Option("--jobs", metavar="N", help="Processes that work at a time; -1 for one a core.")
]
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


class Pace:
    """How many sentences, and how many words, are done in a second.

    Parameters
    ----------
    quiet : bool
        Whether nothing is shown.
    """

    def __init__(self, quiet: bool = False) -> None:
        self._sentences = self._words = 0
        self._began = self._shown = time.monotonic()
        self._quiet = quiet
        # On one terminal with the output a bar would stand between its lines.
        self._bar = None if quiet or sys.stdout.isatty() or not sys.stderr.isatty() else _bar()

    def __enter__(self) -> Pace:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], total=1, completed=1)
            self._bar.stop()

    def add(self, sentences: int, words: int) -> None:
        """Take note of what is done."""
        self._sentences += sentences
        self._words += words
        now = time.monotonic()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], line=self._line(now))
            self._bar.refresh()
        elif not self._quiet and not sys.stdout.isatty() and now - self._shown >= PAUSE:
            self._shown = now
            note(self._line(now))

    def _line(self, now: float) -> str:
        spent = max(now - self._began, 1e-9)
        sentences = f"{count(self._sentences, 'sentence')} ({self._sentences / spent:,.1f} a second)"
        return f"{sentences}, {count(self._words, 'word')} ({self._words / spent:,.0f} a second)"


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    # Drawn with each batch and by no thread, so that a forked process holds no lock of one; rich would
    # lead the output to the terminal, too.
    shown = Progress(
        BarColumn(15),
        TextColumn("{task.fields[line]}"),
        console=Console(stderr=True),
        auto_refresh=False,
        redirect_stdout=False,
    )
    shown.add_task("", total=None, line="")
    return shown
