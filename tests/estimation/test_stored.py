"""What is saved of a model, and comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from toy_cases import TEXT, Toy

from fstce.errors import ModelFileError, NotFittedError, ParameterError
from fstce.estimation.estimator import Estimator
from fstce.storage.state import State


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


def test_the_class_itself_has_no_state() -> None:
    for call in (Estimator().to_state, lambda: Estimator.from_state(State("toy", {}))):
        with pytest.raises(NotImplementedError):
            call()
