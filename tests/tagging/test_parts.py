"""Taggers whose tags have parts: what they learn, save, explain and refuse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fstce import TagDictionary, Tagger, TaggerProduct, explain
from fstce.errors import ParameterError
from fstce.tagging.export import export
from fstce.tagging.unknown_words import MOST, EndingModel, UnknownWordData, UnknownWordDictionary

DICTIONARY = {
    "the": ("det|sg", "det|pl"),
    "this": "det|sg",
    "these": "det|pl",
    "dog": "n|sg",
    "dogs": "n|pl",
    "sheep": ("n|sg", "n|pl"),
    "runs": "v|sg",
    "run": "v|pl",
    "fell": ("v|sg", "v|pl"),
}
TEXT = [
    line.split()
    for line in (
        "this dog runs",
        "these dogs run",
        "this sheep runs",
        "these sheep run",
        "the dog runs",
        "the dogs run",
        "the dog fell",
        "these dogs fell",
    )
]


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger(order=2, parts="|").fit(TEXT, dictionary=DICTIONARY)


def test_agreement_is_learned_from_what_is_unambiguous(tagger: Tagger) -> None:
    assert tagger.predict([["this", "sheep", "fell"]]) == [["det|sg", "n|sg", "v|sg"]]
    assert tagger.predict([["these", "sheep", "fell"]]) == [["det|pl", "n|pl", "v|pl"]]
    assert tagger.contrasts_ == ("length",)
    assert ("parts", "det", "pl") in tagger.weights()


def test_parts_have_a_tenth_of_the_variance(tagger: Tagger) -> None:
    objective = tagger.compile(TEXT, dictionary=DICTIONARY)
    theta = np.full(tagger.features_.size, 0.5)
    pairs = tagger.features_.first_word
    prior, gradient = objective.prior(theta)
    assert prior == pytest.approx(-0.125 * (10 * pairs + len(theta) - pairs))
    assert gradient[0] == -5.0 and gradient[-1] == -0.5
    tagger.train(objective)


@pytest.mark.parametrize(
    "parts",
    ["|", {tag: tag.split("|") for tag in ("det|sg", "det|pl", "n|sg", "n|pl", "v|sg", "v|pl")}],
)
def test_is_saved_with_its_parts(parts: object, tmp_path: Path) -> None:
    tagger = Tagger(order=2, parts=parts).fit(TEXT, dictionary=DICTIONARY)  # type: ignore[arg-type]
    tagger.save(tmp_path / "model")
    loaded = Tagger.load(tmp_path / "model")
    assert_array_equal(loaded.theta_, tagger.theta_)
    assert loaded.features_.names == tagger.features_.names
    assert loaded.k_best(TEXT, 3) == tagger.k_best(TEXT, 3)


def test_is_explained_exported_and_multiplied(tagger: Tagger, tmp_path: Path) -> None:
    assert "ngram  n|sg" in str(explain(tagger, TEXT[0], neighborhood="trans1"))
    export(tagger.weighted_, tmp_path / "machines", TEXT[:1])
    product = TaggerProduct([tagger, tagger])
    expected = TaggerProduct([tagger]).predict(TEXT)
    assert product.predict(TEXT) == expected
    product.save(tmp_path / "product")
    assert TaggerProduct.load(tmp_path / "product").predict(TEXT) == expected


def test_supervised_criteria_learn_pairs_too() -> None:
    gold = [
        [DICTIONARY[w] if isinstance(DICTIONARY[w], str) else DICTIONARY[w][0] for w in row]
        for row in TEXT
    ]
    tagger = Tagger(order=2, parts="|", criterion="conditional").fit(TEXT, gold)  # type: ignore[arg-type]
    assert tagger.score(TEXT, gold) > 0.9  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"order": 3}, {"criterion": "em"}, {"criterion": "joint"}])
def test_weigh_bigrams_and_no_hmm(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match="pairs of them weigh bigrams"):
        Tagger(**{"order": 2, "parts": "|", **wrong}).fit(TEXT, [["x"]], dictionary=DICTIONARY)  # type: ignore[arg-type]


MANY = TagDictionary(
    {
        f"{stem}{ending}": f"{ending}.{n % 3}"
        for n, stem in enumerate("bcdfgh")
        for ending in (f"{a}{b}" for a in "aeiouy" for b in "klmnprst")
    }
)


def test_of_many_tags_endings_predict_some() -> None:
    predicting = UnknownWordDictionary(MANY, UnknownWordData(MANY, [["zak"]]))
    assert isinstance(predicting.model, EndingModel)
    assert set(predicting.lookup("zak")) >= {"ak.0", "ak.1", "ak.2"}
    assert 3 <= len(predicting.lookup("zak")) <= MOST
    assert len(predicting.lookup("q")) <= MOST
    assert not predicting.log_scores(["zak", "bak"]).any()


def test_endings_are_probabilities_backed_off_by_hand() -> None:
    model = EndingModel(TagDictionary({"ab": "X", "cb": ("X", "Y")}, ["X", "Y", "Z"]))
    # n = 2 words, shares 1.5, .5, 0; P_0 = (n(t) + 1/3) / 3, then the same counts for the ending b
    p = np.full(3, 1 / 3)
    counts = np.array([1.5, 0.5, 0.0])
    for _ in range(3):  # no letter, capitals told apart, the last letter
        p = (counts + p) / 3
    assert np.exp(model.log_probabilities(["xb"]))[0] == pytest.approx(p)


def test_a_tagger_of_many_tags_is_saved(tmp_path: Path) -> None:
    text = [["bak", "zak", "cel"], ["zel", "dis"]]
    tagger = Tagger(order=2, parts=".", max_iterations=2).fit(text, dictionary=MANY)
    tagger.save(tmp_path / "model")
    assert Tagger.load(tmp_path / "model").k_best(text, 2) == tagger.k_best(text, 2)
