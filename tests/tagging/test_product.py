"""Products of taggers: posteriors multiplied by hand, machines intersected by OpenFst, restarts."""

from __future__ import annotations

import numpy as np
import pytest
from oracles import BruteTagger
from tagging_cases import CORPUS, DICTIONARY, weights_of

from fstce import Tagger, explain
from fstce.errors import ModelFileError, NotFittedError, ParameterError
from fstce.tagging.product import TaggerProduct


def restarts():
    """Trainings from random starts."""
    given = {"order": 2, "sigma2": None, "start": "random"}
    return [
        Tagger("trans1", **given, seed=seed).fit(CORPUS, dictionary=DICTIONARY) for seed in range(3)
    ]


@pytest.fixture(scope="module")
def members():
    return restarts()


def test_restarts_differ_and_repeat(members):
    again = restarts()
    for one, other in zip(members, again, strict=True):
        np.testing.assert_array_equal(one.theta_, other.theta_)
    assert not np.array_equal(members[0].theta_, members[1].theta_)
    assert [tagger.seed for tagger in members] == [0, 1, 2]


def test_the_product_multiplies_posteriors(members):
    (table,) = TaggerProduct(members).predict_proba([("dogs", "run")])
    for position in range(2):
        product = np.ones(len(DICTIONARY.tagset))
        for tagger in members:
            brute = BruteTagger(
                [("dogs", "run")], DICTIONARY, weights_of(tagger.features_, tagger.theta_), 2
            )
            product *= [brute.posterior(position, tag) for tag in DICTIONARY.tagset]
        np.testing.assert_allclose(table[position], product / product.sum(), atol=1e-12)


def test_one_member_is_its_own_product(members):
    product = TaggerProduct(members[:1])
    for ours, theirs in zip(
        product.predict_proba(CORPUS), members[0].predict_proba(CORPUS), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_a_product_is_saved_loaded_and_tags_alike(members, tmp_path):
    product = TaggerProduct(members)
    product.save(tmp_path / "product")
    loaded = TaggerProduct.load(tmp_path / "product")
    assert [tagger.get_params() for tagger in loaded.taggers] == [
        tagger.get_params() for tagger in members
    ]
    for one, other in zip(loaded.predict_proba(CORPUS), product.predict_proba(CORPUS), strict=True):
        np.testing.assert_array_equal(one, other)
    assert (loaded.tags_, loaded.dictionary_.to_dict()) == (
        product.tags_,
        product.dictionary_.to_dict(),
    )
    with pytest.raises(ModelFileError, match="tagger product"):
        Tagger.load(tmp_path / "product")


def test_a_product_of_what_is_not_trained_is_refused():
    with pytest.raises(NotFittedError):
        TaggerProduct([Tagger("trans1"), Tagger("length")]).predict(CORPUS)


def test_restarts_are_chosen_by_the_entropy_of_their_taggings(members):
    """The latent maximum entropy principle of Wang et al. (2002), in a line of the user's."""
    entropies = []
    for tagger in members:
        weights = weights_of(tagger.features_, tagger.theta_)
        entropies.append(sum(BruteTagger([s], DICTIONARY, weights, 2).entropy() for s in CORPUS))
    chosen = max(members, key=lambda tagger: tagger.entropy(CORPUS).sum())
    assert chosen is members[int(np.argmax(entropies))]


def test_errors(members):
    with pytest.raises(ParameterError, match="give a sequence that is not empty"):
        TaggerProduct([])
    with pytest.raises(ParameterError, match="an explanation: a product of taggers is no one"):
        explain(TaggerProduct(members), CORPUS[0])


def test_members_may_lack_tags_of_others() -> None:
    """Of a tag that one lacks it believes what the others do on the mean, by hand."""
    words = [("a", "b"), ("b", "a")]
    first = Tagger("trans1", order=1).fit(words, dictionary={"a": ("X", "Y"), "b": "X"})
    second = Tagger("trans1", order=1).fit(words, dictionary={"a": ("X", "Z"), "b": "X"})
    third = Tagger("trans1", order=1).fit(words, dictionary={"a": ("X", "Y"), "b": "X"})
    product = TaggerProduct([first, second, third])
    assert product.tags_ == ("X", "Y", "Z")

    (p,), (q,), (r,) = (t.predict_proba([("a",)])[0] for t in (first, second, third))
    x = p[0] * q[0] * r[0]
    y = p[1] * r[1] * (p[1] * r[1]) ** 0.5
    z = q[1] * q[1] * q[1]
    expected = np.array([x, y, z]) / (x + y + z)
    np.testing.assert_allclose(product.predict_proba([("a",)])[0][0], expected)
    assert product.predict([("b",)]) == [["X"]]


def test_an_impossible_tag_of_one_member_leaves_the_others_to_decide():
    hmm = Tagger(criterion="joint", order=2, smoothing=0.0)
    hmm.fit([("a", "b")], [("X", "Y")], dictionary={"a": ["X", "Y"], "b": ["X", "Y"]})
    other = Tagger(criterion="joint", order=2, smoothing=0.0)
    other.fit([("a", "b")], [("Y", "X")], dictionary={"a": ["X", "Y"], "b": ["X", "Y"]})
    (table,) = TaggerProduct([hmm, other]).predict_proba([("a", "b")])
    np.testing.assert_allclose(table.sum(axis=1), 1.0)
