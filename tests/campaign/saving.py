"""A fault at each step in the file system while something is saved: the old or the new, never neither."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import fstce
from fstce.corpora.dictionary import TagDictionary
from fstce.errors import FstceError
from fstce.machines import write_machine
from fstce.machines.files import read_far, read_fst, write_far, write_fst
from fstce.storage.folder import model_folder
from tests.campaign.child import call
from tests.campaign.verdict import FINE, LOST, WRONG, Verdict, of

CLASSES = {
    "tagger": "Tagger",
    "hmm": "Tagger",
    "parser": "DependencyParser",
    "latent": "LatentGrammar",
    "product": "GrammarProduct",
    "constituents": "DirectedAlignment",
    "corrector": "Corrector",
}
FILES: dict[str, Callable[[Path, Path], Any]] = {
    "fst": lambda specimens, path: write_fst(read_fst(specimens / "lattice.fst"), path),
    "far": lambda specimens, path: write_far(read_far(specimens / "lattices.far"), path),
    "att": lambda specimens, path: write_machine(read_fst(specimens / "lattice.fst"), path),
    "dictionary": lambda specimens, path: TagDictionary.from_file(specimens / "words.tsv").to_tsv(
        path
    ),
}
ERRORS = (
    errno.ENOSPC,
    errno.EIO,
    errno.EMFILE,
    errno.ESTALE,
    errno.EACCES,
    errno.EROFS,
    errno.EINTR,
)
DEATHS = ("kill", "interrupt", "full")
_INTERRUPTED = 130


def keys(random: Random) -> Iterator[str]:
    """Endless: what is saved, which fault, seed of the step."""
    while True:
        fault = random.choice((*(errno.errorcode[error] for error in ERRORS), *DEATHS, "kill"))
        yield f"{random.choice((*CLASSES, *FILES))}:{fault}:{random.getrandbits(30)}"


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Save over something older with one fault, and see what is there."""
    what, fault, seed = key.split(":")
    target = _target(what, scratch)
    save = _saver(what, specimens, target)
    old, new = _before(what, specimens, target), _after(what, specimens)
    step = 1 + int(seed) % (_bytes(new) if fault == "full" else _steps(what, specimens))
    ended = call(save, prepare=lambda: _inject(fault, step, str(scratch)), megabytes=None)
    found = content(target)
    hidden = [path.name for path in scratch.rglob(".*")]
    if found not in (old, new):
        return Verdict(
            LOST,
            f"step {step}: neither old nor new: {str(found)[:200]} {str(new)[:100]}; {ended.err[-300:]!r}",
        )
    if ended.code == 0 and found != new:
        return Verdict(WRONG, f"step {step}: reports success, and the old is there")
    if fault == "kill":
        return _once_more(save, target, new, scratch, step)._replace(
            kills=int(ended.code == -signal.SIGKILL)
        )
    if hidden and (swept := _once_more(save, target, new, scratch, step)).what != FINE:
        return swept
    if fault == "full" and len(ended.err) >= step:
        return Verdict(FINE)  # what it says is in a file, too, and that is full
    verdict = of(ended, ["model", "file"], (0, 2, _INTERRUPTED))
    return Verdict(verdict.what, f"step {step}: {verdict.why}") if verdict.what != FINE else verdict


def _once_more(
    save: Callable[[], int], target: Path, new: dict[str, bytes], scratch: Path, step: int
) -> Verdict:
    """After a kill the next save goes through, and sweeps what the killed one left behind."""
    ended = call(save, megabytes=None)
    if ended.code != 0 or content(target) != new:
        return Verdict(LOST, f"step {step}: the next save fails: {ended.err[-300:]!r}")
    hidden = [path.name for path in scratch.rglob(".*") if path.is_dir()]
    return (
        Verdict(WRONG, f"step {step}: never swept: {', '.join(hidden)[:200]}")
        if hidden
        else Verdict(FINE)
    )


def _target(what: str, place: Path) -> Path:
    """Where it is saved."""
    return place / (
        "model" if what in CLASSES else f"file.{'tsv' if what == 'dictionary' else what}"
    )


def _saver(what: str, specimens: Path, target: Path) -> Callable[[], int]:
    def save() -> int:
        try:
            if what in CLASSES:
                loaded[what].save(target)
            else:
                FILES[what](specimens, target)
        except FstceError as error:
            sys.stderr.write(f"{error}\n")
            return 2
        except KeyboardInterrupt:
            return _INTERRUPTED
        return 0

    loaded = {what: _model(what, specimens)} if what in CLASSES else {}
    return save


@cache
def _model(what: str, specimens: Path) -> Any:
    return getattr(fstce, CLASSES[what]).load(specimens / what)


def _before(what: str, specimens: Path, target: Path) -> dict[str, bytes]:
    """Put something older in the place."""
    if what in CLASSES:
        shutil.copytree(specimens / "before" / what, target)
    else:
        target.write_bytes(b"old")
    return content(target)


@cache
def _after(what: str, specimens: Path) -> dict[str, bytes]:
    """What an undisturbed save writes."""
    return _dry(what, specimens)[1]


@cache
def _steps(what: str, specimens: Path) -> int:
    """In how many steps."""
    return _dry(what, specimens)[0]


@cache
def _dry(what: str, specimens: Path) -> tuple[int, dict[str, bytes]]:
    place = specimens.parent / f"dry{os.getpid()}{what}"
    place.mkdir()
    target = _target(what, place)
    _before(what, specimens, target)
    counter = place / "steps"
    save = _saver(what, specimens, target)

    def counted() -> int:
        steps = _steps_of(str(target.parent))
        code = save()
        counter.write_text(str(steps()))
        return code

    ended = call(counted, megabytes=None)
    if ended.code:
        raise RuntimeError(f"saving {what}: {ended.err.decode(errors='replace')}")
    found = int(counter.read_text()), content(target)
    shutil.rmtree(place)
    return found


def _watched(event: str, arguments: tuple[Any, ...], place: str) -> bool:
    """Whether a step of Python's in the file system concerns this place."""
    if event != "open" and not event.startswith("os."):
        return False  # what shutil and tempfile announce they do by these
    return any(
        isinstance(one, (str, bytes, os.PathLike)) and place in os.fsdecode(one)
        for one in arguments
    )


def _steps_of(place: str) -> Callable[[], int]:
    """Count the steps from now on."""
    count = [0]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        count[0] += _watched(event, arguments, place)

    sys.addaudithook(hook)
    return lambda: count[0]


def _inject(fault: str, step: int, place: str) -> None:
    """From now on the step-th step fails; for `full` no file grows beyond so many bytes."""
    if fault == "full":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (step, step))
        return
    count = [0]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        count[0] += _watched(event, arguments, place)
        if count[0] != step:
            return
        count[0] += 1  # once
        if fault == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if fault == "interrupt":
            raise KeyboardInterrupt
        number = getattr(errno, fault)
        raise OSError(number, os.strerror(number))

    sys.addaudithook(hook)


def content(path: Path) -> dict[str, bytes]:
    """The files of a folder, or the file itself, without hidden ones; a model is where loaders find it."""
    if path.is_file():
        return {"": path.read_bytes()}
    path = model_folder(path)
    files = (file for file in path.rglob("*") if file.is_file() and not file.name.startswith("."))
    return {str(file.relative_to(path)): file.read_bytes() for file in files}


def _bytes(content: dict[str, bytes]) -> int:
    return max(map(len, content.values()))
