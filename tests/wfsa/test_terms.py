"""Terms as functions of θ: values against enumeration, gradients against five-point differences."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

import numpy as np
import oracles
import pynini
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from oracles import BruteTagger, contrast
from tagging_cases import CORPUS, DICTIONARY, ORDERS, contrast_of, random_theta, weights_of

from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.neighborhoods import Neighborhood, names
from fstce.wfsa.compile import Contrast
from fstce.wfsa.terms import EmissionTable

Floats = NDArray[np.float64]
Words = tuple[str, ...]
VOCABULARY = sorted({word for sentence in CORPUS for word in sentence})
SPELLING = pytest.mark.parametrize("spelling", [False, True], ids=["words", "spelling"])


def _tail_of_wildcards(symbols: Symbols) -> pynini.Fst:
    """Keep the first word; any words after it."""
    wild = pynini.cross(symbols.any(), symbols.union([SIGMA_ID]))
    return symbols.any() + pynini.closure(wild)


def _one_or_another(symbols: Symbols) -> pynini.Fst:
    """The sentence, or its first word replaced by any: word and wildcard arcs leave one state."""
    copy = pynini.closure(symbols.any())
    wild = pynini.cross(symbols.any(), symbols.union([SIGMA_ID]))
    return pynini.union(copy, wild + copy)


TAIL = Neighborhood(_tail_of_wildcards, "tail", equivariant=True)
MIXED = Neighborhood(_one_or_another, "mixed", equivariant=True)
NEIGHBOURS: dict[str, Callable[[Words], Iterable[Words]]] = {
    "identity": oracles.identity,
    "del1word": oracles.del1word,
    "trans1": oracles.trans1,
    "delortrans1": oracles.delortrans1,
    "del1subseq": oracles.del1subseq,
}


def value_and_gradient(terms: Contrast, theta: Floats) -> tuple[float, Floats]:
    value, gradient = 0.0, np.zeros_like(theta)
    for term in terms.terms:
        more, slope = term(theta)
        value, gradient = value + more, gradient + slope
    return value, gradient


def five_point(terms: Contrast, theta: Floats, h: float = 1e-3) -> Floats:
    """The gradient by differences, exact to the fourth power of h."""
    slope = np.empty_like(theta)
    for i in range(len(theta)):
        moved = [theta + k * h * (np.arange(len(theta)) == i) for k in (-2, -1, 1, 2)]
        far, near, next_, last = (value_and_gradient(terms, point)[0] for point in moved)
        slope[i] = (far - 8 * near + 8 * next_ - last) / (12 * h)
    return slope


def teaches_nothing(kind: str | Neighborhood, order: int) -> bool:
    """Identity keeps the sentence; to a unigram tagger a transposed one is the same bag of words."""
    return kind == "identity" or (kind, order) == ("trans1", 1)


@SPELLING
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", [*names(), TAIL, MIXED], ids=str)
def test_the_gradient_is_the_five_point_difference(kind, order: int, spelling: bool) -> None:
    terms = contrast_of(kind, order, spelling=spelling, sentences=CORPUS[2:6])
    theta = random_theta(terms.features, 1)
    gradient = value_and_gradient(terms, theta)[1]
    assert_allclose(five_point(terms, theta), gradient, rtol=1e-6, atol=1e-8)
    assert teaches_nothing(kind, order) == (np.abs(gradient).max() < 1e-12)


@SPELLING
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", NEIGHBOURS)
def test_value_and_gradient_equal_the_enumeration(kind: str, order: int, spelling: bool) -> None:
    terms = contrast_of(kind, order, spelling=spelling)
    theta = random_theta(terms.features, 2)
    value, gradient = value_and_gradient(terms, theta)
    weights = weights_of(terms.features, theta)
    expected, slope = contrast(CORPUS, NEIGHBOURS[kind], DICTIONARY, weights, order)
    assert value == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert_allclose(gradient, [slope[name] for name in weights], rtol=1e-9, atol=1e-9)


@SPELLING
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", ["length", TAIL], ids=str)
def test_wildcards_equal_the_enumeration_of_the_vocabulary(kind, order: int, spelling: bool) -> None:
    corpus = [sentence for sentence in CORPUS if len(sentence) < 3]
    vocabulary = sorted({word for sentence in corpus for word in sentence})

    def neighbours(words: Words) -> list[Words]:
        kept = 0 if kind == "length" else 1
        return [words[:kept] + rest for rest in itertools.product(vocabulary, repeat=len(words) - kept)]

    terms = contrast_of(kind, order, spelling=spelling, sentences=corpus)
    theta = random_theta(terms.features, 3)
    value, gradient = value_and_gradient(terms, theta)
    weights = weights_of(terms.features, theta)
    expected, slope = contrast(corpus, neighbours, DICTIONARY, weights, order)
    assert value == pytest.approx(expected, rel=1e-9)
    assert_allclose(gradient, [slope[name] for name in weights], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("order", ORDERS)
def test_identity_teaches_nothing(order: int) -> None:
    one = contrast_of("identity", order, sentences=CORPUS[:1])
    value, gradient = value_and_gradient(one, random_theta(one.features))
    assert value == 0.0
    assert_array_equal(gradient, np.zeros(one.features.size))
    terms = contrast_of("identity", order, spelling=True)
    value, gradient = value_and_gradient(terms, random_theta(terms.features))
    assert abs(value) < 1e-13
    assert_allclose(gradient, np.zeros_like(gradient), atol=1e-13)


def test_cell_scores_are_ngram_plus_emission() -> None:
    terms = contrast_of("trans1", 2, sentences=[("The", "run")])
    theta = random_theta(terms.features)
    (lattice,) = terms.terms
    weights = weights_of(terms.features, theta)
    observed = lattice.sums.log_z(lattice.cell_scores(theta))[0]
    assert observed == pytest.approx(BruteTagger([("The", "run")], DICTIONARY, weights, 2).log_z)


def test_the_rows_of_the_emission_table() -> None:
    features = contrast_of("length", 2, sentences=[("The", "run")]).features
    table = EmissionTable(features, features.symbols, features.word, features.tag, wildcards=True)
    theta = random_theta(features)
    the, run = (int(i) for i in features.symbols.ids(["The", "run"]))
    rows = table.index(np.array([the, run, run, SIGMA_ID, SIGMA_ID, 3]), np.array([0, 1, 2, 0, 2, 3]))
    assert rows.tolist() == [0, 1, 2, 3, 5, 6]
    scores = table.scores(theta)
    pairs = theta[len(features.ngrams) :]
    assert_allclose(scores, [*pairs, *pairs, 0.0])


def test_a_wildcard_is_the_log_sum_over_the_words_of_a_tag() -> None:
    features = contrast_of("length", 1, sentences=[("run", "dogs", "The")]).features
    table = EmissionTable(features, features.symbols, features.word, features.tag, wildcards=True)
    theta = random_theta(features)
    weight = weights_of(features, theta)
    noun = np.logaddexp(weight["word", "run", "N"], weight["word", "dogs", "N"])
    assert table.scores(theta)[len(features.word) + 1] == pytest.approx(noun)
