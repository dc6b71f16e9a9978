"""How long a run still takes: the pace of trials, the convergence of trainings, the work of grammars."""

import itertools

import pytest
from progress_cases import SCHEDULE, falling, grammar_steps, steps

from fstce.console.forecasts import Convergence, Pace, SplitMergeWork
from fstce.estimation.maximize import Step
from fstce.latent.training.schedule import EMStep, Schedule


@pytest.mark.parametrize("rate", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("seen", [3, 8, 15])
def test_the_forecast_meets_a_geometric_decay(rate, seen):
    tolerance, values = 1e-7, falling(200, rate)
    changes = [abs(b - a) / max(abs(a), abs(b)) for a, b in itertools.pairwise(values)]
    stop = 1 + next(k for k, change in enumerate(changes) if change <= tolerance)
    forecast = Convergence(tolerance, 1000)
    for step in steps(values[:seen]):
        forecast.add(step)
    if seen <= stop:
        assert abs(forecast.remaining() - (stop - (seen - 1))) <= 1


def test_the_forecast_never_exceeds_the_limit():
    forecast = Convergence(1e-30, 20)
    for step in steps(falling(5)):
        forecast.add(step)
    assert forecast.remaining() == 16
    assert forecast.time_left() == "at most 16 s left"


@pytest.mark.parametrize("values", [[-100.0, -90.0, -70.0, -30.0], [-5.0, -5.0, -5.0], [-100.0, -90.0]])
def test_without_a_decay_only_the_limit_is_known(values):
    forecast = Convergence(1e-4, 50)
    for step in steps(values, pace=0.5):
        forecast.add(step)
    assert forecast.remaining() == 50 - (len(values) - 1)
    assert forecast.time_left().startswith("at most ")


def test_tolerance_zero_is_never_reached():
    forecast = Convergence(0.0, 50)
    for step in steps(falling(10)):
        forecast.add(step)
    assert forecast.remaining() == 41


def test_a_new_temperature_begins_a_new_forecast():
    forecast = Convergence(tolerance=1e-6, limit=50)
    for seconds in (0.0, 1.0):
        for k in range(3):
            forecast.add(Step(k, -10.0 - k, 0.0, seconds + k))
    assert forecast.remaining() <= 48
    assert forecast.time_left()


@pytest.mark.parametrize("first", [1, 2, 3])
def test_the_forecast_meets_the_work_that_it_expects(first):
    forecast, course = SplitMergeWork(SCHEDULE), list(grammar_steps(SCHEDULE, first))
    for number, step in enumerate(course, 1):
        forecast.add(step)
        left = 0.1 * (forecast.total - forecast.done)
        assert left == pytest.approx(course[-1].seconds - step.seconds, abs=1e-9)
        if 1 < number < len(course):
            assert forecast.time_left() == f"about {left:.1f} s left" or abs(left - 10) < 0.1
        else:
            assert forecast.time_left() == ""
    assert forecast.done == pytest.approx(forecast.total)


def test_the_forecast_follows_the_pace():
    forecast = SplitMergeWork(
        Schedule(cycles=1, split_iterations=100, merge_iterations=0, smooth_iterations=0)
    )
    for k in range(30):
        forecast.add(EMStep(1, "split", k, -1.0, 9, 50.0 * min(k, 5) + k))
    assert forecast.time_left() == "about 1 min 10 s left"


def test_the_time_left_is_judged_by_this_run_alone():
    now = [0.0]
    pace = Pace(15, 20, lambda: now[0])
    assert pace.left(15) == ""
    now[0] = 60.0
    assert pace.left(16) == "about 4 min 0 s left"
    assert pace.left(17) == "about 1 min 30 s left"
    assert pace.left(20) == ""
