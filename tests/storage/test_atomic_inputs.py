"""The door: what is no file is refused, what is endless has an end."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from fstce.corpora.documents import lines_of
from fstce.errors import CorpusError, MachineError
from fstce.storage import atomic
from fstce.storage.atomic import opened, read_bytes


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic, "PATIENCE", 0.3)
    monkeypatch.setattr(atomic, "LARGEST", 1 << 16)


def written(path: Path, command: str) -> subprocess.Popen[bytes]:
    os.mkfifo(path)
    return subprocess.Popen(["sh", "-c", f"exec > {path}; {command}"], stderr=subprocess.DEVNULL)


@pytest.mark.parametrize("name", ["zero", "urandom", "full"])
def test_a_device_is_refused(name: str) -> None:
    for read in (lambda path: read_bytes(path, CorpusError), lines_of):
        with pytest.raises(
            CorpusError, match=f"^/dev/{name}: cannot be read .a device, not a file"
        ):
            read(Path("/dev", name))
    assert read_bytes(Path(os.devnull), CorpusError) == b""


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("exec yes ''", "it has more than 65,536 bytes"),
        ("exec tr '\\0' a < /dev/zero", "it has more than 65,536 bytes|a line of more than"),
        ("printf 'a\nb'; sleep 5", r"a pipe into which nobody has written for 0\.3 seconds"),
    ],
)
def test_an_endless_pipe_has_an_end(tmp_path: Path, command: str, message: str) -> None:
    for name, read in (("a.txt", lambda path: read_bytes(path, CorpusError)), ("b.txt", lines_of)):
        writer = written(tmp_path / name, command)
        try:
            with pytest.raises(CorpusError, match=rf"{name}(:1)?: .*({message})"):
                read(tmp_path / name)
        finally:
            writer.kill()
            writer.wait()


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    writer = written(tmp_path / "a.txt", "printf 'the\\ndog\\n'")
    assert lines_of(tmp_path / "a.txt") == ["the", "dog"]
    writer.wait()


def test_a_stream_may_be_silent_once_it_has_begun(tmp_path: Path) -> None:
    writer = written(tmp_path / "a.txt", "printf 'the\\n'; sleep 0.8; printf 'dog\\n'")
    with opened(tmp_path / "a.txt", patient=True) as stream:
        assert list(stream) == [b"the\n", b"dog\n"]
    writer.wait()


def test_what_is_wrong_has_the_kind_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"the\n\xff\n")
    with pytest.raises(MachineError, match=r"a\.txt:2: byte 0xff .* convert the file to UTF-8"):
        lines_of(tmp_path / "a.txt", MachineError)
    with pytest.raises(MachineError, match=r"nosuch: no such user"):
        lines_of("~nosuch", MachineError)
    with pytest.raises(MachineError, match="cannot be read"):
        read_bytes(Path("a\0b"), MachineError)
