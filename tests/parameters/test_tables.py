"""Tables of parameters: every estimator's is of its constructor, with defaults that it allows."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import fstce
from fstce.estimation.estimator import Estimator
from fstce.parameters.tables import ARGUMENTS, parameters, rises_to_one

ESTIMATORS = (
    *(fstce.Corrector, fstce.DependencyParser, fstce.DirectedAlignment, fstce.GrammarProduct),
    *(fstce.LatentGrammar, fstce.ParsedCorrector, fstce.Speller, fstce.Tagger, fstce.TaggerProduct),
)


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_a_table_has_each_parameter_and_no_other(cls: type[Estimator]) -> None:
    signature = inspect.signature(cls).parameters
    table = parameters(cls)
    assert list(table) == list(signature)
    for name, parameter in table.items():
        assert parameter.rule.help.endswith("."), name
        if parameter.default is not inspect.Parameter.empty:
            assert parameter.rule.admits(parameter.default), name


@pytest.mark.parametrize(
    ("betas", "rises"),
    [
        ((0.5, 1.0), True),
        ((1.0,), True),
        ((0.5, 0.9), False),
        ((0.0, 1.0), False),
        ((0.7, 0.6, 1), False),
    ],
)
def test_temperatures_rise_to_one(betas: Any, rises: bool) -> None:
    assert rises_to_one(betas) == rises


def test_arguments_have_rules_that_refuse_something() -> None:
    class Strange:
        """Nothing that any function takes."""

    refusing = [name for name, rule in ARGUMENTS.items() if not rule.admits(Strange())]
    assert len(refusing) == len(ARGUMENTS)
