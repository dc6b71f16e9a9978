"""The levels of a forest take every edge once, children before parents."""

from __future__ import annotations

import numpy as np
import oracles_charts as brute
from chart_forests import forest_of
from hypothesis import given
from hypothesis import strategies as st

sentences = st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=6)


@given(st.integers(0, 1000), st.lists(sentences, min_size=1, max_size=3))
def test_every_edge_once_at_its_level(seed: int, batch: list[list[str]]) -> None:
    forest = forest_of(brute.tiny_grammar(np.random.default_rng(seed)), batch, 1e-3)
    edges, read = forest.edges, np.zeros(forest.nothing + 1, dtype=bool)
    taken: list[int] = []
    for places, same, rest, rules in forest.levels:
        taken += range(len(edges.rule))[places]
        assert (edges.rule[same] == -1).all()
        assert edges.rule[rest].tolist() == [rule for rule, count in rules for _ in range(count)]
        read[edges.left[places]] = read[edges.right[places]] = True
        assert not read[edges.parent[places]].any()
        assert len(set(edges.level[places])) == 1
    assert taken == list(range(len(edges.rule)))
