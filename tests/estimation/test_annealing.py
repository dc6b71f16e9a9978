"""Annealing: the schedule, the smoother problems and their limit, the course over all of them."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from oracles import BruteTagger, taggings
from tagging_cases import CORPUS, DICTIONARY, weights_of

from fstce import Tagger
from fstce.errors import ParameterError
from fstce.estimation.maximize import (
    Interrupted,
    Monitor,
    Step,
    Training,
    checked_schedule,
    maximize,
)
from fstce.estimation.objective import Annealed, Objective, Recorded

Floats = NDArray[np.float64]
RISING = (0.1, 0.4, 1.0)
GOLD = [
    ("D", "N", "V"),
    ("N", "V"),
    ("D", "N", "V"),
    ("V",),
    ("N", "V", "D"),
    ("N", "V"),
    ("V", "N"),
]


def log_sum_exp(theta: Floats) -> tuple[float, Floats]:
    """log Σ exp θ, and its gradient."""
    value = np.logaddexp.reduce(theta)
    return float(value), np.exp(theta - value)


def hill(beta: float, theta: Floats) -> tuple[float, Floats]:
    """A concave quadratic with its peak at 1/β."""
    away = theta - 1 / beta
    return -float(away @ away), -2 * away


class Stages(Recorded):
    """A problem that trains at each temperature by a function."""

    def __init__(self, train, beta: float = 1.0) -> None:
        self._train, self._beta = train, beta

    def annealed(self, beta: float) -> Stages:
        return Stages(self._train, beta)

    def climb(self, theta: Floats, monitor=None, **_) -> Training:
        return self._train(self._beta, theta, monitor)


def anneal(train, betas, theta: Floats, monitor: Monitor | None = None) -> Training:
    return Stages(train).train(theta, betas, monitor)


def trained(criterion: str, annealing, **parameters) -> Tagger:
    tags = GOLD if criterion in ("joint", "conditional", "supervised-contrastive") else None
    tagger = Tagger(
        "trans1",
        order=2,
        criterion=criterion,
        annealing=annealing,
        start="random",
        **parameters,
        unknown_word_model=False,
    )
    return tagger.fit(CORPUS, tags, dictionary=DICTIONARY)


@given(st.lists(st.floats(0.001, 0.999), unique=True).map(sorted))
def test_a_schedule_rises_to_one(betas: list[float]) -> None:
    assert checked_schedule([*betas, 1]) == (*betas, 1.0)
    assert checked_schedule(np.array([*betas, 1])) == (*betas, 1.0)
    assert checked_schedule(iter([*betas, 1])) == (*betas, 1.0)


@pytest.mark.parametrize(
    "wrong",
    [
        *([], [0.5], [2.0], [0.5, 2.0], [0.0, 1.0], [-1.0, 1.0], [1.0, 1.0], [0.5, 0.2, 1.0]),
        *([float("nan"), 1.0], [float("-inf"), 1.0], 0.5, None, "fast", ["slow", 1], [None, 1]),
    ],
)
def test_other_schedules_are_refused(wrong) -> None:
    with pytest.raises(
        ParameterError, match=r"annealing=.*: give inverse temperatures above 0 that rise to"
    ):
        checked_schedule(wrong)
    if wrong is not None:  # which is no annealing
        with pytest.raises(ParameterError, match="annealing="):
            anneal(lambda beta, theta, monitor: Training(theta), wrong, np.zeros(1))


@pytest.mark.parametrize("wrong", [(), (0.5,), (0.5, 0.1, 1), 0.5, "fast"])
def test_the_tagger_refuses_them_before_it_builds(wrong) -> None:
    with pytest.raises(ParameterError, match="annealing="):
        # No dictionary: that error would come later
        Tagger(annealing=wrong, unknown_word_model=False).compile([["never", "seen"]])


@given(st.floats(0.01, 1.0), st.lists(st.floats(-5, 5), min_size=1, max_size=5))
def test_an_annealed_sum_is_the_sum_of_powers(beta: float, weights: list[float]) -> None:
    theta = np.array(weights)
    value, gradient = Annealed(log_sum_exp, beta)(theta)
    powers = np.exp(theta) ** beta
    assert value == pytest.approx(np.log(powers.sum()) / beta, rel=1e-9, abs=1e-9)
    assert_allclose(gradient, powers / powers.sum(), rtol=1e-9)


def test_at_one_it_is_the_sum_itself_and_in_the_limit_linear() -> None:
    theta = np.array([1.0, -2.0, 0.5])
    value, gradient = Annealed(log_sum_exp, 1.0)(theta)
    assert (value, gradient.tolist()) == (log_sum_exp(theta)[0], log_sum_exp(theta)[1].tolist())
    beta = 1e-6
    value, gradient = Annealed(log_sum_exp, beta)(theta)
    assert value - np.log(3) / beta == pytest.approx(theta.mean(), abs=1e-5)
    assert_allclose(gradient, np.full(3, 1 / 3), atol=1e-5)


def test_each_stage_begins_where_the_last_one_ended() -> None:
    begun: list[tuple[float, list[float]]] = []

    def train(beta: float, theta: Floats, told: Monitor) -> Training:
        begun.append((beta, theta.tolist()))
        return Training(theta + 1, objective=10 * beta, stopped=f"at {beta}")

    training = anneal(train, RISING, np.zeros(2))
    assert begun == [(0.1, [0, 0]), (0.4, [1, 1]), (1.0, [2, 2])]
    assert training.theta.tolist() == [3, 3]
    assert (training.objective, training.stopped) == (10.0, "at 1.0")


def assert_numbered_on(steps: list[Step]) -> None:
    assert [step.iteration for step in steps] == list(range(len(steps)))
    assert all(a.seconds <= b.seconds for a, b in pairwise(steps))


def test_the_steps_of_all_stages_are_numbered_on() -> None:
    alone, theta = [], np.zeros(2)
    for beta in RISING:
        alone.append(maximize(partial(hill, beta), theta, tolerance=1e-12))
        theta = alone[-1].theta
    heard: list[Step] = []
    climb = partial(maximize, tolerance=1e-12)
    training = anneal(
        lambda beta, start, course: climb(partial(hill, beta), start, monitor=course),
        RISING,
        np.zeros(2),
        heard.append,
    )
    assert heard == training.steps
    assert [s.iteration for s in heard if s.stage == "β = 0.1"] == list(range(len(alone[0].steps)))
    assert list(dict.fromkeys(s.stage for s in heard)) == ["β = 0.1", "β = 0.4", "β = 1"]
    assert_numbered_on(training.steps)
    assert min(len(stage.steps) for stage in alone) > 1
    told = [(s.objective, s.gradient_norm) for stage in alone for s in stage.steps]
    assert [(s.objective, s.gradient_norm) for s in training.steps] == told


def test_an_interruption_keeps_the_course_so_far() -> None:
    def monitor(step: Step) -> None:
        if step.stage == "β = 0.4" and heard and heard[-1].stage == step.stage:
            raise KeyboardInterrupt
        heard.append(step)

    heard: list[Step] = []
    with pytest.raises(Interrupted) as caught:
        anneal(
            lambda beta, theta, course: maximize(
                partial(hill, beta), theta, tolerance=1e-12, monitor=course
            ),
            RISING,
            np.zeros(2),
            monitor,
        )
    training = caught.value.training
    assert_numbered_on(training.steps)
    assert len(training.steps) == len(heard) + 1
    assert [step.stage for step in training.steps[-2:]] == ["β = 0.4"] * 2
    assert training.objective == hill(0.4, training.theta)[0]


@pytest.mark.parametrize(
    "criterion", ["contrastive", "em", "joint", "conditional", "supervised-contrastive"]
)
def test_a_schedule_of_one_is_no_annealing(criterion: str) -> None:
    plain, once = trained(criterion, None), trained(criterion, (1.0,))
    assert_array_equal(once.theta_, plain.theta_)
    course = [(s.iteration, s.objective, s.gradient_norm) for s in plain.training_.steps]
    assert [(s.iteration, s.objective, s.gradient_norm) for s in once.training_.steps] == course
    assert once.training_.stopped == plain.training_.stopped


@pytest.mark.parametrize(
    "annealing", [RISING, list(RISING), np.array(RISING)], ids=["tuple", "list", "array"]
)
@pytest.mark.parametrize("criterion", ["contrastive", "em"])
def test_annealed_training_is_deterministic_and_ends_with_the_problem_itself(
    criterion: str, annealing
) -> None:
    one, two = (trained(criterion, annealing, tolerance=1e-7, smoothing=0.1) for _ in range(2))
    assert_array_equal(one.theta_, two.theta_)
    assert_numbered_on(one.training_.steps)
    assert one.training_.objective == two.training_.objective
    objective = one.compile(CORPUS, dictionary=DICTIONARY)
    assert two.training_.objective == pytest.approx(objective(two.theta_)[0], rel=1e-12)
    # The course: the first stage's objective at the start, three stages, each of two steps or more.
    begun = objective.annealed(0.1)(one.initial_weights())[0]
    assert two.training_.steps[0].objective == pytest.approx(begun, rel=1e-12)
    assert len(two.training_.steps) >= 6
    other = trained(criterion, None, tolerance=1e-7, smoothing=0.1)
    assert not np.array_equal(other.theta_, two.theta_)


def test_the_stages_climb_their_own_problems_one_after_the_other() -> None:
    tagger = Tagger("trans1", order=2, annealing=RISING, start="random", unknown_word_model=False)
    objective = tagger.compile(CORPUS, dictionary=DICTIONARY)
    assert isinstance(objective, Objective)
    theta = tagger.initial_weights()
    for beta in RISING:
        theta = maximize(objective.annealed(beta), theta).theta
    tagger.train(objective)
    assert_array_equal(tagger.theta_, theta)


def test_tags_that_are_observed_are_not_annealed() -> None:
    for criterion in ("conditional", "supervised-contrastive"):
        tagger = Tagger("trans1", order=2, criterion=criterion, unknown_word_model=False)
        objective = tagger.compile(CORPUS, GOLD, dictionary=DICTIONARY)
        theta = np.random.default_rng(0).normal(size=tagger.features_.size)
        (value, gradient), (hot, slope) = objective(theta), objective.annealed(0.1)(theta)
        assert hot == pytest.approx(value, rel=1e-12)
        assert_allclose(slope, gradient, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("kind", ["trans1", "del1word", "length"])
@pytest.mark.parametrize("beta", [0.01, 0.5])
def test_only_the_numerators_of_a_contrast_are_annealed(kind: str, beta: float) -> None:
    tagger = Tagger(kind, order=2, sigma2=0.5, unknown_word_model=False)
    objective = tagger.compile(CORPUS, dictionary=DICTIONARY)
    theta = np.random.default_rng(1).normal(size=tagger.features_.size)
    weights = weights_of(tagger.features_, theta)
    powers = {name: beta * weight for name, weight in weights.items()}
    cool = sum(BruteTagger([words], DICTIONARY, weights, 2).log_z for words in CORPUS)
    hot = sum(BruteTagger([words], DICTIONARY, powers, 2).log_z for words in CORPUS) / beta
    value = objective(theta)[0]
    assert objective.annealed(beta)(theta)[0] == pytest.approx(value - cool + hot, rel=1e-9)


def midpoint_gaps(beta: float, kind: str) -> list[float]:
    """f(middle) − the mean of f at the ends, over random pairs of points; negative where f is not concave."""
    tagger = Tagger(kind, order=2, sigma2=None, unknown_word_model=False)
    objective = tagger.compile(CORPUS, dictionary=DICTIONARY)
    problem = objective.annealed(beta)
    # (1/β) log of the number of taggings is in every value, so it is taken out before rounding matters.
    constant = problem(np.zeros(tagger.features_.size))[0]
    rng, gaps = np.random.default_rng(2), []
    for _ in range(60):
        left, right = rng.normal(0, 2, (2, tagger.features_.size))
        values = [problem(theta)[0] - constant for theta in (left, (left + right) / 2, right)]
        gaps.append(values[1] - (values[0] + values[2]) / 2)
    return gaps


@pytest.mark.parametrize("kind", ["trans1", "del1word", "length"])
def test_contrastive_estimation_is_concave_at_high_temperature(kind: str) -> None:
    assert min(midpoint_gaps(1e-4, kind)) > 0
    assert min(midpoint_gaps(1.0, kind)) < 0


def test_at_high_temperature_all_taggings_are_alike() -> None:
    tagger = Tagger(
        order=2, criterion="em", smoothing=0.0, start="random", unknown_word_model=False
    )
    likelihood = tagger.compile(CORPUS, dictionary=DICTIONARY)
    counts = likelihood.annealed(1e-9)(tagger.initial_weights())[1]
    flat = dict.fromkeys(tagger.features_.names, 0.0)
    uniform = sum(
        (BruteTagger([words], DICTIONARY, flat, 2).expected_counts() for words in CORPUS[1:]),
        start=BruteTagger([CORPUS[0]], DICTIONARY, flat, 2).expected_counts(),
    )
    assert len(taggings(CORPUS[0], DICTIONARY)) == 4
    assert_allclose(counts, [uniform[name] for name in flat], atol=1e-6)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([0.05, 0.5]))
def test_no_annealed_value_or_gradient_is_strange(seed: int, beta: float) -> None:
    tagger = Tagger("trans1", order=2, unknown_word_model=False)
    objective = tagger.compile(CORPUS, dictionary=DICTIONARY)
    theta = np.random.default_rng(seed).normal(0, 30, tagger.features_.size)
    value, gradient = objective.annealed(beta)(theta)
    assert np.isfinite(value)
    assert np.all(np.isfinite(gradient))


def test_an_interrupted_annealing_of_a_tagger_keeps_its_weights() -> None:
    heard: list[Step] = []

    def monitor(step: Step) -> None:
        heard.append(step)
        if step.stage == "β = 0.4" and heard[-2].stage == step.stage:
            raise KeyboardInterrupt

    tagger = Tagger("trans1", order=2, annealing=RISING, unknown_word_model=False)
    with pytest.raises(KeyboardInterrupt):
        tagger.fit(CORPUS, dictionary=DICTIONARY, monitor=monitor)
    assert_numbered_on(tagger.training_.steps)
    assert len(tagger.training_.steps) == len(heard)
    assert len(tagger.predict(CORPUS)) == len(CORPUS)
