"""Which two models of a grid are shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.reproduction.run import smoothing_of
from fstce.reproduction.tagging_tables import choices
from fstce.reproduction.tagging_trials import CONDITION

Make = Callable[..., dict[str, Any]]
INF, NAN = math.inf, math.nan


def only(records: list[dict[str, Any]]) -> Any:
    (choice,) = choices(records).values()
    return choice


def test_selected_by_the_criterion_and_oracle_by_accuracy(record: Make) -> None:
    trials = [
        record("em", held_out, ambiguous, smoothing=smoothing)
        for held_out, ambiguous, smoothing in [
            (-60.0, 55.0, 0.0),
            (-50.0, 50.0, 0.1),
            (-70.0, 65.0, 1.0),
        ]
    ]
    choice = only(trials)
    assert choice.selected is trials[1]
    assert choice.oracle is trials[2]
    assert choice.trials == trials


@given(st.lists(st.tuples(st.floats(-1e3, 0), st.floats(0, 100)), min_size=1, max_size=8))
def test_no_trial_beats_the_chosen_ones(record: Make, values: list[tuple[float, float]]) -> None:
    choice = only([record("trans1", h, a, sigma2=float(i + 1)) for i, (h, a) in enumerate(values)])
    assert choice.selected["result"]["held_out"] == max(h for h, _ in values)
    assert choice.oracle["result"]["ambiguous"] == max(a for _, a in values)


@pytest.mark.parametrize("bad", [-INF, NAN])
def test_values_that_are_none_never_win(record: Make, bad: float) -> None:
    worst = record("em", -1e6, 1.0, smoothing=1.0)
    odd = record("em", bad, NAN, smoothing=0.0)
    for trials in ([odd, worst], [worst, odd]):
        choice = only(trials)
        assert choice.selected is worst
        assert choice.oracle is worst
        assert len(choice.trials) == 2
    assert only([odd]).selected is odd


def test_failed_trials_are_left_out(record: Make) -> None:
    good = record("trans1", -3.0, 70.0)
    failed = {
        "settings": {**good["settings"], "sigma2": None},
        "error": "out of memory",
        "seconds": 0.0,
    }
    choice = only([failed, good])
    assert (choice.selected, choice.trials) == (good, [good])
    assert choices([failed]) == {}


@pytest.mark.parametrize("name", CONDITION)
def test_each_condition_is_a_grid_of_its_own(record: Make, name: str) -> None:
    other = {
        "table": "table3",
        "words": 12_000,
        "coarse": True,
        "dictionary": "count:2",
        "spelling": True,
    }
    one = record("trans1", -3.0, 70.0)
    two = record("trans1", -2.0, 60.0)
    two["settings"][name] = other.get(name, "length")
    found = choices([one, two])
    assert [choice.selected for choice in found.values()] == [one, two]
    assert [key[CONDITION.index(name)] for key in found] == [
        one["settings"][name],
        two["settings"][name],
    ]


def test_a_trial_has_a_variance_or_a_smoothing() -> None:
    assert [
        smoothing_of(one) for one in ({"smoothing": 0.0}, {"sigma2": 0.1}, {"sigma2": None})
    ] == [*(0.0, 0.1, INF)]
