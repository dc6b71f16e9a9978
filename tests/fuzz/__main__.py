"""python -m tests.fuzz [--minutes 5] [--target NAME] [--jobs 2]: all targets by turns, and a table at the end."""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import NamedTuple

from tests.fuzz.targets import TARGETS, scratch

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "fuzz"
ROOMS = sorted(f"fstce.{path.parent.name}" for path in (ROOT / "fstce").glob("*/__init__.py"))
MEMORY = 2048  # MB of one process
SECONDS = 30  # of processor time for one input
LONGEST = 4096  # bytes of an input


class Result(NamedTuple):
    """One target's share: runs, new inputs kept, features that they reach, inputs of which OpenFst
    ended a child, which is told in a line, and faults.
    """

    target: str
    runs: int
    kept: int
    covered: int
    ended: int
    faults: int


def one_input(target: str) -> None:
    """What libFuzzer calls: this process becomes it, and does not come back."""
    import atheris

    from fstce.errors import FstceError, MachineError

    os.register_at_fork(after_in_child=end_as_usual)
    chosen = TARGETS[target]
    # atheris includes packages at the top alone, and excludes modules by their whole names.
    without = sorted(set(modules(ROOMS)) - set(modules(chosen.rooms)))
    with atheris.instrument_imports(include=["fstce"], exclude=without):
        for seed in chosen.beginnings():  # what is imported late is imported now, and counted
            chosen.run(seed)

    def attempt(data: bytes) -> None:
        try:
            chosen.run(data)
        except MachineError as error:
            if "OpenFst cannot do it" in str(error):
                (KEPT / f"ended-{target}-{hashlib.sha1(data).hexdigest()}").write_bytes(data)
        except (FstceError, MemoryError):
            pass

    atheris.Setup(sys.argv, attempt)
    atheris.Fuzz()


def end_as_usual() -> None:
    """Let a signal end a child as it does without the fuzzer, which would take it for its own crash:
    OpenFst works where it may abort in a process of its own.
    """
    for number in (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE):
        signal.signal(number, signal.SIG_DFL)


def modules(rooms: Iterable[str]) -> list[str]:
    """The modules of some packages by their full names, none imported."""
    names = []
    for room in rooms:
        spec = find_spec(room)
        assert spec is not None and spec.submodule_search_locations, room
        names += [
            room,
            *(f"{room}.{m.name}" for m in iter_modules(spec.submodule_search_locations)),
        ]
    return names


def fuzzed(target: str, seconds: float) -> Result:
    """Fuzz one target for so long; its corpus is pruned afterwards."""
    corpus = KEPT / target
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(TARGETS[target].beginnings()):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = [
        *(f"-rss_limit_mb={MEMORY}", f"-timeout={SECONDS}", f"-max_len={LONGEST}"),
        *("-print_final_stats=1", f"-artifact_prefix={KEPT}/crash-{target}-"),
    ]
    began = faults(target)
    had_ended = faults(target, "ended")
    command = [sys.executable, "-m", "tests.fuzz.one", target]
    printed = running([*command, *options, f"-max_total_time={max(1, int(seconds))}", corpus])
    runs = re.findall(r"stat::number_of_executed_units:\s*(\d+)", printed)
    covered = re.findall(r"\bcov: (\d+)", printed)
    if not runs:  # which counts as a fault, and takes no other target's table along
        print(f"{target}: was not run: {printed[-500:]}", file=sys.stderr)
        return Result(target, 0, 0, 0, 0, 1)

    pruned = corpus.with_name(f"{target}.pruned")
    shutil.rmtree(pruned, ignore_errors=True)
    pruned.mkdir()
    running([*command, *options, "-merge=1", pruned, corpus])
    if any(pruned.iterdir()):
        shutil.rmtree(corpus)
        pruned.rename(corpus)
    kept = len(list(corpus.iterdir()))
    return Result(
        target,
        sum(map(int, runs)),
        kept,
        max(map(int, covered), default=0),
        faults(target, "ended") - had_ended,
        faults(target) - began,
    )


def running(command: Iterable[str | Path]) -> str:
    """What a fuzzing process printed; it is nice to others."""
    own = {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "FUZZ_SCRATCH": str(scratch())}
    done = subprocess.run(
        ["nice", *map(str, command)],
        cwd=ROOT,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr


def faults(target: str, end: str = "crash") -> int:
    """How many inputs of a target have failed, or ended a child."""
    return len(list(KEPT.glob(f"{end}-{target}-*")))


def main() -> int:
    """Share the time among the targets, and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--target", choices=sorted(TARGETS), action="append")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    names = asked.target or list(TARGETS)
    each = 60 * asked.minutes * asked.jobs / len(names)
    began = time.monotonic()
    files = scratch()  # one for all threads
    with ThreadPoolExecutor(asked.jobs) as pool:
        results = list(pool.map(lambda name: fuzzed(name, each), names))
    shutil.rmtree(files, ignore_errors=True)

    print(f"{'target':20}{'runs':>12}{'kept':>8}{'edges':>8}{'ended':>8}{'faults':>8}")
    for result in results:
        print(
            f"{result.target:20}{result.runs:>12,}{result.kept:>8,}{result.covered:>8,}"
            f"{result.ended:>8}{result.faults:>8}"
        )
    runs = sum(result.runs for result in results)
    wrong = sum(result.faults for result in results)
    print(f"{runs:,} runs in {time.monotonic() - began:,.0f} s, {wrong} faults; inputs in {KEPT}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
