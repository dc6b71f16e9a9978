"""Work shared out to processes and threads: the same results in the same order for any number."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from patience import patience
from sent_work import die, own_pid

from fstce.errors import MachineError
from fstce.processes.workers import crew, in_threads, map_items

JOBS = pytest.mark.parametrize("jobs", [None, 1, 2, -1])


def processes(n: int, jobs: int | None = None) -> set[int]:
    """Who does the work on n items."""
    return set(map_items(own_pid, range(n), jobs))


@JOBS
@pytest.mark.parametrize("n", [0, 1, 2, 50])
def test_results_come_in_order(n: int, jobs: int | None) -> None:
    assert list(map_items(lambda i: i * i, range(n), jobs)) == [i * i for i in range(n)]


@JOBS
def test_an_error_of_the_work_comes_through(jobs: int | None) -> None:
    def work(item: int) -> int:
        if item == 2:
            raise MachineError("sentence 129: no")
        return item

    with pytest.raises(MachineError, match="sentence 129: no"):
        list(map_items(work, range(3), jobs))


def test_several_processes_share_the_work() -> None:
    here = os.getpid()
    others = processes(4, 2)
    assert processes(4) == {here}
    assert here not in others
    assert 1 <= len(others) <= 2


def test_one_item_needs_no_other_process() -> None:
    assert processes(1, 2) == {os.getpid()}


def test_a_worker_may_start_afresh_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        list(map_items(lambda item: 1 // 0, range(2), 2))
    assert list(map_items(abs, range(2), 2)) == [0, 1]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_parent(number: int, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import os, time\n"
        "from fstce.processes.workers import map_items\n"
        "def work(item):\n"
        "    os.write(1, f'{os.getpid()}\\n'.encode())\n"
        "    time.sleep(60)\n"
        "if __name__ == '__main__':\n"
        "    list(map_items(work, range(8), 2))\n"
    )
    parent = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True)
    workers = [int(parent.stdout.readline()) for _ in range(2)]
    parent.send_signal(number)
    parent.wait()
    deadline = time.monotonic() + patience(20)
    while any(map(_lives, workers)):
        assert time.monotonic() < deadline, "a worker outlives its parent"
        time.sleep(0.05)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_worker_that_dies_is_an_error_and_no_hang() -> None:
    with pytest.raises(MachineError, match="died, probably for want of memory; use fewer jobs"):
        list(map_items(die, range(8), jobs=2))


def test_answers_come_in_the_order_of_the_items() -> None:
    for jobs in (1, 2):
        assert list(in_threads(len, ["a", "bc"], jobs)) == [1, 2]


def test_a_crew_ends_each_round_before_the_next() -> None:
    found: list[int] = []
    with crew(2) as each:
        list(each(found.append, [1]))
        list(each(found.append, [2]))
    assert found == [1, 2]
