"""Many independent trials on several processes, each logged when done, resumed later.

A *trial* is one training with its settings: a point of a grid of σ², a restart, a fold.
Trials that share an expensive preparation, such as the automata of a corpus, form a
`Group`, which one process prepares once. Results do not depend on the number of processes.
"""

from __future__ import annotations

import json
import os
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from typing import Any

from fstce.errors import FstceError
from fstce.processes.signals import undisturbed
from fstce.processes.trial_log import Record, Result, Settings, TrialLog, dump, key
from fstce.processes.workers import Child, number_of_workers, packed, unpacked

Prepare = Callable[[Settings], Callable[[Settings], Result]]
TrialMonitor = Callable[[int, int, Record | None], None]
Tally = Callable[[bytes], None]  # logs a trial that has ended, and reports it


@dataclass(frozen=True)
class Group:
    """Trials with one preparation, run one after the other in one process.

    ``trials``: each trial's own settings; all of them are ``{**shared, **trial}``. ``cost``: what
    the group takes, in any unit: the dearest begins first.
    """

    shared: Settings
    trials: Sequence[Settings]
    cost: float = 0.0


def run_trials(
    groups: Iterable[Group],
    prepare: Prepare,
    log: TrialLog | None = None,
    *,
    jobs: int | None = None,
    monitor: TrialMonitor | None = None,
) -> list[Record]:
    """Run the trials that the log does not have yet.

    ``groups``: settings are text, numbers, booleans or None, and no two trials have the same.
    ``prepare``: from the shared settings to the function that runs a trial, from its own settings
    to its result, a dict that JSON can hold and that depends on the settings alone. ``log``: open,
    and stays so. ``monitor``: called with the number of trials done, that of all, and the record of
    the trial that has just ended; first with what the log held, and None. Returns ``{"settings":
    {…}, "result": {…}, "seconds": s}`` in the order of the trials; one that raised FstceError or
    MemoryError, or whose process died, has ``"error": message`` in the place of the result, and is
    tried again by the next run.

    >>> def prepare(shared):
    ...     numbers = range(shared["size"])
    ...     return lambda trial: {"sum": sum(n ** trial["power"] for n in numbers)}
    >>> records = run_trials([Group({"size": 4}, [{"power": 1}, {"power": 2}])], prepare)
    >>> [(record["settings"]["power"], record["result"]["sum"]) for record in records]
    [(1, 6), (2, 14)]
    """
    groups = list(groups)
    settings = _settings(groups)
    book = log or TrialLog()
    todo = _todo(groups, book.records)
    total = len(settings)
    done = total - sum(len(group.trials) for group in todo)
    report = monitor or (lambda done, total, record: None)
    report(done, total, None)

    def tally(line: bytes) -> None:
        nonlocal done
        record = book.add(line)
        done += 1
        report(done, total, record)

    processes = number_of_workers(jobs, prepare)
    if processes > 1:
        _share(todo, prepare, processes, tally)
    else:
        for line in (line for group in todo for line in _lines(prepare, group)):
            tally(line)

    return [{**book.records[name], "settings": given} for name, given in settings.items()]


def _settings(groups: Iterable[Group]) -> dict[str, Settings]:
    """The settings of all trials by their keys, in order, as the log would give them back."""
    rows = [dump({**group.shared, **trial}) for group in groups for trial in group.trials]
    return {key(settings): settings for settings in map(json.loads, rows)}


def _todo(groups: Iterable[Group], records: Mapping[str, Record]) -> list[Group]:
    """The groups with the trials that have no result yet, the dearest first."""
    done = {name for name, record in records.items() if "result" in record}
    rests = []
    for group in groups:
        trials = [t for t in group.trials if key({**group.shared, **t}) not in done]
        if trials:
            rests.append(replace(group, trials=trials))
    return sorted(rests, key=lambda group: -group.cost)


def _lines(prepare: Prepare, group: Group) -> Iterator[bytes]:
    """The records of a group's trials, as lines of the log."""
    try:
        run = prepare(dict(group.shared))
    except (FstceError, MemoryError) as error:
        yield from _failures(group, group.trials, _message(error))
        return

    for trial in group.trials:
        began = time.perf_counter()
        outcome: dict[str, Any]
        try:
            outcome = {"result": dict(run(dict(trial)))}
        except (FstceError, MemoryError) as error:
            outcome = {"error": _message(error)}

        spent = round(time.perf_counter() - began, 3)
        yield dump({"settings": {**group.shared, **trial}, **outcome, "seconds": spent})


def _failures(group: Group, trials: Iterable[Settings], message: str) -> Iterator[bytes]:
    """The records of trials that were not run."""
    for trial in trials:
        yield dump({"settings": {**group.shared, **trial}, "error": message, "seconds": 0.0})


def _message(error: FstceError | MemoryError) -> str:
    if isinstance(error, MemoryError):
        return "out of memory; use fewer jobs, fewer sentences or a smaller model"
    return str(error) or type(error).__name__


def _share(todo: Iterable[Group], prepare: Prepare, processes: int, tally: Tally) -> None:
    """Run each group in a process of its own, so many of them at a time."""
    waiting = deque(todo)
    working = list[_Worker]()

    try:
        while waiting or working:
            with undisturbed():
                while waiting and len(working) < processes:
                    working.append(_Worker(prepare, waiting.popleft()))
                    working[-1].start()

            # Ctrl-C is heard here alone
            ready = wait([worker.pipe for worker in working])
            with undisturbed():
                for worker in [worker for worker in working if worker.pipe in ready]:
                    line = worker.read()
                    if line is None:
                        working.remove(worker)

                    for record in worker.undone() if line is None else [line]:
                        tally(record)
    finally:
        with undisturbed():
            for worker in working:
                worker.kill()

            for line in (line for worker in working for line in worker.on_their_way()):
                tally(line)


class _Worker(Child):
    """A process for one group, whose records come through the pipe.

    No daemon: trials may start processes.
    """

    def __init__(self, prepare: Prepare, group: Group) -> None:
        self._group = group
        self._received = 0
        super().__init__(_serve, packed(prepare), group)

    def read(self) -> bytes | None:
        """The next record, None if the process has ended; raises the defect that ended it."""
        message = self._receive()
        if isinstance(message, str):
            raise self._defect(message) from WorkerTraceback(f"\n{message}")
        self._received += message is not None
        return message

    def undone(self) -> Iterator[bytes]:
        """The records of the trials that a process has left undone at its end."""
        self.kill()
        hint = ", probably for want of memory; use fewer jobs" if self.end == "SIGKILL" else ""
        message = f"the process of this trial died ({self.end}){hint}"
        return _failures(self._group, self._group.trials[self._received :], message)

    def on_their_way(self) -> Iterator[bytes]:
        """The records that were still on their way when the process was killed."""
        while isinstance(line := self._receive(), bytes):
            yield line

    def _receive(self) -> bytes | str | None:
        """A record, the traceback of a defect, or None at the end, even within a message."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            return None

    def _defect(self, trace: str) -> BaseException:
        """The exception that the process sends after its traceback, if it can be sent."""
        try:
            error: BaseException = self.pipe.recv()
        except Exception:
            error = RuntimeError(trace.splitlines()[-1])
        return error


class WorkerTraceback(Exception):
    """Where in its process a defect was raised; the cause of the exception that tells of it."""


def _serve(pipe: Connection, prepare: Any, group: Group) -> None:
    """Run a group in the process started for it."""
    # The pipe must end with this process, even if one that it started lives on.
    os.register_at_fork(after_in_child=pipe.close)
    try:
        for line in _lines(unpacked(prepare), group):
            pipe.send(line)
    except BaseException as error:
        pipe.send(traceback.format_exc())
        with suppress(Exception):
            pipe.send(error)
