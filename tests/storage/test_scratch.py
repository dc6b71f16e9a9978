"""Scratch folders end with their process, and what is mapped there has no name."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstce.errors import ParameterError
from fstce.storage.locks import sweep
from fstce.storage.scratch import PREFIX, mapped, scratch_folder


def test_a_killed_process_leaves_a_folder_that_the_next_one_sweeps(tmp_path: Path) -> None:
    program = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from fstce.storage.scratch import scratch_folder\n"
        f"with scratch_folder(Path({str(tmp_path)!r})): os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program], check=False)
    (left,) = tmp_path.glob(f"{PREFIX}*")
    with scratch_folder(tmp_path) as own:
        assert own.is_dir() and not left.exists()
        sweep(tmp_path, f"{PREFIX}.*")
        assert own.is_dir()
    assert list(tmp_path.iterdir()) == []


def test_a_scratch_place_that_is_none_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(ParameterError, match="no temporary files there"),
        scratch_folder(tmp_path / "none"),
    ):
        pass


def test_mapped_arrays_have_no_name(tmp_path: Path) -> None:
    array = mapped(tmp_path, 3, np.float32)
    array[:] = 2
    assert array.tolist() == [2, 2, 2]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("before", ["os.open", "fcntl.flock"])
def test_a_sweep_between_making_and_locking_takes_no_folder_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    """Another process swept a folder before its owner had opened it, or had its lock."""
    call, sweeps = {"os.open": os.open, "fcntl.flock": fcntl.flock}[before], iter([True])

    def late(file: Any, how: int, **within: Any) -> Any:
        if next(sweeps, False):
            (there,) = tmp_path.iterdir()
            sweep(tmp_path, f"{PREFIX}.*")
            assert not there.exists()
        return call(file, how, **within)

    monkeypatch.setattr("fstce.storage.scratch.sweep", lambda place, pattern: None)
    monkeypatch.setattr(before, late)
    with scratch_folder(tmp_path) as folder:
        sweep(tmp_path, f"{PREFIX}.*")
        assert folder.is_dir()
