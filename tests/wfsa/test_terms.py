"""Terms as functions of θ: values against enumeration, gradients against five-point differences."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np
import oracles
import pynini
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from oracles import BruteTagger, contrast
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
from fstce.errors import CorpusError
from fstce.estimation.objective import Annealed
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.shipped import names
from fstce.wfsa.compile import Contrast, TrainingData

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


def five_point(terms: Contrast, theta: Floats, h: float = 1e-3) -> Floats:
    """The gradient by differences, exact to the fourth power of h."""
    slope = np.empty_like(theta)
    for i in range(len(theta)):
        moved = [theta + k * h * (np.arange(len(theta)) == i) for k in (-2, -1, 1, 2)]
        far, near, next_, last = (value_and_gradient(terms, point)[0] for point in moved)
        slope[i] = (far - 8 * near + 8 * next_ - last) / (12 * h)
    return slope


def teaches_nothing(kind: str | Neighborhood, order: int) -> bool:
    """No neighbor differs from its sentence; to a unigram tagger, none differs as a bag of words."""
    seen = sorted if order == 1 else tuple
    symbols = Symbols(itertools.chain(*CORPUS[2:6]))
    lattices = neighborhood(kind).expand(CORPUS[2:6], symbols)
    return all(
        seen(string) == seen(words)
        for words, lattice in zip(CORPUS[2:6], lattices, strict=True)
        for string in lattice.strings()
    )


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
def test_wildcards_equal_the_enumeration_of_the_vocabulary(
    kind, order: int, spelling: bool
) -> None:
    corpus = [sentence for sentence in CORPUS if len(sentence) < 3]
    vocabulary = sorted({word for sentence in corpus for word in sentence})

    def neighbours(words: Words) -> list[Words]:
        kept = 0 if kind == "length" else 1
        return [
            words[:kept] + rest for rest in itertools.product(vocabulary, repeat=len(words) - kept)
        ]

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
    assert value == pytest.approx(0.0, abs=1e-12)
    assert_allclose(gradient, np.zeros(one.features.size), atol=1e-12)
    terms = contrast_of("identity", order, spelling=True)
    value, gradient = value_and_gradient(terms, random_theta(terms.features))
    assert abs(value) < 1e-13
    assert_allclose(gradient, np.zeros_like(gradient), atol=1e-13)


def test_the_numerator_is_the_sum_over_the_taggings() -> None:
    terms = contrast_of("trans1", 2, sentences=[("The", "run")])
    theta = random_theta(terms.features)
    (numerator,) = terms.numerators
    weights = weights_of(terms.features, theta)
    observed = BruteTagger([("The", "run")], DICTIONARY, weights, 2).log_z
    assert numerator(theta)[0] == pytest.approx(observed)


GOLD = [
    ("D", "N", "V"),
    ("N", "V"),
    ("D", "N", "V"),
    ("V",),
    ("N", "V", "D"),
    ("N", "V"),
    ("V", "N"),
]


@SPELLING
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", ["identity", "trans1", "length"])
def test_observed_tags_give_the_supervised_criteria(kind: str, order: int, spelling: bool) -> None:
    corpus = CORPUS if kind != "length" else [s for s in CORPUS if len(s) < 3]
    gold = [tags for words, tags in zip(CORPUS, GOLD, strict=True) if words in corpus]
    terms = contrast_of(kind, order, spelling=spelling, sentences=corpus, gold=gold)
    theta = random_theta(terms.features, 4)
    value, gradient = value_and_gradient(terms, theta)
    weights = weights_of(terms.features, theta)
    vocabulary = {word for sentence in corpus for word in sentence}
    expected, slope = 0.0, Counter[tuple[str, ...]]()
    for words, tags in zip(corpus, gold, strict=True):
        strings = oracles.length(words, vocabulary) if kind == "length" else NEIGHBOURS[kind](words)
        brute = BruteTagger(sorted(strings), DICTIONARY, weights, order)
        expected += oracles.log_weight(words, tags, weights, order) - brute.log_z
        for name, n in oracles.tagged_features(words, tags, order).items():
            slope[name] += n
        for name, n in brute.expected_counts().items():
            slope[name] -= n
    assert value == pytest.approx(expected, rel=1e-9)
    assert_allclose(gradient, [slope[name] for name in weights], rtol=1e-9, atol=1e-9)


def test_gold_tags_that_the_dictionary_forbids_are_refused() -> None:
    with pytest.raises(CorpusError, match="The/N: the dictionary does not list this tag"):
        contrast_of("trans1", 2, sentences=[("The", "run")], gold=[("N", "V")])
    with pytest.raises(CorpusError, match="sentence 1 has 2 words and 1 tags"):
        contrast_of("trans1", 2, sentences=[("The", "run")], gold=[("N",)])
    with pytest.raises(CorpusError, match="sentence 1: the tag 'X' is not in"):
        contrast_of("trans1", 2, sentences=[("The", "run")], gold=[("D", "X")])


def test_several_corpora_are_summed_by_their_weights() -> None:
    labelled = TrainingData(CORPUS[:2], neighborhood("identity"), GOLD[:2])
    raw = TrainingData(CORPUS[2:], neighborhood("trans1"), weight=0.25)
    both = Contrast([labelled, raw], DICTIONARY, DICTIONARY.tagset, 2)
    theta = random_theta(both.features, 5)
    values = [
        value_and_gradient(
            Contrast(e, DICTIONARY, DICTIONARY.tagset, 2, features=both.features), theta
        )
        for e in (labelled, TrainingData(raw.sentences, raw.kind))
    ]
    value, gradient = value_and_gradient(both, theta)
    assert value == pytest.approx(values[0][0] + 0.25 * values[1][0])
    assert_allclose(gradient, values[0][1] + 0.25 * values[1][1], atol=1e-12)


@pytest.mark.parametrize("beta", [0.01, 0.5, 1.0])
def test_annealing_raises_weights_to_a_power(beta: float) -> None:
    (numerator,) = contrast_of("trans1", 2, sentences=CORPUS[:2]).numerators
    features = contrast_of("trans1", 2, sentences=CORPUS[:2]).features
    theta = random_theta(features, 6)
    value, gradient = Annealed(numerator, beta)(theta)
    powers = {name: beta * w for name, w in weights_of(features, theta).items()}
    brutes = [BruteTagger([words], DICTIONARY, powers, 2) for words in CORPUS[:2]]
    assert value == pytest.approx(sum(brute.log_z for brute in brutes) / beta)
    expected = sum((brute.expected_counts() for brute in brutes), start=Counter())
    assert_allclose(gradient, [expected[name] for name in powers], atol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_a_symbol_for_unknown_words_is_one_more_word_to_length(order: int) -> None:
    corpus = [sentence for sentence in CORPUS if len(sentence) < 3]
    terms = contrast_of("length", order, sentences=corpus, oov=True)
    assert terms.features.has_oov
    theta = random_theta(terms.features, 7)
    vocabulary = sorted({word for sentence in corpus for word in sentence} | {"<unk>"})
    weights = weights_of(terms.features, theta)
    expected, slope = contrast(
        corpus, lambda words: oracles.length(words, vocabulary), DICTIONARY, weights, order
    )
    value, gradient = value_and_gradient(terms, theta)
    assert value == pytest.approx(expected, rel=1e-9)
    assert_allclose(gradient, [slope[name] for name in weights], rtol=1e-9, atol=1e-9)
    unknown = contrast_of("length", order, sentences=[("quux", "run")], features=terms.features)
    value, _ = value_and_gradient(unknown, theta)
    brute = BruteTagger([("<unk>", "run")], DICTIONARY, weights, order).log_z
    universe = BruteTagger(
        sorted(oracles.length(("a", "b"), vocabulary)), DICTIONARY, weights, order
    ).log_z
    assert value == pytest.approx(brute - universe, rel=1e-9)


def test_a_corpus_wide_neighbourhood_is_one_lattice_for_all_sentences() -> None:
    contrast_ = contrast_of("training-set", 2)
    assert [batch.n_machines for term in contrast_.denominators for batch in term.batches] == [1]
    theta = random_theta(contrast_.features)
    weights = weights_of(contrast_.features, theta)
    every = [BruteTagger([words], DICTIONARY, weights, 2).log_z for words in set(CORPUS)]
    (term,) = contrast_.denominators
    assert term(theta)[0] == pytest.approx(-len(CORPUS) * np.logaddexp.reduce(every))


def test_refreshed_potentials_give_the_bits_of_those_that_were_refreshed() -> None:
    """A training that goes on where it was killed refreshes what the first had refreshed."""
    first, second = contrast_of("trans1", 3).numerators[0], contrast_of("trans1", 3).numerators[0]
    features = contrast_of("trans1", 3).features
    far = random_theta(features, 1, 120.0)
    for theta in (random_theta(features, 0), far):
        first(theta)
        second.refresh(first.refreshed, theta)
    assert first.refreshed == [0]
    rows = [far + random_theta(features, 2) / 1000]
    value, slope = first(rows[-1])
    other, bits = second(rows[-1])
    assert first.refreshed == second.refreshed == []
    assert value == other
    assert_array_equal(slope, bits)
