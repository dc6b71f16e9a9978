"""TERM and HUP end the program as Ctrl-C does: in one line, with its own exit code, and nothing stays."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from patience import patience


def hidden(folder: Path) -> list[str]:
    """The names of hidden files."""
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_file_that_is_being_written_does_not_stay(process, tmp_path, number, code) -> None:
    """`kill`, the end of a session or of a batch job left it for ever."""
    text = tmp_path / "text.txt"
    text.write_text("the old clock of the tower stopped at noon .\n" * 20_000)
    output = tmp_path / "pairs.jsonl"
    writing = process("neighborhood", "pairs", "trans1", text, "-o", output)
    end = time.monotonic() + patience(60)
    while not hidden(tmp_path):
        assert writing.poll() is None and time.monotonic() < end
        time.sleep(0.01)

    writing.send_signal(number)
    _, err = writing.communicate(timeout=patience(60))
    assert writing.returncode == code
    assert err.decode().splitlines()[-1] == "fstce: interrupted"
    assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]


def test_a_training_that_is_terminated_is_saved(process, tmp_path) -> None:
    options = ("--sigma2", "1000", "--tolerance", "0", "--max-iterations", "100000")
    training = process("parser", "train", "sample", *options, "-o", tmp_path / "m")
    lines = iter(training.stderr.readline, b"")
    assert any(line.startswith(b"iteration  10") for line in lines)
    training.send_signal(signal.SIGTERM)
    _, err = training.communicate(timeout=patience(60))
    assert training.returncode == 143 and b"the best weights so far are saved in" in err
    assert (tmp_path / "m" / "model.json").exists() and not hidden(tmp_path)
