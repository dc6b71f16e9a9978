"""The search of near words against the definition of edit distance; tests of candidates search, too."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_edits import edit_cost

from fstce.speller.channel import Channel
from fstce.speller.nearby import near
from fstce.speller.wordlist import word_list

WORD = st.text("abc", min_size=1, max_size=4)


@pytest.mark.parametrize("together", [1, 200])
@given(
    words=st.sets(WORD, min_size=1, max_size=12),
    queries=st.lists(WORD, min_size=1, max_size=4),
    k=st.integers(1, 3),
)
def test_near_words_are_those_of_the_distance(
    words: set[str], queries: list[str], k: int, together: int
) -> None:
    """However many queries are followed together."""
    channel = Channel(1.0, 1.5, 2.0, 0.75)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fstce.speller.nearby.TOGETHER", together)
        query, number, cost = near(
            word_list(dict.fromkeys(words, 1)), queries, [k] * len(queries), channel
        )
    spelt = [sorted(words)[i] for i in number.tolist()]
    found = dict(zip(zip(query.tolist(), spelt, strict=True), cost.tolist(), strict=True))
    wanted = {
        (i, word): edit_cost(observed, word, k, True, channel)
        for i, observed in enumerate(queries)
        for word in words
    }
    assert found == pytest.approx({key: c for key, c in wanted.items() if math.isfinite(c)})
    assert np.all(np.diff(query) >= 0)
