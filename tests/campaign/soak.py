"""``python -m tests.campaign.soak --minutes 60``: ten commands at once, in one folder, on one cache; no memory grows.

Ten workers run commands of their own by turns, each a process: trainings that write into one folder, each
under its own name, applications of models that all share, machines, spellers, questions. What a command prints or
writes is compared with what it printed and wrote alone. Then a thousand calls each of what a
service would call, in one process, whose memory must stay.
"""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path

from tests.campaign import specimens
from tests.campaign.child import PLACE

GROWTH = 8.0  # megabytes by which a thousand calls may grow
# Lines of these are times, and differ.
TIMES = (b" s", b"seconds", b"min")
COMMANDS: list[list[str]] = [
    ["tagger", "tag", "tagger", "text.txt"],
    ["tagger", "tag", "hmm", "text.txt", "--proba"],
    ["tagger", "train", "text.txt", "-d", "words.tsv", "--max-iterations", "3", "-q", "-o", "OUT"],
    ["parser", "parse", "parser", "text.conllu"],
    ["parser", "train", "text.conllu", "--max-iterations", "3", "-q", "-o", "OUT"],
    ["corrector", "correct", "corrector", "misspelt.txt"],
    ["speller", "evaluate", "speller", "typos.tsv"],
    ["machine", "compose", "machine.att", "machine.att", "-o", "OUT.fst"],
    ["latent", "parse", "latent", "text.txt"],
    ["explain", "tagger", "the dog barks ."],
]


def main() -> int:
    """Run both parts; 1 where anything differed or grew."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--calls", type=int, default=1000)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="soak-", dir=PLACE))
    try:
        specimens.make(folder)
        counts, faults = side_by_side(folder, 60 * asked.minutes)
        for command, n in counts.items():
            print(f"{n:8,} {command}")
        for name, megabytes in growth(folder, asked.calls):
            print(f"{megabytes:8.1f} MB grown by {asked.calls:,} calls of {name}")
            if megabytes > GROWTH:
                faults.append(f"{name}: {megabytes:.1f} MB")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for fault in faults:
        print(f"fault: {fault}", file=sys.stderr)
    print(f"{sum(counts.values()):,} commands, {len(faults)} faults")
    return int(bool(faults))


def side_by_side(folder: Path, seconds: float) -> tuple[Counter[str], list[str]]:
    """How often each command ran beside the others, and what differed from its run alone."""
    alone = [_ended(command, folder, "alone", place) for place, command in enumerate(COMMANDS)]
    before = {path.name for path in folder.iterdir()}
    until = time.monotonic() + seconds
    counts: Counter[str] = Counter()
    faults: list[str] = []

    def work(worker: int) -> None:
        # Each begins with another command, so that at any time different ones run.
        for place in cycle([*range(worker, len(COMMANDS)), *range(worker)]):
            if time.monotonic() > until:
                return
            verb = " ".join(COMMANDS[place][:2])
            ended = _ended(COMMANDS[place], folder, f"worker{worker}", place)
            counts[verb] += 1
            if ended != alone[place]:
                faults.append(f"{verb}: {ended} where alone {alone[place]}"[:600])

    with ThreadPoolExecutor(len(COMMANDS)) as workers:
        list(workers.map(work, range(len(COMMANDS))))

    outputs = ("alone", *(f"worker{i}" for i in range(len(COMMANDS))))
    strays = {path.name for path in folder.iterdir()} - before
    faults += [f"left behind: {name}" for name in sorted(strays) if not name.startswith(outputs)]
    return counts, faults


def _ended(command: list[str], folder: Path, worker: str, place: int) -> tuple[int, bytes, bytes]:
    """The exit code, what a command printed, and the bytes that it wrote, in order of names."""
    output = folder / f"{worker}-{place}"
    arguments = [argument.replace("OUT", str(output)) for argument in command]
    ended = subprocess.run(
        [sys.executable, "-m", "fstce", *arguments],
        cwd=folder,
        capture_output=True,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")},
    )
    lines = [line for line in ended.stdout.splitlines() if not line.endswith(TIMES)]
    written = b""
    for path in sorted(folder.glob(f"{output.name}*")):
        files = [path]
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.suffix in (".npy", ".npz"))
        written += b"".join(file.read_bytes() for file in files)
    said = ended.stderr[-300:] if ended.returncode else b""  # else rates, of a slow run
    return ended.returncode, b"\n".join(lines) + said, written


def growth(folder: Path, calls: int) -> Iterator[tuple[str, float]]:
    """The megabytes by which this process grows while each thing is called, after a tenth of it."""
    for name, call in _services(folder).items():
        for number in range(calls // 10):
            call(number)
        gc.collect()
        before = _resident()
        for number in range(calls // 10, calls):
            call(number)
        gc.collect()
        yield name, _resident() - before


def _services(folder: Path) -> dict[str, Callable[[int], object]]:
    """What a service calls again and again, each time with new words."""
    import fstce

    tagger = fstce.Tagger.load(folder / "tagger")
    parser = fstce.DependencyParser.load(folder / "parser")
    corrector = fstce.Corrector.load(folder / "corrector")
    speller = fstce.Speller.load(folder / "speller")

    def sentence(number: int) -> list[str]:
        return ["the", f"dog{number}", "barks", "."]

    return {
        "Tagger.predict": lambda number: tagger.predict([sentence(number)]),
        "explain": lambda number: fstce.explain(tagger, sentence(number)),
        "DependencyParser.predict": lambda number: parser.predict([["DT", "NN", "VBZ", "."]]),
        "Corrector.predict": lambda number: corrector.predict([sentence(number)]),
        "Speller.suggest": lambda number: speller.suggest([f"dgo{number}"]),
        "neighborhood": lambda number: fstce.neighborhood("trans1")(sentence(number)),
    }


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


if __name__ == "__main__":
    sys.exit(main())
