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
from fstce.latent.parsing.search import Incoming, Ranking, k_best

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
            return Incoming([0.5 + scores[1][0] + scores[2][0]], [0], [1], [2])
        none = [-1] * len(scores[node])
        return Incoming(scores[node].tolist(), [i + 10 * node for i in range(len(none))], none, none)

    wanted = sorted((0.5 + a + b for a, b in itertools.product(scores[1], scores[2])), reverse=True)
    found = list(k_best(0, incoming))
    sums = [0.5 + scores[1][left - 10] + scores[2][right - 20] for _, left, right in found]
    assert sums == pytest.approx(wanted)
    assert found[0] == (0, 10, 20)
    assert len(set(found)) == n * m


def test_laziness_asks_for_each_node_once() -> None:
    asked = []

    def incoming(node: int) -> Incoming:
        asked.append(node)
        return Incoming([0.0], [node], [node + 1 if node < 5 else -1], [-1])

    assert list(k_best(0, incoming)) == [(0, 1, 2, 3, 4, 5)]
    assert asked == list(range(6))


def test_a_deep_graph_does_not_exhaust_the_stack() -> None:
    def incoming(node: int) -> Incoming:
        child = [node + 1 if node < 5_000 else -1] * 2
        return Incoming([0.0, -1.0], [2 * node, 2 * node + 1], child, [-1, -1])

    found = list(itertools.islice(k_best(0, incoming), 4))
    assert [sum(edge % 2 for edge in derivation) for derivation in found] == [0, 1, 1, 1]
    assert len(set(found)) == 4 and all(len(derivation) == 5_001 for derivation in found)


def test_edges_that_lead_nowhere_are_left_out() -> None:
    columns = (np.array([1, 2, 3]), np.full(3, -1), np.full(3, -1))
    found = Incoming.sorted(np.array([-1.0, -np.inf, 2.0]), *columns)
    assert found.edge == [3, 1]
