"""A pipe, a device or an endless file for every option and argument that names a file, as its kind says."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import typer

from tests.campaign.child import run
from tests.campaign.options import COMMANDS
from tests.campaign.places import hurried
from tests.campaign.verdict import Verdict, of

KINDS = ("FILE", "FOLDER", "MAP", "MODEL", "CORPUS", "INPUT", "IN", "OUT", "PATH")
SUFFIXES = (
    "",
    ".txt",
    ".tsv",
    ".csv",
    ".json",
    ".fst",
    ".far",
    ".att",
    ".hfst",
    ".dic",
    ".conllu",
    ".mrg",
    ".gz",
)
MADE: dict[str, Callable[[Path], object]] = {
    "nobody writes": lambda path: os.mkfifo(path),
    "silent": lambda path: os.mkfifo(path),
    "endless line": lambda path: os.mkfifo(path),
    "endless lines": lambda path: os.mkfifo(path),
    "zero": lambda path: path.symlink_to("/dev/zero"),
    "random": lambda path: path.symlink_to("/dev/urandom"),
    "full": lambda path: path.symlink_to("/dev/full"),
    "sparse": lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY), 1 << 33),
}
WRITERS = {
    "silent": "exec 3> {}; sleep 1000",
    "endless line": "exec tr '\\0' a < /dev/zero > {}",
    "endless lines": "exec yes 'the dog' > {}",
}
STREAMED = ("endless lines",)  # a text that goes on for ever is answered for ever


class Opening(NamedTuple):
    """Where a command names a file: behind an option, or as its n-th argument; whether it is a text."""

    option: str
    number: int = 0
    streamed: bool = False


@cache
def openings(verb: tuple[str, ...]) -> list[Opening]:
    """The files that a verb may be given, by the kinds of its options and arguments."""
    from fstce.cli.verbs import application

    command: Any = typer.main.get_command(application())
    for name in verb:
        command = command.get_command(None, name)
    found, number = [], 0
    for parameter in command.params:
        metavar = (parameter.metavar or "").upper().strip("[]{}.")
        named = bool(set(metavar.replace("|", " ").split()) & set(KINDS))
        named = named or parameter.type.name in ("path", "file", "directory")
        if parameter.param_type_name == "argument":
            number += 1
            found += [Opening("", number, True)] if named else []
        elif named:
            found.append(Opening(parameter.opts[0], streamed="CORPUS" in metavar))
    return found


def keys(random: Random) -> Iterator[str]:
    """Endless: which command that may be given a file, what stands there, seed of the place."""
    numbers = [number for number, arguments in enumerate(COMMANDS) if openings(verb_of(arguments))]
    while True:
        yield f"{random.choice(numbers)}:{random.choice(list(MADE))}:{random.getrandbits(30)}"


def verb_of(arguments: list[str]) -> tuple[str, ...]:
    """The words of a command that name its verb."""
    return tuple(arguments[: 1 if arguments[0] in ("info", "explain") else 2])


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Put it into one of the command's places, run, judge."""
    number, what, seed = key.split(":")
    random, arguments = Random(int(seed)), list(COMMANDS[int(number)])
    first = len(verb_of(arguments))
    place = random.choice(openings(verb_of(arguments)))
    if place.streamed and what in STREAMED:
        what = "endless line"
    strange = scratch / f"strange{random.choice(SUFFIXES)}"
    if place.option:
        arguments += [place.option, str(strange)]
    elif first + place.number <= len(arguments):
        at = first + place.number - 1
        strange = scratch / f"strange{Path(arguments[at]).suffix}"
        arguments[at] = str(strange)
    arguments = [argument.replace("OUT", str(scratch / "out")) for argument in arguments]
    MADE[what](strange)
    with _written(what, strange):
        ended = run(arguments, folder=specimens, prepare=hurried, megabytes=500)
    names = [strange.stem, os.path.realpath(strange), place.option, "--"]
    # What has no end has no bytes to be measured by; a limit of addresses holds all the same.
    verdict = of(ended._replace(budget=None), names, (0, 1, 2))
    return (
        verdict._replace(why=f"{verdict.why} [{' '.join(arguments)}]") if verdict.why else verdict
    )


@contextmanager
def _written(what: str, path: Path) -> Iterator[None]:
    """While it lasts something writes into a pipe, or holds it open."""
    if what not in WRITERS:
        yield
        return
    writer = subprocess.Popen(["sh", "-c", WRITERS[what].format(path)], stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        writer.kill()
        writer.wait()
