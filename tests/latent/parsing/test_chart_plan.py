"""A plan takes every edge once, children before parents."""

from __future__ import annotations

import numpy as np
import oracles_charts as brute
from chart_forests import forest_of
from hypothesis import given
from hypothesis import strategies as st

from fstce.latent.parsing.chart_plan import ChartPlan

sentences = st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=6)


@given(st.integers(0, 1000), st.lists(sentences, min_size=1, max_size=3))
def test_every_edge_once_at_its_width(seed: int, batch: list[list[str]]) -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(seed))
    forest = forest_of(grammar, batch, 1e-3)
    plan = ChartPlan(forest, grammar)
    for name in ("binary", "unary"):
        edges = getattr(forest, name)
        taken = [
            (w, e)
            for w, s in enumerate(plan.steps)
            for g in getattr(s, name)
            for e in range(len(edges.rule))[g.edges]
        ]
        assert sorted(e for _, e in taken) == list(range(len(edges.rule)))
        assert all(edges.width[e] == width for width, e in taken)
    assert sum(len(g.above) for s in plan.steps for g in s.identity) == forest.identity.shape[1]


def test_rows_lead_back_to_nodes() -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(0))
    forest = forest_of(grammar, [list("abcab"), list("ab")])
    groups = [group for step in ChartPlan(forest, grammar).steps for group in step.binary]
    assert any(group.begins is not None for group in groups)
    for group in groups:
        parent, left, right = group.symbols
        assert (forest.below.first[parent] + group.parent == forest.binary.parent[group.edges]).all()
        assert (forest.above.first[left] + group.left == forest.binary.left[group.edges]).all()
        assert (forest.above.first[right] + group.right == forest.binary.right[group.edges]).all()
        assert group.parents.tolist() == sorted(set(group.parent.tolist()))
