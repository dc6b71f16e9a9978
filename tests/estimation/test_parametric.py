"""Parameters as scikit-learn reads them."""

from __future__ import annotations

import pytest
from toy_cases import Toy

from fstce import Tagger
from fstce.errors import ParameterError


def test_parameters_are_kept_as_given() -> None:
    tagger = Tagger("length", order=2, sigma2=None)
    params = tagger.get_params()
    assert (params["neighborhood"], params["order"], params["sigma2"]) == ("length", 2, None)
    assert Tagger(**params).get_params() == params
    assert tagger.set_params(order=1, seed=7) is tagger
    assert (tagger.order, tagger.seed) == (1, 7)


def test_an_unknown_parameter_is_named_beside_those_there_are() -> None:
    with pytest.raises(ParameterError, match=r"no parameter 'ordr'.* has neighborhood, order"):
        Tagger().set_params(ordr=2)


def test_repr_shows_what_differs_from_the_defaults() -> None:
    assert repr(Tagger()) == "Tagger()"
    assert repr(Tagger("auto", order=2, sigma2=None)) == "Tagger(order=2, sigma2=None)"


def test_repr_shows_a_dictionary_in_short() -> None:
    lists = {f"word{n}": ["N"] for n in range(1000)}
    assert repr(Tagger(gazetteer=lists)).startswith("Tagger(gazetteer={'word0': ['N'], ")
    assert len(repr(Tagger(gazetteer=lists))) < 100


def test_scikit_learn_clones() -> None:
    base = pytest.importorskip("sklearn.base")
    tagger = Tagger("length", order=2).fit([["a", "b"]], dictionary={"a": "X", "b": "Y"})
    clone = base.clone(tagger)
    assert clone.get_params() == tagger.get_params()
    assert not hasattr(clone, "theta_")


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


def test_scikit_learn_sees_an_estimator_without_a_type() -> None:
    pytest.importorskip("sklearn.utils")
    tags = Toy().__sklearn_tags__()
    assert tags.estimator_type is None and not tags.target_tags.required
