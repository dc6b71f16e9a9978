"""The best derivation under weights of rule instances is the best of all derivations."""

from __future__ import annotations

import math

import numpy as np
import oracles_charts as brute
import pytest
from chart_forests import forest_of, scores_of
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.maxrule import best_edges, derivation_of, instance_weights, tree_of
from fstce.latent.parsing.pruned_forest import WORD, PrunedForest
from fstce.latent.parsing.refine import SplitCharts

few = settings(max_examples=20, deadline=None)
seeds = st.integers(0, 10_000)
sentences = st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=3)


def best(
    forest: PrunedForest, grammar: SplitGrammar, batch: list[list[str]]
) -> tuple[np.ndarray, np.ndarray]:
    posteriors, _ = SplitCharts(forest, grammar, scores_of(grammar, batch)).posteriors()
    return best_edges(forest, instance_weights([posteriors], forest, "product"))


@few
@given(seeds, sentences)
def test_best_of_all_derivations(seed: int, words: list[str]) -> None:
    coarse, fine = brute.tiny_hierarchy(np.random.default_rng(seed)).grammars
    forest = forest_of(coarse, [words])
    score, edge = best(forest, fine, [words])
    exact = brute.posteriors(fine, words)

    def total(derivation: brute.Derivation) -> float:
        return sum(math.log(exact[i]) for i in brute.instances(derivation) if i[0] != "identity")

    root = int(forest.root[0])
    assert score[root] == pytest.approx(max(map(total, brute.derivations(len(words)))))
    assert total(brute.of_forest(forest, derivation_of(forest, edge, root))) == pytest.approx(
        score[root]
    )


def test_trees_are_spelt_with_symbols_and_words() -> None:
    coarse = brute.tiny_grammar(np.random.default_rng(0))
    words = ["a", "b", "c"]
    forest = forest_of(coarse, [["b"], words])
    _, edge = best(forest, coarse, [["b"], words])
    derivation = derivation_of(forest, edge, int(forest.root[1]))
    tree = tree_of(forest, coarse, derivation, words)
    assert tree.leaves() == tuple(words)
    assert str(tree) == spelt(brute.of_forest(forest, derivation), words)


def spelt(derivation: brute.Derivation, words: list[str]) -> str:
    kind, what, *children = derivation
    if kind == "identity":
        return spelt(what, words)
    inner = (
        words[children[0]]
        if kind == "word"
        else " ".join(spelt(child, words) for child in children)
    )
    symbol = brute.SYMBOLS[brute.symbol_of(derivation)]
    return inner if symbol in ("ROOT", "@A") else f"({symbol} {inner})"


def test_nodes_that_lead_nowhere_have_no_derivation() -> None:
    coarse = brute.tiny_grammar(np.random.default_rng(0))
    forest = forest_of(coarse, [["a", "b"]])
    score, edge = best_edges(forest, np.where(forest.edges.rule == WORD, -np.inf, 0.0))
    assert np.isneginf(score[:-1]).all() and (edge == -1).all()
