"""Signals that end the program, held back where an exception would come at a wrong moment."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold signals that end the program back until the block is done.

    Python raises KeyboardInterrupt between any two steps of the main thread: also where it has
    taken a lock of `threading` and not yet entered the block that gives it back, for which other
    threads would then wait for ever.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    received: list[int] = []
    before = {number: signal.getsignal(number) for number in ENDING}
    handlers = {number: handler for number, handler in before.items() if callable(handler)}
    try:
        for number in handlers:
            signal.signal(number, lambda number, frame: received.append(number))

        yield
    finally:
        _restore(handlers)
        for one in received:
            signal.raise_signal(one)


def _restore(handlers: dict[signal.Signals, Any]) -> None:
    """Set all handlers, also where one that is set again raises meanwhile."""
    try:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    except BaseException:
        for number, handler in handlers.items():
            signal.signal(number, handler)

        raise


def end_by_default() -> None:
    """In a child: let TERM and HUP end the process, whatever its parent did with them."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
