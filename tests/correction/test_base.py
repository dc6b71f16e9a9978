"""What both correctors share."""

import inspect

import pytest

from fstce import Corrector, ParsedCorrector
from fstce.correction.base import BaseCorrector, unchanged


@pytest.mark.parametrize("cls", [Corrector, ParsedCorrector])
def test_parameters_are_the_arguments_alone(cls):
    corrector = cls(spell=3, exponents={"model": 3.0})
    assert (
        list(corrector.get_params())
        == list(inspect.signature(cls).parameters)
        == list(vars(corrector))
    )
    assert (corrector.spell, corrector.exponents) == (3, {"model": 3.0}) and repr(
        corrector
    ) == f"{cls.__name__}(spell=3, exponents={{'model': 3.0}})"
    # As of other estimators
    assert corrector != cls(spell=2, exponents={"model": 3.0}) and len({corrector, corrector}) == 1


@pytest.mark.parametrize("cls", [Corrector, ParsedCorrector])
def test_given_exponents_replace_the_first(cls):
    assert cls(exponents={"edited": 9.0})._initial_exponents() == {**cls.FIRST, "edited": 9.0}
    assert set(cls.FIRST) == set(cls.COLUMNS)


def test_a_sentence_that_is_left_as_it_is_has_a_reason():
    with pytest.warns(UserWarning, match="left as it is: too long") as caught:
        found = unchanged(["a", "b"], "too long", stacklevel=1)
    assert found.observed == found.words == ("a", "b") and caught[0].filename == __file__


def test_a_corrector_says_how_it_corrects():
    with pytest.raises(NotImplementedError):
        BaseCorrector().predict([["a"]])
