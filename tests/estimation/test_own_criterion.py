"""A criterion of one's own: a name, features, a value and its gradient are all that training asks for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fstce import DependencyParser, Tagger
from fstce.errors import ParameterError

TEXT = [line.split() for line in ("the saw saw the cat", "a cat saw the saw", "the dog ran")]
WORDS = {"the": "D", "a": "D", "cat": "N", "dog": "N", "saw": ("N", "V"), "ran": "V"}
TAGS = [["D", "N", "V", "D", "N"], ["D", "N", "V"], ["N", "V", "N"]]


@dataclass
class Doubled:
    """Twice an objective: another name and other values, the same maximum."""

    compiled: Any
    features: Any
    name: str = "doubled"

    def value_and_gradient(self, theta: Any) -> Any:
        value, gradient = self.compiled.value_and_gradient(theta)
        return 2 * value, 2 * gradient


def compiled(kind: str) -> tuple[Any, Any]:
    if kind == "tagger":
        model: Any = Tagger("trans1", order=2, tolerance=1e-12)
        return model, model.compile(TEXT, dictionary=WORDS)
    model = DependencyParser("trans1", tolerance=1e-12)
    return model, model.compile(TAGS)


@pytest.mark.parametrize("kind", ["tagger", "parser"])
def test_what_is_trained_maximizes_it(kind: str, tmp_path: Path) -> None:
    model, objective = compiled(kind)
    shipped = model.train(objective).theta_
    best = objective(shipped)[0]
    model.train(Doubled(objective, objective.features))
    assert_allclose(model.theta_, shipped, atol=1e-3)
    assert model.training_.objective == pytest.approx(2 * best, abs=1e-6)
    assert model.facts()["objective"].startswith("doubled ")
    model.save(tmp_path / "m")
    loaded = type(model).load(tmp_path / "m")
    assert loaded.facts() == model.facts()
    assert_array_equal(loaded.theta_, model.theta_)


@pytest.mark.parametrize("kind", ["tagger", "parser"])
def test_what_ships_is_such_a_criterion(kind: str) -> None:
    model, objective = compiled(kind)
    assert objective.name == "contrastive"
    assert objective.features.size == model.initial_weights().size
    value, gradient = objective.value_and_gradient(model.initial_weights())
    assert np.isfinite(value) and gradient.shape == (objective.features.size,)


def test_ctrl_c_keeps_its_name() -> None:
    model, objective = compiled("tagger")

    def interrupt(step: Any) -> None:
        if step.iteration == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.train(Doubled(objective, objective.features), monitor=interrupt)
    assert model.training_.criterion == "doubled"


@pytest.mark.parametrize("wrong", [lambda g: g[:-1], lambda g: g[:, None], lambda g: 0.0])
def test_a_gradient_of_another_shape_is_refused(wrong: Any) -> None:
    class Wrong(Doubled):
        def value_and_gradient(self, theta: Any) -> Any:
            value, gradient = super().value_and_gradient(theta)
            return value, wrong(gradient)

    model, objective = compiled("tagger")
    message = r"the criterion 'doubled' returns a gradient of shape .*; it is \(\d+,\), a number"
    with pytest.raises(ParameterError, match=message):
        model.train(Wrong(objective, objective.features))


def test_what_it_lacks_is_said() -> None:
    class Nameless:
        def __init__(self, features: Any) -> None:
            self.features = features

        def value_and_gradient(self, theta: Any) -> Any:
            return 0.0

    model, objective = compiled("tagger")
    with pytest.raises(ParameterError, match="lacks name: it has name, the features"):
        model.train(Nameless(objective.features))
    nameless: Any = Nameless(objective.features)
    nameless.name = "half"
    with pytest.raises(ParameterError, match=r"'half' returns 0.0, not a value and its gradient"):
        model.train(nameless)


def test_of_other_features_it_is_refused() -> None:
    model, objective = compiled("tagger")
    model.compile(TEXT[:2], dictionary=WORDS)
    with pytest.raises(ParameterError, match="features of the criterion 'doubled' are not those"):
        model.train(Doubled(objective, objective.features))


def test_what_is_none_is_refused() -> None:
    model, _ = compiled("tagger")
    with pytest.raises(ParameterError, match="what compile made, or a Criterion"):
        model.train(lambda theta: (0.0, theta))
