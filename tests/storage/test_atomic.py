"""Files that appear whole or not at all, whatever goes wrong."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from interrupting import at_each_line

from fstce.errors import FstceError, MachineError, ModelFileError, ParameterError, ShardError
from fstce.storage import atomic
from fstce.storage.atomic import replacing, together, write_whole

KINDS = [MachineError, ModelFileError, ParameterError]
Kind = type[FstceError]


def by_hand(path: Path | str, content: str, kind: Kind) -> None:
    with replacing(path, kind) as temporary:
        temporary.write_text(content)


def test_text_keeps_its_line_ends_and_is_utf8(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "a.csv", "σ\r\nb\n", ParameterError)
    assert path.read_bytes() == b"\xcf\x83\r\nb\n"


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(str(path), "old", ParameterError)
    with replacing(path, ParameterError) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
        assert temporary.suffix == ".txt" and temporary.parent == tmp_path
    write_whole(path, path.read_bytes() + b"er", ParameterError)
    assert path.read_text() == "newer"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("write", [write_whole, by_hand])
def test_bad_places_are_named_once(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    write: Callable[[Path | str, str, Kind], object],
    kind: Kind,
) -> None:
    monkeypatch.chdir(tmp_path)
    for place, reason in (
        (".", "it is a folder; name a file in it"),
        (tmp_path, "it is a folder; name a file in it"),
        (
            tmp_path / "missing" / "a.txt",
            f"there is no folder {tmp_path / 'missing'}; make it first",
        ),
        (tmp_path / ("a" * 300), "(File name too long); choose another folder"),
    ):
        with pytest.raises(kind) as caught:
            write(place, "new", kind)
        assert str(caught.value) in (
            f"{place}: cannot be written: {reason}",
            f"{place}: cannot be written {reason}",
        )
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_encoded_leaves_the_old_file(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "a.txt", "old", MachineError)
    with pytest.raises(
        MachineError, match=r"a\.txt: cannot be written: half a character .*in 'new .ud800'"
    ):
        write_whole(path, "new \ud800", MachineError)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_moved_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Path, target: Path) -> None:
        assert self.read_text() == "new"
        raise OSError(28, "No space left on device")

    path = write_whole(tmp_path / "a.txt", "old", ParameterError)
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(ParameterError, match=r"No space left on device.*choose another folder"):
        write_whole(path, "new", ParameterError)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), ValueError("mine"), ModelFileError("damaged")]
)
def test_what_goes_wrong_in_the_block_is_told_as_it_is(
    tmp_path: Path, error: BaseException
) -> None:
    path = write_whole(tmp_path / "a.txt", "old", ParameterError)
    with pytest.raises(type(error)) as caught, replacing(path, ParameterError) as temporary:
        temporary.write_text("half")
        raise error
    assert caught.value is error
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_pipes_and_devices_are_written_into_and_stay(tmp_path: Path) -> None:
    """As root, -o /dev/null and -o /dev/stdout put a file in the device's and the link's place."""
    os.mkfifo(tmp_path / "pipe")
    with os.fdopen(os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
        write_whole(tmp_path / "pipe", "through", MachineError)
        assert reader.read() == b"through"
    assert (tmp_path / "pipe").is_fifo() and list(tmp_path.iterdir()) == [tmp_path / "pipe"]
    try:
        os.mknod(tmp_path / "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        return
    write_whole(tmp_path / "null", "nowhere", MachineError)
    assert (tmp_path / "null").is_char_device()


def test_the_link_to_an_open_file_stays(tmp_path: Path) -> None:
    with (tmp_path / "redirected").open("wb") as stream:
        (tmp_path / "stdout").symlink_to(f"/proc/self/fd/{stream.fileno()}")
        write_whole(tmp_path / "stdout", "all of it", MachineError)
        write_whole(f"/dev/fd/{stream.fileno()}", "all of it", MachineError)
    assert (tmp_path / "stdout").is_symlink()
    assert (tmp_path / "redirected").read_text() == "all of it"


def test_a_file_that_is_replaced_keeps_its_rights(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "a.txt", "old", ParameterError)
    path.chmod(0o600)
    with replacing(path, ParameterError) as temporary:
        temporary.write_text("new")
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o600  # nobody reads it meanwhile either
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)


@pytest.mark.parametrize("there", [True, False])
def test_an_output_that_is_a_link_stays_one(tmp_path: Path, there: bool) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "a.txt", tmp_path / "link.txt"
    if there:
        target.write_text("old")
    link.symlink_to("far/a.txt")
    write_whole(link, "new", ParameterError)
    assert link.is_symlink() and target.read_text() == "new"
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "far", target, link]


def test_a_link_that_leads_in_a_circle_is_told(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(
        ParameterError, match=r"loop: cannot be written \(Too many levels of symbolic links"
    ):
        write_whole(tmp_path / "loop", "new", ParameterError)
    assert [path.name for path in tmp_path.iterdir()] == ["loop"]


def test_a_full_disk_is_reported_by_its_name(tmp_path: Path) -> None:
    """What numpy says of it are two numbers."""
    full = pytest.raises(ShardError, match=r"0\.npy: cannot be written \(No space left on device\)")
    with full, replacing(tmp_path / "0.npy", ShardError):
        raise OSError("629760 requested and 16256 written")


def test_a_pipe_that_nobody_reads_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To open one for writing waited for ever."""
    monkeypatch.setattr("fstce.storage.atomic.PATIENCE", 0.1)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(MachineError, match=r"a pipe from which nobody has read for 0\.1 seconds"):
        write_whole(tmp_path / "pipe", "through", MachineError)


WRITER = """
import sys, time
from pathlib import Path
from types import FrameType
from typing import Any
from fstce.errors import FstceError
from fstce.storage.atomic import replacing
with replacing(Path(sys.argv[1]), FstceError) as temporary:
    temporary.write_text("half")
    print("begun", flush=True)
    time.sleep(60)
"""


def test_what_a_killed_writer_left_goes_with_the_next_that_writes_there(tmp_path: Path) -> None:
    """It stayed for ever: no name said whose it was, and nobody looked."""
    target = str(tmp_path / "pairs.jsonl")
    command = [sys.executable, "-c", WRITER, target]
    mine = tmp_path / f".fstce-{'f' * 31}.txt"
    mine.write_text("no name of ours: a digit is missing")
    writers = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    for writer in writers:
        assert writer.stdout is not None and writer.stdout.readline() == b"begun\n"
    writers[0].kill()
    writers[0].wait()
    assert len([*tmp_path.glob(".fstce-*.jsonl")]) == 2

    one = "from fstce.storage.atomic import *; from pathlib import Path; import sys"
    write = f"{one}; write_whole(Path(sys.argv[1]), 'whole', FstceError)"
    subprocess.run([sys.executable, "-c", write, target], check=True)
    assert len([*tmp_path.glob(".fstce-*.jsonl")]) == 1  # that of the writer that lives
    writers[1].kill()
    writers[1].wait()
    assert mine.exists() and (tmp_path / "pairs.jsonl").read_text() == "whole"


def test_a_file_is_locked_until_it_is_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process's sweep, between the end of the lock and the move, took what was written."""
    moved = Path.replace

    def swept_first(self: Path, target: Path) -> Path:
        write = "from fstce.storage.atomic import write_whole as w; w('b.txt', 'x', ValueError)"
        subprocess.run([sys.executable, "-c", write], cwd=self.parent, check=True)
        return moved(self, target)

    monkeypatch.setattr(Path, "replace", swept_first)
    with replacing(tmp_path / "a.txt", FstceError) as temporary:
        temporary.write_text("whole")
    assert (tmp_path / "a.txt").read_text() == "whole"


def test_ctrl_c_at_any_line_leaves_no_hidden_file(tmp_path: Path) -> None:
    """A signal is noticed between two lines of ours: the path holds the old or the new content."""
    path = tmp_path / "words.tsv"
    path.write_text("old")
    for last in at_each_line(atomic, lambda: write_whole(path, "new", FstceError)):
        assert path.read_text() in ("old", "new")
        assert list(tmp_path.iterdir()) == [path], f"at line {last}"
        path.write_text("old")

    assert last > 20


def test_ctrl_c_at_any_line_leaves_both_files_of_a_pair_or_neither(tmp_path: Path) -> None:
    machine, symbols = tmp_path / "lattice.far", tmp_path / "lattice.syms"

    def write() -> None:
        with together():
            write_whole(machine, "machine", FstceError)
            write_whole(symbols, "symbols", FstceError)

    for last in at_each_line(atomic, write):
        files = sorted(tmp_path.iterdir())
        assert files in ([], [machine, symbols]), f"at line {last}"
        for file in files:
            file.unlink()

    assert last > 50
    write_whole(machine, "alone", FstceError)
    assert machine.read_text() == "alone"


def test_where_one_file_of_a_pair_cannot_be_written_the_other_stays_as_it_was(
    tmp_path: Path,
) -> None:
    (tmp_path / "lattice.far").write_text("old")
    with pytest.raises(ParameterError, match="there is no folder"), together():
        write_whole(tmp_path / "lattice.far", "new", ParameterError)
        write_whole(tmp_path / "missing" / "lattice.syms", "new", ParameterError)

    assert (tmp_path / "lattice.far").read_text() == "old"
    assert list(tmp_path.iterdir()) == [tmp_path / "lattice.far"]
