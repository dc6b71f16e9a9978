"""A plan takes every edge once, children before parents."""

from __future__ import annotations

import numpy as np
import oracles_charts as brute
from chart_forests import forest_of
from hypothesis import given
from hypothesis import strategies as st

from fstce.latent.parsing.refine import ChartPlan

sentences = st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=6)


@given(st.integers(0, 1000), st.lists(sentences, min_size=1, max_size=3))
def test_every_edge_once_at_its_width(seed: int, batch: list[list[str]]) -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(seed))
    forest = forest_of(grammar, batch, 1e-3)
    plan = ChartPlan(forest, grammar)
    for name in ("binary", "unary"):
        edges = getattr(forest, name)
        taken = []
        for width, (places, runs) in enumerate(getattr(plan, name)):
            rules = [rule for rule, count in runs for _ in range(count)]
            assert rules == edges.rule[places].tolist()
            assert (edges.width[places] == width).all()
            taken += range(len(edges.rule))[places]
        assert taken == list(range(len(edges.rule)))
    assert sum(len(high) for high, _ in plan.same) == forest.identity.shape[1]
