"""The training of a latent grammar as it goes: lines at the end of stages, the bar."""

import sys

import pytest

from fstce.console import progress
from fstce.console.output import quietly
from fstce.latent.training.estimates import EMStep, Schedule
from fstce.latent.verbs.train import cycles_shown

SCHEDULE = Schedule(cycles=3, split_iterations=6, merge_iterations=3, smooth_iterations=2)


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is set."""
    now = [100.0]
    monkeypatch.setattr(progress, "now", lambda: now[0])
    return now


def grammar_steps(schedule, clock):
    """A training whose iterations take as long as one another."""
    for cycle in range(1, schedule.cycles + 1):
        for stage in ("split", "merge", "smooth"):
            for k in range(getattr(schedule, f"{stage}_iterations")):
                clock[0] += 0.1
                yield EMStep(cycle, stage, k, -1e5, 20)


def test_lines_at_the_end_of_stages(capsys, clock):
    with cycles_shown(SCHEDULE) as monitor:
        for step in grammar_steps(SCHEDULE, clock):
            monitor(step)
    out, err = capsys.readouterr()
    lines = err.splitlines()
    stages = ("split 6 of 6", "merge 3 of 3", "smooth 2 of 2")
    assert [line.split("  ")[0] for line in lines] == [
        f"cycle {c} of 3, {s}" for c in (1, 2, 3) for s in stages
    ]
    assert lines[0].split("  ")[1:3] == ["20 subcategories", "log-likelihood -100,000 nats"]
    assert all("left" in line for line in lines[:-1]) and "left" not in lines[-1] and out == ""


def test_lines_after_five_seconds(capsys, clock):
    with cycles_shown(SCHEDULE) as monitor:
        for k in range(5):
            clock[0] += 3
            monitor(EMStep(1, "split", k, -1.0, 9))
    assert [line.split()[5] for line in capsys.readouterr().err.splitlines()] == ["2", "4"]


def test_the_bar_on_a_terminal(capsys, monkeypatch, clock):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    with cycles_shown(SCHEDULE) as monitor:
        for step in grammar_steps(SCHEDULE, clock):
            monitor(step)
            if (step.cycle, step.stage) == (2, "merge"):
                break
    out, err = capsys.readouterr()
    assert out == ""
    assert "cycle 2 of 3, merge 1/3  -100,000 nats" in err and "left" not in err.splitlines()[-1]


def test_quiet_shows_nothing(capsys, clock):
    with quietly(), cycles_shown(SCHEDULE) as monitor:
        monitor(next(grammar_steps(SCHEDULE, clock)))
    assert capsys.readouterr() == ("", "")
