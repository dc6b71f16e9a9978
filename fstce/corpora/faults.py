"""Places of a corpus that cannot be read: raised, skipped or passed through, and reported.

One bad line is no reason to refuse the good ones, and no reason to lose them in silence. Every
reader hands what it cannot read to a :class:`Faults`, which raises in the end (naming the first
and counting the others), or reports each with file and line and goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fstce.errors import CorpusError
from fstce.parameters.rules import choice

POLICY = choice("raise", "skip", "pass")
KEPT = 20
MOST = 1000  # after so many faults a text that should be read whole is read no further


class Faults:
    """The places that cannot be read, and a rule for what becomes of them.

    ``policy``: raise an error for the first, with the number of the others; leave them out; or
    leave them out of what is computed, for a caller that writes their lines as they came.
    ``report``: gets a line for each place that is left out. ``reported_by_caller``: whether whoever
    passes places through reports them, so that only those left out are reported here. ``messages``:
    the first few, each with file and line. ``count``, ``lost``: how many there are, and of these
    how many are left out.
    """

    def __init__(self, policy: str = "raise", report: Callable[[str], None] | None = None) -> None:
        POLICY.check(faulty=policy)
        self.policy = policy
        self.count: int = 0
        self.lost: int = 0
        self.messages: list[str] = []
        self.report = report
        self.reported_by_caller = False

    @property
    def fatal(self) -> bool:
        """Whether there is a fault that will be raised."""
        return self.policy == "raise" and self.count > 0

    def add(self, error: CorpusError, lost: bool = False) -> None:
        """Take a place that cannot be read; one whose text is lost cannot be passed through."""
        self.count += 1
        if self.count <= KEPT:
            self.messages.append(str(error))
        if self.policy == "raise":
            if self.count > MOST:
                self.finish()
            return

        fate = "passed through as it is"
        is_left_out = lost or self.policy == "skip"
        if is_left_out:
            self.lost += 1
            fate = "left out"
        if self.report is not None and (is_left_out or not self.reported_by_caller):
            self.report(f"{error}: {fate}")

    def finish(self) -> None:
        """Raise the first fault, with the number of the others, if faults are raised."""
        if not self.fatal:
            return
        message = self.messages[0]
        n_more = self.count - 1
        if n_more:
            many = f"more than {MOST:,}" if n_more >= MOST else f"{n_more:,}"
            message += f" (and {many} more such places; --faulty skip leaves them out)"
        raise CorpusError(message)

    def summary(self) -> dict[str, Any]:
        """The number of faults and the first, for a model's manifest; empty without any."""
        return {"count": self.count, "first": list(self.messages)} if self.count else {}
