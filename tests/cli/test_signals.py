"""TERM and HUP end the program as Ctrl-C does: in one line, with its own exit code, and nothing stays."""

from __future__ import annotations

import shlex
import signal
import time
from pathlib import Path

import pytest
from patience import patience

from fstce.console.models import load


def hidden(folder: Path) -> list[str]:
    """The names of hidden files."""
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_file_that_is_being_written_does_not_stay(process, tmp_path, number, code) -> None:
    """`kill`, the end of a session or of a batch job left it for ever."""
    text = tmp_path / "text.txt"
    text.write_text("the old clock of the tower stopped at noon .\n" * 200_000)
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
    assert (tmp_path / "m" / "model.json").exists()
    assert hidden(tmp_path) == [".m.fstce-training"]  # what --resume goes on from


def ended_by(process, number, *command) -> str:
    """What a training says that is ended by a signal after some iterations."""
    training = process(*command)
    lines = iter(training.stderr.readline, b"")
    assert any(b"iteration  10" in line for line in lines)
    training.send_signal(number)
    return training.communicate(timeout=patience(60))[1].decode()


@pytest.mark.parametrize(
    ("number", "command"),
    [
        (signal.SIGINT, ("tagger", "train", "sample", "--words", "3000", "--order", "2")),
        (signal.SIGINT, ("parser", "train", "sample", "--sigma2", "1000")),
        (signal.SIGKILL, ("parser", "train", "sample", "-n", "trans1")),
    ],
)
def test_a_training_goes_on_to_the_weights_of_one_that_nobody_ended(
    process, fstce, tmp_path, number, command
) -> None:
    """`--start` made the saved weights the prior's mean: the objective ended elsewhere."""
    command = (*command, "--tolerance", "1e-7")
    assert fstce(*command, "-q", "-o", tmp_path / "whole").code == 0
    err = ended_by(process, number, *command, "-o", tmp_path / "m")
    again = [*command, "-o", str(tmp_path / "m"), "--resume"]
    if number == signal.SIGINT:
        last = err.splitlines()[-1]
        again = shlex.split(last.partition("; go on with: fstce ")[2])
        assert load(tmp_path / "m").training_.stopped == "interrupted"

    assert fstce(*again).code == 0
    assert (tmp_path / "m" / "weights.npz").read_bytes() == (
        tmp_path / "whole" / "weights.npz"
    ).read_bytes()
    assert not hidden(tmp_path)


def test_a_training_goes_on_with_its_own_text_alone(process, fstce, tmp_path) -> None:
    command = ("parser", "train", "sample", "--tolerance", "0", "--sigma2", "1000")
    output = ("-o", tmp_path / "m")
    code, _, err = fstce(*command, *output, "--resume")
    assert code == 2 and "no training to" in err and "leave --resume out" in err
    ended_by(process, signal.SIGINT, *command, *output)
    code, _, err = fstce(*command, *output, "--resume", "--max-length", "7")
    assert code == 2 and "had another text or other options" in err
    assert load(tmp_path / "m").training_.stopped == "interrupted"
    assert hidden(tmp_path) == [".m.fstce-training"]


def test_a_comparison_of_machines_ends_when_it_is_terminated(process, tmp_path) -> None:
    """OpenFst works in a process of its own: in this one it let no signal through."""
    window = "".join(f"{i} {i + 1} {label} {label}\n" for i in range(1, 40) for label in (1, 2))
    machine = tmp_path / "window.txt"
    machine.write_text(f"0 0 1 1\n0 0 2 2\n0 1 1 1\n{window}40\n")
    comparing = process("machine", "equivalent", machine, machine)
    children = Path(f"/proc/{comparing.pid}/task/{comparing.pid}/children")
    if not children.exists():
        pytest.skip("the system does not say which processes a process has started")
    end = time.monotonic() + patience(60)
    while not children.read_text():
        assert comparing.poll() is None and time.monotonic() < end
        time.sleep(0.01)

    comparing.send_signal(signal.SIGTERM)
    _, err = comparing.communicate(timeout=patience(5))
    assert comparing.returncode == 143 and err.decode() == "fstce: interrupted\n"
