"""Work that child processes import by name, as those of ``spawn`` must."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import pytest

from fstce.processes.workers import FORKS

closures_are_sent = pytest.mark.skipif(
    not FORKS, reason="only a forked child can be given a closure"
)


def own_pid(item: Any) -> int:
    return os.getpid()


def die(item: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def prepare_marks(shared: Any) -> Any:
    mark = os.getpid(), time.monotonic()
    return lambda trial: {"mark": mark}
