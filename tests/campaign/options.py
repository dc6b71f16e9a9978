"""Wrong values of options: one line that names the option, before any work."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

from tests.campaign import specimens as healthy
from tests.campaign.child import run
from tests.campaign.verdict import LOST, Verdict, of

VALUES = (
    "-1", "0", "1", "2", "3.5", "1e400", "nan", "inf", "-inf", "9" * 5000, "99999999999", "", " ", "x", "é", "none",
    "trans1", "/", "null", "/nonexistent/x", "text.txt", "words.tsv", "../", "~nosuchuser/x", "a,b", "1,2", ",",
    "utf-99", "utf-16", "--", "-", "true", "\x1b[31m", "x" * 3000, "contrastive", "upos", "conllu", "raise", "skip",
)  # fmt: skip
COMMANDS: list[list[str]] = [
    *([*arguments, "-q", "-o", "OUT"] for arguments in healthy.TRAINING.values()),
    *(healthy.applied(kind, kind) for kind in healthy.APPLYING),
    ["tagger", "evaluate", "tagger", "tagged.pos"],
    ["parser", "evaluate", "parser", "text.conllu"],
    ["latent", "evaluate", "latent", "trees.mrg"],
    ["induction", "evaluate", "constituents", "trees.mrg"],
    ["corrector", "evaluate", "corrector", "text.txt"],
    ["tagger", "export", "tagger", "OUT"],
    ["neighborhood", "show", "trans1", "the dog barks"],
    ["neighborhood", "draw", "trans1", "the dog barks", "-o", "OUT.svg"],
    ["neighborhood", "lattice", "trans1", "the dog barks", "-o", "OUT.fst"],
    ["neighborhood", "check", "./mine.py"],
    ["machine", "info", "lattice.fst"],
    ["machine", "draw", "lattice.fst", "-o", "OUT.svg"],
    ["machine", "convert", "lattice.fst", "OUT.txt"],
    ["explain", "tagger", "the dog barks ."],
    ["info", "text.txt"],
]
SLOW = {
    "--grammars",
    "--cycles",
    "--jobs",
    "--seeds",
    "--k",
    "--iterations",
}  # that a huge number takes long is no fault


@cache
def _options(verb: tuple[str, ...]) -> list[str]:
    """The long options that a verb's help names."""
    ended = run([*verb, "--help"], megabytes=None)
    return sorted(set(re.findall(r"--[a-z][a-z0-9-]+", ended.out.decode())) - {"--help"})


def keys(random: Random) -> Iterator[str]:
    """Endless: which command, seed of the options."""
    while True:
        yield f"{random.randrange(len(COMMANDS))}:{random.getrandbits(40)}"


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Add one to three options with any values, run, judge.

    Where it runs a value may be an output: there are links to the specimens, and a device of its own.
    """
    here = scratch / "here"
    here.mkdir()
    for path in specimens.iterdir():
        (here / path.name).symlink_to(path)
    with suppress(PermissionError):
        os.mknod(here / "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    command, seed = map(int, key.split(":"))
    random = Random(seed)
    arguments = [argument.replace("OUT", str(scratch / "out")) for argument in COMMANDS[command]]
    verb = tuple(arguments[:2]) if arguments[0] not in ("info", "explain") else (arguments[0],)
    known = _options(verb)
    chosen = [random.choice(known) for _ in range(random.choice((1, 1, 1, 2, 3)))] if known else []
    for option in chosen:
        arguments += [option] if random.random() < 0.2 else [option, random.choice(VALUES)]
    ended = run(arguments, folder=here, seconds=60 if SLOW & set(chosen) else 30)
    verdict = of(ended, (), (0, 1, 2) if verb[-1] == "check" else (0, 2))
    if (here / "null").exists() and not (here / "null").is_char_device():
        return Verdict(LOST, f"a device is a file now [{' '.join(arguments)[:300]}]")
    return (
        verdict._replace(why=f"{verdict.why} [{' '.join(arguments)[:300]}]")
        if verdict.why
        else verdict
    )
