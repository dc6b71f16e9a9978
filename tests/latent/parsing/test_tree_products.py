"""Tree probabilities are exact, and trees are ranked by them."""

from __future__ import annotations

import math

import numpy as np
import oracles_charts as brute
from chart_forests import forest_of, scores_of
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.latent.parsing.pruned_forest import PrunedForest
from fstce.latent.parsing.search import Ranking, ranked, shared_parts, tree_log_probabilities

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
    found = tree_log_probabilities(forest, fine, scores_of(fine, batch), *shared_parts(forest, derivations))
    wanted = [math.log(brute.probability(fine, words, brute.of_forest(forest, d))) for d in derivations]
    assert len(derivations) == len(brute.derivations(len(words)))
    np.testing.assert_allclose(found, wanted, atol=1e-10)


def test_parts_are_shared() -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(0))
    forest = forest_of(grammar, [list("abca")])
    derivations = every_derivation(forest, 0)
    parts, tops = shared_parts(forest, derivations)
    assert len(set(parts)) == len(parts)
    assert len(parts) < sum(map(len, derivations)) / 3
    assert len(set(tops)) == len(derivations)
    assert all(max(left, right) < at for at, (_, left, right) in enumerate(parts))


@few
@given(seeds, sentences)
def test_ranking_multiplies_posteriors_of_trees(seed: int, words: list[str]) -> None:
    rng = np.random.default_rng(seed)
    coarse, *grammars = (
        brute.tiny_grammar(rng),
        brute.tiny_grammar(rng, (1, 2, 1, 2, 1, 2)),
        brute.tiny_grammar(rng),
    )
    forest = forest_of(coarse, [words])
    derivations = every_derivation(forest, 0)
    whole = np.log([brute.sentence_probability(grammar, words) for grammar in grammars])
    order, score = ranked(forest, grammars, [scores_of(g, [words]) for g in grammars], whole, derivations)
    wanted = [
        sum(math.log(brute.probability(g, words, brute.of_forest(forest, d))) for g in grammars) - whole.sum()
        for d in derivations
    ]
    assert sorted(order.tolist()) == list(range(len(derivations)))
    np.testing.assert_allclose(score, np.array(wanted)[order], atol=1e-10)
    assert (np.diff(score) <= 0).all()
