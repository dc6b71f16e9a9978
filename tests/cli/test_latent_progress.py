"""How the training of a grammar is shown: forecasts, lines, the bar."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from fstce.cli.latent_progress import Forecast, training_shown
from fstce.latent.training.schedule import EMStep, Schedule

SCHEDULE = Schedule(cycles=3, split_iterations=6, merge_iterations=3, smooth_iterations=2)


def steps(schedule: Schedule, first: int = 1, warning: str = "") -> Iterator[EMStep]:
    """A training whose iterations take as long as the forecast says, in tenths of a second."""
    clock, kept = 0.0, 2 - schedule.merged
    for cycle in range(first, schedule.cycles + 1):
        for stage, size in (
            ("split", 2 * kept ** (cycle - 1)),
            ("merge", kept**cycle),
            ("smooth", kept**cycle),
        ):
            for k in range(getattr(schedule, f"{stage}_iterations")):
                clock += 0.1 * (1 + 0.004 * size**3)
                yield EMStep(cycle, stage, k, -1e5, int(10 * size), clock, warning)


@pytest.mark.parametrize("first", [1, 2, 3])
def test_the_forecast_meets_the_work_that_it_expects(first: int) -> None:
    forecast, course = Forecast(SCHEDULE), list(steps(SCHEDULE, first))
    for number, step in enumerate(course, 1):
        forecast.add(step)
        left = 0.1 * (forecast.total - forecast.done)
        assert left == pytest.approx(course[-1].seconds - step.seconds, abs=1e-9)
        if 1 < number < len(course):
            assert forecast.time_left() == f"about {left:.1f} s left" or abs(left - 10) < 0.1
        else:
            assert forecast.time_left() == ""
    assert forecast.done == pytest.approx(forecast.total)


def test_the_forecast_follows_the_pace() -> None:
    forecast = Forecast(Schedule(cycles=1, split_iterations=100, merge_iterations=0, smooth_iterations=0))
    for k in range(30):
        forecast.add(EMStep(1, "split", k, -1.0, 9, 50.0 * min(k, 5) + k))
    assert forecast.time_left() == "about 1 min 10 s left"


def test_lines_at_the_end_of_stages(capsys: Any) -> None:
    with training_shown(SCHEDULE, quiet=False) as monitor:
        for step in steps(SCHEDULE):
            monitor(step)
    out, err = capsys.readouterr()
    lines = err.splitlines()
    stages = ("split 6 of 6", "merge 3 of 3", "smooth 2 of 2")
    assert [line.split("  ")[0] for line in lines] == [
        f"cycle {c} of 3, {s}" for c in (1, 2, 3) for s in stages
    ]
    assert lines[0].split("  ")[1:3] == ["20 subcategories", "log-likelihood -100,000 nats"]
    assert all("left" in line for line in lines[:-1]) and "left" not in lines[-1] and out == ""


def test_lines_after_five_seconds(capsys: Any) -> None:
    with training_shown(SCHEDULE, quiet=False) as monitor:
        for k in range(5):
            monitor(EMStep(1, "split", k, -1.0, 9, 3.0 * (k + 1)))
    assert [line.split()[5] for line in capsys.readouterr().err.splitlines()] == ["2", "4"]


def test_quiet(capsys: Any) -> None:
    with training_shown(SCHEDULE, quiet=True) as monitor:
        assert monitor is None
    assert capsys.readouterr() == ("", "")


def test_a_bar_on_a_terminal(capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    with training_shown(SCHEDULE, quiet=False) as monitor:
        for step in steps(SCHEDULE, warning="the log-likelihood fell by 3 nats"):
            monitor(step)
            if (step.cycle, step.stage) == (2, "merge"):
                break
    out, err = capsys.readouterr()
    assert out == ""
    assert "cycle 2 of 3, merge 1/3  -100,000 nats" in err and "left" not in err.splitlines()[-1]
    assert "warning: cycle 1 of 3, split 1: the log-likelihood fell by 3 nats" in err
