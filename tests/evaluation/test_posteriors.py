"""Expected accuracy and the divergence of emissions, against sums written out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce import TagDictionary
from fstce.errors import CorpusError
from fstce.evaluation import Accuracy, accuracy
from fstce.evaluation.tagging import emission_divergence, expected_accuracy

DICTIONARY = TagDictionary({"the": "D", "saw": ["N", "V"], "can": ["N", "V", "M"]})
TAGS = ("D", "M", "N", "V")
SENTENCES = [["the", "saw"], ["can"]]
GOLD = [["D", "V"], ["M"]]
POSTERIORS = [np.array([[1.0, 0, 0, 0], [0, 0, 0.75, 0.25]]), np.array([[0, 0.5, 0.3, 0.2]])]


def test_expected_accuracy() -> None:
    found = expected_accuracy(SENTENCES, GOLD, POSTERIORS, TAGS, DICTIONARY)
    assert found == Accuracy(
        pytest.approx(100 * (0.25 + 0.5) / 2), pytest.approx(100 * 1.75 / 3), 2, 3
    )


def test_a_certain_tagger_is_expected_to_be_as_right_as_it_is() -> None:
    found = [["D", "V"], ["N"]]
    certain = [
        np.array([[float(tag == column) for column in TAGS] for tag in row]) for row in found
    ]
    expected = expected_accuracy(SENTENCES, GOLD, certain, TAGS, DICTIONARY)
    assert expected.all == pytest.approx(100 * accuracy(GOLD, found))


def test_a_gold_tag_that_the_tagger_lacks_is_never_expected() -> None:
    found = expected_accuracy([["saw"]], [["X"]], [np.array([[0, 0, 0.5, 0.5]])], TAGS, DICTIONARY)
    assert (found.all, found.n_all) == (0.0, 1)


def test_no_ambiguous_word() -> None:
    found = expected_accuracy([["the"]], [["D"]], [np.array([[1.0, 0, 0, 0]])], TAGS, DICTIONARY)
    assert math.isnan(found.ambiguous)
    assert found.all == 100.0


@pytest.mark.parametrize(
    ("gold", "posteriors"),
    [([["D"], ["M"]], POSTERIORS), (GOLD, [POSTERIORS[0][:1], POSTERIORS[1]])],
)
def test_rows_that_do_not_fit(gold: list[list[str]], posteriors: list[np.ndarray]) -> None:
    with pytest.raises(CorpusError, match=r"2 words, [12] gold tags and [12] posteriors"):
        expected_accuracy(SENTENCES, gold, posteriors, TAGS, DICTIONARY)


@pytest.mark.parametrize("cut", ["sentences", "gold", "posteriors"])
def test_another_number_of_sentences(cut: str) -> None:
    given = {"sentences": SENTENCES, "gold": GOLD, "posteriors": POSTERIORS}
    given[cut] = given[cut][:1]
    with pytest.raises(ValueError):
        expected_accuracy(**given, tags=TAGS, dictionary=DICTIONARY)


def test_divergence() -> None:
    """N emits saw twice and can once; the model says 1 : 3, and D is as it should be."""
    sentences, gold = [["saw", "can", "saw"], ["the"]], [["N", "N", "N"], ["D"]]
    weights = {("saw", "N"): math.log(2.0), ("can", "N"): math.log(6.0), ("the", "D"): -7.0}
    wanted = 2 / 4 * math.log((2 / 3) / (1 / 4)) + 1 / 4 * math.log((1 / 3) / (3 / 4))
    assert emission_divergence(weights, sentences, gold) == pytest.approx(wanted)


def test_mass_on_pairs_that_are_not_seen_counts() -> None:
    weights = {("saw", "N"): 0.0, ("can", "N"): 0.0}
    assert emission_divergence(weights, [["saw"]], [["N"]]) == pytest.approx(math.log(2))


@pytest.mark.parametrize(
    "weights",
    [{("saw", "N"): 0.0}, {("saw", "N"): 0.0, ("saw", "V"): -math.inf, ("can", "V"): 0.0}, {}],
)
def test_a_pair_of_probability_zero_is_infinitely_far(
    weights: dict[tuple[str, str], float],
) -> None:
    with np.errstate(invalid="raise"):
        assert emission_divergence(weights, [["saw", "saw"]], [["N", "V"]]) == math.inf


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("NV")), min_size=1, max_size=12),
    st.floats(-5, 5),
    st.lists(st.floats(-3, 3), min_size=6, max_size=6),
)
def test_laws(pairs: list[tuple[str, str]], shift: float, values: list[float]) -> None:
    """Never negative; blind to a constant for each tag; zero for the corpus's own frequencies."""
    words, gold = [[w for w, _ in pairs]], [[t for _, t in pairs]]
    weights = dict(zip([(w, t) for w in "abc" for t in "NV"], values, strict=True))
    found = emission_divergence(weights, words, gold)
    assert found >= -1e-12
    moved = {(w, t): value + shift * (t == "N") for (w, t), value in weights.items()}
    assert emission_divergence(moved, words, gold) == pytest.approx(found, abs=1e-9)
    own = {pair: math.log(pairs.count(pair)) for pair in pairs}
    assert emission_divergence(own, words, gold) == pytest.approx(0.0, abs=1e-12)
