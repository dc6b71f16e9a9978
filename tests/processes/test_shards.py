"""Shards: the same results in the same order whatever the number of processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fstce.errors import MachineError
from fstce.processes.shards import SHARD, map_shards

JOBS = pytest.mark.parametrize("jobs", [None, 1, 2, -1])


@JOBS
@pytest.mark.parametrize("n", [0, 1, SHARD, SHARD + 1, 5 * SHARD + 7])
def test_results_come_in_order(n: int, jobs: int | None) -> None:
    shards = list(map_shards(lambda shard: [i * i for i in shard], range(n), jobs))
    assert [square for shard in shards for square in shard] == [i * i for i in range(n)]
    assert all(len(shard) == SHARD for shard in shards[:-1])


@JOBS
def test_an_error_of_the_work_comes_through(jobs: int | None) -> None:
    def work(shard: range) -> list[int]:
        if SHARD in shard:
            raise MachineError("sentence 129: no")
        return list(shard)

    with pytest.raises(MachineError, match="sentence 129: no"):
        list(map_shards(work, range(3 * SHARD), jobs))


def test_several_processes_share_the_work() -> None:
    here = os.getpid()
    alone = {pid for shard in map_shards(lambda shard: [os.getpid()], range(4 * SHARD)) for pid in shard}
    others = {pid for shard in map_shards(lambda shard: [os.getpid()], range(4 * SHARD), 2) for pid in shard}
    assert alone == {here}
    assert here not in others
    assert 1 <= len(others) <= 2


def test_one_shard_needs_no_other_process() -> None:
    assert list(map_shards(lambda shard: [os.getpid()], range(SHARD), 2)) == [[os.getpid()]]


def test_a_worker_may_start_afresh_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        list(map_shards(lambda shard: [1 // 0], range(2 * SHARD), 2))
    assert sum(sum(shard) for shard in map_shards(list, range(2 * SHARD), 2)) == sum(range(2 * SHARD))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_parent(number: int) -> None:
    program = (
        "import os, time\n"
        "from fstce.processes.shards import map_shards\n"
        "def work(shard):\n"
        "    os.write(1, f'{os.getpid()}\\n'.encode())\n"
        "    time.sleep(60)\n"
        "    return list(shard)\n"
        "list(map_shards(work, range(1000), 2))\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    workers = [int(parent.stdout.readline()) for _ in range(2)]
    parent.send_signal(number)
    parent.wait()
    deadline = time.monotonic() + 20
    while any(map(_lives, workers)):
        assert time.monotonic() < deadline, "a worker outlives its parent"
        time.sleep(0.05)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _die(shard):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_dies_is_an_error_and_no_hang() -> None:
    with pytest.raises(MachineError, match="died, probably for want of memory; use fewer jobs"):
        list(map_shards(_die, range(1000), jobs=2))
