"""The spellers hunspell and aspell as baselines of a corrector.

Page: docs/results/correction.md, through left_out_correction.py.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence

from examples.experiments.correction_baselines import Baseline, Row
from fstce.errors import MissingToolError

# A line such as "& teh 2 0: the, ten": the word, and the first of its suggestions.
_SUGGESTED = re.compile(r"^& (\S+) \d+ \d+: ([^,\n]+)", re.MULTILINE)


def ispell(program: str, options: Sequence[str] = ("-d", "en_US")) -> Baseline:
    """The first suggestion of ``hunspell`` or ``aspell`` by the protocol of ispell."""
    if shutil.which(program) is None:
        raise MissingToolError(
            f"{program} is not installed; install it, with its English dictionary"
        )
    command = [program, "-a", *options]

    def correct(rows: Sequence[Row]) -> list[Row]:
        words = dict.fromkeys(word for row in rows for word in row if word.isalpha())
        text = "".join(f"^{word}\n" for word in words)  # ^ keeps a line from being a command

        done = subprocess.run(
            command, input=text, capture_output=True, encoding="utf-8", check=False
        )
        # Behind the line with the version an answer a word, ended by an empty line; it may be
        # nothing else.
        if done.returncode or done.stdout.split("\n").count("") <= len(words):
            raise MissingToolError(f"{' '.join(command)} failed: {done.stderr.strip()[:200]}")

        best = dict(_SUGGESTED.findall(done.stdout))
        return [list(map(best.get, row, row)) for row in rows]

    correct([["the"]])  # whether it has its dictionary
    return correct
