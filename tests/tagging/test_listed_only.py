"""Which weights exist where only listed words have some, and variances by kind of feature."""

from __future__ import annotations

import numpy as np
import pytest

from fstce import TagDictionary, Tagger
from fstce.machines.symbols import Symbols

SENTENCES = [["the", "walking", "dog"], ["a", "dog", "barked"], ["the", "barking", "cat"]]
LISTED = {"the": "D", "a": "D", "dog": "N", "cat": "N", "walking": ("N", "V")}
DICTIONARY = TagDictionary(LISTED, ("D", "N", "V"), unseen="all")


def _compiled(**parameters: object) -> Tagger:
    tagger = Tagger("trans1", order=2, spelling=True, unknown_word_model=False, **parameters)
    tagger.compile(SENTENCES, dictionary=DICTIONARY)
    return tagger


def test_only_listed_words_have_weights() -> None:
    every = _compiled().features_.names
    names = _compiled(listed_only=True).features_.names

    assert {name[1] for name in names if name[0] == "word"} == set(LISTED)
    assert {name for name in every if name[0] == "ngram"} == {n for n in names if n[0] == "ngram"}

    pairs = [(word, tag) for word, tags in LISTED.items() for tag in tags]
    spelt = {
        ("spelling", f"suffix={word[-n:]}", tag)
        for word, tag in pairs
        for n in (1, 2, 3)
        if len(word) >= n
    }
    assert {name for name in names if name[0] == "spelling"} == spelt
    assert ("spelling", "suffix=ing", "D") in every


def test_words_not_listed_score_by_their_spelling_alone() -> None:
    tagger = _compiled(listed_only=True)
    theta = np.random.default_rng(1).normal(size=tagger.features_.size)
    weight = dict(zip(tagger.features_.names, theta, strict=True))
    extended = Symbols([*tagger.features_.symbols, "barking"])

    word = extended.ids(["barking"]).astype(np.int64)
    _, feature = tagger.features_.emission_entries(extended, word, np.array([2]))
    score = float(theta[tagger.features_.first_word :][feature].sum())
    suffixes = [weight.get(("spelling", f"suffix={end}", "V"), 0.0) for end in ("g", "ng", "ing")]
    assert score == pytest.approx(sum(suffixes))


@pytest.mark.parametrize("listed_only", [False, True])
def test_each_kind_of_feature_has_its_variance(listed_only: bool) -> None:
    variance = {"spelling": 10.0, "ngram": 0.1}
    tagger = _compiled(sigma2=variance, listed_only=listed_only)
    objective = tagger.compile(SENTENCES, dictionary=DICTIONARY)
    flat = tagger.set_params(sigma2=None).compile(SENTENCES, dictionary=DICTIONARY)

    theta = np.random.default_rng(0).normal(size=tagger.features_.size)
    of_weights = np.array([variance.get(name[0], 1.0) for name in tagger.features_.names])
    penalty = float((theta**2 / (2 * of_weights)).sum())
    assert objective.value_and_gradient(theta)[0] == pytest.approx(
        flat.value_and_gradient(theta)[0] - penalty, abs=1e-9
    )
    slope = objective.value_and_gradient(theta)[1] - flat.value_and_gradient(theta)[1]
    assert slope == pytest.approx(-theta / of_weights, abs=1e-9)


def test_variances_are_saved(tmp_path: object) -> None:
    tagger = Tagger("trans1", order=2, spelling=True, sigma2={"spelling": 10.0}, listed_only=True)
    tagger.fit(SENTENCES, dictionary=DICTIONARY).save(f"{tmp_path}/model")
    again = Tagger.load(f"{tmp_path}/model")
    assert again.sigma2 == {"spelling": 10.0} and again.listed_only
    assert again.predict(SENTENCES) == tagger.predict(SENTENCES)
