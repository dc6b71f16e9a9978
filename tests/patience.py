"""How long a test waits: what it says on a quiet machine, and longer where others work, too."""

from __future__ import annotations

import os


def patience(seconds: float) -> float:
    """The seconds, times how many want each core just now; for limits on the clock on the wall."""
    waiting, _, _ = os.getloadavg()
    return seconds * max(1.0, waiting / (os.cpu_count() or 1))
