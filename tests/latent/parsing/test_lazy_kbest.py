"""Lazy k-best lists are the first k of all derivations, sorted."""

from __future__ import annotations

import itertools

import numpy as np
import oracles_charts as brute
import pytest
from chart_forests import forest_of
from hypothesis import given
from hypothesis import strategies as st

from fstce.latent.parsing.maxrule import Instances, RuleGraph
from fstce.latent.parsing.search import Incoming, LazyKBest, Ranking

seeds = st.integers(0, 10_000)


@given(seeds, st.integers(1, 4))
def test_all_derivations_in_order(seed: int, length: int) -> None:
    rng = np.random.default_rng(seed)
    grammar = brute.tiny_grammar(rng)
    graph = RuleGraph(forest_of(grammar, [["a"] * length]), grammar)
    sizes = [len(column) for column in (graph.forest.binary.rule, graph.forest.unary.rule)]
    parts = (rng.normal(size=n) for n in (*sizes, graph.forest.identity.shape[1], len(graph.tags)))
    ranking = Ranking(graph, Instances(*parts))
    of = dict(zip(brute.edge_instances(graph), ranking.weights, strict=True))
    wanted = sorted((sum(of[i] for i in brute.instances(d)) for d in brute.derivations(length)), reverse=True)
    found = list(ranking.derivations(0))
    np.testing.assert_allclose([score for _, score in found], wanted, atol=1e-10)
    assert len({derivation for derivation, _ in found}) == len(found)
    for derivation, score in found:
        nested = brute.of_graph(graph, derivation)
        assert sum(of[i] for i in brute.instances(nested)) == pytest.approx(score)


@given(seeds, st.integers(1, 4), st.integers(1, 4))
def test_one_edge_pairs_all_ranks(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    scores = {1: np.sort(rng.normal(size=n))[::-1], 2: np.sort(rng.normal(size=m))[::-1]}

    def incoming(node: int) -> Incoming:
        if node == 0:
            best = np.array([0.5 + scores[1][0] + scores[2][0]])
            return Incoming(best, np.array([0.5]), np.array([0]), np.array([1]), np.array([2]))
        none = np.full(len(scores[node]), -1)
        return Incoming(scores[node], scores[node], np.arange(len(none)) + 10 * node, none, none)

    search = LazyKBest(incoming)
    wanted = sorted((0.5 + a + b for a, b in itertools.product(scores[1], scores[2])), reverse=True)
    found = [search.score(0, rank) for rank in range(n * m)]
    assert found == pytest.approx(wanted)
    assert search.score(0, n * m) is None
    assert search.derivation(0, 0) == (0, 10, 20)
    assert len({search.derivation(0, rank) for rank in range(n * m)}) == n * m


def test_laziness_asks_for_no_node_that_is_not_needed() -> None:
    asked = []

    def incoming(node: int) -> Incoming:
        asked.append(node)
        child = np.array([node + 1 if node < 5 else -1])
        return Incoming(np.zeros(1), np.zeros(1), np.array([node]), child, np.array([-1]))

    search = LazyKBest(incoming)
    assert search.score(0, 0) == 0.0 and asked == [0]
    assert search.score(0, 1) is None and asked == list(range(6))


def test_a_deep_graph_does_not_exhaust_the_stack() -> None:
    def incoming(node: int) -> Incoming:
        child = np.array([node + 1, node + 1] if node < 5_000 else [-1, -1])
        weight = np.array([0.0, -1.0])
        return Incoming(weight, weight, np.array([2 * node, 2 * node + 1]), child, np.array([-1, -1]))

    search = LazyKBest(incoming)
    assert [search.score(0, rank) for rank in range(4)] == [0.0, -1.0, -1.0, -1.0]
    assert len(search.derivation(0, 3)) == 5_001


def test_edges_that_lead_nowhere_are_left_out() -> None:
    columns = (np.array([1, 2, 3]), np.full(3, -1), np.full(3, -1))
    found = Incoming.sorted(np.array([-1.0, -np.inf, 2.0]), np.zeros(3), *columns)
    assert found.edge.tolist() == [3, 1]
