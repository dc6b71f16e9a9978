"""Every verb that writes: on a full disk, under signals, over its own input, beside another writer.

What it reads stays as it was; what it writes is what it writes undisturbed, or is not there; nothing hidden is left
behind, but by a kill, and that is swept by the next run.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from random import Random

from tests.campaign import specimens as healthy
from tests.campaign.child import run
from tests.campaign.verdict import FINE, LOST, WRONG, Verdict, of

COMMANDS: list[list[str]] = [
    *([*arguments, "-q", "-o", "OUT"] for arguments in healthy.TRAINING.values()),
    ["tagger", "dictionary", "words.tsv", "text.txt", "-o", "OUT.tsv"],
    ["tagger", "export", "tagger", "OUT"],
    ["tagger", "ask", "tagger", "text.txt", "-o", "OUT.tsv"],
    ["speller", "export", "speller", "--zhfst", "OUT.zhfst"],
    ["speller", "export", "speller", "--hunspell", "OUT"],
    ["speller", "export", "speller", "--editdist", "OUT.txt"],
    ["speller", "export", "speller", "--far", "OUT.far"],
    ["neighborhood", "lattice", "trans1", "--text", "text.txt", "-o", "OUT.far"],
    ["neighborhood", "pairs", "trans1", "text.txt", "-o", "OUT.jsonl"],
    ["neighborhood", "draw", "trans1", "the dog barks", "-o", "OUT.svg"],
    ["machine", "convert", "lattice.fst", "OUT.hfst"],
    ["machine", "convert", "lattice.fst", "OUT.att"],
    ["machine", "convert", "transducer.fst", "OUT.foma"],
    ["machine", "compose", "machine.att", "machine.att", "-o", "OUT.fst"],
    ["machine", "optimize", "lattice.fst", "-o", "OUT.fst"],
    ["machine", "inspect", "lattice.fst", "-o", "OUT.html"],
    ["explain", "tagger", "the dog barks .", "-o", "OUT.html"],
]
# What can stand where the output goes: the same file as the input.
OVER_INPUT: list[list[str]] = [
    ["machine", "convert", "IN", "IN"],
    ["machine", "optimize", "IN", "-o", "IN"],
    ["machine", "invert", "IN", "-o", "IN"],
    ["machine", "shortest", "IN", "-o", "IN"],
    ["machine", "compose", "IN", "machine.att", "-o", "IN"],
    ["machine", "draw", "IN", "-o", "IN"],
    ["machine", "inspect", "IN", "-o", "IN"],
]
TEXT_OVER_INPUT: list[list[str]] = [
    ["neighborhood", "pairs", "trans1", "IN", "-o", "IN"],
    ["neighborhood", "lattice", "trans1", "--text", "IN", "-o", "IN"],
    ["tagger", "dictionary", "words.tsv", "IN", "-o", "IN"],
    ["tagger", "train", "IN", "-d", "words.tsv", "-q", "-o", "IN"],
    ["tagger", "ask", "tagger", "IN", "-o", "IN"],
    ["corrector", "train", "IN", "-q", "-o", "IN"],
]
SIGNALS = ("TERM", "HUP", "INT", "KILL")
HOW = ("full", *SIGNALS, "input", "writers")


def keys(random: Random) -> Iterator[str]:
    """Endless: what happens, which command, seed."""
    while True:
        yield f"{random.choice(HOW)}:{random.randrange(len(COMMANDS))}:{random.getrandbits(30)}"


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Run the command in a copy of the specimens."""
    how, number, seed = key.split(":")
    random = Random(int(seed))
    folder = scratch / "place"
    shutil.copytree(specimens, folder)
    if how == "input":
        return _over_input(random, folder)

    command = COMMANDS[int(number)]
    arguments = [word.replace("OUT", "out") for word in command]
    written, size, seconds = _undisturbed(int(number), specimens)
    before = _content(folder)
    if how == "writers":
        return _two(arguments, folder, before, written)

    signs = {"full": None}.get(how, signal.SIGTERM)
    if how == "full":
        most = random.randrange(size + 1)
        ended = run(arguments, folder=folder, prepare=lambda: _full(most), megabytes=None)
    else:
        signs = getattr(signal, f"SIG{how}")
        after = seconds * random.random()
        ended = run(arguments, folder=folder, sent=(after, signs), megabytes=None)
    if ended.code is not None and ended.code >= 0:
        # What it prints may be in a file, too, and that is full.
        verdict = of(ended, (), (0, 2, 129, 130, 143))
        if verdict.what != FINE and not (how == "full" and len(ended.err) >= most):
            return verdict
    elif ended.code is None or -ended.code not in (signs, signal.SIGXFSZ):
        return of(ended)
    fault = _harm(before, written, folder, may_be_hidden=how == "KILL")
    if fault or how != "KILL":
        return Verdict(LOST, fault) if fault else Verdict(FINE, kills=int(how in SIGNALS))
    return _once_more(arguments, folder, before, written)


def _once_more(
    arguments: list[str], folder: Path, before: dict[str, bytes], written: frozenset[str]
) -> Verdict:
    """After a kill the command goes through, and nothing hidden is left."""
    ended = run(arguments, folder=folder, megabytes=None)
    # What was whole before the kill is not written twice by verbs that keep answers.
    if ended.code != 0 and b"is there already" not in ended.err:
        return Verdict(LOST, f"after a kill: {ended.err[-300:]!r}", kills=1)
    fault = _harm(before, written, folder, may_be_hidden=False)
    return Verdict(WRONG, f"after a kill: {fault}", 1) if fault else Verdict(FINE, kills=1)


def _over_input(random: Random, folder: Path) -> Verdict:
    """What is read and written at once: whole and new, or refused and as it was; never lost."""
    machines = ["lattice.fst", "machine.att", "machine.hfst", "machine.foma", "lattices.far"]
    command, name = random.choice(OVER_INPUT), random.choice(machines)
    if random.random() < 0.5:
        command, name = random.choice(TEXT_OVER_INPUT), "text.txt"
    arguments = [name if word == "IN" else word for word in command]
    before = (folder / name).read_bytes()
    ended = run(arguments, folder=folder, megabytes=None)
    verdict = of(ended, ())
    if verdict.what != FINE:
        return verdict
    is_same = (folder / name).is_file() and (folder / name).read_bytes() == before
    if is_same:
        return Verdict(FINE)
    if ended.code != 0:
        return Verdict(LOST, f"{' '.join(arguments)}: refused, and its input is another")
    if name == "text.txt":
        return Verdict(LOST, f"{' '.join(arguments)}: its input is overwritten")
    again = run(["machine", "info", name], folder=folder, megabytes=None)
    if again.code != 0 and arguments[1] not in ("draw", "inspect"):
        return Verdict(LOST, f"{' '.join(arguments)}: no machine: {again.err[-200:]!r}")
    if arguments[1] in ("draw", "inspect"):
        return Verdict(LOST, f"{' '.join(arguments)}: a page in place of the machine")
    return Verdict(FINE)


def _two(
    arguments: list[str], folder: Path, before: dict[str, bytes], written: frozenset[str]
) -> Verdict:
    """Two at one output: each ends clearly, one of them well, and what is there is whole."""
    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(lambda _: run(arguments, folder=folder, megabytes=None), range(2)))
    for ended in ends:
        verdict = of(ended, ())
        if verdict.what != FINE:
            return verdict
    if all(ended.code for ended in ends):
        return Verdict(WRONG, f"both are refused: {ends[0].err[-200:]!r}")
    fault = _harm(before, written, folder, may_be_hidden=False)
    return Verdict(LOST, fault) if fault else Verdict(FINE)


def _harm(
    before: dict[str, bytes], written: frozenset[str], folder: Path, *, may_be_hidden: bool
) -> str:
    """What is wrong with the files of a folder in which a command was disturbed; empty if nothing."""
    after = _content(folder)
    for name, content in before.items():
        if after.get(name) != content:
            return f"{name} is another, or gone"
    names = set(after) - set(before)
    outputs = {name for name in names if not _is_hidden(name)}
    # What --resume goes on with stays.
    hidden = {
        name for name in names - outputs if not re.match(r"\..+\.fstce-(parts|training)/", name)
    }
    if hidden and not may_be_hidden:
        return f"left behind: {', '.join(sorted(hidden))[:200]}"
    if outputs - written:
        return f"strays: {', '.join(sorted(outputs - written))[:200]}"
    if outputs and outputs != written and not may_be_hidden:
        return f"half: {', '.join(sorted(outputs))[:200]}"
    empty = [name for name in outputs if not after[name]]
    return f"empty: {', '.join(empty)}" if empty else ""


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def _content(folder: Path) -> dict[str, bytes]:
    """All files, by relative names, hidden ones, too."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _full(most: int) -> None:
    """From now on no file grows beyond so many bytes, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


@cache
def _undisturbed(number: int, specimens: Path) -> tuple[frozenset[str], int, float]:
    """The names that a command writes, the size of the largest, and the seconds it takes."""
    folder = specimens.parent / f"writing{os.getpid()}"
    shutil.copytree(specimens, folder)
    try:
        before = set(_content(folder))
        arguments = [word.replace("OUT", "out") for word in COMMANDS[number]]
        ended = run(arguments, folder=folder, seconds=300, megabytes=None)
        if ended.code:
            raise RuntimeError(f"{' '.join(arguments)}: {ended.err.decode(errors='replace')}")
        content = _content(folder)
        names = frozenset(set(content) - before)
        return names, max(len(content[name]) for name in names), ended.seconds
    finally:
        shutil.rmtree(folder)
