"""What is asked of a model: entropies of sums, and who can be explained at all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce import Tagger
from fstce.errors import NotFittedError, ParameterError
from fstce.explanation.protocol import Sums, explained


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=6))
def test_the_entropy_is_that_of_the_distribution(weights: list[float]) -> None:
    """Each structure has a feature of its own, so that θ are its log-weights."""
    theta = np.array(weights)
    log_z = float(np.logaddexp.reduce(theta))
    probability = np.exp(theta - log_z)
    entropy = -float(np.sum(probability * np.log(probability)))
    assert Sums(log_z, probability, 0.0).entropy(theta) == pytest.approx(entropy, abs=1e-9)


def test_features_that_no_structure_has_may_weigh_minus_infinity() -> None:
    assert Sums(1.0, np.array([1.0, 0.0]), 0.0).entropy(np.array([1.0, -np.inf])) == 0.0


def test_what_cannot_be_explained_is_refused() -> None:
    with pytest.raises(ParameterError, match="3"):
        explained(3)
    with pytest.raises(NotFittedError):
        explained(Tagger())
