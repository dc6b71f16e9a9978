"""What was meant, and the exponents that are learnt, by brute force."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from parsed_cases import EMISSIONS, FIRST, MODEL, SPELLING, THETA, Brute, spelt

from fstce import DependencyParser
from fstce.correction.parsed import parsed_model
from fstce.correction.parsed.parsed_model import ParsedModel, in_batches
from fstce.correction.parsed.readings import COLUMNS
from fstce.correction.tuning import PRIOR
from fstce.errors import MachineError

TYPED = [["dgos", "rnu"], ["the", "dgo"], ["ran"]]
TRUE = [["dogs", "run"], ["the", "dog"], ["ran"]]


def likelihood(exponents: np.ndarray) -> float:
    """Σ log p(true | typed) by brute force."""
    twins = [Brute(row) for row in TYPED]
    return sum(
        twin.log_p(row, exponents) - twin.log_z(exponents) for twin, row in zip(twins, TRUE, strict=True)
    )


@pytest.fixture
def parts() -> ParsedModel:
    parser = DependencyParser()
    parser.model_, parser.theta_ = MODEL, THETA
    return ParsedModel(EMISSIONS, SPELLING, spelt(), parser)


def test_a_word_out_of_reach_counts_as_meant(parts: ParsedModel) -> None:
    pairs, _ = parts.read([["dgos", "wug"], ["dgos"]])
    pairs = pairs.only(parts.meant(pairs, [["dogs", "elephant"], ["elephants"]]))
    found = {(place, parts.spellings[s]) for place, s in zip(pairs.place, pairs.spelling, strict=True)}
    assert found == {(0, "dogs"), (1, "wug"), (2, "dgos")}


@pytest.mark.parametrize("batch", [1, 2, 50])
def test_the_exponents_make_the_true_sentences_more_probable(
    parts: ParsedModel, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsed_model, "BATCH", batch)
    (found, before, after), used = parts.learn_exponents(TYPED, TRUE, FIRST, most=3)
    assert used == [0, 1, 2]
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


@pytest.mark.parametrize("batch", [1, 2, 50])
def test_sentences_beyond_the_limit_are_left_out(
    parts: ParsedModel, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    long, true = ["the", "dgos", "rnu", "the", "dgo"], ["the", "dogs", "run", "the", "dog"]
    wanted, _ = parts.learn_exponents(TYPED, TRUE, FIRST, most=3)
    monkeypatch.setattr(parsed_model, "BATCH", batch)
    monkeypatch.setattr("fstce.chart.shape.HYPEREDGE_LIMIT", 200)
    found, used = parts.learn_exponents(
        [TYPED[0], long, *TYPED[1:], long], [TRUE[0], true, *TRUE[1:], true], FIRST, most=3
    )
    assert used == [0, 2, 3]
    assert found.exponents == pytest.approx(wanted.exponents)
    assert (found.before, found.after) == pytest.approx((wanted.before, wanted.after))


def test_what_exceeds_a_limit_is_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed_model, "BATCH", 4)
    tried = []

    def work(numbers: Sequence[int]) -> int:
        tried.append(list(numbers))
        if 5 in numbers:
            raise MachineError("too large")
        return sum(numbers)

    found = [(list(numbers), found) for numbers, found in in_batches(range(1, 10), work)]
    assert tried == [[1, 2, 3, 4], [5, 6, 7, 8], [5, 6], [5], [6], [7, 8], [9]]
    assert [numbers for numbers, _ in found] == [[1, 2, 3, 4], [5], [6], [7, 8], [9]]
    assert [str(value) for _, value in found] == ["10", "too large", "6", "15", "9"]
