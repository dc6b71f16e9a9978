"""Draws, walks and what they are put together to."""

from __future__ import annotations

import numpy as np
from chart_cases import compiled, sentence

from fstce.chart.derivations import assemble, derive
from fstce.chart.rows import Rows
from fstce.chart.trees import greatest


def drawn(counts: list[int], share: list[float], times: int) -> np.ndarray:
    """The draws from each of some groups, so many of each, numbered within the groups end to end."""
    with np.errstate(divide="ignore"):
        score = np.log(np.tile(share, times))
    noise = np.random.default_rng(0).gumbel(size=len(score))
    chosen = greatest(np.tile(counts, times), score + noise)
    return np.where(chosen < 0, -1, chosen % len(share))


def test_an_edge_of_share_zero_is_never_drawn() -> None:
    assert drawn([1, 2, 1], [1.0, 1.0, 0.0, 0.0], 50).tolist() == [0, 1, -1] * 50


def test_draws_follow_their_shares() -> None:
    shares = [0.25, 0.75, 0.5, 0.0, 0.5]
    seen = np.bincount(drawn([2, 3], shares, 10_000), minlength=5) / 10_000
    assert np.all(np.abs(seen - shares) < 0.02)


def operands(rows: Rows, item: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The operands of the first hyperedge into each item."""
    counts, left, right = rows.into(item)
    first = np.cumsum(counts) - counts
    return left[first], right[first]


def test_a_walk_by_hand() -> None:
    batch = compiled([sentence(*"NV"), sentence("D")])
    (pack,) = batch.packs
    graph = pack.graph
    choices = (
        graph.half_rows.items(0).stop,
        lambda nodes: operands(graph.half_rows, nodes),
        lambda nodes: operands(graph.link_rows, nodes),
        lambda nodes: (graph.roots.left[nodes], graph.roots.right[nodes]),
    )
    lattice = graph.root_lattice.tolist()
    of_two = [i for i, m in enumerate(lattice) if batch.packs[0].lattices[m] == 0]
    of_one = [i for i, m in enumerate(lattice) if batch.packs[0].lattices[m] == 1]
    heads = []
    for root in of_two:
        start = np.full(2, -1)
        start[lattice[root]] = root
        found = derive(start, *choices)
        trees = assemble(batch, [(found, np.zeros(2))], 1)
        heads.append(tuple(trees.heads[0, 0].tolist()))
        assert trees.heads[1, 0].tolist() == [-1, -1]
    assert sorted(heads) == [(0, 1), (2, 0)] and len(of_one) == 1
