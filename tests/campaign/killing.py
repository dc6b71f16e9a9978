"""SIGKILL and SIGTERM at random moments of long verbs: resumed, they end with the same bytes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.campaign.child import Ended, run
from tests.campaign.saving import content
from tests.campaign.specimens import TRAINING, TREES
from tests.campaign.verdict import FINE, HUNG, LOST, WRONG, Verdict, of

# Verb, and what is there where --resume goes on; without it the output is absent, or a whole model.
LONG: dict[str, tuple[list[str], str]] = {
    "latent": (["latent", "train", "many.mrg", "--cycles", "3", "--split-iterations", "6"], "out"),
    "product": (["latent", "train", "many.mrg", "--cycles", "2", "--split-iterations", "4", "--grammars", "2"], ".out.fstce-parts"),
    "constituents": (["induction", "train", "sample", "--iterations", "40"], "out"),
    "tagger": (TRAINING["tagger"], ""),
    "parser": (TRAINING["parser"], ""),
    "corrector": (TRAINING["corrector"], ""),
}  # fmt: skip


def keys(random: Random) -> Iterator[str]:
    """Endless: which verb, with what signal, seed of the moments."""
    while True:
        yield f"{random.choice(list(LONG))}:{random.choice(('KILL', 'KILL', 'TERM', 'INT'))}:{random.getrandbits(40)}"


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Kill up to three times at random moments, go on, compare."""
    name, sign, seed = key.split(":")
    arguments, begun = LONG[name]
    random = Random(int(seed))
    (scratch / "many.mrg").write_text(TREES * 8)
    for file in specimens.iterdir():
        if file.is_file() and not (scratch / file.name).exists():
            (scratch / file.name).symlink_to(file)
    taken, whole = _whole(name, arguments, scratch, specimens)
    target = scratch / "out"
    command = [*arguments, "-q", "-o", str(target)]
    killed = 0
    for _ in range(random.randrange(1, 4)):
        again = ["--resume"] if begun and (scratch / begun).exists() else []
        ended = _killed(
            [*command, *again], taken * random.random(), getattr(signal, f"SIG{sign}"), scratch
        )
        if ended.code is None:
            return Verdict(HUNG, f"still there after SIG{sign}")
        killed += ended.code != 0  # else it was done before
        if ended.code >= 0 and (verdict := of(ended, ["out"], (0, 2, 130, 143))).what != FINE:
            return verdict
        if target.exists() and (broken := _unloadable(target, scratch)):
            return Verdict(LOST, broken)
    again = ["--resume"] if begun and (scratch / begun).exists() else []
    ended = run([*command, *again], folder=scratch, seconds=300, megabytes=None)
    if ended.code != 0:
        return Verdict(LOST, f"does not go on: {ended.err[-400:]!r}")
    if content(target) != whole:
        return Verdict(WRONG, "ends with other bytes than an uninterrupted run")
    hidden = [path.name for path in scratch.glob(".*") if path.is_dir()]
    if hidden:
        return Verdict(WRONG, f"never swept: {', '.join(hidden)[:200]}")
    return Verdict(FINE, kills=killed)


def _whole(
    name: str, arguments: list[str], scratch: Path, specimens: Path
) -> tuple[float, dict[str, bytes]]:
    """The seconds and the result of the uninterrupted run, remembered by its name."""
    if name not in _done:
        ended = run([*arguments, "-q", "-o", "whole"], folder=scratch, seconds=300, megabytes=None)
        if ended.code:
            raise RuntimeError(f"{' '.join(arguments)}: {ended.err.decode(errors='replace')}")
        _done[name] = ended.seconds, content(scratch / "whole")
    return _done[name]


_done: dict[str, tuple[float, dict[str, bytes]]] = {}


def _killed(arguments: list[str], seconds: float, sign: signal.Signals, folder: Path) -> Ended:
    """The end of a verb that gets a signal after so many seconds."""
    return run(arguments, sent=(seconds, sign), folder=folder, seconds=300, megabytes=None)


def _unloadable(target: Path, folder: Path) -> str:
    """Why the folder is no whole model, empty if it is one."""
    ended = run(["info", str(target)], folder=folder, megabytes=None)
    return "" if ended.code == 0 else f"after the kill: {ended.err[-300:]!r}"
