"""Hunspell's dictionaries as fstce reads them, asked of hunspell's own library: a row of each.

Run: ``python -m examples.experiments.hunspell_dictionaries DIC ...``.

refused    % of 3,000 sampled words of the list that hunspell refuses
missing    % of the single-word stems of the ``.dic`` file, as they stand, at most 20,000 of them, that
           hunspell accepts and the list lacks
s, MB      processor time of the list, and the most memory of its process, with 35 MB of Python

Page: docs/notebook/hunspell.md.
"""

from __future__ import annotations

import random
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from oracles_hunspell import Hunspell

from fstce.corpora.hunspell import read_hunspell
from fstce.errors import CorpusError

SAMPLED = 3000
STEMS = 20_000
_SLASH = re.compile(r"(?<=[^\\])/")


def stems(dic: Path, encoding: str) -> list[str]:
    """Stems of one word, in the order of a seed."""
    raw = dic.read_bytes().removeprefix(b"\xef\xbb\xbf").decode(encoding, "replace")
    entries = [_SLASH.split(line.rstrip("\r").split("\t")[0])[0] for line in raw.split("\n")[1:]]
    words = dict.fromkeys(entry.replace("\\/", "/") for entry in entries)
    single = [word for word in words if word.split() == [word] and "\ufffd" not in word]
    random.Random(2).shuffle(single)
    return single[:STEMS]


def row(dic: Path) -> str:
    """The cells of one dictionary."""
    began = time.process_time()
    try:
        words, left_out, _ = read_hunspell(dic)
    except CorpusError as error:
        return f"| {dic.stem} | refused: {error} |"
    seconds = time.process_time() - began
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    judge = Hunspell(dic)
    sample = random.Random(1).sample(words, min(SAMPLED, len(words)))
    refused = len(sample) - len(judge.accepted(sample))
    accepted = judge.accepted(stems(dic, judge.encoding))
    missing = len(set(accepted).difference(words))
    cells = (
        dic.stem,
        f"{len(words):,}",
        f"{100 * refused / len(sample):.2f}",
        f"{100 * missing / max(len(accepted), 1):.2f}",
        f"{seconds:.1f}",
        f"{megabytes:.0f}",
        "; ".join(left_out),
    )
    return f"| {' | '.join(cells)} |"


def main(files: list[str]) -> None:
    if len(files) == 1:
        print(row(Path(files[0])), flush=True)
        return
    print(
        "| dictionary | words | refused | missing | s | MB | left out |\n|---|---|---|---|---|---|---|"
    )
    for file in files:
        # Memory is that of a process.
        subprocess.run([sys.executable, __file__, file], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
