"""The hidden Markov model: which weights form distributions, and that it is a model of sentences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from oracles import BruteHMM, distribution, hmm_names, taggings
from tagging_cases import CORPUS, DICTIONARY, ORDERS, contrast_of

from fstce import TagDictionary, Tagger
from fstce.estimation.objective import Multinomials
from fstce.wfsa.features import TagFeatures

Floats = NDArray[np.float64]
VOCABULARY = {word for words in CORPUS for word in words}
HELD_OUT = [*CORPUS, ("zug", "x-ray", "The"), ("quux",), ("The", "The")]
LEAST = -1000.0


def hmm_features(order: int, dictionary: TagDictionary = DICTIONARY) -> TagFeatures:
    """The features of an HMM over the tiny corpus."""
    tagger = Tagger(order=order, criterion="em", unknown_word_model=False)
    tagger.compile(CORPUS, dictionary=dictionary)
    return tagger.features_


def trained(order: int, smoothing: float) -> tuple[Tagger, BruteHMM]:
    """A tagger trained by EM, and the same HMM as probabilities by event."""
    tagger = Tagger(
        order=order,
        criterion="em",
        smoothing=smoothing,
        start="random",
        seed=order,
        unknown_word_model=False,
    )
    tagger.fit(CORPUS, dictionary=DICTIONARY)
    probability = dict(zip(tagger.features_.names, np.exp(tagger.theta_).tolist(), strict=True))
    return tagger, BruteHMM(probability, DICTIONARY, order)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "dictionary",
    [
        DICTIONARY,
        TagDictionary(dict(DICTIONARY), tagset=["A", "D", "N", "V"], open_class=["N", "V"]),
    ],
    ids=["all open", "two open"],
)
def test_an_hmm_has_all_the_events_that_can_happen(order: int, dictionary: TagDictionary) -> None:
    names = hmm_features(order, dictionary).names
    assert len(set(names)) == len(names)
    assert set(names) == set(hmm_names(VOCABULARY, dictionary, dictionary.tagset, order))


@pytest.mark.parametrize("order", ORDERS)
def test_weights_are_grouped_by_what_they_are_conditioned_on(order: int) -> None:
    for features in (
        hmm_features(order),
        contrast_of("trans1", order, sentences=CORPUS[:2]).features,
    ):
        group = features.group
        assert group.shape == (features.size,)
        assert set(group.tolist()) == set(range(int(group.max()) + 1))
        condition = dict(zip(group.tolist(), map(distribution, features.names), strict=True))
        assert [condition[g] for g in group.tolist()] == [
            distribution(name) for name in features.names
        ]
        assert len(set(condition.values())) == len(condition)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("deviation", [0.0, 0.3])
def test_the_probabilities_of_all_sentences_sum_to_one(order: int, deviation: float) -> None:
    features = hmm_features(order)
    theta = Multinomials(features.group).perturbed(np.random.default_rng(order), deviation)
    mass = 0.0
    for length in range(1, 61):
        # LENGTH sums over all sentences of a length, <unk> standing for all unknown words.
        terms = contrast_of("length", order, sentences=[("run",) * length], features=features)
        (denominator,) = terms.denominators
        mass += math.exp(-denominator(theta)[0])
        assert mass < 1 + 1e-9
    # An order-1 HMM may stop at once: this is all but the empty sentence.
    nothing = math.exp(theta[features.names.index(("ngram", "<boundary>"))]) if order == 1 else 0.0
    assert mass + nothing == pytest.approx(1.0, abs=1e-4)  # what is longer has less


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("order", ORDERS)
def test_decoding_is_by_the_joint_probability(order: int, smoothing: float) -> None:
    tagger, brute = trained(order, smoothing)
    sentences = HELD_OUT if smoothing else CORPUS
    for words, tags, table, best, entropy in zip(
        sentences,
        tagger.predict(sentences),
        tagger.predict_proba(sentences),
        tagger.k_best(sentences, 3),
        tagger.entropy(sentences),
        strict=True,
    ):
        joint = {y: brute.joint(words, y) for y in taggings(words, DICTIONARY)}
        whole = brute.marginal(words)
        greatest = sorted((p for p in joint.values() if p > 1e-300), reverse=True)[:3]
        scores = [math.exp(score) for _, score in best if score > LEAST / 2]
        assert scores == pytest.approx(greatest)
        assert joint[tuple(tags)] == pytest.approx(greatest[0])
        posterior = [
            [sum(p for y, p in joint.items() if y[i] == tag) / whole for tag in tagger.tags_]
            for i in range(len(words))
        ]
        assert_allclose(table, posterior, rtol=1e-9, atol=1e-12)
        surprise = -sum(p / whole * math.log(p / whole) for p in joint.values() if p > 0)
        assert entropy == pytest.approx(surprise, abs=1e-9)


@pytest.mark.parametrize("order", ORDERS)
def test_a_sentence_of_probability_zero_still_has_tags(order: int) -> None:
    tagger, brute = trained(order, 0.0)
    sentences = [("zug", "run"), ("zug", "The", "wug"), ("quux", "quux", "quux"), ("The", "zug")]
    weight = {name: math.log(p) if p > 0 else LEAST for name, p in brute.probability.items()}
    found = zip(
        sentences,
        tagger.predict(sentences),
        tagger.predict_proba(sentences),
        tagger.sample(sentences, 5),
        tagger.k_best(sentences, 1),
        strict=True,
    )
    for words, tags, table, drawn, ((first, score),) in found:
        assert brute.marginal(words) == 0
        # As if a probability of zero were e^-1000: the fewest impossible events, then the most probable.
        value = {
            y: sum(n * max(weight[name], LEAST) for name, n in brute.events(words, y).items())
            for y in taggings(words, DICTIONARY)
        }
        assert value[tuple(tags)] == pytest.approx(max(value.values()))
        assert (tags, score) == (first, pytest.approx(max(value.values())))
        assert all(tuple(row) in value for row in drawn)
        assert_allclose(table.sum(axis=1), 1.0)
    posterior = Tagger(**{**tagger.get_params(), "decoder": "posterior"}).fit(
        CORPUS, dictionary=DICTIONARY
    )
    for words, tags in zip(sentences, posterior.predict(sentences), strict=True):
        assert tuple(tags) in taggings(words, DICTIONARY)


def test_uniform_distributions_are_where_an_hmm_starts() -> None:
    tagger = Tagger(order=2, criterion="em", unknown_word_model=False)
    tagger.compile(CORPUS, dictionary=DICTIONARY)
    names = tagger.features_.names
    size = {d: [distribution(n) for n in names].count(d) for d in map(distribution, names)}
    assert_allclose(
        np.exp(tagger.initial_weights()), [1 / size[distribution(name)] for name in names]
    )
    one, two, other = (
        Tagger(order=2, criterion="em", start="random", seed=seed, unknown_word_model=False).fit(
            CORPUS, dictionary=DICTIONARY
        )
        for seed in (1, 1, 2)
    )
    assert_array_equal(one.theta_, two.theta_)
    assert not np.array_equal(one.theta_, other.theta_)
    assert not np.array_equal(one.initial_weights(), other.initial_weights())
