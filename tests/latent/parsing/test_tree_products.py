"""Tree probabilities are exact, and trees are ranked by them."""

from __future__ import annotations

import math

import numpy as np
import oracles_charts as brute
from chart_forests import forest_of, scores_of
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.latent.parsing.pruned_forest import PrunedForest
from fstce.latent.parsing.refine import SplitCharts
from fstce.latent.parsing.search import Ranking, forest_of_trees

few = settings(max_examples=20, deadline=None)
seeds = st.integers(0, 10_000)
sentences = st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=3)


def every_derivation(forest: PrunedForest, sentence: int) -> list[tuple[int, ...]]:
    return [d for d, _ in Ranking(forest, np.zeros(len(forest.edges.rule))).derivations(sentence)]


@few
@given(seeds, sentences)
def test_tree_probabilities_sum_over_subcategories(seed: int, words: list[str]) -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    batch = [["a", "b"], words]
    forest = forest_of(coarse, batch)
    derivations = every_derivation(forest, 1)
    charts = SplitCharts(forest_of_trees(forest, derivations, 1), fine, scores_of(fine, batch))
    wanted = [
        math.log(brute.probability(fine, words, brute.of_forest(forest, d))) for d in derivations
    ]
    assert len(derivations) == len(brute.derivations(len(words)))
    np.testing.assert_allclose(charts.log_probability, wanted, atol=1e-10)


def test_parts_are_shared() -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(0))
    forest = forest_of(grammar, [list("abca")])
    derivations = every_derivation(forest, 0)
    trees = forest_of_trees(forest, derivations, 0)
    edges, parts = trees.edges, len(trees.symbol)
    places = (
        edges.rule,
        trees.symbol[edges.parent],
        trees.span[edges.parent],
        edges.left,
        edges.right,
    )
    assert len(set(zip(*places, strict=True))) == parts
    assert sorted(edges.parent) == list(range(parts)) and trees.nothing == parts
    assert parts < sum(map(len, derivations)) / 3
    assert len(set(trees.root)) == len(derivations)
    assert all((side < edges.parent)[side < parts].all() for side in (edges.left, edges.right))
