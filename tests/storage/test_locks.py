"""Locks: who holds one, and that the workers of a killed process hold none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fstce.processes.workers import FORKS
from fstce.storage.locks import locked

TAKEN = ValueError("somebody writes there")

HOLDER = """
import os, sys, time
from pathlib import Path
from fstce.processes.workers import FORKS
from fstce.storage.locks import locked
with locked(Path(sys.argv[1]), ValueError()):
    if os.fork() == 0:  # a worker, which outlives its parent for a while
        time.sleep(30)
        os._exit(0)
    print("held", flush=True)
    time.sleep(30)
"""


@pytest.mark.skipif(not FORKS, reason="nothing is forked here")
def test_a_lock_is_of_the_process_that_took_it(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, lock], stdout=subprocess.PIPE)
    assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
    with pytest.raises(ValueError, match="somebody"), locked(lock, TAKEN):
        pass

    holder.kill()
    holder.wait()
    with locked(lock, TAKEN):
        assert lock.exists()
    assert list(tmp_path.iterdir()) == []
