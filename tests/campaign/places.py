"""Where a command runs: closed and full descriptors, FIFOs, links, little memory, foreign files."""

from __future__ import annotations

import os
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from fstce.storage import atomic
from tests.campaign.child import run
from tests.campaign.options import COMMANDS
from tests.campaign.verdict import FINE, LOST, UNCLEAR, WRONG, Verdict, of

FOREIGN = {
    "README.txt": "mine\n",
    "words.syms": "mine\n",
    "tags.syms": "mine\n",
    "notes/draft.txt": "mine\n",
}


def _closed(*descriptors: int) -> Callable[[], None]:
    def prepare() -> None:
        for descriptor in descriptors:
            os.close(descriptor)

    return prepare


def _full() -> None:
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


def _nobody_reads() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    os.dup2(writing, 1)


def _few_files() -> None:
    most = 5 + max(int(path.name) for path in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def hurried() -> None:
    atomic.PATIENCE = 2  # seconds for a pipe into which nobody writes, instead of ten
    atomic.LARGEST = 1 << 25  # bytes of a file that is read whole, instead of a gigabyte


def _interrupted() -> None:
    timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.daemon = True
    timer.start()


PREPARED: dict[str, Callable[[], None]] = {
    "stdin closed": _closed(0),
    "stdout closed": _closed(1),
    "stderr closed": _closed(2),
    "all closed": _closed(0, 1, 2),
    "full device": _full,
    "nobody reads": _nobody_reads,
    "few files": _few_files,
    "interrupted": _interrupted,
}
INPUTS: dict[str, Callable[[Path], None]] = {
    "FIFO": lambda path: os.mkfifo(path),
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "loop": lambda path: path.symlink_to(path.name),
    "folder": lambda path: path.mkdir(),
    "gone": lambda path: None,
    "no rights": lambda path: (path.write_text("x"), path.chmod(0), None)[-1],
    "empty": lambda path: path.touch(),
}
OUTPUTS = ("foreign", "file", "not UTF-8", "missing folder", "read only", "link", "loop")


def keys(random: Random) -> Iterator[str]:
    """Endless: what place, which command, seed."""
    what = (
        *PREPARED,
        *(f"in {name}" for name in INPUTS),
        *(f"out {name}" for name in OUTPUTS),
        "memory",
        "memory",
    )
    while True:
        yield f"{random.choice(what)}:{random.randrange(len(COMMANDS))}:{random.getrandbits(30)}"


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Run the command there."""
    what, number, seed = key.split(":")
    command, random = COMMANDS[int(number)], Random(int(seed))
    out = scratch / "out"
    if what.startswith("in "):
        return _strange_input(what[3:], command, specimens, scratch)
    if what.startswith("out "):
        return _strange_output(what[4:], command, specimens, scratch)
    arguments = [argument.replace("OUT", str(out)) for argument in command]
    if what == "memory":
        ended = run(arguments, folder=specimens, megabytes=random.choice((0, 1, 3, 10, 30, 100)))
        verdict = of(ended, (), (0, 1, 2))
        told = b"memory" in ended.err
        return (
            Verdict(FINE) if verdict.what == UNCLEAR and told and ended.code in (1, 2) else verdict
        )
    ended = run(arguments, prepare=PREPARED[what], folder=specimens)
    if what == "interrupted" and ended.code == -signal.SIGINT:
        return Verdict(FINE, kills=1)  # before the verb was loaded
    verdict = of(ended, (), (0, 1, 2, 130))
    if verdict.what == UNCLEAR and verdict.why == "refused without a word" and "closed" in what:
        return Verdict(FINE)  # there is nothing to say it on
    if what == "stderr closed" and b"Usage" not in ended.out and b"refused" in ended.out:
        return Verdict(WRONG, "messages stand among the data")
    return verdict


def _strange_input(what: str, command: list[str], specimens: Path, scratch: Path) -> Verdict:
    """One of the command's files is no ordinary file."""
    files = [word for word in command if (specimens / word).is_file()]
    if not files:
        return Verdict(FINE)
    strange = scratch / files[0]
    INPUTS[what](strange)
    arguments = [
        str(strange) if word == files[0] else word.replace("OUT", str(scratch / "out"))
        for word in command
    ]
    allowed = (0, 1, 2) if "check" in command else (0, 2)
    ended = run(arguments, folder=specimens, prepare=hurried, seconds=40)
    return of(ended, [files[0]], allowed)


def _strange_output(what: str, command: list[str], specimens: Path, scratch: Path) -> Verdict:
    """The output is somebody else's, or cannot be."""
    if not any("OUT" in word for word in command):
        return Verdict(FINE)
    name = "\udcffout" if what == "not UTF-8" else "out"
    out = scratch / "none" / name if what == "missing folder" else scratch / name
    suffix = next(word for word in command if word.startswith("OUT"))[3:]
    whole = Path(f"{out}{suffix}")
    kept: dict[Path, str] = {}
    if what == "foreign":
        folder = whole if not suffix else scratch
        for place, content in FOREIGN.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text(content)
            kept[folder / place] = content
    elif what == "file":
        whole.write_text("mine\n")
        kept = {} if suffix else {whole: "mine\n"}
    elif what == "link":
        (scratch / "elsewhere").write_text("mine\n")
        whole.symlink_to(scratch / "elsewhere")
    elif what == "loop":
        whole.symlink_to(whole.name)
    elif what == "read only":
        (scratch / "locked").mkdir(mode=0o500)
        whole = scratch / "locked" / whole.name
    arguments = [
        word.replace("OUT", str(whole)[: len(str(whole)) - len(suffix)]) for word in command
    ]
    ended = run(arguments, folder=specimens)
    lost = [
        path.name
        for path, content in kept.items()
        if not path.exists() or path.read_text() != content
    ]
    if lost:
        return Verdict(LOST, f"overwritten: {', '.join(lost)}")
    return of(ended, ["out", "locked", "elsewhere"], (0, 2))
