"""Viterbi derivations of split grammars are the likeliest of all, and so are the k best."""

from __future__ import annotations

import math

import numpy as np
import oracles_charts as brute
import pytest
from chart_forests import forest_of, scores_of
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.latent.parsing.chart_plan import ChartPlan
from fstce.latent.parsing.maxrule import RuleGraph
from fstce.latent.parsing.search import SplitRanking
from fstce.latent.parsing.viterbi import SplitDerivations, ViterbiCharts

few = settings(max_examples=20, deadline=None)
seeds = st.integers(0, 10_000)
sentences = st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=3)


def searched(seed: int, words: list[str]):
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    graph = RuleGraph(forest_of(coarse, [words]), fine)
    return fine, graph, ViterbiCharts(ChartPlan(graph.forest, fine), fine, scores_of(fine, [words]))


@few
@given(seeds, sentences)
def test_all_split_derivations_in_order(seed: int, words: list[str]) -> None:
    fine, graph, charts = searched(seed, words)
    every = [p for d in brute.derivations(len(words)) for p in brute.split_probabilities(fine, words, d)]
    wanted = np.log(sorted(every, reverse=True)[:200])
    assert charts.log_probability == pytest.approx(wanted[:1])
    derivations = SplitDerivations(charts, graph)
    root = derivations.root(0)
    found = [derivations.search.score(root, rank) for rank in range(len(wanted))]
    np.testing.assert_allclose(np.array(found, dtype=float), wanted, atol=1e-10)
    if len(every) < 200:
        assert derivations.search.score(root, len(every)) is None


@few
@given(seeds, sentences)
def test_unsplit_trees_by_their_likeliest_split(seed: int, words: list[str]) -> None:
    fine, graph, charts = searched(seed, words)
    found = list(SplitRanking(graph, charts).derivations(0, patience=10_000))[:10]
    best = {d: max(brute.split_probabilities(fine, words, d)) for d in brute.derivations(len(words))}
    assert [score for _, score in found] == pytest.approx(
        [math.log(p) for p in sorted(best.values())[::-1][:10]]
    )
    for derivation, score in found:
        assert math.log(best[brute.of_graph(graph, derivation)]) == pytest.approx(score)


def test_patience_bounds_the_search() -> None:
    _, graph, charts = searched(0, ["a", "b", "c"])
    assert len(list(SplitRanking(graph, charts).derivations(0, patience=1))) < len(
        list(SplitRanking(graph, charts).derivations(0, patience=10_000))
    )


def test_a_sentence_without_parse_has_no_derivation() -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(0)).grammars
    coarse.lexicon.table[1] = 0.0
    graph = RuleGraph(forest_of(coarse, [["b"], ["a"]]), fine)
    charts = ViterbiCharts(ChartPlan(graph.forest, fine), fine, scores_of(fine, [["b"], ["a"]]))
    ranking = SplitRanking(graph, charts)
    assert not list(ranking.derivations(0)) and len(list(ranking.derivations(1, 100))) == 1
