"""`fstce.tagging.unknown_words`: tags of unknown words against enumeration and laws."""

from __future__ import annotations

import math
import pickle
import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from patience import patience

from fstce import Tagger
from fstce.corpora.dictionary import TagDictionary
from fstce.errors import DictionaryError
from fstce.grammars import word_form
from fstce.tagging import unknown_words as module
from fstce.tagging import unknown_words as type_module
from fstce.tagging.unknown_words import (
    COVERAGE,
    Neighbors,
    UnknownWordData,
    UnknownWordDictionary,
    UnknownWordModel,
)

LISTED = TagDictionary(
    {"walking": "V", "talking": ["V", "N"], "table": "N", "cable": "N", "the": "D", "a": "D"},
    open_class=["N", "V"],
)
TEXT = [["the", "gable"], ["a", "gable", "walking"], ["the", "table"]]


def test_probabilities_are_those_of_the_softmax_by_hand():
    model = UnknownWordData(LISTED, TEXT).model
    number = {name: i for i, name in enumerate(model.names)}
    scores = [0.0] * len(model.tags)
    for name in word_form.folded("barking"):
        for t in range(len(model.tags)):
            scores[t] += model.weights[number[name], t] if name in number else 0.0
    total = sum(map(math.exp, scores))
    assert_allclose(
        np.exp(model.log_probabilities(["barking"])[0]),
        [math.exp(s) / total for s in scores],
        rtol=1e-12,
    )


def test_words_of_the_text_are_predicted_by_their_neighbours_too():
    # "bab" and "bub" look alike; the text alone tells them apart.
    nouns, verbs = ("dog", "cat", "cow"), ("run", "eat", "sit")
    listed = TagDictionary({**dict.fromkeys(nouns, "N"), **dict.fromkeys(verbs, "V"), "the": "D"})
    text = [
        *(["the", word] for word in (*nouns, "bab")),
        *([word, "the"] for word in (*verbs, "bub")),
    ]
    model = UnknownWordData(listed, text).model
    best = model.log_probabilities(["bab", "bub"]).argmax(axis=1)
    assert [model.tags[t] for t in best] == ["N", "V"]
    assert set(model.seen) == {"bab", "bub"}


def test_a_capital_hides_neither_affixes_nor_a_listed_word():
    """At the beginning of a sentence `The` was a name, and `Barking` had no suffix of other words."""
    names = dict.fromkeys(("Anna", "Berta", "Clara", "Dora", "Emma"), "N")
    small = {
        "the": "D",
        "The": "D",
        "a": "D",
        "A": "D",
        "an": "D",
        "An": "D",
        "walking": "V",
        "talking": "V",
    }
    model = UnknownWordData(TagDictionary({**names, **small, "any": "D"}), []).model
    best = model.log_probabilities(["Any", "Frida", "Barking"]).argmax(axis=1)
    assert [model.tags[t] for t in best] == ["D", "N", "V"]


def test_the_words_beside_a_rare_word_say_less():
    """One place says little; with the whole of its weight Malagasy lost 1.7 points to more raw text."""
    nouns, verbs = ("dog", "cat", "cow"), ("run", "eat", "sit")
    listed = TagDictionary({**dict.fromkeys(nouns, "N"), **dict.fromkeys(verbs, "V"), "the": "D"})
    text = [["the", word] for word in nouns] * 5 + [[word, "the"] for word in verbs] * 5
    once, often = (
        UnknownWordData(listed, text + [["the", "bab"]] * n).model.log_probabilities(["bab"])[0]
        for n in (1, 20)
    )
    noun = UnknownWordData(listed, text).model.tags.index("N")
    assert 1 / 3 < np.exp(once[noun]) < np.exp(often[noun])


@given(st.lists(st.text("abegikln-", min_size=1, max_size=9), min_size=1, max_size=5))
@example(["barking", "zz"])
def test_an_unknown_word_takes_the_fewest_tags_of_the_coverage(words):
    predicting = UnknownWordDictionary(LISTED, _MODEL)
    for word in (word for word in words if word not in LISTED):
        tags = predicting.lookup(word)
        assert set(tags) <= {"N", "V"}, "the open class bounds what is predicted"
        p = np.exp(_MODEL.log_probabilities([word])[0])
        assert (len(tags) == 1) == (p.max() >= COVERAGE - 1e-9)


def test_listed_words_keep_their_tags_and_are_not_scored():
    predicting = UnknownWordDictionary(LISTED, _MODEL)
    assert {word: predicting.lookup(word) for word in LISTED} == dict(LISTED)
    scores = predicting.log_scores(["table", "barking"])
    assert not scores[0].any()
    allowed = np.exp(scores[1])
    assert_allclose(allowed.sum(), 1.0)
    assert allowed[predicting.tagset.index("D")] == 0.0


def test_words_asked_for_together_are_those_asked_for_one_by_one():
    words = ["barking", "table", "gable", "zz", "the", "barking", "Sable"]
    together, alone = (UnknownWordDictionary(LISTED, _MODEL) for _ in range(2))
    assert together.lookup_all(words) == [alone.lookup(word) for word in words]
    assert_allclose(together.log_scores(words), np.vstack([alone.log_scores([w]) for w in words]))
    assert together.lookup_all([]) == [] and together.log_scores([]).shape == (0, 3)


def test_a_full_memory_changes_no_prediction(monkeypatch):
    whole = UnknownWordDictionary(LISTED, _MODEL)
    monkeypatch.setattr(module, "_REMEMBERED", 2)
    small = UnknownWordDictionary(LISTED, _MODEL)
    words = ["barking", "gable", "stable", "barking", "sable"]
    assert_allclose(small.log_scores(words), whole.log_scores(words))


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=4), max_size=5), st.integers(1, 3))
def test_neighbors_are_counted_as_by_hand(text, frequent):
    neighbors = Neighbors.of_text(text, frequent)
    names = [f"{side}={name}" for side in ("left", "right") for name in neighbors.column]
    counted = Counter(word for sentence in text for word in sentence)
    common = {word for word, _ in counted.most_common(frequent)}
    around = {word: Counter() for word in counted}
    for sentence in text:
        for i, word in enumerate(sentence):
            left, right = (["<s>", *sentence][i], [*sentence, "</s>"][i + 1])
            shown = [w if w in common or "<" in w else "<unk>" for w in (left, right)]
            around[word].update((f"left={shown[0]}", f"right={shown[1]}"))
    for word, row in zip(
        [*counted, "absent"], neighbors.shares([*counted, "absent"]).toarray(), strict=True
    ):
        seen = {name: value for name, value in zip(names, row, strict=True) if value}
        own = around.get(word, {})
        assert seen == pytest.approx(
            {name: (n / (counted[word] + type_module.DOUBT)) ** 0.5 for name, n in own.items()}
        )


def test_an_unknown_word_model_waits_until_an_unknown_word_is_asked_for():
    """It took three seconds at every fit, with or without unknown words."""
    tagger = Tagger("trans1", order=2).fit([["the", "table", "talking"]], dictionary=LISTED)
    evidence = tagger.dictionary_.source
    assert tagger.predict([["a", "cable"]]) == [["D", "N"]]
    assert "model" not in vars(evidence)
    assert tagger.predict([["a", "sable"]])
    assert "model" in vars(evidence)


def test_predictions_are_the_same_whenever_they_are_learnt(tmp_path):
    text, asked = (
        [["the", "table", "talking"], ["a", "cable", "walking"]],
        [["the", "sable", "barking"]],
    )
    first, late = (Tagger("trans1", order=2).fit(text, dictionary=LISTED) for _ in range(2))
    expected = first.predict_proba(asked)[0]
    text[0][1] = "walking"  # after the training
    late.save(tmp_path / "model")
    for tagger in (late, Tagger.load(tmp_path / "model"), pickle.loads(pickle.dumps(first))):
        assert_array_equal(tagger.predict_proba(asked)[0], expected)


def test_an_open_class_that_no_listed_word_has_is_predicted_evenly():
    closed = TagDictionary({"the": "D", "a": "D"}, tagset=["D", "N", "V"], open_class=["N", "V"])
    assert_allclose(
        np.exp(UnknownWordData(closed, TEXT).model.log_probabilities(["barking", "gable"])), 0.5
    )
    assert UnknownWordDictionary(closed, UnknownWordData(closed, TEXT)).lookup("barking") == (
        "N",
        "V",
    )


def test_a_model_over_the_whole_tagset_is_asked_for_open_tags_alone():
    """So were models saved that did not say their tags."""
    rng = np.random.default_rng(2)
    weights = {tag: rng.normal(size=2) for tag in ("D", "N", "V")}
    names = ("suffix=g", "prefix=b")
    models = [
        UnknownWordModel(tags, names, np.array([weights[t] for t in tags]).T, {}, word_form.build)
        for tags in ("DNV", "NV")
    ]
    one, two = (UnknownWordDictionary(LISTED, model) for model in models)
    assert_allclose(one.log_scores(["barking"]), two.log_scores(["barking"]))


def test_one_listed_word_and_no_text_suffice():
    model = UnknownWordData(TagDictionary({"a": "D"}), []).model
    assert isinstance(model, UnknownWordModel)
    assert_allclose(model.log_probabilities(["zzz"]), [[0.0]])


@pytest.mark.parametrize("predicted", [True, False])
def test_a_labelled_word_may_have_a_tag_that_was_not_predicted(predicted):
    """The dictionary was said not to list the tag of a word that it does not list at all."""
    text = [["the", "table", "barking"], ["the", "cable", "talking"]]
    tagger = Tagger("trans1", order=2, unknown_word_model=predicted, max_iterations=2)
    assert "D" not in tagger.fit(text, dictionary=LISTED).dictionary_.lookup("barking")
    tagger.fit(text, dictionary=LISTED, labelled=([["the", "barking"]], [["D", "D"]]))
    assert "D" in tagger.dictionary_["barking"]
    assert {word: tagger.dictionary_[word] for word in LISTED} == dict(LISTED)
    assert tagger.predict(text)


_MODEL = UnknownWordData(LISTED, TEXT).model


def test_of_very_many_words_those_of_the_text_and_some_others_are_learned_from(monkeypatch):
    """A dictionary of two million words took 9 GB."""
    monkeypatch.setattr(module, "MOST_LISTED", 20)
    nouns = [f"{chr(97 + i % 26)}{i}ble" for i in range(100)]
    verbs = [f"{chr(97 + i % 26)}{i}king" for i in range(100)]
    listed = TagDictionary({**dict.fromkeys(nouns, "N"), **dict.fromkeys(verbs, "V")})
    data = UnknownWordData(listed, [["sable", nouns[1], verbs[1]]])
    learned = data._learned_from()
    assert learned[:2] == [nouns[1], verbs[1]] and len(learned) == len(set(learned)) <= 22
    best = data.model.log_probabilities(["stable", "barking"]).argmax(axis=1)
    assert [data.model.tags[t] for t in best] == ["N", "V"]
    assert module.spaced(nouns) == nouns[::5] and module.spaced([]) == []


def test_many_tags_are_numbered_in_one_pass() -> None:
    """Each tag was looked for in a list: a hundred thousand were not done in minutes."""
    listed = TagDictionary({f"w{i}": f"t{i}" for i in range(30_000)})
    predicting = UnknownWordDictionary(listed, UnknownWordData(listed, []))
    began = time.process_time()
    columns, allowed = predicting._columns
    assert time.process_time() - began < patience(2)
    assert [predicting.model.tags[i] for i in columns[:9]] == [
        listed.tagset[i] for i in allowed[:9]
    ]


def test_more_words_and_tags_than_there_is_room_for_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    predicting = UnknownWordDictionary(LISTED, UnknownWordData(LISTED, []))
    monkeypatch.setattr(module, "memory", lambda: 100)
    with pytest.raises(
        DictionaryError, match=r"1 unknown words that may have 3 tags .*coarser set"
    ):
        predicting.lookup("barking")
