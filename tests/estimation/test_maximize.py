"""L-BFGS: the optimum, the stopping rules, the monitor, and what an interruption leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fstce.errors import ParameterError
from fstce.estimation.maximize import Interrupted, Step, Training, course, maximize, training_of

Floats = NDArray[np.float64]
PEAK = np.array([3.0, -2.0, 0.5])
CURVATURE = np.array([1.0, 10.0, 0.1])


def hill(theta: Floats) -> tuple[float, Floats]:
    """A concave quadratic with its peak, of height 7, at PEAK."""
    away = theta - PEAK
    return 7.0 - float(CURVATURE @ away**2) / 2, -CURVATURE * away


class InterruptedHill:
    """The same, until Ctrl-C at one evaluation; the one before it is a step too far."""

    def __init__(self, evaluation: int) -> None:
        self.evaluation = evaluation
        self.seen: list[tuple[float, Floats]] = []

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        if len(self.seen) == self.evaluation:
            raise KeyboardInterrupt
        value, gradient = hill(theta)
        if len(self.seen) == self.evaluation - 1 > 0:
            value -= 1e6
        self.seen.append((value, theta.copy()))
        return value, gradient


@settings(max_examples=20)
@given(st.integers(0, 100))
def test_the_peak_of_a_concave_quadratic(seed: int) -> None:
    start = np.random.default_rng(seed).normal(size=3)
    training = maximize(hill, start, tolerance=1e-14)
    np.testing.assert_allclose(training.theta, PEAK, atol=1e-4)
    assert training.objective == pytest.approx(7.0, abs=1e-8)
    assert training.stopped == "converged"


def test_it_stops_where_the_relative_change_falls_to_the_tolerance() -> None:
    training = maximize(hill, np.array([50.0, 80.0, -300.0]), tolerance=1e-2)
    values = [step.objective for step in training.steps]
    change = [abs(b - a) / max(abs(a), abs(b), 1.0) for a, b in pairwise(values)]
    assert training.stopped == "converged"
    assert change[-1] <= 1e-2
    assert all(c > 1e-2 for c in change[:-1])


def test_a_looser_tolerance_never_takes_more_iterations() -> None:
    start = np.array([50.0, 80.0, -300.0])
    lengths = [len(maximize(hill, start, tolerance=t).steps) for t in (1e-12, 1e-4, 0.5)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1]


def test_the_iteration_limit() -> None:
    training = maximize(hill, np.array([50.0, 80.0, -300.0]), tolerance=0, max_iterations=2)
    assert training.stopped == "iteration limit"
    assert [step.iteration for step in training.steps] == [0, 1, 2]


def test_the_monitor_hears_every_iteration() -> None:
    heard: list[Step] = []
    training = maximize(hill, np.zeros(3), monitor=heard.append)
    assert heard == training.steps
    assert [step.iteration for step in heard] == list(range(len(heard)))
    assert heard[0].objective == hill(np.zeros(3))[0]
    assert heard[0].gradient_norm == pytest.approx(np.linalg.norm(hill(np.zeros(3))[1]))
    assert heard[-1].objective == training.objective
    seconds = [step.seconds for step in heard]
    assert seconds == sorted(seconds)
    assert all(b.objective >= a.objective for a, b in pairwise(heard))


@pytest.mark.parametrize("evaluation", [1, 2, 5])
def test_an_interruption_keeps_the_best_weights(evaluation: int) -> None:
    objective = InterruptedHill(evaluation)
    with pytest.raises(Interrupted) as caught:
        maximize(objective, np.array([50.0, 80.0, -300.0]), tolerance=0)
    training = caught.value.training
    value, theta = max(objective.seen, key=lambda pair: pair[0])
    assert training.stopped == "interrupted"
    assert training.objective == value
    np.testing.assert_array_equal(training.theta, theta)
    assert isinstance(caught.value, KeyboardInterrupt)


def test_an_interruption_at_the_first_evaluation_keeps_the_start() -> None:
    with pytest.raises(Interrupted) as caught:
        maximize(InterruptedHill(0), PEAK + 1)
    np.testing.assert_array_equal(caught.value.training.theta, PEAK + 1)


def test_an_interruption_in_the_monitor() -> None:
    def monitor(step: Step) -> None:
        if step.iteration == 1:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        maximize(hill, np.zeros(3), monitor=monitor)
    assert caught.value.training.objective > hill(np.zeros(3))[0]


@pytest.mark.parametrize(
    "start", [(np.nan, np.zeros(3)), (np.inf, np.zeros(3)), (0.0, np.array([0.0, np.nan, 0.0]))]
)
def test_a_start_without_a_finite_objective(start: tuple[float, Floats]) -> None:
    with pytest.raises(ParameterError, match="not finite at the start"):
        maximize(lambda theta: start, np.zeros(3))


def test_a_step_out_of_the_domain_does_no_harm() -> None:
    def log_hill(theta: Floats) -> tuple[float, Floats]:
        with np.errstate(invalid="ignore", divide="ignore"):
            return float(np.log(theta[0]) - theta[0]), 1 / theta - 1

    training = maximize(log_hill, np.array([1e-3]), tolerance=1e-10)
    assert np.isfinite(training.objective)
    assert training.objective >= log_hill(np.array([1e-3]))[0]


@pytest.mark.parametrize(
    "wrong", [{"tolerance": -1.0}, {"tolerance": float("nan")}, {"max_iterations": 0}]
)
def test_parameters_out_of_range(wrong: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match=f"{next(iter(wrong))}=.*: give"):
        maximize(hill, np.zeros(3), **wrong)


@pytest.mark.parametrize("overflow", [np.inf, -np.inf, np.nan])
def test_a_step_so_long_that_a_sum_overflows_is_shortened(overflow: float) -> None:
    """An infinite value was the greatest, and so converged."""

    def cliff(theta: Floats) -> tuple[float, Floats]:
        if theta[0] > 12:
            return overflow, np.full(1, np.nan)
        height = float(np.exp(theta[0] - 8))
        return float(theta[0]) - height, np.array([1 - height])

    training = maximize(cliff, np.zeros(1), tolerance=1e-9)
    assert training.objective == pytest.approx(7.0, abs=1e-6)
    assert training.theta == pytest.approx([8.0], abs=1e-3)


def test_the_start_is_left_as_it_was() -> None:
    start = np.zeros(3)
    maximize(hill, start)
    assert start.tolist() == [0.0, 0.0, 0.0]


CLIMB = """
import hashlib
import numpy as np
from fstce.estimation.maximize import maximize
goal = np.random.default_rng(0).normal(size=60_000)
def hill(theta):
    away = theta - goal
    return -float(np.sum(np.log(np.cosh(away)) * (1 + goal**2))), -np.tanh(away) * (1 + goal**2)
print(hashlib.sha256(maximize(hill, np.zeros(60_000), max_iterations=12).theta.tobytes()).hexdigest())
"""


def test_the_bits_do_not_depend_on_the_number_of_blas_threads() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", CLIMB],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "4")
    }
    assert len(found) == 1


def test_a_gradient_of_the_wrong_sign_is_said() -> None:
    def wrong(theta: np.ndarray) -> tuple[float, np.ndarray]:
        return -float((theta - 1) @ (theta - 1)), 2 * (theta - 1)

    with pytest.warns(UserWarning, match="no step along the gradient raises the objective"):
        assert maximize(wrong, np.zeros(2)).stopped == "line search"


def test_the_course_of_a_training_comes_back() -> None:
    assert course(None) is None
    steps = [Step(0, -3.0, 2.0, 0.1), Step(1, -2.0, 1.0, 0.2), Step(2, -1.5, 0.5, 0.3)]
    told = course(Training(np.ones(2), -1.5, steps, "converged"))
    assert told is not None and told["iterations"] == 2 and told["steps"][1] == (1, -2.0, 1.0)
    again = training_of(told, np.ones(2))
    assert (again.objective, again.stopped, again.iterations) == (-1.5, "converged", 2)
    assert [step.objective for step in again.steps] == [-3.0, -2.0, -1.5]
    assert [step.gradient_norm for step in again.steps] == [2.0, 1.0, 0.5]
    assert course(Training(np.ones(2)))["iterations"] == 0  # type: ignore[index]
    for wrong in (
        {"steps": [(0, "x", 1.0)]},
        {"steps": [(0.5, 1.0, 1.0)]},
        {"stopped": 7},
        {"objective": None},
    ):
        with pytest.raises(TypeError):
            training_of({**told, **wrong}, np.ones(2))
    assert repr(again) == "<Training: -1.50 nats after 2 iterations, converged; 2 weights>"
