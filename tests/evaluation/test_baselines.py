"""Baselines: they are binary trees; random ones are uniform; nothing beats gold trees filled up."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from bracket_cases import binary_trees, column, grow, is_nested
from hypothesis import given
from hypothesis import strategies as st

from examples.experiments.filled_brackets import filled
from fstce.errors import ParameterError
from fstce.evaluation import right_branching, unlabelled_scores
from fstce.evaluation.unlabelled import left_branching, random_binary


@given(st.integers(1, 40), st.integers(0, 9))
def test_baselines_are_binary_trees(n: int, seed: int) -> None:
    rows = left_branching(n), right_branching(n), random_binary(n, np.random.default_rng(seed))
    for spans in rows:
        assert len(set(spans)) == len(spans) == n - 1
        assert all(0 <= start < end - 1 < n for start, end in spans)
        assert is_nested(list(spans))
        assert list(spans) == sorted(spans, key=lambda span: (span[0], -span[1]))


def test_branching_by_hand() -> None:
    assert set(left_branching(4)) == {(0, 2), (0, 3), (0, 4)}
    assert set(right_branching(4)) == {(0, 4), (1, 4), (2, 4)}


def test_random_trees_are_uniform() -> None:
    generator, n_draws = np.random.default_rng(7), 7000
    found = Counter(frozenset(random_binary(5, generator)) for _ in range(n_draws))
    assert set(found) == set(binary_trees(0, 5))
    # χ² of 14 trees, 13 degrees of freedom: above 34.5 with probability 0.001.
    expected = n_draws / 14
    assert sum((times - expected) ** 2 / expected for times in found.values()) < 34.5


def test_one_seed_gives_one_sequence_of_trees() -> None:
    first, second = (
        [random_binary(9, g) for _ in range(3)] for g in map(np.random.default_rng, (5, 5))
    )
    assert first == second
    assert len(set(first)) > 1


@given(st.integers(0, 2**32), st.integers(2, 6))
def test_no_binary_tree_beats_a_gold_tree_filled_up(seed: int, n: int) -> None:
    gold = grow([("a", "NN")] * n, Random(seed), ("S", "NP"))
    spans = filled(n, gold.spans())
    assert frozenset(spans) in binary_trees(0, n)
    every = [sorted(tree) for tree in binary_trees(0, n)]
    best = max(column(unlabelled_scores([gold] * len(every), every), "matched"))
    counts = unlabelled_scores([gold], [spans]).total()
    assert counts.matched == best == counts.gold


@pytest.mark.parametrize("baseline", [left_branching, right_branching])
def test_a_sentence_has_a_word(baseline: object) -> None:
    with pytest.raises(ParameterError, match="n=0: give a whole number from 1"):
        baseline(0)  # type: ignore[operator]
