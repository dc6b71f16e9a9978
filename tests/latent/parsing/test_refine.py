"""Inside, outside and posteriors of split grammars agree with summing over all trees."""

from __future__ import annotations

import numpy as np
import oracles_charts as brute
import pytest
from chart_forests import forest_of, scores_of
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.latent.parsing.refine import SplitCharts

few = settings(max_examples=20, deadline=None)
seeds = st.integers(0, 10_000)
sentences = st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=3)


@few
@given(seeds, sentences)
def test_posteriors_are_those_of_all_split_trees(seed: int, words: list[str]) -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    forest = forest_of(coarse, [words])
    charts = SplitCharts(forest, fine, scores_of(fine, [words]))
    found, _ = charts.posteriors()
    wanted = brute.posteriors(fine, words)
    assert dict(zip(brute.edge_instances(forest), found, strict=True)) == pytest.approx(
        wanted, abs=1e-12
    )


def test_longer_sentences_too() -> None:
    words = list("abca")
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(5), (1, 1, 2, 2, 1, 2)).grammars
    forest = forest_of(coarse, [words])
    charts = SplitCharts(forest, fine, scores_of(fine, [words]))
    found, _ = charts.posteriors()
    assert dict(zip(brute.edge_instances(forest), found, strict=True)) == pytest.approx(
        brute.posteriors(fine, words), abs=1e-12
    )


@few
@given(
    seeds,
    st.lists(
        st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=12), min_size=1, max_size=4
    ),
)
def test_expected_counts_add_up(seed: int, batch: list[list[str]]) -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    forest = forest_of(coarse, batch)
    edge, node = SplitCharts(forest, fine, scores_of(fine, batch)).posteriors()
    edges = forest.edges
    np.testing.assert_allclose(node[forest.root], 1.0)
    binary = edges.right != forest.nothing
    of_sentence = forest.sentence[forest.span[edges.parent[binary]]]
    np.testing.assert_allclose(
        np.bincount(of_sentence, edge[binary], len(batch)), forest.lengths - 1.0
    )
    into = np.zeros(len(node))
    np.add.at(into, edges.parent, edge)
    np.testing.assert_allclose(into, node, atol=1e-10)


@few
@given(seeds, sentences, st.lists(sentences, max_size=3))
def test_a_sentence_in_a_batch_is_the_sentence_alone(
    seed: int, words: list[str], others: list[list[str]]
) -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    batch = [*others, words]
    together = SplitCharts(forest_of(coarse, batch), fine, scores_of(fine, batch))
    alone = SplitCharts(forest_of(coarse, [words]), fine, scores_of(fine, [words]))
    assert together.total[-1] == pytest.approx(alone.total[0])


def test_two_hundred_words_do_not_underflow() -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(3)).grammars
    words = list("abcab" * 40)
    forest = forest_of(coarse, [words], 1e-3)
    charts = SplitCharts(forest, fine, scores_of(fine, [words]) * 1e-3)
    assert np.isfinite(charts.total).all()
    edge, _ = charts.posteriors()
    assert edge.size and np.isfinite(edge).all()


def test_a_sentence_without_parse_has_no_posteriors_and_leaves_others_alone() -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(4)).grammars
    coarse.lexicon.table[1] = 0.0
    batch = [["b", "a"], ["a", "c"]]
    charts = SplitCharts(forest := forest_of(coarse, batch), fine, scores_of(fine, batch))
    assert charts.total[0] == 0.0 < charts.total[1]
    binary = forest.edges.right != forest.nothing
    assert charts.posteriors()[0][binary].sum() == pytest.approx(1.0)
    assert forest.root[0] == -1
    nothing = SplitCharts(forest_of(coarse, batch[:1]), fine, scores_of(fine, batch[:1]))
    assert nothing.total.tolist() == [0.0] and nothing.posteriors()[0].size == 0
