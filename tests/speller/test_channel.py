"""The channel: what kinds of edits cost."""

from __future__ import annotations

import math

import pytest
from oracles_edits import channel_cost

from fstce.errors import ParameterError
from fstce.speller.channel import Channel
from fstce.speller.features import INSIDE

CHANNEL = Channel(2.0, 3.0, 4.0, 5.0)


def test_each_kind_has_its_cost() -> None:
    costs = CHANNEL.costs(["b", "c"])
    edits = [costs.edit(INSIDE, *pair) for pair in ((1, 2), (0, 2), (1, 0))]
    assert [*edits, costs.swap(INSIDE, 1, 2)] == [2.0, 3.0, 4.0, 5.0]


def test_an_alphabet_of_thousands_has_rows_for_few() -> None:
    """Tables of all its letters took gigabytes, for each call."""
    costs = CHANNEL.costs([chr(0x4E00 + i) for i in range(7000)])
    assert costs.edits.size + costs.swaps.size < 10_000
    assert costs.edit(INSIDE, 5, 6999) == 2.0


def test_tables_say_the_same_as_the_definition() -> None:
    symbols = ["a", "e", "i", "x", "y", "``", "."]
    spelt = ["", *symbols]
    costs = CHANNEL.costs(symbols)
    assert all(
        costs.edit(INSIDE, i, j) == channel_cost(CHANNEL, intended, observed)
        for i, intended in enumerate(spelt)
        for j, observed in enumerate(spelt)
        if i != j
    )
    assert all(
        costs.swap(INSIDE, i + 1, j + 1) == channel_cost(CHANNEL, a + b, b + a)
        for i, a in enumerate(symbols[:5])
        for j, b in enumerate(symbols[:5])
        if i != j
    )


@pytest.mark.parametrize("cost", [-0.1, math.inf, math.nan])
def test_a_cost_is_finite_and_not_negative(cost: float) -> None:
    with pytest.raises(ParameterError, match="transposition"):
        Channel(transposition=cost)
