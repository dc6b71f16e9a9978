"""Weights of rule instances follow the table, and their laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fstce.latent.parsing.maxrule import Instances, instance_weights

probabilities = arrays(np.float64, 4, elements=st.floats(0.001, 1.0))


def instances(values: np.ndarray) -> Instances:
    return Instances(*(values[i : i + 1] for i in range(4)))


def test_worked_case() -> None:
    two = [instances(np.array([0.5, 1.0, 0.3, 0.2])), instances(np.array([0.125, 0.25, 0.9, 0.4]))]
    binary = {
        ("max-rule-product", "product"): math.log(0.0625),
        ("max-rule-product", "sum"): math.log(0.3125),
        ("max-rule-sum", "product"): 0.25,
        ("max-rule-sum", "sum"): 0.3125,
    }
    for (objective, combination), value in binary.items():
        found = instance_weights(two, objective, combination)
        assert found.binary == pytest.approx([value])
        assert found.identity.tolist() == [0.0]


def test_chains_of_one_step_weigh_together_and_the_best_is_chosen() -> None:
    none = np.zeros(0)
    first = Instances(none, np.array([0.3, 0.2, 0.1]), none, none)
    second = Instances(none, np.array([0.1, 0.4, 0.1]), none, none)
    step = np.array([0, 0, 1])
    found = instance_weights([first, second], unary_step=step).unary
    np.testing.assert_allclose(found, np.log([0.3 * 0.1, 0.5 * 0.5, 0.01]))
    found = instance_weights([first, second], "max-rule-product", "sum", step).unary
    np.testing.assert_allclose(found, np.log([0.2, 0.5, 0.1]))


@given(probabilities)
def test_one_grammar_is_its_own_product_and_sum(q: np.ndarray) -> None:
    product = instance_weights([instances(q)], "max-rule-sum", "product")
    for one, other in zip(product, instance_weights([instances(q)], "max-rule-sum", "sum"), strict=True):
        np.testing.assert_allclose(one, other)


@given(probabilities, st.integers(2, 5))
def test_equal_grammars_weigh_alike(q: np.ndarray, n: int) -> None:
    same = [instances(q)] * n
    np.testing.assert_allclose(instance_weights(same).binary, n * instance_weights(same[:1]).binary)
    np.testing.assert_allclose(
        instance_weights(same, "max-rule-sum").words, instance_weights(same[:1], "max-rule-sum").words
    )


def test_what_one_grammar_excludes_the_product_excludes_and_the_sum_does_not() -> None:
    two = [instances(np.zeros(4)), instances(np.full(4, 0.5))]
    assert np.isneginf(np.concatenate(instance_weights(two, "max-rule-product", "product"))).all()
    assert np.isfinite(np.concatenate(instance_weights(two, "max-rule-product", "sum"))).all()
