"""The table of growth: ``python -m examples.experiments.growth words|tags|order|length``.

Words are drawn from 20,000 by Zipf's law; each has one to three tags, and the dictionary lists them
all. Of a text of 10,000 words with 45 tags, trigrams and sentences of 20 words one number is changed
at a time. A row is two commands of one thread: a training by TRANS1 of twenty iterations, and the
tagging of the same text. Ten minutes of a core; Linux, where the kernel says what a child took.

Page: docs/results/growth.md.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

VOCABULARY = 20_000
HEADER = ("what grows", "training, CPU s", "training, MB", "tagging, CPU s", "tagging, MB")


class Size(NamedTuple):
    """How large a text and a model are; the length of sentences in words."""

    words: int = 10_000
    tags: int = 45
    order: int = 3
    length: int = 20


GROWING = {
    "words": [(f"{n:,} words", Size(words=n)) for n in (1_000, 10_000, 100_000, 1_000_000)],
    "tags": [(f"{n:,} tags", Size(tags=n)) for n in (10, 100, 1_000)],
    "order": [(f"order {n}", Size(order=n)) for n in (1, 2)],
    "length": [(f"sentences of {n:,}", Size(length=n)) for n in (100, 1_000, 10_000)],
}


def write_text(size: Size, text: Path, dictionary: Path) -> None:
    """A text and its dictionary."""
    rng = np.random.default_rng(0)
    share = 1 / np.arange(1, VOCABULARY + 1)
    drawn = rng.choice(VOCABULARY, size.words, p=share / share.sum())
    with text.open("w", encoding="utf-8") as file:  # line by line: a child's peak counts ours
        for start in range(0, size.words, size.length):
            line = (f"w{number}" for number in drawn[start : start + size.length].tolist())
            file.write(" ".join(line) + "\n")

    entries = []
    for number in range(VOCABULARY):
        tags = rng.choice(size.tags, rng.integers(1, 4), replace=False)
        entries.append(f"w{number}\t" + " ".join(f"T{tag}" for tag in tags.tolist()) + "\n")
    dictionary.write_text("".join(entries), encoding="utf-8")


def cost(*command: str | Path) -> list[str]:
    """Processor seconds and megabytes at the peak of a command of fstce."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    child = subprocess.Popen(
        [sys.executable, "-m", "fstce", "tagger", *command, "--quiet"],
        stdout=subprocess.DEVNULL,
        env=environment,
    )
    _, status, used = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{command}: status {status}")
    return [f"{used.ru_utime + used.ru_stime:.1f}", f"{used.ru_maxrss * 1024 / 1e6:,.0f}"]


def row_of(size: Size, folder: Path) -> list[str]:
    """What training and tagging cost."""
    text = folder / "text.txt"
    dictionary = folder / "dictionary.tsv"
    model = folder / "model"
    write_text(size, text, dictionary)

    plain = ["--input-format", "plain", "--tokenized"]
    options = ["--dictionary", dictionary, "--neighborhood", "trans1", "--order", str(size.order)]
    options += ["--max-iterations", "20", "--tolerance", "1e-12", "--jobs", "1"]
    training = cost("train", text, *plain, *options, "--output", model)
    return training + cost("tag", model, text, *plain)


def main(growing: str) -> None:
    """Print the rows of what grows: words, tags, order or length."""
    print("|", " | ".join(HEADER), "|")
    for name, size in GROWING[growing]:
        with tempfile.TemporaryDirectory() as folder:
            cells = row_of(size, Path(folder))
        print("|", " | ".join([name, *cells]), "|", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
