"""What an explanation asks of a parser: its tags, its neighborhood, sums over trees."""

from __future__ import annotations

import numpy as np
import pytest
from parsing_cases import weighing

from fstce import neighborhood
from fstce.errors import NotFittedError, ParameterError
from fstce.parsing.explained import ExplainedParser
from fstce.parsing.parser import DependencyParser

WORDS = ("D", "N", "V")


@pytest.fixture
def seen() -> ExplainedParser:
    theta = np.random.default_rng(1).normal(size=45)
    return ExplainedParser(weighing(theta, neighborhood="delortrans1"))


def test_strings_of_a_lattice_have_its_sum_together(seen: ExplainedParser) -> None:
    lattice = next(neighborhood("delortrans1").expand([WORDS], seen.symbols(WORDS)))
    over = seen.over(lattice)
    each = over.log_z(lattice.strings())
    assert np.logaddexp.reduce(each) == pytest.approx(over.whole().log_z)
    assert set(over.best(2)) <= set(lattice.strings())
    assert over.arc_posteriors().max() <= 1 + 1e-9


def test_another_neighborhood_may_be_asked_about(seen: ExplainedParser) -> None:
    assert seen.contrast(None) == "delortrans1" and seen.contrast("length") == "length"


def test_what_it_cannot_answer_is_said(seen: ExplainedParser) -> None:
    with pytest.raises(ParameterError, match="'X' is none of this grammar's 3 tags"):
        seen.symbols(("D", "X"))
    with pytest.raises(ParameterError, match="inspected on a sentence"):
        seen.machines()
    with pytest.raises(NotFittedError):
        ExplainedParser(DependencyParser())
