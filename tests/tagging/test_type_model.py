"""`fstce.tagging.type_model`: guesses for unlisted words against enumeration and laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import check_grad, minimize

from fstce import Tagger
from fstce.corpora.dictionary import TagDictionary
from fstce.errors import DictionaryError
from fstce.grammars import word_form
from fstce.tagging import type_model as module
from fstce.tagging.type_model import GuessingDictionary, TypeModel, type_model

LISTED = TagDictionary(
    {"walking": "V", "talking": ["V", "N"], "table": "N", "cable": "N", "the": "D", "a": "D"},
    open_class=["N", "V"],
)
TEXT = [["the", "gable"], ["a", "gable", "walking"], ["the", "table"]]


def test_probabilities_are_those_of_the_softmax_by_hand():
    model = type_model(LISTED, TEXT)
    number = {name: i for i, name in enumerate(model.names)}
    scores = [0.0] * len(model.tags)
    for name in word_form.build("barking"):
        for t in range(len(model.tags)):
            scores[t] += model.weights[number[name], t] if name in number else 0.0
    total = sum(map(math.exp, scores))
    assert_allclose(
        np.exp(model.log_probabilities(["barking"])[0]), [math.exp(s) / total for s in scores], rtol=1e-12
    )


def test_the_loss_has_its_gradient(monkeypatch):
    """The optimizer's view of the loss, checked by differences."""
    seen = []

    def keep(loss, start, jac, **options):
        seen.append((loss, start))
        return minimize(loss, start, jac=jac, **options)

    monkeypatch.setattr("scipy.optimize.minimize", keep)  # imported where it is called
    type_model(LISTED, TEXT)
    ((loss, start),) = seen
    theta = np.random.default_rng(1).normal(size=len(start))
    assert check_grad(lambda x: loss(x)[0], lambda x: loss(x)[1], theta) < 1e-5


def test_words_of_the_text_are_guessed_by_their_neighbours_too():
    # "bab" and "bub" look alike; the text alone tells them apart.
    nouns, verbs = ("dog", "cat", "cow"), ("run", "eat", "sit")
    listed = TagDictionary({**dict.fromkeys(nouns, "N"), **dict.fromkeys(verbs, "V"), "the": "D"})
    text = [*(["the", word] for word in (*nouns, "bab")), *([word, "the"] for word in (*verbs, "bub"))]
    model = type_model(listed, text)
    best = model.log_probabilities(["bab", "bub"]).argmax(axis=1)
    assert [model.tags[t] for t in best] == ["N", "V"]
    assert set(model.seen) == {"bab", "bub"}


@given(st.lists(st.text("abk-", min_size=1, max_size=6), min_size=1, max_size=5), st.floats(0.05, 1.0))
def test_an_unlisted_word_takes_the_fewest_tags_of_the_mass(words, mass):
    guessing = GuessingDictionary(LISTED, _MODEL, mass=mass)
    for word in (word for word in words if word not in LISTED):
        tags = guessing.lookup(word)
        assert set(tags) <= {"N", "V"}, "the open class bounds what is guessed"
        p = np.exp(_MODEL.log_probabilities([word])[0][[1, 2]])
        p /= p.sum()
        assert (len(tags) == 1) == (p.max() >= mass - 1e-9)


def test_listed_words_keep_their_tags_and_are_not_scored():
    guessing = GuessingDictionary(LISTED, _MODEL, kappa=2.0)
    assert {word: guessing.lookup(word) for word in LISTED} == dict(LISTED)
    scores = guessing.log_scores(["table", "barking"])
    assert not scores[0].any()
    allowed = np.exp(scores[1] / 2.0)
    assert_allclose(allowed.sum(), 1.0)
    assert allowed[guessing.tagset.index("D")] == 0.0


def test_a_full_memory_changes_no_guess(monkeypatch):
    whole = GuessingDictionary(LISTED, _MODEL)
    monkeypatch.setattr(module, "_REMEMBERED", 2)
    small = GuessingDictionary(LISTED, _MODEL)
    words = ["barking", "gable", "stable", "barking", "sable"]
    assert_allclose(small.log_scores(words), whole.log_scores(words))


def test_without_listed_words_there_is_nothing_to_learn():
    with pytest.raises(DictionaryError, match="lists no word"):
        type_model(TagDictionary({}, tagset=["N"]), [["a"]])


def test_one_listed_word_and_no_text_suffice():
    model = type_model(TagDictionary({"a": "D"}), [])
    assert isinstance(model, TypeModel)
    assert_allclose(model.log_probabilities(["zzz"]), [[0.0]])


@pytest.mark.parametrize("guess", [True, False])
def test_a_labelled_word_may_have_a_tag_that_was_not_guessed(guess):
    """The dictionary was said not to list the tag of a word that it does not list at all."""
    text = [["the", "table", "barking"], ["the", "cable", "talking"]]
    tagger = Tagger("trans1", order=2, guess=guess, mass=0.5, max_iterations=2)
    assert "D" not in tagger.fit(text, dictionary=LISTED).dictionary_.lookup("barking")
    tagger.fit(text, dictionary=LISTED, labelled=([["the", "barking"]], [["D", "D"]]))
    assert "D" in tagger.dictionary_["barking"]
    assert {word: tagger.dictionary_[word] for word in LISTED} == dict(LISTED)
    assert tagger.predict(text)


_MODEL = type_model(LISTED, TEXT)
