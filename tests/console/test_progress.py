"""What takes long as it goes: lines, the bar, warnings, silence."""

import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest
from patience import patience

from fstce.console import progress
from fstce.console.output import quietly
from fstce.estimation.maximize import Step


def steps(n):
    """Iterations of a training whose objective nears −1000."""
    return [Step(k, -1000.0 - 10.0 * 0.5**k, 0.5, float(k)) for k in range(n)]


def test_lines_come_every_tenth_iteration(capsys):
    with progress.training_shown(200) as monitor:
        for step in steps(25):
            monitor(step)
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.split()[1] for line in err.splitlines()] == ["0", "10", "20"]
    assert "objective -1,010.000  |gradient| 0.5" in err.splitlines()[0]


def test_lines_come_after_five_seconds_with_the_most_time_left(capsys, clock):
    with progress.training_shown(20) as monitor:
        for step in steps(9):
            monitor(step)
            clock[0] += 2.5
    lines = capsys.readouterr().err.splitlines()
    assert [line.split()[1] for line in lines] == ["0", "2", "4", "6", "8"]
    assert [line.partition("at most ")[2] for line in lines[2:]] == [
        "40 s left",
        "35 s left",
        "30 s left",
    ]


def test_what_else_a_training_does_is_shown_as_it_begins(capsys, clock):
    with progress.training_shown(200) as monitor:
        monitor.reached("counting", 0, 9)
        monitor.reached("counting", 4, 9)
        monitor.built(3, 12)
        clock[0] += 6
        monitor.built(2, 9)
    assert capsys.readouterr().err.splitlines() == [
        "counting",
        "automata of distinct sentences: 3",
        "automata of distinct sentences: 5",
    ]


def test_quiet_shows_nothing(capsys):
    with quietly(), progress.training_shown(200) as monitor:
        monitor(steps(1)[0])
    with quietly(), progress.sentences_shown(12) as advance:
        advance(12)
    with progress.sentences_shown(12, hidden=True) as advance:
        advance(12)
    assert capsys.readouterr() == ("", "")


def test_the_bar_shows_objective_gradient_and_time(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    with progress.training_shown(200) as monitor:
        for step in steps(12):
            monitor(step)
    out, err = capsys.readouterr()
    assert out == ""
    assert "iteration  11" in err and "objective -1,000.005" in err and "|gradient| 0.5" in err


def describe(record):
    return f"σ²={record['settings']['sigma2']:g} … {record['result']['ambiguous']:.1f} %"


def done(sigma2, seconds=12.0):
    return {"settings": {"sigma2": sigma2}, "result": {"ambiguous": 82.9}, "seconds": seconds}


FAILED = {
    "settings": {"sigma2": 0.1, "name": "[b]x"},
    "error": "sentence 7: [bold]no path",
    "seconds": 0.0,
}


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is set."""
    now = [100.0]
    monkeypatch.setattr(progress, "now", lambda: now[0])
    return now


def test_lines_of_trials(capsys, clock):
    with progress.trials_shown("grid of σ²", describe) as monitor:
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
    with progress.trials_shown("grid", describe) as monitor:
        monitor(0, 2, None)
        monitor(1, 2, FAILED)
    assert capsys.readouterr().err.splitlines() == [
        "grid: 2 trials",
        "warning: [1/2] sigma2=0.1 name=[b]x: failed: sentence 7: [bold]no path",
    ]


def test_quiet_shows_nothing_of_trials(capsys):
    with quietly(), progress.trials_shown("grid", describe) as monitor:
        monitor(0, 2, None)
        monitor(1, 2, done(1.0))
        monitor(2, 2, FAILED)
    assert capsys.readouterr() == ("", "")


def test_the_bar_of_trials(capsys, monkeypatch, clock):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    with progress.trials_shown("grid [of] σ²", describe) as monitor:
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
from fstce.console.progress import trials_shown
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
with trials_shown("grid", lambda record: f"n is {record['result']['n']}") as monitor:
    run_trials(groups, prepare, jobs=int(sys.argv[1]), monitor=monitor)
"""


def on_a_terminal(*arguments):
    """What a program shows on a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "100", "TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], stderr=theirs, env=environment
    ) as run:
        os.close(theirs)
        shown, end = b"", time.monotonic() + patience(30)
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
    assert "?" not in re.sub("\x1b\\[\\?25.", "", shown) and all(
        f"{n}/6" in shown for n in range(7)
    )
    assert re.search(r"n is \d  0\.[01] s", shown) and "about" in shown
    assert shown.count("warning: [") == 1 and "group=1 n=1: failed: no" in shown
    assert shown.count("out of the way") == 6
    assert shown.rstrip().endswith("\x1b[?25h")  # the cursor is there again


@pytest.mark.parametrize("total", [None, 40])
def test_lines_of_sentences(capsys, clock, monkeypatch, total):
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    with progress.sentences_shown(total) as advance:
        clock[0] += 2
        advance(10, 60)
    words = ", 60 words (30 a second)"
    line = f"10 sentences (5.0 a second){words}"
    known = f"10 of 40 sentences (5.0 a second){words}"
    assert capsys.readouterr() == ("", (known if total else line) + "\n")


def test_the_time_left_is_judged_by_this_run(capsys, clock, monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    with progress.sentences_shown(40) as advance:
        for spent in (2, 2, 6):
            clock[0] += spent
            advance(10)
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition("  ")[2] for line in lines] == [
        "",
        "about 4.0 s left",
        "about 4.0 s left",
    ]


def test_the_bar_of_sentences(capsys, clock, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    with progress.sentences_shown(40) as advance:
        clock[0] += 2
        advance(10)
        advance(30)
    out, err = capsys.readouterr()
    assert out == "" and "40 of 40 sentences (20.0 a second)" in err
