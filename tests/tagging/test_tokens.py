"""Features of tokens: affixes, shape, words beside, gazetteers, in a supervised chain and elsewhere."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from scipy.special import logsumexp

from fstce import TagDictionary, Tagger, explain
from fstce.errors import CorpusError, ParameterError
from fstce.grammars import token_features
from fstce.tagging.export import export
from fstce.tagging.unknown_words import training_dictionary

# "saw" is a noun behind "the" and a verb elsewhere; -ing are verbs, capitals names
TEXT = [
    s.split()
    for s in ("the saw fell", "Kim saw the dog", "Lee saw Kim", "dogs barking", "Kim walking")
]
GOLD = [["D", "N", "V"], ["P", "V", "D", "N"], ["P", "V", "P"], ["N", "V"], ["P", "V"]]


def crf(**parameters: object) -> Tagger:
    given = {"criterion": "conditional", "features": ("form", "context"), "order": 2, **parameters}
    return Tagger(**given).fit(TEXT, GOLD)


def test_the_likelihood_equals_the_enumeration() -> None:
    tagger = Tagger(criterion="conditional", features=("form", "context"), order=2, sigma2=None)
    objective = tagger.compile(TEXT, GOLD)
    theta = np.random.default_rng(0).normal(size=tagger.features_.size)
    weight = dict(zip(tagger.features_.names, theta.tolist(), strict=True))
    allowed = training_dictionary(tagger.dictionary_, TEXT, GOLD, 4)

    def score(words: list[str], tags: tuple[str, ...]) -> float:
        history = ("<boundary>", *tags, "<boundary>")
        ngrams = sum(weight.get(("ngram", *pair), 0.0) for pair in itertools.pairwise(history))
        around = ["", *words, ""]
        names = [
            token_features.build(
                token_features.in_context(*around[i : i + 3]), ("form", "context"), {}
            )
            for i in range(len(words))
        ]
        return ngrams + sum(
            weight.get(("spelling", name, t), 0.0)
            for own, t in zip(names, tags, strict=True)
            for name in own
        )

    expected = 0.0
    for words, tags in zip(TEXT, GOLD, strict=True):
        taggings = itertools.product(*(allowed.lookup(word) for word in words))
        expected += score(words, tuple(tags)) - logsumexp([score(words, one) for one in taggings])
    assert objective(theta)[0] == pytest.approx(expected, rel=1e-9)


def test_only_what_is_observed_has_a_weight() -> None:
    """Weights of features with every tag that a rare word might take were twenty times as many."""
    tagger = crf()
    observed = {
        ("spelling", name, tag)
        for words, tags in zip(TEXT, GOLD, strict=True)
        for left, word, right, tag in zip(["", *words], words, [*words[1:], ""], tags, strict=False)
        for name in token_features.build(
            token_features.in_context(left, word, right), ("form", "context"), {}
        )
    }
    assert {name for name in tagger.features_.names if name[0] != "ngram"} == observed


def test_words_beside_decide_where_tags_cannot() -> None:
    plain, beside = crf(features=("form",), order=1), crf(features=("context",), order=1)
    sentences = [["the", "saw", "fell"], ["Kim", "saw", "the"]]
    assert [tags[1] for tags in beside.predict(sentences)] == ["N", "V"]
    assert len({tags[1] for tags in plain.predict(sentences)}) == 1


def test_forms_are_learnt_for_unknown_words() -> None:
    tagger = crf()
    assert tagger.predict([["Ann", "jogging"]]) == [["P", "V"]]
    assert "jogging" not in tagger.dictionary_


def test_words_seen_once_take_open_classes_in_training() -> None:
    dictionary = TagDictionary({"the": "D", "saw": ["N", "V"], "fell": "V"}, open_class=["N", "V"])
    found = training_dictionary(dictionary, [["the", "the", "fell"]], [["D", "D", "N"]], 1)
    assert found["the"] == ("D",)
    assert found["fell"] == ("N", "V")


def test_a_gazetteer_is_a_feature(tmp_path: Path) -> None:
    lists = {"Ann": "name", "Kim": ["name"], "Lee": "name"}
    tagger = crf(features=(), gazetteer=lists)
    names = [name for name in tagger.features_.names if name[1] == "gazetteer=name"]
    assert {name[2] for name in names} >= {"P"}
    tagger.save(tmp_path / "model")
    assert Tagger.load(tmp_path / "model").predict([["Ann", "fell"]]) == tagger.predict(
        [["Ann", "fell"]]
    )


def test_a_saved_model_tags_alike(tmp_path: Path) -> None:
    tagger = crf()
    tagger.save(tmp_path / "model")
    loaded = Tagger.load(tmp_path / "model")
    sentences = [*TEXT, ["Ann", "jogging"]]
    for own, other in zip(
        tagger.predict_proba(sentences), loaded.predict_proba(sentences), strict=True
    ):
        np.testing.assert_array_equal(own, other)
    assert loaded.measure(TEXT[:3], GOLD[:3]) == tagger.measure(TEXT[:3], GOLD[:3])


def test_what_knows_no_words_beside_is_refused(tmp_path: Path) -> None:
    tagger = crf()
    with pytest.raises(
        ParameterError, match="the features of the context look at the words next to a word"
    ):
        export(tagger.weighted_, tmp_path / "out")
    with pytest.raises(
        ParameterError, match="the features of the context look at the words next to a word"
    ):
        explain(tagger, TEXT[0], "trans1")


def test_the_separator_is_no_part_of_a_word() -> None:
    with pytest.raises(CorpusError, match="sentence 1: the word 'a␟b' holds ␟"):
        crf().predict([["a␟b"]])


def test_form_serves_every_contrast(tmp_path: Path) -> None:
    tagger = Tagger("trans1", order=2, features=("form",), max_iterations=5).fit(TEXT, GOLD)
    export(tagger.weighted_, tmp_path / "out")
    tagger.save(tmp_path / "model")
    assert Tagger.load(tmp_path / "model").predict(TEXT) == tagger.predict(TEXT)
    assert explain(tagger, TEXT[0]).neighborhood == "trans1"
