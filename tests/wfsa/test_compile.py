"""From sentences to terms: counting, sharing, held-out features, processes, errors."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from oracles import contrast, trans1
from tagging_cases import (
    CORPUS,
    DICTIONARY,
    contrast_of,
    random_theta,
    value_and_gradient,
    weights_of,
)

from fstce import neighborhood
from fstce.corpora import sample
from fstce.errors import MachineError
from fstce.estimation.resources import Resources
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.wfsa.batch import TagAutomaton, observed, pack_products
from fstce.wfsa.compile import Contrast, TrainingData
from fstce.wfsa.features import tag_pairs

TAGS = DICTIONARY.tagset


def test_tag_pairs_are_ascending_and_without_repetition() -> None:
    symbols = Symbols(["run", "The", "dogs"])
    word, tag = tag_pairs(symbols, ["dogs", "run", "The", "dogs"], DICTIONARY, TAGS)
    pairs = [(symbols.word(w), TAGS[t]) for w, t in zip(word.tolist(), tag.tolist(), strict=True)]
    assert pairs == [("run", "N"), ("run", "V"), ("The", "D"), ("dogs", "N"), ("dogs", "V")]


def test_a_sentence_batch_has_a_machine_for_each_sentence() -> None:
    symbols = Symbols(["run", "The"])
    pairs = tag_pairs(symbols, symbols, DICTIONARY, TAGS)
    automaton = TagAutomaton(symbols, pairs, TAGS, 2)
    sentences = [("The", "run"), ("run",), ("run",)]
    batch = pack_products(automaton, observed(sentences, symbols, range(3)))
    assert batch.n_machines == 3
    assert batch.level[batch.final].tolist() == [3, 2, 2]


def test_equal_sentences_are_built_once_and_counted() -> None:
    once, twice = contrast_of("trans1", 3), contrast_of("trans1", 3, sentences=CORPUS * 2)
    for of_one, of_two in zip(once.terms, twice.terms, strict=True):
        assert of_two.batches[0].n_machines == of_one.batches[0].n_machines == len(CORPUS) - 1
    theta = random_theta(once.features)
    (value, gradient), (double, slope) = (value_and_gradient(c, theta) for c in (once, twice))
    assert double == pytest.approx(2 * value, rel=1e-12)
    assert_array_equal(slope, 2 * gradient)


def test_length_has_a_term_of_its_own_and_no_lattices() -> None:
    terms = contrast_of("length", 3)
    assert terms.is_length
    assert len(terms.terms) == 2
    assert terms.terms[0].batches[0].n_machines == len(CORPUS) - 1
    assert not contrast_of("trans1", 2).is_length


def test_held_out_sentences_take_the_features_they_find() -> None:
    features = contrast_of("trans1", 2, spelling=True).features
    held_out = [("The", "runs", "dogs"), ("B53s", "run")]
    terms = contrast_of("trans1", 2, sentences=held_out, features=features)
    assert terms.features is features
    theta = random_theta(features)
    value, gradient = value_and_gradient(terms, theta)
    expected, slope = contrast(held_out, trans1, DICTIONARY, weights_of(features, theta), 2)
    assert value == pytest.approx(expected, rel=1e-10)
    np.testing.assert_allclose(gradient, [slope[name] for name in features.names], atol=1e-11)


@pytest.mark.parametrize("kind", ["trans1", "length"])
def test_processes_change_nothing(kind: str) -> None:
    corpus = [sentence.words for sentence in sample()]
    dictionary = type(DICTIONARY).from_corpus(sample())
    assert len(set(map(tuple, corpus))) > 256
    one, two = (
        Contrast(
            TrainingData(corpus, neighborhood(kind)),
            dictionary,
            dictionary.tagset,
            2,
            resources=Resources(jobs),
        )
        for jobs in (None, 2)
    )
    for name in ("source", "target", "indptr", "levels", "start", "final", "cell", "ngram", "word"):
        assert_array_equal(
            getattr(one.terms[-1 if kind == "trans1" else 0].batches[0], name),
            getattr(two.terms[-1 if kind == "trans1" else 0].batches[0], name),
        )
    assert one.features.names == two.features.names
    theta = random_theta(one.features)
    for ours, theirs in zip(one.terms, two.terms, strict=True):
        assert ours(theta)[0] == theirs(theta)[0]
        assert_array_equal(ours(theta)[1], theirs(theta)[1])


@pytest.mark.parametrize("jobs", [None, 2])
def test_an_error_names_the_sentence_whatever_the_shard(jobs: int | None) -> None:
    corpus = [(f"w{i}", "run") for i in range(299)] + [("The", "dogs", "run") * 3]
    short = Neighborhood(neighborhood("trans1").build, "trans1", limit=20)
    with pytest.raises(
        MachineError, match=r"sentence 300 \(The dogs run The dogs …\).*more than 20 states"
    ):
        Contrast(TrainingData(corpus, short), DICTIONARY, TAGS, 2, resources=Resources(jobs))


def test_messages_number_sentences_as_they_were_given() -> None:
    small = Neighborhood(neighborhood("trans1").build, "trans1", equivariant=True, limit=5)
    corpus = [("run",), ("run",), ("run",), ("The", "dogs", "run", "The", "dogs")]
    with pytest.raises(MachineError, match=r"^sentence 4 \(The dogs"):
        contrast_of(small, 2, sentences=corpus)


def test_a_criterion_can_be_asked_of_another_models_weights() -> None:
    length, trans1 = contrast_of("length", 2), contrast_of("trans1", 2)
    theta = random_theta(length.features, 3)
    ours = trans1.bound_to(length.features)
    fresh = contrast_of("trans1", 2, features=length.features)
    assert value_and_gradient(ours, theta)[0] == pytest.approx(
        value_and_gradient(fresh, theta)[0], rel=1e-12
    )
    back = length.bound_to(trans1.features)
    fresh = contrast_of("length", 2, features=trans1.features)
    theta = random_theta(trans1.features, 4)
    assert value_and_gradient(back, theta)[0] == pytest.approx(
        value_and_gradient(fresh, theta)[0], rel=1e-12
    )
