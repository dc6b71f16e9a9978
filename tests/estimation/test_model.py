"""A model that is interrupted between two stages of its training has weights and their objective."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from threadpoolctl import threadpool_limits
from toy_cases import Toy

from fstce import TagDictionary, Tagger
from fstce.estimation.maximize import Interrupted
from fstce.estimation.objective import AveragedObjective, Expert, GaussianPrior, Objective
from fstce.numeric.types import Floats
from fstce.parameters.rules import Table, choice, real

TEXT = [["the", "cat", "can"], ["the", "saw", "can"], ["a", "can"], ["the", "can", "saw"]]
TAGS = TagDictionary({"the": "D", "a": "D", "saw": ("N", "V"), "can": ("N", "V"), "cat": "N"})


def pull(theta: Floats) -> tuple[float, Floats]:
    """−(θ − 3)² / 2."""
    return -float((theta - 3.0) @ (theta - 3.0)) / 2, 3.0 - theta


def interrupted(theta: Floats) -> tuple[float, Floats]:
    """Ctrl-C while this is evaluated."""
    raise KeyboardInterrupt


def test_an_average_that_is_interrupted_is_that_of_what_was_learnt() -> None:
    parts = [Objective([term], GaussianPrior(None)) for term in (pull, interrupted)]
    experts = [Expert(name, 1.0, part) for name, part in zip("ab", parts, strict=True)]
    averaged = AveragedObjective(Objective([pull], GaussianPrior(1.0)), experts)

    with pytest.raises(Interrupted) as caught:
        averaged.train(np.zeros(2), tolerance=1e-9)
    training = caught.value.training
    assert training.theta == pytest.approx([3.0, 3.0])
    assert training.objective == averaged(training.theta)[0]


def test_an_average_that_is_interrupted_at_once_is_where_it_began() -> None:
    experts = [Expert("a", 1.0, Objective([interrupted], GaussianPrior(None)))]
    averaged = AveragedObjective(Objective([pull], GaussianPrior(1.0)), experts)
    with pytest.raises(Interrupted) as caught:
        averaged.train(np.zeros(2))
    assert_array_equal(caught.value.training.theta, [0.0, 0.0])


def test_a_stage_that_is_interrupted_at_its_start_has_the_objective_of_the_last() -> None:
    tagger = Tagger(neighborhood="trans1", order=2, annealing=(0.5, 1.0))
    objective = tagger.compile(TEXT, dictionary=TAGS)
    annealed = objective.annealed(0.5)
    steps = []
    with pytest.raises(KeyboardInterrupt):
        tagger.train(_Failing(objective, annealed), monitor=steps.append)
    assert tagger.training_.iterations > 0
    assert tagger.training_.objective == steps[-1].objective


class _Failing(Objective):
    """An objective whose last stage, at β = 1, is interrupted at its first evaluation."""

    def __init__(self, whole: Objective, cooled: Objective) -> None:
        super().__init__(whole.numerators, whole.prior, whole.denominators)
        self._cooled = cooled

    def annealed(self, beta: float) -> Objective:
        return self._cooled

    def _sum(self, theta: Floats) -> tuple[float, Floats]:
        raise KeyboardInterrupt


def test_the_value_of_an_average_does_not_depend_on_the_threads_of_blas() -> None:
    theta = np.random.default_rng(0).normal(size=200_003)
    prior = GaussianPrior(0.7)
    values = []
    for threads in (1, 2):
        averaged = AveragedObjective(
            Objective([], prior), [Expert("all", 1.0, Objective([], GaussianPrior(None)))]
        )
        with threadpool_limits(threads, "blas"):
            values.append(averaged.train(theta).objective)
    assert values[0] == values[1]


def test_starts_are_uniform_or_drawn_unless_a_model_has_its_own() -> None:
    class Plain(Toy):
        KIND = "plain"
        rules: ClassVar[Table] = {**Toy.rules, "start": choice("random") | real()}

        def _special_start(self) -> None:
            return None

    class Local(Plain):
        LOCAL = ("em",)
        criterion = "em"

    plain, local = Plain(), Local()
    plain.seed = local.seed = 3
    assert plain.initial_weights().tolist() == [0.0, 0.0]
    assert np.exp(local.initial_weights()).tolist() == [0.5, 0.5]
    for toy in (plain, local):
        toy.set_params(start="random")
    drawn = plain.initial_weights()
    assert drawn.tolist() == plain.initial_weights().tolist() and drawn.any()
    assert np.exp(local.initial_weights()).sum() == pytest.approx(1.0)


def test_an_interrupted_training_keeps_the_best_so_far() -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    toy = Toy()
    with pytest.raises(Interrupted):
        toy.fit(TEXT, monitor=stop)
    assert (
        toy.theta_.tolist() == toy.training_.theta.tolist()
        and toy.training_.stopped == "interrupted"
    )
