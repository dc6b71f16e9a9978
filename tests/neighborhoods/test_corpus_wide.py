"""Riezler's training-set neighborhood and conditional EM's halves, against enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import BruteTagger, contrast, log_sum
from tagging_cases import (
    CORPUS,
    DICTIONARY,
    ORDERS,
    contrast_of,
    random_theta,
    value_and_gradient,
    weights_of,
)

from fstce import neighborhood
from fstce.errors import NeighborhoodError
from fstce.estimation.resources import Resources
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.shipped import ConditionalHalf, TrainingSet
from fstce.wfsa.compile import Contrast, TrainingData

SENTENCES = st.lists(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=4), min_size=1, max_size=6
)


def whole(sentences):
    """The lattice of a corpus."""
    return next(TrainingSet().expand(sentences, Symbols(itertools.chain(*sentences))))


@given(SENTENCES)
def test_the_training_set_is_the_set_of_its_sentences(sentences):
    lattice = whole(sentences)
    assert sorted(lattice.strings()) == sorted(set(map(tuple, sentences)))
    assert lattice.count() == len(set(map(tuple, sentences)))


@pytest.mark.parametrize("order", ORDERS)
def test_equation_8(order):
    terms = contrast_of("training-set", order)
    theta = random_theta(terms.features)
    weights = weights_of(terms.features, theta)
    expected, slope = contrast(CORPUS, lambda _: set(CORPUS), DICTIONARY, weights, order)
    value, gradient = value_and_gradient(terms, theta)
    assert value == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(gradient, [slope[name] for name in weights], atol=1e-9)
    assert terms.denominators[0].batches[0].n_machines == 1


def test_one_sentence_alone_teaches_nothing():
    terms = contrast_of("training-set", 2, sentences=CORPUS[:1])
    assert value_and_gradient(terms, random_theta(terms.features))[0] == pytest.approx(
        0.0, abs=1e-12
    )


@pytest.mark.parametrize("half", ["first", "second"])
def test_a_half_is_predicted_from_the_other(half):
    corpus = [sentence for sentence in CORPUS if len(sentence) < 4]
    vocabulary = sorted({word for sentence in corpus for word in sentence})
    predicted = {
        "first": lambda i, n: i < n / 2,
        "second": lambda i, n: i >= n / 2,
    }[half]

    def neighbours(words):
        slots = [vocabulary if predicted(i, len(words)) else [word] for i, word in enumerate(words)]
        return set(itertools.product(*slots))

    terms = contrast_of(f"half:{half}", 2, sentences=corpus)
    theta = random_theta(terms.features)
    weights = weights_of(terms.features, theta)
    expected, slope = contrast(corpus, neighbours, DICTIONARY, weights, 2)
    value, gradient = value_and_gradient(terms, theta)
    assert value == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(gradient, [slope[name] for name in weights], atol=1e-9)


def test_a_half_of_ones_own():
    verbs = ConditionalHalf(lambda words: [word.startswith("run") for word in words], "verbs")
    terms = contrast_of(verbs, 2, sentences=[("dogs", "run"), ("dogs", "runs")])
    theta = random_theta(terms.features)
    weights = weights_of(terms.features, theta)
    brute = {
        last: BruteTagger([("dogs", last)], DICTIONARY, weights, 2).log_z
        for last in ("dogs", "run", "runs")
    }
    expected = brute["run"] + brute["runs"] - 2 * log_sum(brute.values())
    assert value_and_gradient(terms, theta)[0] == pytest.approx(expected, rel=1e-9)


def test_errors_name_the_sentence():
    short = ConditionalHalf(lambda words: [True], "short")
    with pytest.raises(
        NeighborhoodError, match=r"sentence 7 \(a b\): the half 'short' gives 1 truth values"
    ):
        next(short.expand([["a", "b"]], Symbols("ab"), [7]))
    with pytest.raises(NeighborhoodError, match="sentence 2 is empty"):
        whole([["a"], []])
    with pytest.raises(NeighborhoodError, match="no sentences"):
        whole([])
    with pytest.raises(NeighborhoodError, match="did you mean 'half:first'"):
        neighborhood("half:frist")


def test_processes_change_nothing():
    corpus = [*CORPUS, *((f"w{i}", "run") for i in range(200))]
    evidence = TrainingData(corpus, neighborhood("training-set"))
    one, two = (
        Contrast(evidence, DICTIONARY, DICTIONARY.tagset, 2, resources=Resources(jobs))
        for jobs in (None, 2)
    )
    theta = random_theta(one.features)
    assert value_and_gradient(one, theta)[0] == value_and_gradient(two, theta)[0]
