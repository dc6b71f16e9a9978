"""The best derivation under weights of rule instances is the best of all derivations."""

from __future__ import annotations

import math

import numpy as np
import oracles_charts as brute
import pytest
from chart_forests import forest_of, scores_of
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.latent.parsing.maxrule import Instances, RuleGraph, instance_weights
from fstce.latent.parsing.refine import ChartPlan, SplitCharts

few = settings(max_examples=20, deadline=None)
seeds = st.integers(0, 10_000)
sentences = st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=3)


def posteriors(graph: RuleGraph, grammar, batch) -> Instances:
    charts = SplitCharts(ChartPlan(graph.forest, grammar), grammar, scores_of(grammar, batch))
    return Instances.of_posteriors(charts.posteriors(), graph.tags)


@few
@given(seeds, sentences)
def test_best_of_all_derivations(seed: int, words: list[str]) -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    graph = RuleGraph(forest_of(coarse, [words]), fine)
    weights = graph.weights(instance_weights([posteriors(graph, fine, [words])]))
    score, edge = graph.best(weights)
    exact = brute.posteriors(fine, words)

    def total(derivation: brute.Derivation) -> float:
        return sum(math.log(exact[i]) for i in brute.instances(derivation) if i[0] != "identity")

    root = int(graph.root[0])
    assert score[root] == pytest.approx(max(map(total, brute.derivations(len(words)))))
    assert total(brute.of_graph(graph, graph.derivation(edge, root))) == pytest.approx(score[root])


def test_trees_are_spelt_with_symbols_and_words() -> None:
    coarse = brute.tiny_grammar(np.random.default_rng(0))
    words = ["a", "b", "c"]
    graph = RuleGraph(forest_of(coarse, [["b"], words]), coarse)
    _, edge = graph.best(graph.weights(instance_weights([posteriors(graph, coarse, [["b"], words])])))
    derivation = graph.derivation(edge, int(graph.root[1]))
    tree = graph.tree(derivation, words)
    assert tree.label == "ROOT" and tree.leaves() == tuple(words)
    assert str(tree) == spelt(brute.of_graph(graph, derivation), words)


def spelt(derivation: brute.Derivation, words: list[str]) -> str:
    kind, what, *children = derivation
    if kind == "identity":
        return spelt(what, words)
    inner = words[children[0]] if kind == "word" else " ".join(spelt(child, words) for child in children)
    return f"({brute.SYMBOLS[brute.symbol_of(derivation)]} {inner})"


def test_nodes_that_lead_nowhere_have_no_derivation() -> None:
    coarse = brute.tiny_grammar(np.random.default_rng(0))
    graph = RuleGraph(forest_of(coarse, [["a", "b"]]), coarse)
    weights = np.where(graph.kind == 0, -np.inf, 0.0)
    score, edge = graph.best(weights)
    assert np.isneginf(score[:-1]).all() and (edge == -1).all()
