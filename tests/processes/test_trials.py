"""Runs of trials, with real processes: order, the log, what is done again, and what goes wrong."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.context import ForkProcess
from pathlib import Path

import pytest
from patience import patience
from sent_work import closures_are_sent, prepare_marks
from trial_cases import bare, chaotic, grid, log_lines, run_trials

from fstce.errors import MachineError, ParameterError
from fstce.processes.trial_log import TrialLog, dump, key
from fstce.processes.trials import Group, WorkerTraceback

JOBS = pytest.mark.parametrize("jobs", [1, 2, 5])
SPREAD = pytest.mark.parametrize("jobs", [2, 5])


def settings(records):
    return [(record["settings"]["group"], record["settings"]["trial"]) for record in records]


# --- the same whatever the number of processes


def test_the_results_of_every_number_of_processes_are_the_same_bits():
    alone = [
        {"settings": {**group.shared, **trial}, "result": chaotic(group.shared)(trial)}
        for group in grid()
        for trial in group.trials
    ]
    for jobs in (None, 1, 2, 5, -1):
        assert dump({"r": bare(run_trials(grid(), chaotic, jobs=jobs))}) == dump({"r": alone})


@closures_are_sent
@SPREAD
def test_records_come_in_the_order_of_the_trials_not_of_their_ends(jobs, tmp_path):
    ended = []
    another = tmp_path / "another has ended"

    def prepare(shared):
        while shared["group"] == 0 and not another.exists():
            time.sleep(0.01)
        return lambda trial: {}

    def monitor(done, total, record):
        if record is not None:
            another.touch()
            ended.append(record["settings"]["group"])

    records = run_trials(grid(3), prepare, jobs=jobs, monitor=monitor)
    assert settings(records) == [(g, t) for g in range(3) for t in range(3)]
    assert ended[0] != 0 and sorted(ended) == [g for g in range(3) for _ in range(3)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_dearest_group_begins_first(jobs, tmp_path):
    groups = [Group({"group": g}, [{"trial": 0}], cost) for g, cost in enumerate([1, 5, 0, 3])]

    def prepare(shared):
        begun = time.monotonic()
        time.sleep(0.2)
        return lambda trial: {"begun": begun}

    records = run_trials(groups, prepare, jobs=jobs)
    begun = sorted(range(4), key=lambda g: records[g]["result"]["begun"])
    assert begun == [1, 3, 0, 2] if jobs == 1 else set(begun[:2]) == {1, 3}


def test_a_group_is_prepared_once_and_several_processes_work():
    for jobs, processes in ((None, {os.getpid()}), (2, None)):
        records = run_trials(grid(4), prepare_marks, jobs=jobs)
        marks = [tuple(record["result"]["mark"]) for record in records]
        assert [len(set(marks[i : i + 3])) for i in range(0, 12, 3)] == [1] * 4
        assert (
            processes == {pid for pid, _ in marks} if processes else os.getpid() not in dict(marks)
        )


def test_no_more_processes_than_jobs_run_at_a_time(tmp_path):
    def prepare(shared):
        (tmp_path / str(shared["group"])).touch()
        time.sleep(0.05)
        here = len(list(tmp_path.iterdir()))
        (tmp_path / str(shared["group"])).unlink()
        return lambda trial: {"at once": here}

    records = run_trials(grid(6, 1), prepare, jobs=2)
    assert max(record["result"]["at once"] for record in records) <= 2


@closures_are_sent
def test_trials_may_start_processes_of_their_own():
    def prepare(shared):
        def run(trial):
            with ProcessPoolExecutor(2) as pool:
                return {"squares": list(pool.map(abs, [-1, -2]))}

        return run

    assert [r["result"] for r in run_trials(grid(2, 2), prepare, jobs=2)] == [
        {"squares": [1, 2]}
    ] * 4


@JOBS
def test_nothing_to_do(jobs, tmp_path):
    assert run_trials([], chaotic, jobs=jobs) == []
    assert run_trials([Group({"group": 0}, [])], chaotic, tmp_path / "log", jobs=jobs) == []


def test_seconds_are_what_the_trial_took():
    def prepare(shared):
        time.sleep(0.3)
        return lambda trial: time.sleep(0.05) or {}

    (record,) = run_trials(grid(1, 1), prepare)
    assert 0.05 <= record["seconds"] < 0.3


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_monitor_counts_up_from_what_the_log_holds(jobs, tmp_path):
    calls = []

    def monitor(done, total, record):
        calls.append((done, total, record and os.getpid()))

    run_trials(grid(1), chaotic, tmp_path / "log", monitor=monitor, jobs=jobs)
    assert calls == [(0, 3, None), *((n, 3, os.getpid()) for n in (1, 2, 3))]
    calls.clear()
    run_trials(grid(2), chaotic, tmp_path / "log", monitor=monitor, jobs=jobs)
    assert calls == [(3, 6, None), *((n, 6, os.getpid()) for n in (4, 5, 6))]


# --- going on


def counting(folder, prepare=chaotic):
    """`prepare`, leaving a file for each preparation and each trial that is run."""

    def touch(name):
        (folder / f"{name}-{time.monotonic_ns()}-{os.getpid()}").touch()

    def counted(shared):
        touch(f"group{shared['group']}")
        run = prepare(shared)

        def noted(trial):
            touch(f"trial{shared['group']}.{trial['trial']}")
            return run(trial)

        return noted

    return counted


def times(folder, name):
    return len(list(folder.glob(f"{name}-*")))


@JOBS
def test_only_what_is_missing_is_run(jobs, tmp_path):
    (tmp_path / "runs").mkdir()
    run = counting(tmp_path / "runs")
    run_trials([Group({"group": 0}, [{"trial": 1}]), grid()[3]], run, tmp_path / "log", jobs=jobs)
    records = run_trials(grid(), run, tmp_path / "log", jobs=jobs)
    assert bare(records) == bare(run_trials(grid(), chaotic))
    assert [times(tmp_path / "runs", f"trial{g}.{t}") for g in range(4) for t in range(3)] == [
        1
    ] * 12
    assert [times(tmp_path / "runs", f"group{g}") for g in range(4)] == [2, 1, 1, 1]
    lines = (tmp_path / "log").read_bytes()
    assert run_trials(grid(), run, tmp_path / "log", jobs=jobs) == records
    assert (tmp_path / "log").read_bytes() == lines


def test_settings_are_the_same_in_any_order_and_as_any_number(tmp_path):
    log = tmp_path / "log"
    run_trials(
        [Group({"order": 3, "on": True}, [{"sigma2": 1}])], lambda _: lambda _: {"first": 1}, log
    )
    again = Group({"sigma2": 1.0}, [{"on": True, "order": 3}])
    other = Group({"sigma2": 1.0}, [{"on": 1, "order": 3}])
    records = run_trials([again, other], lambda _: lambda _: {"first": 0}, log)
    assert [record["result"]["first"] for record in records] == [1, 0]
    assert list(records[0]["settings"]) == ["sigma2", "on", "order"]


SCRIPT = """
import sys, time
from pathlib import Path
from fstce.processes.trials import Group, TrialLog, run_trials

folder, jobs, pause = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])

def prepare(shared):
    def run(trial):
        (folder / f"begun{shared['group']}.{trial['trial']}-{time.monotonic_ns()}").touch()
        time.sleep(pause if trial["trial"] == 2 else 0)
        return {"n": 10 * shared["group"] + trial["trial"]}
    return run

if __name__ == "__main__":
    groups = [Group({"group": g}, [{"trial": t} for t in range(3)]) for g in range(3)]
    records = run_trials(groups, prepare, TrialLog(folder / "log"), jobs=jobs)
    print([record["result"]["n"] for record in records])
"""


def start(folder, jobs, pause):
    program = folder / "program.py"
    program.write_text(SCRIPT)
    return subprocess.Popen(
        [sys.executable, program, str(folder), str(jobs), str(pause)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_until(condition, seconds=20.0):
    end = time.monotonic() + patience(seconds)
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def children(pid):
    command = ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(pid)]
    rows = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    # Which spawned ones have
    return [int(row.split()[0]) for row in rows if "resource_tracker" not in row]


def alive(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize(
    ("number", "jobs"),
    [
        (signal.SIGKILL, 1),
        (signal.SIGKILL, 2),
        (signal.SIGINT, 1),
        (signal.SIGINT, 2),
        (signal.SIGTERM, 2),
    ],
)
def test_a_run_that_was_stopped_goes_on(number, jobs, tmp_path):
    run = start(tmp_path, jobs, 60)
    wait_until(
        lambda: (tmp_path / "log").exists() and len(log_lines(tmp_path / "log")) == 1 + 2 * jobs
    )
    wait_until(lambda: len(list(tmp_path.glob("begun?.2-*"))) == jobs)
    workers = [pid for pid in children(run.pid) if jobs > 1]
    assert len(workers) == (jobs if jobs > 1 else 0)
    # A terminal sends Ctrl-C to the whole foreground group.
    os.killpg(run.pid, number)
    _, err = run.communicate(timeout=patience(20))
    assert run.returncode == -number
    assert (err.count("KeyboardInterrupt"), err.count("Traceback")) == (
        (1, 1) if number == 2 else (0, 0)
    )
    wait_until(lambda: not any(map(alive, workers)), 5)
    out, err = start(tmp_path, jobs, 0).communicate(timeout=patience(20))
    assert (out, err) == ("[0, 1, 2, 10, 11, 12, 20, 21, 22]\n", "")
    begun = {f"{g}.{t}": times(tmp_path, f"begun{g}.{t}") for g in range(3) for t in range(3)}
    assert begun == {name: 1 + (name in ("0.2", "1.2")[:jobs]) for name in begun}


@closures_are_sent
def test_ctrl_c_while_a_process_starts_forgets_none(monkeypatch):
    begin = ForkProcess.start

    def begin_and_interrupt(process):
        begin(process)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(ForkProcess, "start", begin_and_interrupt)
    # A shell starts what it puts into the background with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        run_trials(grid(2), lambda shared: lambda trial: time.sleep(60), jobs=2)
    assert multiprocessing.active_children() == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@closures_are_sent
def test_a_process_leaves_ctrl_c_to_the_parent():
    def run(trial):
        os.kill(os.getpid(), signal.SIGINT)
        return {"ignored": signal.getsignal(signal.SIGINT) is signal.SIG_IGN}

    assert run_trials(grid(1, 1), lambda _: run, jobs=2)[0]["result"] == {"ignored": True}


@SPREAD
def test_a_run_in_a_thread(jobs):
    with ThreadPoolExecutor(1) as pool:
        records = pool.submit(run_trials, grid(), chaotic, jobs=jobs).result()
    assert bare(records) == bare(run_trials(grid(), chaotic))


# --- failures


@JOBS
def test_a_failed_trial_fails_alone_and_is_tried_again(jobs, tmp_path):
    (tmp_path / "runs").mkdir()

    def failing(shared):
        def run(trial):
            if shared["group"] == 1 and trial["trial"] == 1:
                raise MachineError("sentence 7: no path")
            if shared["group"] == 1 and trial["trial"] == 2:
                raise MemoryError
            return {"n": 1}

        return run

    records = run_trials(grid(2), failing, tmp_path / "log", jobs=jobs)
    assert [record.get("result") for record in records] == [{"n": 1}] * 4 + [None] * 2
    assert (
        records[4]["settings"] == {"group": 1, "trial": 1}
        and records[4]["error"] == "sentence 7: no path"
    )
    assert records[5]["error"].startswith("out of memory; use fewer jobs")
    assert (
        run_trials(grid(2), failing, tmp_path / "log", jobs=jobs)[4]["error"]
        == "sentence 7: no path"
    )
    run = counting(tmp_path / "runs", lambda shared: lambda trial: {"n": 2})
    records = run_trials(grid(2), run, tmp_path / "log", jobs=jobs)
    assert [record["result"]["n"] for record in records] == [1, 1, 1, 1, 2, 2]
    assert times(tmp_path / "runs", "group0") == 0
    assert len(log_lines(tmp_path / "log")) == 1 + 6 + 2 + 2
    with TrialLog(tmp_path / "log") as log:
        assert log.records[key({"group": 1, "trial": 1})]["result"] == {"n": 2}


@JOBS
@pytest.mark.parametrize("error", [ParameterError("no such neighborhood"), MemoryError()])
def test_a_failed_preparation_fails_its_trials(error, jobs, tmp_path):
    def prepare(shared):
        if shared["group"] == 0:
            raise error
        return lambda trial: {"n": 1}

    records = run_trials(grid(2), prepare, tmp_path / "log", jobs=jobs)
    assert settings(records) == [(g, t) for g in range(2) for t in range(3)]
    assert [record.get("result") for record in records] == [None] * 3 + [{"n": 1}] * 3
    message = str(error) or "out of memory"
    assert all(record["error"].startswith(message) for record in records[:3])


def _fall(how):
    faulthandler.disable()
    if how == "exit":
        os._exit(3)
    os.kill(os.getpid(), how)


@closures_are_sent
@SPREAD
@pytest.mark.parametrize(
    ("how", "told"),
    [
        (signal.SIGKILL, r"died \(SIGKILL\), probably for want of memory; use fewer jobs"),
        (signal.SIGSEGV, r"died \(SIGSEGV\)$"),
        ("exit", r"died \(exit code 3\)$"),
    ],
)
def test_a_dead_process_fails_what_it_had_not_finished(how, told, jobs, tmp_path):
    def prepare(shared):
        return lambda trial: {} if (shared["group"], trial["trial"]) != (1, 1) else _fall(how)

    records = run_trials(grid(), prepare, tmp_path / "log", jobs=jobs)
    assert [n for n, record in enumerate(records) if "error" in record] == [4, 5]
    for record in records[4:6]:
        with pytest.raises(MachineError, match=told):
            raise MachineError(record["error"])
    records = run_trials(grid(), lambda shared: lambda trial: {"n": 1}, tmp_path / "log", jobs=jobs)
    assert [n for n, record in enumerate(records) if record["result"]] == [4, 5]


@closures_are_sent
def test_a_process_that_dies_in_the_preparation_fails_its_trials():
    def prepare(shared):
        return _fall(signal.SIGKILL) if shared["group"] == 0 else lambda trial: {}

    assert ["error" in record for record in run_trials(grid(2), prepare, jobs=2)] == [True] * 3 + [
        False
    ] * 3


@closures_are_sent
def test_a_dead_process_takes_along_those_that_it_started(tmp_path):
    def prepare(shared):
        def run(trial):
            child = os.fork()
            if not child:
                time.sleep(60)
                os._exit(0)
            (tmp_path / f"{shared['group']}.{trial['trial']}").write_text(str(child))
            return {} if trial["trial"] == 0 else _fall(signal.SIGKILL)

        return run

    began = time.monotonic()
    records = run_trials(grid(2, 2), prepare, jobs=2)
    assert ["error" in record for record in records] == [False, True] * 2
    wait_until(lambda: not any(alive(int(file.read_text())) for file in tmp_path.iterdir()), 5)
    assert time.monotonic() - began < patience(20)


class Odd(Exception):
    """Comes out of a pipe no more than a lambda goes in."""

    def __init__(self, message, number):
        super().__init__(message)


@JOBS
@pytest.mark.parametrize(
    ("error", "kind"),
    [(ZeroDivisionError("by nought"), ZeroDivisionError), (Odd("by nought", 1), Odd)],
)
@closures_are_sent
def test_a_defect_surfaces_with_its_traceback_and_loses_nothing(error, kind, jobs, tmp_path):
    def prepare(shared):
        def run(trial):
            if shared["group"] == 2:
                raise error
            return {"n": 1}

        return run

    with pytest.raises((kind, RuntimeError), match="by nought") as caught:
        run_trials(grid(), prepare, tmp_path / "log", jobs=jobs)
    if jobs > 1:
        assert isinstance(caught.value.__cause__, WorkerTraceback)
        assert "raise error" in str(caught.value.__cause__)
    with TrialLog(tmp_path / "log") as log:
        done = [key({"group": g, "trial": t}) for g in range(2) for t in range(3)]
        assert jobs != 1 or set(done) == set(log.records)
        assert all(record["result"] == {"n": 1} for record in log.records.values())


@closures_are_sent
def test_after_a_defect_no_process_is_left_and_what_was_done_is_kept(tmp_path):
    def prepare(shared):
        def run(trial):
            if shared["group"] == 0 and trial["trial"] == 1:
                time.sleep(60)
            if shared["group"] == 1 and trial["trial"] == 1:
                time.sleep(0.5)
                raise ZeroDivisionError
            return {"pid": os.getpid()}

        return run

    began = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        run_trials(grid(2), prepare, tmp_path / "log", jobs=2)
    assert time.monotonic() - began < patience(20)
    with TrialLog(tmp_path / "log") as log:
        pids = [record["result"]["pid"] for record in log.records.values()]
    assert len(set(pids)) == 2 and not any(map(alive, pids))


@closures_are_sent
def test_what_was_on_its_way_when_a_run_ends_is_kept(tmp_path):
    def prepare(shared):
        return lambda trial: {"n": 1}

    def monitor(done, total, record):
        if done == 1:
            time.sleep(0.3)  # meanwhile both processes finish
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_trials(grid(2, 5), prepare, tmp_path / "log", jobs=2, monitor=monitor)
    assert len(log_lines(tmp_path / "log")) == 1 + 10


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("result", [{"n": 1j}, {"n": object()}, 5])
def test_a_result_that_is_no_json_is_a_defect(result, jobs):
    with pytest.raises(TypeError):
        run_trials(grid(1, 1), lambda shared: lambda trial: result, jobs=jobs)
