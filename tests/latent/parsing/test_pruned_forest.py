"""The pruned forest holds the rule instances that survive, no more and no fewer."""

from __future__ import annotations

import itertools

import numpy as np
import oracles_charts as brute
from chart_forests import forest_of
from hypothesis import given, settings
from hypothesis import strategies as st

few = settings(max_examples=20, deadline=None)
seeds = st.integers(0, 10_000)
sentences = st.lists(st.sampled_from(brute.WORDS), min_size=1, max_size=3)


@few
@given(seeds, sentences)
def test_without_pruning_all_instances_of_all_trees_are_there(seed: int, words: list[str]) -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(seed))
    found = brute.edge_instances(forest_of(grammar, [words]))
    wanted = {
        i for derivation in brute.derivations(len(words)) for i in brute.instances(derivation)
    }
    assert len(found) == len(set(found))
    assert set(found) == wanted


@few
@given(seeds, sentences, st.floats(1e-4, 0.2))
def test_pruned_edges_are_those_below_the_threshold(
    seed: int, words: list[str], threshold: float
) -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(seed))
    found = brute.edge_instances(forest_of(grammar, [words], 0.0, threshold))
    exact = brute.posteriors(grammar, words)
    assert {i for i in found if i[0] == "binary"} == {
        i for i, p in exact.items() if i[0] == "binary" and p > threshold
    }


@few
@given(seeds, sentences, st.floats(1e-4, 0.5))
def test_pruned_nodes_are_those_below_the_threshold(
    seed: int, words: list[str], threshold: float
) -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(seed))
    whole, pruned = forest_of(grammar, [words]), forest_of(grammar, [words], threshold)
    assert set(brute.edge_instances(pruned)) <= set(brute.edge_instances(whole))
    exact = brute.posteriors(grammar, words)
    tags = {
        (what, i) for (kind, what, i, *_), p in exact.items() if kind == "word" and p > threshold
    }
    kept = {i[1:] for i in brute.edge_instances(pruned) if i[0] == "word"}
    assert kept == tags


@few
@given(seeds, st.lists(sentences, min_size=1, max_size=4))
def test_a_batch_is_its_sentences_side_by_side(seed: int, batch: list[list[str]]) -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(seed))
    forest = forest_of(grammar, batch, 1e-3)
    alone = [forest_of(grammar, [words], 1e-3) for words in batch]
    together = np.bincount(forest.sentence[forest.span[forest.edges.parent]], minlength=len(batch))
    assert together.tolist() == [len(one.edges.rule) for one in alone]


@few
@given(seeds, st.lists(sentences, min_size=1, max_size=3))
def test_no_child_is_twice_in_a_group_and_parents_are_adjacent(
    seed: int, batch: list[list[str]]
) -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(seed))
    edges = forest_of(grammar, batch).edges
    groups = np.flatnonzero(
        np.diff(edges.level, prepend=-1) | np.diff(edges.rule, prepend=-3)
    ).tolist()
    for a, b in itertools.pairwise([*groups, len(edges.rule)]):
        assert len(set(edges.rule[a:b])) == len(set(edges.level[a:b])) == 1
        assert (np.diff(edges.parent[a:b]) >= 0).all()
        if 0 <= edges.rule[a] < len(grammar.binary):
            assert len(set(edges.left[a:b])) == len(set(edges.right[a:b])) == b - a


def test_a_sentence_without_parse_has_no_nodes() -> None:
    grammar = brute.tiny_grammar(np.random.default_rng(0))
    grammar.lexicon.table[1] = 0.0
    forest = forest_of(grammar, [["a", "c"], ["a", "b"]])
    assert forest.root[0] >= 0 and forest.root[1] == -1
    assert not (forest.sentence[forest.span] == 1).any()
    alone = forest_of(grammar, [["b", "b"]])
    assert len(alone.edges.rule) == len(alone.symbol) == 0 and alone.root.tolist() == [-1]
