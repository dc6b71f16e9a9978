"""What the end of a case means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.campaign.child import Ended, Spent

FINE, HUNG, CRASHED, LOST, WRONG, UNCLEAR = "fine", "hung", "crashed", "lost", "wrong", "unclear"
OVER = "over budget"
FAULTS = (HUNG, CRASHED, LOST, WRONG, UNCLEAR, OVER)
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_RAW = re.compile(rb"^(ERROR|FATAL|WARNING): ", re.MULTILINE)
_LONGEST = 600  # characters of a message that somebody still reads


class Verdict(NamedTuple):
    """One of FINE and FAULTS, and why; how many processes a signal ended on the way."""

    what: str
    why: str = ""
    kills: int = 0


def of(ended: Ended, names: Sequence[str] = (), allowed: Sequence[int] = (0, 2)) -> Verdict:
    """The verdict on a command's end as such; that its result is right is for the caller to see.

    Parameters
    ----------
    ended : Ended
    names : sequence of str
        What a refusal names, one of them: the file, the parameter.
    allowed : sequence of int
        Exit codes that may be.
    """
    if ended.code is None:
        return Verdict(HUNG, f"after {ended.seconds:.0f} s")
    if ended.budget is not None:
        for name, spent, most in zip(Spent._fields, ended.spent, ended.budget, strict=True):
            if spent > most:
                return Verdict(OVER, f"{name}: {spent:.1f} of {most:.1f}")
    if ended.code < 0:
        return Verdict(CRASHED, f"signal {-ended.code}: {_told(ended)}")
    if ended.code not in allowed:
        return Verdict(UNCLEAR, f"exit code {ended.code}: {_told(ended)}")
    for pattern, what in (
        (rb"Traceback", "a traceback"),
        (rb"internal error", "an internal error"),
    ):
        if re.search(pattern, ended.err):
            return Verdict(UNCLEAR, f"{what}: {_told(ended)}")
    if _RAW.search(ended.err):
        return Verdict(UNCLEAR, f"a raw line of OpenFst: {_told(ended)}")
    if _CONTROL.search(ended.err):
        return Verdict(UNCLEAR, f"control characters: {_told(ended)}")
    if ended.code == 2:
        return _of_refusal(ended, names)
    return Verdict(FINE)


def _of_refusal(ended: Ended, names: Sequence[str]) -> Verdict:
    lines = ended.err.decode(errors="replace").strip().splitlines()
    if not lines:
        return Verdict(UNCLEAR, "refused without a word")
    if names and not any(Path(name).name in line for name in names for line in lines):
        return Verdict(UNCLEAR, f"names none of {', '.join(names)}: {lines[-1]}")
    if len(lines[-1]) > _LONGEST:
        return Verdict(UNCLEAR, f"a message of {len(lines[-1])} characters: {lines[-1][:200]}…")
    return Verdict(FINE)


def _told(ended: Ended) -> str:
    return ended.err.decode(errors="replace")[-400:].strip()
