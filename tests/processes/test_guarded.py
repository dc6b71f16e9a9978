"""Work in a child with limits: what it told before its end is kept, and it ends with its reader."""

from __future__ import annotations

import os
import time

import pytest
from sent_work import closures_are_sent

from fstce.processes.guarded import DIED, Send, guarded

pytestmark = closures_are_sent  # else work is done in this process


def test_time_and_memory_and_refusals_are_told() -> None:
    def waits(report: Send) -> None:
        time.sleep(60)

    def takes(report: Send) -> None:
        report({"bytes": len(bytearray(1 << 30))})

    assert list(guarded(waits, 0.2, 256)) == [{DIED: "did not end within 0.2 s"}]
    (told,) = guarded(takes, 60, 64)
    assert "exit code 1" in told[DIED]


def test_what_the_child_told_is_kept() -> None:
    def work(report: Send) -> None:
        report({"a": 1})
        os._exit(3)

    assert list(guarded(work, 5, 256)) == [{"a": 1}, {DIED: "crashed the process (exit code 3)"}]


def test_the_child_ends_with_its_reader() -> None:
    def work(report: Send) -> None:
        report({"pid": os.getpid()})
        while True:
            time.sleep(0.01)

    events = guarded(work, 60, 256)
    pid = next(events)["pid"]
    events.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
