"""Trials as they end: lines, the bar, the time left, failures."""

import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest

from fstce.cli import trials
from fstce.cli.trials import Pace, trial_watcher


def describe(record):
    return f"σ²={record['settings']['sigma2']:g} … {record['result']['ambiguous']:.1f} %"


def done(sigma2, seconds=12.0):
    return {"settings": {"sigma2": sigma2}, "result": {"ambiguous": 82.9}, "seconds": seconds}


FAILED = {"settings": {"sigma2": 0.1, "name": "[b]x"}, "error": "sentence 7: [bold]no path", "seconds": 0.0}


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is set."""
    now = [100.0]

    class Clocked(Pace):
        def __init__(self, done, total):
            super().__init__(done, total, lambda: now[0])

    monkeypatch.setattr(trials, "Pace", Clocked)
    return now


def test_the_time_left_is_judged_by_this_run_alone():
    now = [0.0]
    pace = Pace(15, 20, lambda: now[0])
    assert pace.left(15) == ""
    now[0] = 60.0
    assert pace.left(16) == "about 4 min 0 s left"
    assert pace.left(17) == "about 1 min 30 s left"
    assert pace.left(20) == ""


def test_lines(capsys, clock):
    with trial_watcher("grid of σ²", describe) as monitor:
        monitor(1, 4, None)
        for n, sigma2 in enumerate((0.5, 1.0, 2.0), start=2):
            clock[0] += 30
            monitor(n, 4, done(sigma2))
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "grid of σ²: 4 trials, 1 of them found in the log",
        "[2/4] σ²=0.5 … 82.9 %  12 s  about 1 min 0 s left",
        "[3/4] σ²=1 … 82.9 %  12 s  about 30 s left",
        "[4/4] σ²=2 … 82.9 %  12 s",
    ]


def test_a_failure_is_a_warning_and_is_not_described(capsys, clock):
    with trial_watcher("grid", describe) as monitor:
        monitor(0, 2, None)
        monitor(1, 2, FAILED)
    assert capsys.readouterr().err.splitlines() == [
        "grid: 2 trials",
        "warning: [1/2] sigma2=0.1 name=[b]x: failed: sentence 7: [bold]no path",
    ]


def test_quiet_shows_nothing(capsys):
    with trial_watcher("grid", describe, quiet=True) as monitor:
        monitor(0, 2, None)
        monitor(1, 2, done(1.0))
        monitor(2, 2, FAILED)
    assert capsys.readouterr() == ("", "")


def test_the_bar(capsys, monkeypatch, clock):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    with trial_watcher("grid [of] σ²", describe) as monitor:
        assert isinstance(monitor, trials.TrialBar)
        monitor(5, 8, None)
        clock[0] += 30
        monitor(6, 8, done(0.5))
        monitor(7, 8, FAILED)
    out, err = capsys.readouterr()
    assert out == ""
    assert "grid [of] σ²" in err and "7/8" in err and "σ²=0.5 … 82.9 %  12 s" in err
    assert "warning: [7/8] sigma2=0.1 name=[b]x: failed: sentence 7: [bold]no path" in err


PROGRAM = """
import sys, time
from fstce.cli.trials import trial_watcher
from fstce.errors import ParameterError
from fstce.processes.trials import Group, run_trials

def prepare(shared):
    def run(trial):
        print("out of the way", file=sys.stderr)
        if trial["n"] == shared["group"] == 1:
            raise ParameterError("no")
        time.sleep(0.05)
        return {"n": trial["n"]}
    return run

groups = [Group({"group": g}, [{"n": n} for n in range(3)]) for g in range(2)]
with trial_watcher("grid", lambda record: f"n is {record['result']['n']}") as monitor:
    run_trials(groups, prepare, jobs=int(sys.argv[1]), monitor=monitor)
"""


def on_a_terminal(*arguments):
    """What a program shows on a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "100", "TERM": "xterm"}
    with subprocess.Popen([sys.executable, "-c", PROGRAM, *arguments], stderr=theirs, env=environment) as run:
        os.close(theirs)
        shown, end = b"", time.monotonic() + 30
        while time.monotonic() < end and select.select([ours], [], [], 30)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:  # Linux's way to say that the other side is closed
                break
        os.close(ours)
    assert run.returncode == 0
    return shown.decode("utf-8")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_bar_on_a_terminal_is_drawn_by_one_process_alone(jobs):
    shown = on_a_terminal(jobs)
    assert "?" not in re.sub("\x1b\\[\\?25.", "", shown) and all(f"{n}/6" in shown for n in range(7))
    assert re.search(r"n is \d  0\.[01] s", shown) and "about" in shown
    assert shown.count("warning: [") == 1 and "group=1 n=1: failed: no" in shown
    assert shown.count("out of the way") == 6
    assert shown.rstrip().endswith("\x1b[?25h")  # the cursor is there again
