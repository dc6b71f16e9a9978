"""What was meant, and the exponents that are learnt, by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from parsed_cases import EMISSIONS, FIRST, MODEL, SPELLING, THETA, Brute, spelt

from fstce import DependencyParser
from fstce.correction import parsed_parts
from fstce.correction.parsed_parts import Parts
from fstce.correction.parsed_readings import COLUMNS
from fstce.correction.tuning import PRIOR

TYPED = [["dgos", "rnu"], ["the", "dgo"], ["ran"]]
TRUE = [["dogs", "run"], ["the", "dog"], ["ran"]]


def likelihood(exponents: np.ndarray) -> float:
    """Σ log p(true | typed) by brute force."""
    twins = [Brute(row) for row in TYPED]
    return sum(
        twin.log_p(row, exponents) - twin.log_z(exponents) for twin, row in zip(twins, TRUE, strict=True)
    )


@pytest.fixture
def parts() -> Parts:
    parser = DependencyParser()
    parser.model_, parser.theta_ = MODEL, THETA
    return Parts(EMISSIONS, SPELLING, spelt(), parser)


def test_a_word_out_of_reach_counts_as_meant(parts: Parts) -> None:
    pairs, _ = parts.read([["dgos", "wug"], ["dgos"]])
    pairs = pairs.only(parts.meant(pairs, [["dogs", "elephant"], ["elephants"]]))
    found = {(place, parts.spellings[s]) for place, s in zip(pairs.place, pairs.spelling, strict=True)}
    assert found == {(0, "dogs"), (1, "wug"), (2, "dgos")}


@pytest.mark.parametrize("batch", [1, 2, 50])
def test_the_exponents_make_the_true_sentences_more_probable(
    parts: Parts, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsed_parts, "BATCH", batch)
    found, before, after = parts.learn_exponents(TYPED, TRUE, FIRST, most=3)
    assert before == pytest.approx(likelihood(FIRST))
    assert after == pytest.approx(likelihood(found))
    assert after > before and found.min() >= 0.0

    def loss(exponents: np.ndarray) -> float:
        return PRIOR * float(np.sum((exponents - FIRST) ** 2)) - likelihood(exponents)

    for i in range(len(COLUMNS)):
        for step in (0.05, -0.05):
            other = found.copy()
            other[i] = max(other[i] + step, 0.0)
            assert loss(other) > loss(found) - 1e-4
