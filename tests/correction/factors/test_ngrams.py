"""Kneser–Ney against a twin made of dictionaries; its probabilities sum to one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_correction import START_OR_END, UNSEEN, KneserNey

from fstce.correction.factors.ngrams import BOUNDARY, UNKNOWN, NgramModel
from fstce.errors import CorpusError

WORDS = ("a", "b", "c", "d")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=8).filter(any)
SENTENCES = st.lists(st.sampled_from([*WORDS, "x", "y"]), max_size=6)


@given(TEXTS, st.lists(SENTENCES, min_size=1, max_size=4), st.sampled_from((1, 2, 3)))
def test_it_is_the_sum_over_dictionaries(
    text: list[list[str]], asked: list[list[str]], order: int
) -> None:
    model, twin = NgramModel(text, order), KneserNey(text, order)
    assert model.log_likelihoods(asked) == pytest.approx([twin.log_p(row) for row in asked])


@given(TEXTS, st.sampled_from((1, 2, 3)))
def test_probabilities_sum_to_one_after_every_history(text: list[list[str]], order: int) -> None:
    model = NgramModel(text, order)
    numbers = range(model.size)
    for history in itertools.product(numbers, repeat=order - 1):
        rows = np.array([(*history, word) for word in numbers]).reshape(len(numbers), order)
        assert np.exp(model.log_probabilities(rows)).sum() == pytest.approx(1.0)


@given(TEXTS, st.sampled_from((1, 2, 3)))
def test_the_twin_sums_to_one_too(text: list[list[str]], order: int) -> None:
    twin = KneserNey(text, order)
    for history in itertools.product([*sorted(twin.words), START_OR_END, UNSEEN], repeat=order - 1):
        total = sum(twin.p(word, history) for word in [*twin.words, START_OR_END, UNSEEN])
        assert total == pytest.approx(1.0)


def test_numbers_of_words() -> None:
    model = NgramModel([["b", "a", "b"]], 2)
    assert model.words == ("b", "a") and model.size == 4
    assert model.ids(["a", "zzz", "b"]).tolist() == [3, UNKNOWN, 2]
    assert BOUNDARY not in model.ids(["a", "b", "zzz"])


def test_unknown_words_share_what_is_left() -> None:
    model = NgramModel([["a", "b"], ["a", "c"]], 1)
    known = sum(np.exp(model.log_probabilities(np.array([[i]])))[0] for i in (BOUNDARY, 2, 3, 4))
    assert np.exp(model.log_probabilities(np.array([[UNKNOWN]])))[0] == pytest.approx(1 - known)


def test_no_sentence_has_no_likelihood() -> None:
    assert NgramModel([["a"]], 2).log_likelihoods([]).shape == (0,)


@pytest.mark.parametrize("order", (1, 2, 3))
def test_arrays_make_the_same_model(order: int) -> None:
    text = [row.split() for row in ("a b a c", "b a", "c c c a")]
    model = NgramModel(text, order)
    again = NgramModel.of_arrays(model.words, order, model.arrays())
    asked = [row.split() for row in ("a b zzz", "c c", "b")]
    assert np.array_equal(again.log_likelihoods(asked), model.log_likelihoods(asked))
    assert again.words == model.words and again.order == order


def test_what_cannot_be_a_model_is_refused() -> None:
    for nothing in ([], [[]]):
        with pytest.raises(CorpusError, match="needs text"):
            NgramModel(nothing)
    arrays = NgramModel([["a", "b"]], 2).arrays()
    with pytest.raises(LookupError):
        NgramModel.of_arrays(["a", "b"], 3, arrays)
    with pytest.raises(ValueError, match="do not fit"):
        NgramModel.of_arrays(["a"], 2, arrays)
