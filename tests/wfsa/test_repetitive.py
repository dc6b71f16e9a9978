"""Where many equal terms meet: few words, few tags, many sentences; no digit of a gradient is lost."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from tagging_cases import random_theta, value_and_gradient

from fstce import TagDictionary, neighborhood
from fstce.wfsa.compile import Contrast, TrainingData

Floats = NDArray[np.float64]
WORDS = TagDictionary({word: ["A", "B", "C"] for word in "uvwxyz"})
STENCIL = {1: 8 / 12, 2: -1 / 12}  # f′(0) ≈ Σ weight · (f(k h) − f(−k h)) / h, to h⁴


def repetitive(order: int, sentences: int) -> Contrast:
    """TRANS1 of sentences of six words, which have the words of their neighbors in other orders."""
    rng = np.random.default_rng(0)
    rows = [
        [*map(str, rng.choice(list("uvwxyz"), length))] for length in rng.integers(4, 12, sentences)
    ]
    evidence = TrainingData(rows, neighborhood("trans1"))
    return Contrast(evidence, WORDS, WORDS.tagset, order)


@pytest.mark.parametrize("height", [0.0, 0.7])
def test_unigrams_learn_nothing_from_the_order_of_words(height: float) -> None:
    """A unigram tagger gives a sentence and its transpositions one score, so that the gradient is zero."""
    contrast = repetitive(1, 4000)
    assert max(batch.n_arcs for term in contrast.denominators for batch in term.batches) > 100_000
    gradient = value_and_gradient(contrast, np.full(contrast.features.size, height))[1]
    words = sum(term(np.zeros(contrast.features.size))[1].sum() for term in contrast.numerators)
    assert np.abs(gradient).max() <= 1e-12 * words


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("scale", [0.0, 1.0])
def test_gradients_are_those_of_differences(order: int, scale: float) -> None:
    contrast = repetitive(order, 2500)
    theta = random_theta(contrast.features, 1, scale)
    direction = random_theta(contrast.features, 2)
    for term in (*contrast.numerators, *contrast.denominators):
        step, slope = 2e-3, term(theta)[1]
        rise = {
            k: term(theta + k * step * direction)[0] - term(theta - k * step * direction)[0]
            for k in STENCIL
        }
        expected = sum(weight * rise[k] for k, weight in STENCIL.items()) / step
        assert_allclose(
            slope @ direction, expected, rtol=0, atol=1e-9 * np.abs(slope * direction).sum()
        )
