"""Costs of many pairs at once against the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_edits import edit_cost

from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.distance import EditCosts
from fstce.correction.mistakes.lookup import spelt

PAIRS = st.lists(st.tuples(*[st.text("abcé\U0001f600", min_size=1, max_size=7)] * 2), min_size=1, max_size=12)
TABLE = Channel(
    1.0,
    1.5,
    2.0,
    0.75,
    {("a", "b"): 0.25, ("", "c"): 0.5, ("ab", "ba"): 0.125, ("c", ""): 3.0, ("é", "a"): 0.0},
)


@pytest.mark.parametrize("channel", [Channel(), TABLE], ids=["distances", "confusions"])
@pytest.mark.parametrize("damerau", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3])
@given(pairs=PAIRS)
def test_it_equals_the_definition(
    k: int, damerau: bool, channel: Channel, pairs: list[tuple[str, str]]
) -> None:
    typed, meant = zip(*pairs, strict=True)
    found = EditCosts(k, damerau, channel)(spelt(typed), spelt(meant))
    assert np.allclose(found, [edit_cost(*pair, k, damerau, channel) for pair in pairs])


def test_many_pairs_go_in_parts(monkeypatch) -> None:
    typed, meant = ["abc", "acb", "x", "abc"], ["abd", "abc", "xyz", "abc"]
    whole = EditCosts(1, True, Channel())(spelt(typed), spelt(meant))
    monkeypatch.setattr("fstce.correction.mistakes.distance.CHUNK", 3)
    assert np.array_equal(whole, EditCosts(1, True, Channel())(spelt(typed), spelt(meant)))
    assert whole.tolist() == [1.0, 1.0, np.inf, 0.0]


def test_no_pairs() -> None:
    assert EditCosts(1, False, Channel())(spelt([]), spelt([])).shape == (0,)
