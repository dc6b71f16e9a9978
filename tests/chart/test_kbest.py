"""The k best trees against all trees in order."""

from __future__ import annotations

import numpy as np
import pytest
from chart_cases import MODEL, brute, compiled, lattices, sentence, theta_of, trees_of
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from fstce import neighborhood
from fstce.chart import best_trees, k_best_trees
from fstce.errors import ParameterError
from fstce.machines.lattice import Lattice


@given(
    st.lists(lattices() | lattices(weighted=True), min_size=1, max_size=3),
    st.integers(0, 1000),
    st.booleans(),
    st.integers(1, 9),
)
def test_k_best_of_random_lattices(found: list[Lattice], seed: int, zeros: bool, k: int) -> None:
    theta = theta_of(seed, zeros=0.15 if zeros else 0.0)
    trees = k_best_trees(compiled(found), theta, k)
    assert trees.heads.shape[:2] == trees.score.shape == (len(found), k)
    for i, lattice in enumerate(found):
        twin = brute(lattice, theta)
        ranked = twin.ranked()[:k]
        expected = [score for _, score in ranked] + [-np.inf] * (k - len(ranked))
        assert_allclose(trees.score[i], expected, atol=1e-10)
        weight = {(path.arcs, path.tags, heads): w for (path, heads), w in twin.weight.items()}
        named = [trees_of(trees, i, rank) for rank in range(len(ranked))]
        assert len(set(named)) == len(ranked)
        for name, (_, score) in zip(named, ranked, strict=True):
            assert weight[name] == pytest.approx(score, abs=1e-10)
        assert np.all(trees.heads[i, len(ranked) :] == -1)


def test_all_trees_of_a_sentence() -> None:
    trees = k_best_trees(compiled([sentence(*"NVDNV")]), theta_of(1), 200)
    assert np.count_nonzero(np.isfinite(trees.score[0])) == 143
    assert len({tuple(heads) for heads in trees.heads[0].tolist()}) == 143 + 1


def test_the_first_is_the_best() -> None:
    found = list(neighborhood("trans1").expand([list("NVDN"), list("VVN")], sentence("N").symbols))
    batch, theta = compiled(found, pack_size=10), theta_of(2)
    first, best = k_best_trees(batch, theta, 3), best_trees(batch, theta)
    assert_array_equal(first.heads[:, 0], best.heads)
    assert_array_equal(first.arcs[:, 0], best.arcs)
    assert_allclose(first.score[:, 0], best.score, rtol=1e-14)


def test_no_trees_are_asked_for() -> None:
    with pytest.raises(ParameterError, match="k=0"):
        k_best_trees(compiled([sentence("N")]), np.zeros(MODEL.size), 0)
