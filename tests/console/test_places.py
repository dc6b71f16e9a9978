"""Machines that come through pipes and go into them, with OpenFst's own programs where they are installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pynini
import pytest
from patience import patience

from fstce import neighborhood
from fstce.machines import read_fst, write_fst

WORDS = "so it goes"


def piped(*arguments: object, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The program in a process of its own, with real pipes."""
    command = [sys.executable, "-m", "fstce", *map(str, arguments)]
    return subprocess.run(
        command, input=data, capture_output=True, timeout=patience(120), check=False
    )


@pytest.fixture
def lattice(tmp_path: Path) -> Path:
    write_fst(neighborhood("trans1")(WORDS.split()).to_fst(), tmp_path / "x.fst")
    return tmp_path / "x.fst"


def test_a_machine_goes_through_a_pipe(tmp_path: Path, lattice: Path) -> None:
    done = piped("machine", "convert", "-", "-", data=lattice.read_bytes())
    assert done.returncode == 0, done.stderr
    (tmp_path / "y.fst").write_bytes(done.stdout)
    assert pynini.isomorphic(read_fst(tmp_path / "y.fst"), read_fst(lattice))
    shown = piped("machine", "info", "-", data=done.stdout)
    assert b"kept: it is a lattice" in shown.stdout
    drawn = piped("machine", "draw", "-", data=done.stdout)
    assert drawn.stdout.startswith(b"digraph") and b'label="goes"' in drawn.stdout


def test_damage_in_a_pipe_is_of_standard_input(lattice: Path) -> None:
    done = piped("machine", "info", "-", data=lattice.read_bytes()[:200])
    assert done.returncode == 2
    assert b"standard input: " in done.stderr and b"/tmp" not in done.stderr
    assert b"standard input is empty" in piped("machine", "info", "-").stderr


def test_a_transducer_goes_into_a_pipe_and_a_file(fstce, tmp_path: Path) -> None:
    done = piped("neighborhood", "lattice", "del1word", WORDS, "--transducer", "-o", "-")
    (tmp_path / "x.fst").write_bytes(done.stdout)
    expected = neighborhood("del1word").transducer(WORDS.split())
    assert pynini.isomorphic(read_fst(tmp_path / "x.fst"), expected)
    code, _, _ = fstce(
        "neighborhood", "lattice", "del1word", WORDS, "--transducer", "-o", tmp_path / "y.fst"
    )
    assert code == 0 and (tmp_path / "y.syms").is_file()
    assert pynini.isomorphic(read_fst(tmp_path / "y.fst"), expected)
