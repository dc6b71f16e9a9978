"""Grammars of few subcategories prune by the posteriors that the charts of any grammar have."""

from __future__ import annotations

import numpy as np
import oracles_charts as brute
from chart_forests import forest_of, scores_of
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.latent.parsing.pruning import PaddedCharts, PaddedRules, pruned
from fstce.latent.parsing.refine import ChartPlan, SplitCharts

few = settings(max_examples=20, deadline=None)
batches = st.lists(st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=7), min_size=1, max_size=4)


@few
@given(st.integers(0, 1000), batches)
def test_posteriors_are_those_of_the_grouped_charts(seed: int, batch: list[list[str]]) -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    forest, scores = forest_of(coarse, batch), scores_of(fine, batch)
    wanted = SplitCharts(ChartPlan(forest, fine), fine, scores).posteriors()
    found = PaddedCharts(forest, PaddedRules.of(fine), scores).posteriors()
    for one, other in zip(found, (wanted.binary, wanted.unary, wanted.below, wanted.above), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


@few
@given(st.integers(0, 1000), batches, st.sampled_from([0.0, 0.01, 0.2]))
def test_what_is_left_is_what_was_above_the_threshold(
    seed: int, batch: list[list[str]], threshold: float
) -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    forest, scores = forest_of(coarse, batch), scores_of(fine, batch)
    binary, _, below, above = PaddedCharts(forest, PaddedRules.of(fine), scores).posteriors()
    left = pruned(forest, PaddedRules.of(fine), scores, threshold)
    for name, kept in (("below", below > threshold), ("above", above > threshold)):
        old, new = getattr(forest, name), getattr(left, name)
        assert new.span.tolist() == old.span[kept].tolist()
        assert new.symbol.tolist() == old.symbol[kept].tolist()
        counts = np.bincount(new.symbol, minlength=len(new.first) - 1)
        assert np.diff(new.first).tolist() == counts.tolist()
    # A node has at least the posterior of each edge that it is in, so no kept edge loses one.
    kept = binary > threshold + 1e-9
    assert len(left.binary.rule) >= kept.sum()
    assert (left.below.symbol[left.binary.parent] == coarse.binary[left.binary.rule, 0]).all()
    assert (left.above.symbol[left.binary.left] == coarse.binary[left.binary.rule, 1]).all()
    assert (left.above.symbol[left.binary.right] == coarse.binary[left.binary.rule, 2]).all()
    assert (left.above.symbol[left.root] == 0).all()


@few
@given(st.integers(0, 1000), batches)
def test_what_has_no_posterior_is_not_missed(seed: int, batch: list[list[str]]) -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    forest, scores = forest_of(coarse, batch), scores_of(fine, batch)
    left = pruned(forest, PaddedRules.of(fine), scores, 0.0)
    whole, rest = (SplitCharts(ChartPlan(one, fine), fine, scores).log_probability for one in (forest, left))
    np.testing.assert_allclose(rest, whole, atol=1e-10)


def test_a_forest_of_which_nothing_survived_stays_so() -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(0)).grammars
    batch = [["a", "b"], ["c"]]
    forest = forest_of(coarse, batch, 1.0)
    assert not len(forest.above.span)
    left = pruned(forest, PaddedRules.of(fine), scores_of(fine, batch), 0.1)
    assert left.root.tolist() == [-1, -1]
