"""Draws, walks and what they are put together to."""

from __future__ import annotations

import numpy as np
import pytest
from chart_cases import MODEL, compiled, sentence, theta_of
from numpy.testing import assert_array_equal

from fstce.chart.derivations import JoinedNodes, assemble, derive, in_columns
from fstce.chart.rows import Rows
from fstce.chart.trees import greatest


def drawn(indptr: list[int], share: list[float], item: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        score = np.log(share)
    rng = np.random.default_rng(0)
    return greatest(
        np.array(indptr), item, lambda edge, _: score[edge], lambda n: rng.gumbel(size=n)
    )


def test_an_edge_of_share_zero_is_never_drawn() -> None:
    chosen = drawn([0, 1, 3, 3, 4], [1.0, 1.0, 0.0, 0.0], np.array([0, 1, 2, 3] * 50))
    assert chosen.tolist() == [0, 1, -1, -1] * 50


def test_draws_follow_their_shares() -> None:
    shares = [0.25, 0.75, 0.5, 0.0, 0.5]
    seen = np.bincount(drawn([0, 2, 5], shares, np.repeat([0, 1], 10_000)), minlength=5) / 10_000
    assert np.all(np.abs(seen - shares) < 0.02)


def test_operands_are_nodes_of_their_columns() -> None:
    items, edge, column = np.array([4, 5]), np.array([1, -1, 0]), np.array([0, 1, 2])
    assert in_columns(items, edge, column, 3).tolist() == [15, -1, 14]


def operands(rows: Rows, edge: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    column = np.zeros(len(edge), dtype=np.int64)
    return in_columns(rows.left, edge, column, 1), in_columns(rows.right, edge, column, 1)


def test_a_walk_by_hand() -> None:
    batch = compiled([sentence(*"NV"), sentence("D")])
    (pack,) = batch.packs
    graph = pack.graph
    first_half = np.where(np.diff(graph.half_rows.indptr) > 0, graph.half_rows.indptr[:-1], -1)
    choices = JoinedNodes(
        lambda nodes: operands(graph.half_rows, first_half[nodes]),
        lambda nodes: operands(
            graph.link_rows, graph.link_rows.indptr[:-1][nodes].astype(np.int64)
        ),
        lambda nodes: (graph.roots.left[nodes], graph.roots.right[nodes]),
    )
    lattice = graph.root_lattice.tolist()
    of_two = [i for i, m in enumerate(lattice) if batch.packs[0].lattices[m] == 0]
    of_one = [i for i, m in enumerate(lattice) if batch.packs[0].lattices[m] == 1]
    heads = []
    for root in of_two:
        start = np.full(2, -1)
        start[lattice[root]] = root
        found = derive(start, choices)
        scores = pack.scores(theta_of(1))
        score = found.score(scores, 2)
        trees = assemble(batch, [(found, score)])
        heads.append(tuple(trees.heads[0].tolist()))
        counts = MODEL.tree_counts("NV", trees.heads[0].tolist())
        assert trees.score[0] == pytest.approx(counts @ theta_of(1))
        assert trees.score[1] == -np.inf and trees.heads[1].tolist() == [-1, -1]
    assert sorted(heads) == [(0, 1), (2, 0)] and len(of_one) == 1


def test_nothing_to_derive() -> None:
    none = np.zeros(0, dtype=np.int64)
    found = derive(np.array([-1, -1]), JoinedNodes(*[lambda nodes: (none, none)] * 3))
    assert_array_equal(
        found.score(compiled([sentence("N")]).packs[0].scores(theta_of(0)), 2), -np.inf
    )
