"""What a page of Markdown says happens: prompts, commands, and commands with their output, in order.

Run: python tests/pages.py docs/*.md    (writes what the commands of `console` blocks print into the pages)
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from patience import patience

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
_BLOCK = re.compile(r"^```(python|sh|console)\n(.*?)^```", re.S | re.M)
_RUN = ("fstce ", "python -c ", "echo ", "printf ")


class Block(NamedTuple):
    """A fenced block: its language, its text, and where the text stands in the page."""

    kind: str
    text: str
    start: int
    end: int


class Command(NamedTuple):
    """A command, and what it is said to print (None where a page does not say)."""

    line: str
    output: str | None


def blocks(page: str) -> list[Block]:
    """The blocks that do something."""
    return [Block(m[1], m[2], m.start(2), m.end(2)) for m in _BLOCK.finditer(page)]


def commands(block: Block) -> Iterator[Command]:
    """The commands of a block that need nothing from outside."""
    if block.kind == "sh":
        for line in block.text.splitlines():
            if line.startswith(_RUN) and "nltk:" not in line:
                yield Command(line.split("  #")[0].rstrip(), None)
    elif block.kind == "console":
        for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
            line, _, output = part.partition("\n")
            yield Command(line, output)


def run(line: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a shell does where fstce's environment is activated."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    settings = {**os.environ, "PATH": path, "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "100"}
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        capture_output=True,
        text=True,
        timeout=patience(300),
        env=settings,
    )


def check(page: Path, place: Path) -> int:
    """Do all that a page says, in a folder of its own; how many things it said.

    Raises
    ------
    AssertionError
        A command fails or prints something else, or a prompt's answer is another.
    """
    text, names, done = page.read_text(encoding="utf-8"), {}, 0
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    before = Path.cwd()
    os.chdir(place)
    try:
        for block in blocks(text):
            if block.kind == "python":
                line = text.count("\n", 0, block.start)
                test = doctest.DocTestParser().get_doctest(
                    block.text, names, page.name, str(page), line
                )
                result = runner.run(test, clear_globs=False)
                names = test.globs
                assert result.failed == 0, f"{page.name}: a prompt gives another answer"
                done += result.attempted
            for command in commands(block):
                report = run(command.line)
                assert report.returncode == 0, f"{page.name}: {command.line}\n{report.stderr}"
                if command.output is not None:
                    printed = report.stdout + report.stderr
                    same = doctest.OutputChecker().check_output(command.output, printed, OPTIONS)
                    assert same, (
                        f"{page.name}: {command.line}\nprints\n{printed}\nnot\n{command.output}"
                    )
                done += 1
    finally:
        os.chdir(before)
    return done


def _filled(text: str) -> str:
    """A page with what its commands print now; its prompts are run, for the files that they write."""
    names: dict[str, object] = {}
    made, last = [], 0
    for block in blocks(text):
        made.append(text[last : block.start])
        body = block.text
        if block.kind == "python":
            test = doctest.DocTestParser().get_doctest(block.text, names, "page", "page", 0)
            doctest.DocTestRunner(optionflags=OPTIONS).run(test, clear_globs=False)
            names = test.globs
        found = [(command, run(command.line)) for command in commands(block)]
        for command, report in found:
            if report.returncode:
                print(command.line, report.stderr, sep="\n")
        if block.kind == "console":
            body = "".join(f"$ {command.line}\n{r.stdout}{r.stderr}" for command, r in found)
        made.append(body)
        last = block.end
    return "".join([*made, text[last:]])


if __name__ == "__main__":
    for name in sys.argv[1:]:
        given = Path(name).resolve()
        with tempfile.TemporaryDirectory() as folder:
            before = Path.cwd()
            os.chdir(folder)
            given.write_text(_filled(given.read_text(encoding="utf-8")), encoding="utf-8")
            os.chdir(before)
