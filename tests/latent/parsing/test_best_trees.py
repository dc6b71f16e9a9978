"""One search serves every combination."""

from __future__ import annotations

import math

import numpy as np
import oracles_charts as brute
import pytest
from chart_forests import forest_of, scores_of
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.latent.parsing.maxrule import (
    best_edges,
    best_trees,
    derivation_of,
    instance_weights,
    tree_of,
)
from fstce.latent.parsing.refine import SplitCharts

few = settings(max_examples=20, deadline=None)
seeds = st.integers(0, 10_000)
sentences = st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=3)


@few
@given(seeds, sentences, st.sampled_from(["product", "sum"]))
def test_rule_instances_are_multiplied_or_added(
    seed: int, words: list[str], combination: str
) -> None:
    rng = np.random.default_rng(seed)
    coarse, *grammars = (
        brute.tiny_grammar(rng),
        brute.tiny_grammar(rng, (1, 2, 1, 2, 1, 2)),
        brute.tiny_grammar(rng),
    )
    scores = [scores_of(grammar, [words]) for grammar in grammars]
    forest = forest_of(coarse, [words])
    exact = [brute.posteriors(grammar, words) for grammar in grammars]

    def weight(instance: tuple) -> float:
        q = [table[instance] for table in exact]
        return math.log(math.prod(q) if combination == "product" else sum(q) / 2)

    totals = [
        sum(weight(i) for i in brute.instances(d) if i[0] != "identity")
        for d in brute.derivations(len(words))
    ]
    posteriors = [
        SplitCharts(forest, grammar, of_words).posteriors()[0]
        for grammar, of_words in zip(grammars, scores, strict=True)
    ]
    weights = instance_weights(posteriors, forest, combination)
    score, edge = best_edges(forest, weights)
    root = int(forest.root[0])
    assert score[root] == pytest.approx(max(totals))
    tree = tree_of(forest, coarse, derivation_of(forest, edge, root), words)
    assert best_trees(forest, weights, coarse, [words]) == [tree]


@few
@given(seeds, sentences)
def test_a_grammar_times_itself_ranks_as_it_does(seed: int, words: list[str]) -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    forest = forest_of(coarse, [words])
    q = SplitCharts(forest, fine, scores_of(fine, [words])).posteriors()[0]
    for combination in ("product", "sum"):
        once, twice = (instance_weights([q] * n, forest, combination) for n in (1, 2))
        np.testing.assert_array_equal(best_edges(forest, once)[1], best_edges(forest, twice)[1])


def test_a_sentence_without_a_parse_has_no_tree() -> None:
    coarse, _ = brute.tiny_hierarchy(np.random.default_rng(0)).grammars
    forest = forest_of(coarse, [["a", "b"]])
    weights = np.zeros(len(forest.edges.rule))
    assert best_trees(forest, weights, coarse, [["a", "b"]])[0] is not None
    forest.root[:] = -1
    assert best_trees(forest, weights, coarse, [["a", "b"]]) == [None]
