"""The course of training: forecasts, lines, the bar."""

import itertools
import sys

import pytest

from fstce.cli import progress
from fstce.estimation.maximize import Step


def steps(values, pace=1.0):
    return [Step(k, value, 0.5, k * pace) for k, value in enumerate(values)]


def falling(n, rate=0.5, size=10.0):
    """Objectives near −1000 whose change falls by `rate` at every step."""
    return [-1000.0 - size * rate**k for k in range(n)]


@pytest.mark.parametrize("rate", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("seen", [3, 8, 15])
def test_the_forecast_meets_a_geometric_decay(rate, seen):
    tolerance, values = 1e-7, falling(200, rate)
    changes = [abs(b - a) / max(abs(a), abs(b)) for a, b in itertools.pairwise(values)]
    stop = 1 + next(k for k, change in enumerate(changes) if change <= tolerance)
    forecast = progress.Forecast(tolerance, 1000)
    for step in steps(values[:seen]):
        forecast.add(step)
    if seen <= stop:
        assert abs(forecast.remaining() - (stop - (seen - 1))) <= 1


def test_the_forecast_never_exceeds_the_limit():
    forecast = progress.Forecast(1e-30, 20)
    for step in steps(falling(5)):
        forecast.add(step)
    assert forecast.remaining() == 16
    assert forecast.time_left() == "at most 16 s left"


@pytest.mark.parametrize("values", [[-100.0, -90.0, -70.0, -30.0], [-5.0, -5.0, -5.0], [-100.0, -90.0]])
def test_without_a_decay_only_the_limit_is_known(values):
    forecast = progress.Forecast(1e-4, 50)
    for step in steps(values, pace=0.5):
        forecast.add(step)
    assert forecast.remaining() == 50 - (len(values) - 1)
    assert forecast.time_left().startswith("at most ")


def test_tolerance_zero_is_never_reached():
    forecast = progress.Forecast(0.0, 50)
    for step in steps(falling(10)):
        forecast.add(step)
    assert forecast.remaining() == 41


def test_lines_come_every_tenth_iteration(capsys):
    shown = progress.watcher(1e-4, 200)
    with shown as monitor:
        for step in steps(falling(25), pace=0.01):
            monitor(step)
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.split()[1] for line in err.splitlines()] == ["0", "10", "20"]
    assert "objective -1,010.000  |gradient| 0.5" in err.splitlines()[0]


def test_lines_come_after_five_seconds(capsys):
    with progress.watcher(1e-4, 200) as monitor:
        for step in steps(falling(9), pace=2.5):
            monitor(step)
    assert [line.split()[1] for line in capsys.readouterr().err.splitlines()] == ["0", "2", "4", "6", "8"]


def test_quiet_shows_nothing(capsys):
    with progress.watcher(1e-4, 200, quiet=True) as monitor:
        monitor(steps([-1.0])[0])
    assert capsys.readouterr() == ("", "")


def test_the_bar_shows_objective_gradient_and_time(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    with progress.watcher(1e-9, 200) as monitor:
        assert isinstance(monitor, progress.Bar)
        for step in steps(falling(12)):
            monitor(step)
    out, err = capsys.readouterr()
    assert out == ""
    assert "iteration  11" in err and "objective -1,000.005" in err and "|gradient| 0.5" in err


def test_a_new_temperature_begins_a_new_forecast():
    forecast = progress.Forecast(tolerance=1e-6, limit=50)
    for seconds in (0.0, 1.0):
        for k in range(3):
            forecast.add(Step(k, -10.0 - k, 0.0, seconds + k))
    assert forecast.remaining() <= 48
    assert forecast.time_left()
