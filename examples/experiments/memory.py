"""The table of memory: ``python -m examples.experiments.memory CORPUS``, CORPUS being ``nltk:treebank``.

Texts of three sizes are drawn (``large_corpus.py``), and on each the command trains a tagger to the
end, with two processes. Meanwhile this script looks at what is anonymous in their memory together,
and at the files of the training. Half an hour on two cores, 6 GB of disk; Linux alone says what
memory is anonymous.

Page: docs/results/growth.md.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from fstce.processes.memory import own_memory

LARGE_CORPUS = "examples.experiments.large_corpus"
BUDGETS = {100_000: "2G", 1_000_000: "500M", 10_000_000: "500M"}  # by words
PAUSE = 0.2  # seconds between two looks
HEADER = (
    *("words", "budget", "arcs", "iterations", "CPU seconds", "words a CPU second"),
    "memory in MB",
    "files in GB",
)


def row_of(corpus: str, words: int, folder: Path) -> list[str]:
    """The cells of the row of a training on so many words, in an empty folder."""
    text = folder / "large.txt"
    dictionary = folder / "large.tsv"
    scratch = folder / "scratch"
    scratch.mkdir()

    with text.open("w", encoding="utf-8") as output:
        subprocess.run(
            [sys.executable, "-m", LARGE_CORPUS, corpus, str(words)], check=True, stdout=output
        )

    subprocess.run([sys.executable, "-m", LARGE_CORPUS, corpus, dictionary], check=True)
    plain = ["--input-format", "plain", "--tokenized"]
    command: list[str | Path] = [sys.executable, "-m", "fstce", "tagger", "train", text, *plain]
    command += ["--dictionary", dictionary, "--neighborhood", "trans1", "--memory", BUDGETS[words]]
    command += ["--jobs", "2", "--output", folder / "model"]
    began = _cpu_seconds()

    with (folder / "said").open("w+", encoding="utf-8") as said:
        environment = {**os.environ, "TMPDIR": str(scratch)}
        training = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, env=environment)
        memory, files = watched(training, scratch)
        said.seek(0)
        report = said.read()

    if training.returncode:
        raise SystemExit(report)

    seconds = _cpu_seconds() - began
    drawn, arcs, iterations = (
        re.search(pattern, report, re.M)[1]  # type: ignore[index]
        for pattern in (r"sentences, ([\d,]+) words", r"and ([\d,]+) arcs$", r"^iterations +(\d+),")
    )
    pace = round(int(drawn.replace(",", "")) / seconds, -2)
    cells = [drawn, BUDGETS[words], arcs, iterations, f"{seconds:,.0f}", f"{pace:,.0f}"]

    return [*cells, f"{memory / 1e6:,.0f}", f"{files / 1e9:.1f}".removesuffix(".0")]


def watched(training: subprocess.Popen[bytes], scratch: Path) -> tuple[int, int]:
    """The most bytes of anonymous memory of it and its children, and of its files, until it ends."""
    memory = files = 0
    while training.poll() is None:
        processes = _below(training.pid)
        memory = max(memory, sum(map(own_memory, processes)))
        sizes = dict(sorted(found for process in processes for found in _mapped(process, scratch)))
        with suppress(OSError):  # a file that is gone meanwhile
            there = (path.stat() for path in scratch.rglob("*") if path.is_file())
            sizes |= {found.st_ino: found.st_size for found in there}
        files = max(files, sum(sizes.values()))
        time.sleep(PAUSE)
    return memory, files


def _mapped(process: int, scratch: Path) -> Iterator[tuple[int, int]]:
    """Inodes and bytes of the files below a folder that a process has mapped, named there or no
    more.
    """
    with suppress(OSError):
        for line in Path(f"/proc/{process}/maps").read_text().splitlines():
            extent, _, offset, _, inode, *path = line.split(maxsplit=5)
            if path and path[0].startswith(str(scratch)):
                start, end = (int(place, 16) for place in extent.split("-"))
                yield int(inode), int(offset, 16) + end - start


def _below(process: int) -> list[int]:
    """The process, and those that it and they began."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    below = [process]
    for parent in below:
        below += [child for child, own in parents.items() if own == parent]
    return below


def _cpu_seconds() -> float:
    """Of all processes that ended below this one."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(corpus: str) -> None:
    """Print the table."""
    print("|", " | ".join(HEADER), "|")
    for words in BUDGETS:
        with tempfile.TemporaryDirectory() as folder:
            print("|", " | ".join(row_of(corpus, words, Path(folder))), "|", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
