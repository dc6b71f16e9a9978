"""Saving now and then while the induction goes on, seldom enough to cost next to nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fstce.induction import InductionMonitor, InductionStep

PAUSE = 10.0  # seconds of work between two checkpoints, at least
SHARE = 0.05  # of the time that saving may take


class Checkpoints:
    """A monitor that saves: after ten seconds, or later where saving takes a twentieth of the time.

    ``save``: saves what there is after an iteration. ``monitor``: called after every iteration, before
    saving.

    >>> seconds = iter([0.0, 4.0, 12.0, 13.0, 22.0, 40.0, 41.0])
    >>> keep = Checkpoints(lambda: print("saved"), clock=lambda: next(seconds))
    >>> for iteration in (1, 2, 3, 4):
    ...     keep(iteration, None)
    saved
    saved
    """

    def __init__(
        self,
        save: Callable[[], None],
        monitor: InductionMonitor | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._save, self._monitor, self._clock = save, monitor, clock
        self._due = clock() + PAUSE

    def __call__(self, iteration: int, step: InductionStep) -> None:
        """Take note of an iteration, and save if it is time."""
        if self._monitor is not None:
            self._monitor(iteration, step)
        began = self._clock()
        if began >= self._due:
            self._save()
            ended = self._clock()
            self._due = ended + max(PAUSE, (ended - began) / SHARE)
