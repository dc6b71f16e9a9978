"""Best and sampled trees against all trees."""

from __future__ import annotations

import numpy as np
import pytest
from chart_cases import (
    MODEL,
    SYMBOLS,
    all_sentences,
    brute,
    by_number,
    compiled,
    lattices,
    sentence,
    theta_of,
    trees_of,
)
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles_trees import Path, projective_trees, tree_features

from fstce import neighborhood
from fstce.chart import (
    InsideOutside,
    best_trees,
    compile_sentences,
    favoring_best_trees,
    sample_trees,
)
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


@pytest.mark.parametrize("zeros", [0.0, 0.15])
def test_samples_come_as_often_as_is_probable(zeros: float) -> None:
    lattice = next(neighborhood("delortrans1").expand([list("NVDN")], SYMBOLS))
    theta, n = theta_of(5, zeros=zeros), 20_000
    batch = compiled([sentence(*"VN"), lattice])
    trees = sample_trees(batch, theta, n, np.random.default_rng(6))
    twin = brute(lattice, theta)
    index = {(path.arcs, heads): i for i, (path, heads) in enumerate(twin.weight)}
    seen = np.zeros(len(index))
    for j in range(n):
        arcs, _, heads = trees_of(trees, 1, j)
        seen[index[arcs, heads]] += 1
    probability = np.array(list(twin.probability.values()))
    assert not np.any(seen[probability == 0])
    assert np.all(
        np.abs(seen - n * probability) <= 5 * np.sqrt(n * probability * (1 - probability)) + 1
    )
    weight = dict(zip(index.values(), twin.weight.values(), strict=True))
    for j in range(50):
        arcs, _, heads = trees_of(trees, 1, j)
        assert trees.score[1, j] == pytest.approx(weight[index[arcs, heads]], abs=1e-10)


def test_samples_of_lattices_without_a_tree() -> None:
    theta = np.zeros(MODEL.size)
    theta[MODEL.root(0)] = -np.inf
    trees = sample_trees(
        compiled([sentence("N"), sentence("V")]), theta, 3, np.random.default_rng(0)
    )
    assert trees.heads.tolist() == [[[-1]] * 3, [[0]] * 3]
    assert trees.score.tolist() == [[-np.inf] * 3, [0.0] * 3]


def test_a_seed_gives_the_same_samples() -> None:
    batch, theta = compiled(all_sentences(3)), theta_of(7)
    once, again, other = (
        sample_trees(batch, theta, 4, np.random.default_rng(s)) for s in (1, 1, 2)
    )
    assert_array_equal(once.heads, again.heads)
    assert not np.array_equal(once.heads, other.heads)


def test_counts_of_samples_approach_expected_counts() -> None:
    lattice, theta, n = sentence(*"NVDNV"), theta_of(8), 5000
    trees = sample_trees(compiled([lattice]), theta, n, np.random.default_rng(9))
    counts = sum(MODEL.tree_counts(tuple("NVDNV"), heads.tolist()) for heads in trees.heads[0]) / n
    assert_allclose(counts, by_number(brute(lattice, theta).expected_counts()), atol=0.05)
    assert by_number(
        tree_features("NVDNV", tuple(trees.heads[0, 0].tolist()))
    ) @ theta == pytest.approx(trees.score[0, 0])


def test_equal_lattices_have_equal_trees_in_order() -> None:
    strings = [sentence(*s) for s in ("NVD", "V", "NVD", "DN")]
    trees = best_trees(compiled(strings, pack_size=5), theta_of(10))
    for i, lattice in enumerate(strings):
        alone = best_trees(compiled([lattice]), theta_of(10))
        assert trees_of(trees, i) == trees_of(alone, 0) and trees.score[i] == alone.score[0]


@given(SEEDS, st.floats(-3, 3))
def test_the_attachments_of_the_best_trees_weigh_more(seed: int, weight: float) -> None:
    """All trees of sentences of several lengths, which share a chart, by enumeration."""
    strings = ("NVDN", "V", "NVD", "DN", "NVDN")
    preferred, theta = theta_of(seed), theta_of(seed + 1)
    charts = compile_sentences(strings, MODEL)
    log_z = InsideOutside(favoring_best_trees(charts, preferred, weight))(theta).log_z
    for string, value in zip(strings, log_z, strict=True):
        trees = projective_trees(len(string))
        features = np.array([by_number(tree_features(string, heads)) for heads in trees])
        best = trees[int(np.argmax(features @ preferred))]
        shared = np.array([np.equal(heads, best).sum() for heads in trees])
        assert value == pytest.approx(np.logaddexp.reduce(features @ theta + weight * shared))


def test_of_equal_trees_one_weighs_more() -> None:
    charts = compile_sentences(["NVDN"], MODEL)
    theta = np.zeros(MODEL.size)
    favoring = best_trees(favoring_best_trees(charts, theta, 1.0), theta)
    assert favoring.heads.tolist() == best_trees(charts, theta).heads.tolist()
    assert favoring.score.tolist() == [4.0]


def test_a_sentence_without_a_tree_has_no_favorite() -> None:
    theta = np.zeros(MODEL.size)
    theta[MODEL.root(0)] = -np.inf
    charts = favoring_best_trees(compile_sentences(["N", "V"], MODEL), theta, 1.0)
    assert best_trees(charts, np.zeros(MODEL.size)).score.tolist() == [0.0, 1.0]
