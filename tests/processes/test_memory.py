"""Little address space ends a training in one line, soon; neither OpenBLAS nor OpenFst speaks."""

from __future__ import annotations

import mmap
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from patience import patience

from fstce.processes.apart import apart
from fstce.processes.memory import check_room, limited
from fstce.processes.workers import FORKS

COMMAND = [sys.executable, "-m", "fstce", "tagger", "train", "sample", "-n", "trans1", "--quiet"]


def test_room_that_there_is_is_left() -> None:
    check_room()
    check_room(1 << 30)
    with pytest.raises(MemoryError, match="no room for 1,152,921,504,606,846,976 bytes"):
        check_room(1 << 60)


@pytest.mark.parametrize("megabytes", [72, 100, 150, 190, 192, 240, 260, 300, 350])
def test_too_little_address_space_is_told_in_one_line(megabytes: int, tmp_path: Path) -> None:
    """At 100 MB OpenBLAS said that it gave up, at 190 OpenFst aborted, at 260 and 300 L-BFGS never ended."""
    space = megabytes << 20
    run = subprocess.run(
        [*COMMAND, "-o", str(tmp_path / "model")],
        capture_output=True,
        text=True,
        timeout=patience(60),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (space, space)),
    )
    assert run.returncode in (0, 1)
    said = run.stderr.splitlines()
    assert len(said) == run.returncode
    assert all(line.startswith("fstce: out of memory") for line in said)


@pytest.mark.skipif(not FORKS, reason="nothing is forked, so no memory is bounded")
def test_a_block_has_so_much_memory_and_no_more_than_was_left() -> None:
    """In a process of its own; what comes behind the block has what it had."""
    taken = []

    def take(nbytes: int) -> None:
        with suppress(OSError), mmap.mmap(-1, nbytes):  # new pages, not what the process has freed
            taken.append(nbytes)

    def work() -> bytes:
        with limited(64 << 20):
            for nbytes in (1 << 20, 128 << 20):
                take(nbytes)
        take(128 << 20)
        with limited(1 << 40):
            take(512 << 20)
        return repr(taken).encode()

    assert apart(work, "x", 256 << 20) == repr([1 << 20, 128 << 20]).encode()


def test_a_process_without_a_limit_gets_none() -> None:
    """Beyond it OpenFst would end the process: where nothing is forked, the user's own."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    if before[0] != resource.RLIM_INFINITY:
        pytest.skip("the tests have a limit of memory")
    with limited(1 << 20):
        assert resource.getrlimit(resource.RLIMIT_AS) == before
        assert len(bytes(128 << 20)) == 128 << 20
