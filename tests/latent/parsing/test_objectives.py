"""Weights of rule instances follow the table, and their laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fstce.latent.parsing.maxrule import combined, instance_weights
from fstce.latent.parsing.pruned_forest import IDENTITY, PrunedForest, RuleEdges

probabilities = arrays(np.float64, 4, elements=st.floats(0.001, 1.0))


def forest(rule: list[int], left: list[int]) -> PrunedForest:
    """A forest of edges of one parent, node 0, and of these rules and children; all but binary ones unary."""
    none, n = np.zeros(0, dtype=np.int64), len(rule)
    edges = (np.array(rule), np.zeros(n, dtype=np.int64), np.array(left), np.full(n, 9))
    nodes = np.zeros(9, dtype=np.int64)
    return PrunedForest(
        *[none] * 5, nodes, nodes, RuleEdges(*edges, np.ones(n), np.full(n, 3)), none
    )


def test_worked_case() -> None:
    two = np.array([[0.5, 1.0, 0.3, 0.2], [0.125, 0.25, 0.9, 0.4]])
    binary = {
        "product": math.log(0.0625),
        "sum": math.log(0.3125),
    }
    of = forest([0, 1, IDENTITY, 2], [1, 2, 3, 4])
    for combination, value in binary.items():
        found = instance_weights(list(two), of, combination)
        assert found[0] == pytest.approx(value)
        assert found[2] == 0.0


def test_chains_of_one_step_weigh_together_and_the_best_is_chosen() -> None:
    both = [np.array([0.3, 0.2, 0.1]), np.array([0.1, 0.4, 0.1])]
    of = forest([0, 1, 2], [1, 1, 2])
    found = instance_weights(both, of, "product")
    np.testing.assert_allclose(found, np.log([0.3 * 0.1, 0.5 * 0.5, 0.01]))
    found = instance_weights(both, of, "sum")
    np.testing.assert_allclose(found, np.log([0.2, 0.5, 0.1]))


@given(probabilities)
def test_one_grammar_is_its_own_product_and_sum(q: np.ndarray) -> None:
    product, summed = (combined(q[None], way) for way in ("product", "sum"))
    np.testing.assert_allclose(product, summed, atol=1e-14)


@given(probabilities, st.integers(2, 5))
def test_equal_grammars_weigh_alike(q: np.ndarray, n: int) -> None:
    same = np.stack([q] * n)
    one, all_ = (combined(some, "product") for some in (same[:1], same))
    np.testing.assert_allclose(all_, n * one, atol=1e-14)
    one, all_ = (combined(some, "sum") for some in (same[:1], same))
    np.testing.assert_allclose(all_, one, atol=1e-14)


def test_what_one_grammar_excludes_the_product_excludes_and_the_sum_does_not() -> None:
    two, of = [np.zeros(4), np.full(4, 0.5)], forest([0, 1, IDENTITY, 2], [1, 2, 3, 4])
    assert np.isneginf(instance_weights(two, of, "product")).all()
    assert np.isfinite(instance_weights(two, of, "sum")).all()
