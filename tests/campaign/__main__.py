"""``python -m tests.campaign``: the loop, the log, the table.

Cases are numbered; the same seed gives the same cases in the same order. Every end is a line of
``log.jsonl`` in the output folder, and what stands there is not done again. Children are forked
from a process that has imported all that verbs import, except those of ``places``: closed
descriptors, little memory and Ctrl-C are to meet imports, too.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from tests.campaign import (
    authors,
    columns,
    gradients,
    killing,
    models,
    openings,
    options,
    places,
    programs,
    reading,
    saving,
    specimens,
    writing,
)
from tests.campaign.child import PLACE, warm
from tests.campaign.verdict import FAULTS, FINE, WRONG, Verdict

# Inputs in 1,000 cases: kills and faults in saving run many commands each.
SHARES: dict[ModuleType, int] = {
    reading: 280,
    models: 190,
    options: 110,
    columns: 80,
    openings: 80,
    saving: 70,
    gradients: 40,
    writing: 60,
    killing: 40,
    programs: 20,
    authors: 20,
    places: 20,
}
CLASSES = {module.__name__.rpartition(".")[2]: module for module in SHARES}


def main() -> int:
    """Run what is asked for; 1 where anything is not fine, or a worker of the campaign has died."""
    asked = _asked()
    out: Path = asked.output
    out.mkdir(parents=True, exist_ok=True)
    if asked.again:
        return _again(asked.again, out)
    if asked.fresh:
        (out / "log.jsonl").unlink(missing_ok=True)
        shutil.rmtree(out / "specimens", ignore_errors=True)  # made by another state, perhaps
    specimens.make(out / "specimens")
    until = time.monotonic() + 60 * asked.minutes
    done = {row["case"] for row in _log(out)}
    workers = [
        multiprocessing.Process(target=_work, args=(asked, share, done, until))
        for share in range(asked.jobs)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return _table(out) or int(any(worker.exitcode for worker in workers))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("--cases", type=int, default=21_000)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--output", type=Path, default=Path("build/campaign"))
    parser.add_argument("--only", metavar="CLASS", choices=list(CLASSES), help="one class alone")
    parser.add_argument("--fresh", action="store_true", help="forget what was done")
    parser.add_argument("--again", metavar="CASE", help="run one case, as the log names it")
    return parser.parse_args()


def _cases(seed: int, number: int, only: str | None) -> Iterator[str]:
    """The cases of a campaign in order, each ``class/key``."""
    random = Random(seed)
    names = [
        module.__name__.rpartition(".")[2] for module, share in SHARES.items() for _ in range(share)
    ]
    names = [only] if only else names
    random.shuffle(names)
    streams = {name: CLASSES[name].keys(Random(f"{seed} {name}")) for name in CLASSES}
    for i in range(number):
        name = names[i % len(names)]
        yield f"{name}/{next(streams[name])}"


def _work(asked: argparse.Namespace, share: int, done: set[str], until: float) -> None:
    """Every `jobs`-th case, from the share-th on, until the time is over."""
    out: Path = asked.output
    cases = _cases(asked.seed, asked.cases, asked.only)
    cold, its_end = multiprocessing.Pipe()
    multiprocessing.Process(target=_answer, args=(its_end, cold, out)).start()
    its_end.close()
    _warm(out / "specimens")
    with (out / "log.jsonl").open("a", encoding="utf-8") as log:
        for case in islice(cases, share, None, asked.jobs):
            if case in done:
                continue
            if time.monotonic() > until:
                return
            began = time.monotonic()
            if case.startswith("places/"):
                cold.send(case)
                what, why, kills = cold.recv()
            else:
                what, why, kills = _verdict(case, out)
            seconds = round(time.monotonic() - began, 3)
            row = {"case": case, "what": what, "why": why, "kills": kills, "seconds": seconds}
            log.write(json.dumps(row, ensure_ascii=False) + "\n")
            log.flush()
            if what != FINE:
                print(f"{what}: {case}: {why}", file=sys.stderr, flush=True)


def _warm(specimens: Path) -> None:
    with tempfile.TemporaryDirectory(dir=PLACE) as scratch:
        warm(
            (
                [word.replace("OUT", f"{scratch}/out") for word in words]
                for words in options.COMMANDS
            ),
            specimens,
        )


def _answer(pipe: Connection, other: Connection, out: Path) -> None:
    """The verdicts on cases that come through a pipe, until its other end is closed."""
    other.close()
    with suppress(EOFError):
        while True:
            pipe.send(_verdict(pipe.recv(), out))


def _verdict(case: str, out: Path) -> Verdict:
    name, _, key = case.partition("/")
    scratch = Path(tempfile.mkdtemp(dir=PLACE or out, prefix="scratch"))
    try:
        return CLASSES[name].judge(key, (out / "specimens").resolve(), scratch.resolve())
    except Exception as error:
        return Verdict(WRONG, f"the campaign itself failed: {type(error).__name__}: {error}")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _again(case: str, out: Path) -> int:
    specimens.make(out / "specimens")
    verdict = _verdict(case, out)
    print(f"{verdict.what}: {verdict.why}")
    return int(verdict.what != FINE)


def _log(out: Path) -> list[dict[str, Any]]:
    path = out / "log.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def _table(out: Path) -> int:
    """Print class, inputs, kills and faults as a table, also into ``table.md``; 1 where there is any fault."""
    rows = _log(out)
    counts = Counter((row["case"].partition("/")[0], row["what"]) for row in rows)
    lines = [
        f"| class | inputs | kills | {' | '.join(FAULTS)} |",
        f"|---|---:|---:|{'---:|' * len(FAULTS)}",
    ]
    for name in (*CLASSES, "all"):
        of = [(what, n) for (one, what), n in counts.items() if name in (one, "all")]
        numbers = [sum(n for what, n in of if what == fault) for fault in FAULTS]
        killed = sum(
            row["kills"] for row in rows if row["case"].partition("/")[0] == name or name == "all"
        )
        lines.append(
            f"| {name} | {sum(n for _, n in of):,} | {killed:,} | {' | '.join(map(str, numbers))} |"
        )
    print("\n".join(lines))
    (out / "table.md").write_text("\n".join(lines) + "\n")
    return int(any(row["what"] != FINE for row in rows))


if __name__ == "__main__":
    sys.exit(main())
