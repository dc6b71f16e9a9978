"""Lazy k-best lists are the first k of all derivations, sorted."""

from __future__ import annotations

import itertools

import numpy as np
import oracles_charts as brute
import pytest
from chart_forests import forest_of
from hypothesis import given
from hypothesis import strategies as st

from fstce.latent.parsing.search import Incoming, Ranking, k_best

seeds = st.integers(0, 10_000)


@given(seeds, st.integers(1, 4))
def test_all_derivations_in_order(seed: int, length: int) -> None:
    rng = np.random.default_rng(seed)
    grammar = brute.tiny_grammar(rng)
    forest = forest_of(grammar, [["a"] * length])
    ranking = Ranking(forest, rng.normal(size=len(forest.edges.rule)))
    of = dict(zip(brute.edge_instances(forest), ranking.weights, strict=True))
    wanted = sorted(
        (sum(of[i] for i in brute.instances(d)) for d in brute.derivations(length)), reverse=True
    )
    found = list(ranking.derivations(0))
    np.testing.assert_allclose([score for _, score in found], wanted, atol=1e-10)
    assert len({derivation for derivation, _ in found}) == len(found)
    for derivation, score in found:
        nested = brute.of_forest(forest, derivation)
        assert sum(of[i] for i in brute.instances(nested)) == pytest.approx(score)


@given(seeds, st.integers(1, 4), st.integers(1, 4))
def test_one_edge_pairs_all_ranks(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    scores = {1: np.sort(rng.normal(size=n))[::-1], 2: np.sort(rng.normal(size=m))[::-1]}

    def incoming(node: int) -> list[Incoming]:
        if node == 0:
            return [(0.5 + scores[1][0] + scores[2][0], 0, 1, 2)]
        return [(score, i + 10 * node, -1, -1) for i, score in enumerate(scores[node].tolist())]

    wanted = sorted((0.5 + a + b for a, b in itertools.product(scores[1], scores[2])), reverse=True)
    found = [derivation for derivation, _ in k_best(0, incoming)]
    sums = [0.5 + scores[1][left - 10] + scores[2][right - 20] for _, left, right in found]
    assert sums == pytest.approx(wanted)
    assert found[0] == (0, 10, 20)
    assert len(set(found)) == n * m


def test_laziness_asks_for_each_node_once() -> None:
    asked = []

    def incoming(node: int) -> list[Incoming]:
        asked.append(node)
        return [(0.0, node, node + 1 if node < 5 else -1, -1)]

    assert list(k_best(0, incoming)) == [((0, 1, 2, 3, 4, 5), 0.0)]
    assert asked == list(range(6))


def test_a_deep_graph_does_not_exhaust_the_stack() -> None:
    def incoming(node: int) -> list[Incoming]:
        child = node + 1 if node < 5_000 else -1
        return [(0.0, 2 * node, child, -1), (-1.0, 2 * node + 1, child, -1)]

    found, below = zip(*itertools.islice(k_best(0, incoming), 4), strict=True)
    assert below == (0.0, 1.0, 1.0, 1.0)
    assert [sum(edge % 2 for edge in derivation) for derivation in found] == [0, 1, 1, 1]
    assert len(set(found)) == 4 and all(len(derivation) == 5_001 for derivation in found)


def test_edges_that_lead_nowhere_are_left_out() -> None:
    forest = forest_of(brute.tiny_grammar(np.random.default_rng(0)), [["a", "b"]])
    weights = np.zeros(len(forest.edges.rule))
    root = int(forest.root[0])
    out = np.flatnonzero(forest.edges.parent == root)
    weights[out[0]] = -np.inf
    found = {derivation[0] for derivation, _ in Ranking(forest, weights).derivations(0)}
    assert found == set(out[1:].tolist())
