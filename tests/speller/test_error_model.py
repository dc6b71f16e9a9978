"""The error model: its machine against every way to edit, and its weights."""

from __future__ import annotations

import math

import pynini
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles_speller import least_cost

from fstce.machines.image import fst_to_arrays
from fstce.speller.contrast import PRIOR
from fstce.speller.error_model import OTHER, ErrorModel
from fstce.speller.features import BEGIN, END, INSIDE, scripts
from fstce.speller.lexicon import acceptor

WEIGHTS = {
    **PRIOR,
    "end": 0.4,
    "two": 0.3,
    "a>b": -2.0,
    "b>a end": -1.5,
    ">c begin": -0.5,
    "a>": -6.0,  # cheaper than nothing: the machine has no weight below 0 nevertheless
    "string ab>c": -2.5,
    "context ca>cb": -1.0,
    "context b>bc": -0.7,
}
MODEL = ErrorModel("abc", WEIGHTS)
MACHINE = MODEL.machine([ord("d")])
WORDS = st.text("abcd", min_size=1, max_size=4)


def cost(observed: str, intended: str) -> float:
    path = pynini.compose(
        pynini.compose(acceptor([*map(ord, observed)]), MACHINE), acceptor([*map(ord, intended)])
    )
    return (
        float(pynini.shortestdistance(path, reverse=True)[path.start()])
        if path.start() >= 0
        else math.inf
    )


@given(WORDS, WORDS)
@example("bd", "db")
@example("dab", "abd")
def test_the_machine_is_the_cheapest_way_to_edit(observed: str, intended: str) -> None:
    """Of pairs that differ; a rare letter, d, is copied, and where observed edited as an unknown one."""
    if observed == intended:
        return
    expected = least_cost(MODEL, observed, intended)
    assert cost(observed, intended) == pytest.approx(expected, abs=1e-4)


def test_no_weight_is_below_zero_and_no_word_its_own() -> None:
    arrays = fst_to_arrays(MACHINE)
    assert MODEL.shift > 0
    assert arrays.weight.min() >= 0
    assert math.isinf(fst_to_arrays(MACHINE).final[arrays.start])


def test_an_unknown_letter_is_replaced_or_left_out() -> None:
    observed = acceptor([ord("a"), OTHER])
    for intended in ("a", "ab"):
        assert (
            pynini.compose(
                pynini.compose(observed, MACHINE), acceptor([*map(ord, intended)])
            ).start()
            >= 0
        )


def test_letters_cost_by_kind_class_and_place() -> None:
    assert MODEL.cost("b", "c", INSIDE) == 4.0
    assert MODEL.cost("b", "c", BEGIN) == 5.0
    assert MODEL.cost("b", "a", END) == pytest.approx(4.0 + 0.4 - 1.5)
    assert ErrorModel("aá", PRIOR).cost("a", "á", INSIDE) == 4.0 - 1.5 - 1.0


def test_strings_cost_less_than_their_letters() -> None:
    by_pair = {(row.observed, row.intended): row for row in MODEL.strings}
    assert by_pair["ab", "c"].edits == 2
    assert by_pair["aa", "a"].costs[INSIDE] == pytest.approx(3.0 - 6.0 - 1.0)
    letters = min(
        sum(MODEL.cost("ab"[e.start : e.end], "c"[e.first : e.last], INSIDE) for e in script)
        for script in scripts("ab", "c")
    )
    assert by_pair["ab", "c"].costs[INSIDE] == pytest.approx(letters + 0.3 - 2.5)
