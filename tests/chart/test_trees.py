"""Best trees and posteriors of attachments against all trees."""

from __future__ import annotations

import numpy as np
import pytest
from chart_cases import (
    MODEL,
    all_sentences,
    brute,
    compiled,
    lattices,
    sentence,
    theta_of,
    trees_of,
)
from hypothesis import given
from hypothesis import strategies as st
from oracles_trees import Path

from fstce import neighborhood
from fstce.chart import InsideOutside, best_trees
from fstce.machines.lattice import Lattice

SEEDS = st.integers(0, 1000)


@given(st.lists(lattices() | lattices(weighted=True), min_size=1, max_size=3), SEEDS, st.booleans())
def test_best_trees(found: list[Lattice], seed: int, zeros: bool) -> None:
    theta = theta_of(seed, zeros=0.15 if zeros else 0.0)
    trees = best_trees(compiled(found), theta)
    for i, lattice in enumerate(found):
        ranked = brute(lattice, theta).ranked()
        if not ranked:
            assert trees.score[i] == -np.inf and np.all(trees.heads[i] == -1)
            continue
        (path, heads), score = ranked[0]
        assert trees.score[i] == pytest.approx(score, abs=1e-10)
        if len(ranked) == 1 or ranked[1][1] < score - 1e-9:
            assert trees_of(trees, i) == (path.arcs, path.tags, heads)


def test_best_trees_of_every_short_string() -> None:
    strings, theta = all_sentences(4), theta_of(1)
    trees = best_trees(compiled(strings, pack_size=200), theta)
    for i, lattice in enumerate(strings):
        twin = brute(lattice, theta)
        arcs, tags, heads = trees_of(trees, i)
        assert trees.score[i] == pytest.approx(twin.ranked()[0][1], abs=1e-11)
        assert twin.weight[Path(arcs, tags, 0.0), heads] == pytest.approx(trees.score[i], abs=1e-11)


def test_a_tie_gives_some_best_tree() -> None:
    lattice = neighborhood("trans1")(list("NVDN"))
    trees = best_trees(compiled([Lattice(lattice.arrays, lattice.symbols)]), np.zeros(MODEL.size))
    assert trees.score.tolist() == [0.0] and trees.heads.shape == (1, 4)
    assert np.count_nonzero(trees.heads == 0) == 1


@pytest.mark.parametrize("scale", [1.0, 50.0])
def test_best_tree_of_a_long_sentence_is_its_score(scale: float) -> None:
    rng = np.random.default_rng(2)
    tags = tuple("NVD"[tag] for tag in rng.integers(0, 3, 40))
    theta = theta_of(3, scale)
    batch = compiled([sentence(*tags)])
    trees = best_trees(batch, theta)
    counts = MODEL.tree_counts(tags, trees.heads[0].tolist())
    assert counts @ theta == pytest.approx(trees.score[0], rel=1e-12)
    assert trees.score[0] <= InsideOutside(batch)(theta).log_z[0]


def test_equal_lattices_have_equal_trees_in_order() -> None:
    strings = [sentence(*s) for s in ("NVD", "V", "NVD", "DN")]
    trees = best_trees(compiled(strings, pack_size=5), theta_of(10))
    for i, lattice in enumerate(strings):
        alone = best_trees(compiled([lattice]), theta_of(10))
        assert trees_of(trees, i) == trees_of(alone, 0) and trees.score[i] == alone.score[0]
