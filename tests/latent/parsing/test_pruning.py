"""A grammar of few subcategories leaves a forest without what has a small posterior."""

from __future__ import annotations

import numpy as np
import oracles_charts as brute
from chart_forests import forest_of, scores_of
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.pruned_forest import PrunedForest, pruned
from fstce.latent.parsing.refine import SplitCharts
from fstce.numeric.kernels import taken

few = settings(max_examples=20, deadline=None)
batches = st.lists(
    st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=7), min_size=1, max_size=4
)


def pruned_by(
    fine: SplitGrammar, forest: PrunedForest, batch: list[list[str]], threshold: float
) -> PrunedForest:
    return pruned(
        forest, *SplitCharts(forest, fine, scores_of(fine, batch)).posteriors(), threshold
    )


@few
@given(st.integers(0, 1000), batches, st.sampled_from([0.0, 0.01, 0.2]))
def test_what_is_left_is_what_was_above_the_threshold(
    seed: int, batch: list[list[str]], threshold: float
) -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    forest, scores = forest_of(coarse, batch), scores_of(fine, batch)
    edge, node = SplitCharts(forest, fine, scores).posteriors()
    left, kept = pruned(forest, edge, node, threshold), node > threshold
    assert left.span.tolist() == forest.span[kept].tolist()
    assert left.symbol.tolist() == forest.symbol[kept].tolist()
    # A node has at least the posterior of each edge that it is in, so no kept edge loses one.
    binary = forest.edges.right != forest.nothing
    assert (left.edges.right != left.nothing).sum() >= (edge[binary] > threshold + 1e-9).sum()
    edges = taken(left.edges, left.edges.right != left.nothing)
    for nodes, column in zip((edges.parent, edges.left, edges.right), coarse.binary.T, strict=True):
        assert (left.symbol[nodes] == column[edges.rule]).all()
    assert (left.symbol[left.root] == 0).all()


@few
@given(st.integers(0, 1000), batches)
def test_what_has_no_posterior_is_not_missed(seed: int, batch: list[list[str]]) -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    forest, scores = forest_of(coarse, batch), scores_of(fine, batch)
    left = pruned_by(fine, forest, batch, 0.0)
    whole, less = (SplitCharts(one, fine, scores).total for one in (forest, left))
    np.testing.assert_allclose(less, whole, atol=1e-10)


def test_a_forest_of_which_nothing_survived_stays_so() -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(0)).grammars
    batch = [["a", "b"], ["c"]]
    forest = forest_of(coarse, batch, 1.0)
    assert not len(forest.span)
    assert pruned_by(fine, forest, batch, 0.1).root.tolist() == [-1, -1]
