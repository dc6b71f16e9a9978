"""What the class of all estimators does, on one that learns nothing but the mean of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import pytest

from fstce.corpora.words import checked_sentences
from fstce.errors import CorpusError, ModelFileError, NotFittedError, ParameterError
from fstce.estimation.estimator import Estimator, check_begun, checked_weights
from fstce.estimation.maximize import Interrupted, Step, Training, course, training_of
from fstce.estimation.model import Model
from fstce.estimation.objective import (
    AveragedObjective,
    Expert,
    GaussianPrior,
    Likelihood,
    Multinomials,
    Objective,
    value_of,
)
from fstce.numeric.types import Floats
from fstce.parameters.rules import FLAG, Table, choice, instance, integer, real
from fstce.parameters.tables import BETAS
from fstce.storage.state import State


def pull(theta: np.ndarray) -> tuple[float, np.ndarray]:
    """−θ²/2 for every weight, around 3."""
    return -float((theta - 3.0) @ (theta - 3.0)) / 2, 3.0 - theta


class ToyFeatures:
    """Two features."""

    size, names, group = 2, [("left",), ("right",)], np.array([0, 0])


class Toy(Model):
    """Two weights that are pulled to 3."""

    KIND = "toy"
    FEATURES, LOCAL, GOLD = "features_", (), "numbers"
    features_ = ToyFeatures()
    SIZES: ClassVar[Mapping[str, str]] = MappingProxyType({"theta_": "weights", "words_": "words"})
    rules: ClassVar[Table] = {
        "neighborhood": choice("trans1", "./mine.py"),
        "start": real(),
        "loud": FLAG,
        "tolerance": real(0),
        "max_iterations": integer(1),
        "other": integer().or_none(),
        "annealing": BETAS.or_none(),
    }

    def __init__(
        self,
        neighborhood: str = "trans1",
        start: float = 0.0,
        loud: bool = False,
        tolerance: float = 1e-6,
        max_iterations: int = 50,
        other: Any = None,
        annealing: Any = None,
    ) -> None:
        self.neighborhood, self.start, self.loud, self.other = neighborhood, start, loud, other
        self.tolerance, self.max_iterations, self.annealing = tolerance, max_iterations, annealing

    def fit(self, sentences: Any, monitor: Any = None) -> Toy:
        self._record_tokenization(checked_sentences(sentences))
        return self.train(Objective([pull], GaussianPrior(None)), monitor=monitor)

    def _special_start(self) -> Floats:
        return np.full(2, self.start)

    def _learned(self) -> State:
        return State("toy", {})

    def _restore(self, state: State, theta: Floats) -> None:
        self.theta_ = theta


TEXT = [["we", "fish"], ["we", "swim", "well"]]


def test_a_model_is_saved_with_what_it_was_trained_on(tmp_path: Path) -> None:
    toy = Toy(start=1.5).fit(TEXT)
    toy.save(tmp_path / "toy")
    again = Toy.load(tmp_path / "toy")
    assert again.theta_.tolist() == toy.theta_.tolist() and again.get_params() == toy.get_params()
    assert again.facts()["trained on"] == "2 sentences, 5 words"
    assert again.tokenization_ == toy.tokenization_ == {}
    toy.tokenization_ = {"conventions": {"no such": "convention"}}
    toy.save(tmp_path / "toy")
    with pytest.raises(ModelFileError, match="toy"):
        Toy.load(tmp_path / "toy")
    toy._text_size, toy.tokenization_ = None, {"faults": 3}
    toy.save(tmp_path / "toy")
    assert "trained on" not in Toy.load(tmp_path / "toy").facts()
    assert Toy.load(tmp_path / "toy").tokenization_ == {"faults": 3}
    with pytest.raises(NotFittedError, match="this Toy is not trained yet"):
        Toy().save(tmp_path / "other")


def test_how_a_text_was_read_is_kept_where_the_reader_has_said_so() -> None:
    toy = Toy()
    toy.tokenization_ = {"faults": 7}
    assert toy.fit(TEXT).tokenization_ == {"faults": 7}
    assert Toy().fit(TEXT).fit(TEXT[:1])._text_size == (1, 2)


def test_nothing_that_a_model_names_is_run() -> None:
    named = Toy.of_parameters({"parameters": {"neighborhood": "./mine.py"}})
    with pytest.raises(ParameterError, match=r"trained with \./mine\.py, and nothing"):
        named._check_runs_no_code(["trans1", named.neighborhood])
    with pytest.raises(ParameterError, match="nothing that a saved model names"):
        named._with(start=2.0)._check_runs_no_code([named.neighborhood])
    named._with(neighborhood="./mine.py")._check_runs_no_code(["./mine.py"])
    named._check_runs_no_code([object(), "trans1"])
    named.set_params(neighborhood="./mine.py")._check_runs_no_code(["./mine.py"])
    Toy("./mine.py")._check_runs_no_code(["./mine.py"])
    assert named._with(start=2.0).start == 2.0 and named.start == 0.0


def test_saved_values_are_of_the_kinds_that_their_rules_name() -> None:
    toy = Toy.of_parameters({"parameters": {"max_iterations": 3, "annealing": [0.5, 1]}})
    assert (toy.max_iterations, toy.annealing) == (3, (0.5, 1))
    with pytest.raises(ParameterError, match="max_iterations=-3: give a whole number from 1"):
        Toy.of_parameters({"parameters": {"max_iterations": -3}})
    for wrong in ({"loud": 2}, {"loud": 1}, {"max_iterations": "many"}, {"start": []}):
        with pytest.raises(ParameterError, match=r"give|choose"):
            Toy.of_parameters({"parameters": wrong})


def test_a_loaded_model_knows_its_training(tmp_path: Path) -> None:
    toy = Toy(start=1.5).fit(TEXT)
    toy.save(tmp_path / "toy")
    again = Toy.load(tmp_path / "toy")
    assert again.training_.objective == toy.training_.objective
    assert again.weights() == {("left",): toy.theta_[0], ("right",): toy.theta_[1]}


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


def test_a_toy_says_what_it_is_and_what_it_has_learnt() -> None:
    toy = Toy(loud=True)
    toy.rules = {
        **Toy.rules,
        "other": instance("a toy", "Toy"),
        "loud": instance("", "bool", "str"),
    }
    toy.other = Toy(start=2.0)
    assert repr(toy) == "Toy(loud=True, other=Toy(start=2.0))"
    assert "not trained yet" in toy._repr_html_() and "<th" in toy._repr_html_()
    toy.fit(TEXT)
    told = repr(toy)
    assert told.startswith(
        "<Toy(loud=True, other=Toy(start=2.0)): 2 weights; trained on 2 sentences, 5 words"
    )
    assert "objective 0.00 nats" in told and "converged" in told
    toy.words_, toy.loud = ["we", "us"], "<b>"
    assert "2 weights, 2 words" in repr(toy) and "&lt;b&gt;" in toy._repr_html_()
    del toy.training_
    assert "objective" not in repr(toy)
    toy.criterion, toy.training_ = "em", Training(np.zeros(2), -1234.5, [], "converged")
    assert "objective em -1,234.50 nats" in repr(toy)


def test_weights_are_checked() -> None:
    assert checked_weights([1, -np.inf], 2).tolist() == [1.0, -np.inf]
    for wrong, message in (
        ("many", "give an array of 2 weights"),
        ([1.0], r"shape \(1,\); this model has 2"),
        ([1.0, np.nan], "entries that are no weights"),
        ([1.0, np.inf], "entries that are no weights"),
    ):
        with pytest.raises(ParameterError, match=message):
            checked_weights(wrong, 2)


def test_what_is_no_list_is_no_sentence() -> None:
    with pytest.raises(CorpusError, match="sentence 2 is 7, not a list of words"):
        checked_sentences([["a"], 7])  # type: ignore[list-item]


def test_the_class_itself_has_no_state() -> None:
    for call in (Estimator().to_state, lambda: Estimator.from_state(State("toy", {}))):
        with pytest.raises(NotImplementedError):
            call()


def test_scikit_learn_sees_an_estimator_without_a_type() -> None:
    pytest.importorskip("sklearn.utils")
    tags = Toy().__sklearn_tags__()
    assert tags.estimator_type is None and not tags.target_tags.required


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


def test_a_sum_of_terms_is_no_number_where_one_is_minus_infinity() -> None:
    def of(value: float) -> Any:
        return lambda theta: (value, theta)

    assert value_of([of(-1.0), of(-2.5)], np.zeros(1)) == -3.5
    assert value_of([of(-np.inf), of(np.inf)], np.zeros(1)) == -np.inf


def test_another_prior_over_what_is_compiled() -> None:
    objective = Objective([pull], GaussianPrior(1.0))
    likelihood = Likelihood([pull], Multinomials(np.array([0, 0])))
    averaged = AveragedObjective(objective, [Expert("hmm", 1.0, likelihood)])
    averaged.smooth(sigma2=4.0, smoothing=0.5)
    at = np.full(2, 2.0)
    assert averaged(at)[0] == pull(at)[0] - 2 * 4 / 8  # θ² / 2σ²
    assert likelihood.smoothing == 0.5


def test_a_training_goes_on_as_it_was_begun() -> None:
    begun, now = {"cycles": 2, "seed": 1}, {"cycles": 4, "seed": 1, "jobs": 2}
    check_begun("cycles", 2, {"seed": 1}, now)
    with pytest.raises(
        ParameterError, match="cycles=4: this grammar was trained for 5 already; give 5"
    ):
        check_begun("cycles", 5, begun, now)
    with pytest.raises(
        ParameterError, match="begun with seed=1, not 2; go on with the same settings"
    ):
        check_begun("cycles", 2, {"seed": 1}, {**now, "seed": 2})
