"""A model at work on a text: batch after batch, elsewhere too, in the order of the text.

How fast it goes is shown on standard error, as :mod:`fstce.console.progress` does.
"""

from __future__ import annotations

import logging
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

from fstce.console.options import Jobs, Text
from fstce.console.output import note
from fstce.console.progress import sentences_shown
from fstce.console.streams import batches, waits
from fstce.errors import CorpusError, MachineError, ParameterError, optional
from fstce.processes.workers import number_of_workers, pool
from fstce.storage.atomic import marked

Item = TypeVar("Item", bound=Any)
Answer = TypeVar("Answer")

AHEAD = 2  # batches a process that wait for it


class Answered(NamedTuple):
    """The answer to a sentence: its text, a warning, and what is counted of it."""

    block: str
    warning: str = ""
    known: Any = None


@dataclass(frozen=True)
class Applying:
    """Options of a verb that applies a model to a text, and its answers as they come."""

    text: Text = "-"
    jobs: Jobs = 1

    def answers(
        self,
        work: Callable[[list[Item]], Answer],
        items: Iterable[Item],
        *,
        size: Callable[[Item], float] | None = None,
        most: int | None = None,
    ) -> Iterator[tuple[list[Item], Answer]]:
        """Batches of items with their answers, to be written; their pace is shown.

        ``size``, ``most``: of a batch, as `batches` has them.
        """
        # On one terminal with the output a bar would stand between its lines.
        with sentences_shown(hidden=sys.stdout.isatty()) as advance:
            read = batches(items, self.text, size, most)
            for batch, answer in applied(work, read, self.text, self.jobs):
                yield batch, answer
                sys.stdout.flush()
                words = [len(item.sentence) for item in batch if item.sentence is not None]
                advance(len(words), sum(words))

    def written(
        self,
        work: Callable[[list[Item]], list[Answered]],
        items: Iterable[Item],
        as_it_came: Callable[[Item], Answered],
        **batched: Any,
    ) -> Iterator[tuple[Item, Answered]]:
        """Write what is made of each sentence, or in its place what is none; each with its answer.

        ``work``: from items that have sentences to an answer each. ``as_it_came``: that of an item
        without. ``batched``: as `answers` has it.
        """
        is_begun = False
        for batch, answers in self.answers(partial(_of_sentences, work), items, **batched):
            ready = iter(answers)
            for item in batch:
                answer = next(ready) if item.sentence is not None else as_it_came(item)
                if answer.warning:
                    note(answer.warning)
                is_mark = answer.block == "\ufeff"
                sys.stdout.write(answer.block if is_begun or is_mark else marked(answer.block))
                is_begun = is_begun or bool(answer.block)
                yield item, answer


def each(
    work: Callable[[list[Item]], list[Answered]],
    alone: Callable[[Item, str], Answered],
    items: list[Item],
) -> list[Answered]:
    """The answers to all items at once.

    Where that fails, to each, or what is said of it and why.
    """
    if not items:
        return []
    try:
        return work(items)
    except MachineError as error:  # gone with what it failed at before the next begins
        reason = str(error)

    if len(items) == 1:
        return [alone(items[0], reason)]
    return [answer for item in items for answer in each(work, alone, [item])]


def _of_sentences(work: Callable[[list[Any]], list[Answered]], batch: list[Any]) -> list[Answered]:
    items = [item for item in batch if item.sentence is not None]
    if not items:
        return []
    return work(items)


def applied(
    work: Callable[[list[Item]], Answer],
    batches: Iterable[list[Item]],
    text: str,
    jobs: int,
) -> Iterator[tuple[list[Item], Answer]]:
    """Each batch with its answer, in order.

    ``work``: from a batch to its answer, picklable; `work` itself need not be. ``text``: what they
    are read from; from ``-`` no more is read while answers are due. ``jobs``: processes; one for
    none but this, −1 for one a core. The answers are the same for any number.
    """
    processes = number_of_workers(jobs, work)
    if processes < 2:
        for batch in batches:
            yield batch, work(batch)

        return

    pending = deque[tuple[list[Item], Any]]()
    with pool(processes, work) as submit:
        fault = None
        try:
            for batch in batches:
                pending.append((batch, submit(batch)))
                while pending and (
                    len(pending) > AHEAD * processes or pending[0][1].done() or waits(text)
                ):
                    yield _next(pending)
        except CorpusError as error:
            fault = error

        while pending:
            yield _next(pending)

        if fault is not None:
            raise fault


def _next(pending: deque[tuple[list[Item], Any]]) -> tuple[list[Item], Any]:
    batch, answer = pending.popleft()
    return batch, answer.result()


PATIENCE = 10.0  # seconds in which whoever listens must say who it is


@contextmanager
def connected(address: str | None) -> Iterator[Any]:
    """A client of the scheduler, None where no address is given."""
    if address is None:
        yield None
        return

    import asyncio  # takes a while, and few have a scheduler

    distributed = optional("distributed", "--dask needs Dask: pip install 'fstce[dask]'")
    for logger in ("distributed", "distributed.client"):  # what goes wrong is said in one line
        logging.getLogger(logger).setLevel(logging.CRITICAL)

    try:
        asyncio.run(_greet(distributed, address))  # a client would wait for ever
        client = distributed.Client(address, timeout=PATIENCE)
    except Exception as error:  # of the network, of TLS, of what does not speak as Dask does
        reason = " ".join(str(error).split()) or f"nothing is said in {PATIENCE:g} seconds"
        if isinstance(error, MemoryError):  # for a message of as many bytes as the first eight say
            reason = "what answers does not speak as Dask does"

        raise ParameterError(
            f"--dask {address}: no scheduler answers there ({reason}); "
            "start one and repeat the command; --resume goes on with a training"
        ) from None

    with client:
        yield client


async def _greet(distributed: Any, address: str) -> None:
    """Ask who listens at an address; raises where that is no scheduler."""
    import asyncio

    security = distributed.Security().get_connection_args("client")
    if address.startswith("tls:") and security.get("ssl_context") is None:
        raise ValueError(
            "tls needs a certificate: see distributed.comm.tls in Dask's configuration"
        )
    async with distributed.rpc(address, connection_args=security, timeout=PATIENCE) as listener:
        identity = await asyncio.wait_for(listener.identity(), PATIENCE)
    if not isinstance(identity, dict) or identity.get("type") != "Scheduler":
        raise ValueError("what answers is none")
