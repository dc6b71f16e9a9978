"""Ctrl-C at one line after another of some code."""

from __future__ import annotations

import itertools
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any


def at_each_line(room: ModuleType, work: Callable[[], object]) -> Iterator[int]:
    """The number of the line at which SIGINT met `work`, whenever one has, until it ends before.

    Lines count that are executed in the files beside a module.
    """
    place = str(Path(str(room.__file__)).parent)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for last in itertools.count(1):
            left = last

            def trace(frame: FrameType, event: str, argument: object) -> Any:
                nonlocal left
                if not frame.f_code.co_filename.startswith(place):
                    return None
                left -= event == "line"
                if left == 0 and event == "line":
                    sys.settrace(None)
                    signal.raise_signal(signal.SIGINT)
                return trace

            sys.settrace(trace)
            try:
                work()
            except KeyboardInterrupt:
                pass
            finally:
                sys.settrace(None)

            yield last
            if left > 0:
                return
    finally:
        signal.signal(signal.SIGINT, before)
