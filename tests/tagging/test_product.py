"""Products of taggers: posteriors multiplied by hand, machines intersected by OpenFst, restarts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pynini
import pytest
from oracles import BruteTagger
from tagging_cases import CORPUS, DICTIONARY, weights_of

from fstce import Tagger, explain
from fstce.errors import ModelFileError, NotFittedError, ParameterError
from fstce.machines.lattice import Lattice
from fstce.tagging.export import emission_fst, export, tag_ngram_fst
from fstce.tagging.product import TaggerProduct
from fstce.wfsa import compile


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
    np.testing.assert_allclose(product.intersect().theta_, members[0].theta_)


def test_the_intersection_adds_the_weights_of_every_tagging(members):
    whole = TaggerProduct(members).intersect()
    for sentence in CORPUS:
        for tags, score in whole.k_best([sentence], 50)[0]:
            parts = [
                {tuple(y): w for y, w in tagger.k_best([sentence], 50)[0]}[tuple(tags)]
                for tagger in members
            ]
            assert score == pytest.approx(sum(parts), abs=1e-9)


def test_n_grams_that_a_member_does_not_keep_weigh_what_they_weigh_there(monkeypatch):
    """An HMM with too many n-grams keeps those that occur; in the product the others weighed nothing."""
    monkeypatch.setattr(compile, "DENSE_LIMIT", 3)
    words = {"a": "D", "dog": ("N", "V"), "cat": ("N", "V"), "runs": "V"}
    texts = [[("a", "dog", "runs", "cat")], [("cat", "runs", "a", "dog")]]
    hmm = {"criterion": "em", "order": 2, "max_iterations": 3}
    members = [Tagger(**hmm).fit(text, dictionary=words) for text in texts]
    assert all(member.features_.missing < 0 for member in members)
    whole = TaggerProduct(members).intersect()
    row = ("runs", "dog", "cat", "a", "a")
    for tags, score in whole.k_best([row], 4)[0]:
        parts = [
            {tuple(y): w for y, w in member.k_best([row], 4)[0]}[tuple(tags)] for member in members
        ]
        assert score == pytest.approx(sum(parts), abs=1e-9)


def test_the_intersection_is_that_of_openfst(members):
    """sentence ∘ emissions, twice, each with its own history: path weights add in the tropical semiring."""
    sentence, (one, other) = ("dogs", "run"), members[:2]
    machines = []
    for tagger in (one, other):
        symbols = tagger.features_.symbols
        words = Lattice.of_sentence(sentence, symbols).to_fst()
        words.set_input_symbols(None).set_output_symbols(None)
        emissions, history = emission_fst(tagger.weighted_), tag_ngram_fst(tagger.weighted_)
        for fst in (emissions, history):
            fst.set_input_symbols(None).set_output_symbols(None)
        tagged = pynini.compose(words, emissions)
        machines.append(pynini.compose(tagged, history).project("output").rmepsilon())
    both = pynini.arcmap(
        pynini.intersect(machines[0].arcsort(), machines[1].arcsort()), map_type="to_standard"
    )
    path = pynini.shortestpath(both).topsort()
    best = float(pynini.shortestdistance(path, reverse=True)[path.start()])
    product = TaggerProduct([one, other]).intersect()
    assert -best == pytest.approx(product.k_best([sentence], 1)[0][0][1], abs=1e-4)


def test_members_of_different_neighbourhoods_and_vocabularies(members):
    length = Tagger("length", order=2, spelling=True).fit(CORPUS[:4], dictionary=DICTIONARY)
    whole = TaggerProduct([members[0], length]).intersect()
    names = weights_of(whole.features_, whole.theta_)
    for tagger in (members[0], length):
        assert set(weights_of(tagger.features_, tagger.theta_)) <= set(names)
    for name, weight in names.items():
        parts = [weights_of(t.features_, t.theta_).get(name, 0.0) for t in (members[0], length)]
        assert weight == pytest.approx(sum(parts))
    assert whole.predict([("wug", "runs")])


def test_the_intersection_is_saved_like_a_tagger(members, tmp_path):
    product = TaggerProduct(members).intersect()
    product.save(tmp_path / "product")
    loaded = Tagger.load(tmp_path / "product")
    np.testing.assert_array_equal(loaded.theta_, product.theta_)
    assert loaded.predict(CORPUS) == product.predict(CORPUS)


def test_a_product_is_saved_loaded_and_tags_alike(members, tmp_path):
    product = TaggerProduct(members)
    product.save(tmp_path / "product")
    loaded = TaggerProduct.load(tmp_path / "product")
    assert [tagger.get_params() for tagger in loaded.taggers] == [
        tagger.get_params() for tagger in members
    ]
    for one, other in zip(loaded.predict_proba(CORPUS), product.predict_proba(CORPUS), strict=True):
        np.testing.assert_array_equal(one, other)
    assert loaded.k_best(CORPUS[:2], 2) == product.intersect().k_best(CORPUS[:2], 2)
    assert (loaded.tags_, loaded.dictionary_.to_dict()) == (
        product.tags_,
        product.dictionary_.to_dict(),
    )
    with pytest.raises(ModelFileError, match="tagger product"):
        Tagger.load(tmp_path / "product")


def test_a_product_is_fitted_member_by_member():
    members = [Tagger(kind, order=2, max_iterations=3) for kind in ("trans1", "length")]
    product = TaggerProduct(members)
    with pytest.raises(NotFittedError):
        product.predict(CORPUS)
    product.fit(CORPUS, dictionary=DICTIONARY)
    for kind, tagger in zip(("trans1", "length"), product.taggers, strict=True):
        alone = Tagger(kind, order=2, max_iterations=3).fit(CORPUS, dictionary=DICTIONARY)
        np.testing.assert_array_equal(tagger.theta_, alone.theta_)


def test_a_product_is_exported_and_explained_as_its_machines_product(members, tmp_path):
    product = TaggerProduct(members)
    export(product.weighted_, tmp_path / "machines")
    assert (tmp_path / "machines" / "history.fst").exists()
    whole, own = explain(product, CORPUS[0]), explain(product.intersect(), CORPUS[0])
    assert whole.to_dict(5) == own.to_dict(5)


def test_the_best_sequence_of_the_product_of_machines(members):
    product = TaggerProduct(members, decoder="viterbi")
    assert product.predict(CORPUS) == [rows[0][0] for rows in product.k_best(CORPUS, 1)]
    assert product.score(CORPUS, product.predict(CORPUS)) == 1.0


def test_an_explained_product_of_auto_asks_about_trans1():
    text, words = [("a", "dog", "ran"), ("a", "cat", "sat")], {"a": "D", "dog": "N"}
    member = Tagger(order=2, max_iterations=1).fit(text, dictionary=words)
    assert explain(TaggerProduct([member]), text[0]).neighborhood == "trans1"


def test_a_loaded_product_runs_no_file_that_it_names(members, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("raise SystemExit('run')\n")
    product = TaggerProduct(members[:1])
    product.save("product")
    loaded = TaggerProduct.load("product")
    loaded.taggers[0].neighborhood = "./mine.py"
    with pytest.raises(ParameterError, match="nothing that a saved model names is run"):
        explain(loaded, CORPUS[0])


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
    other = Tagger(order=2).fit([("a",)], dictionary={"a": "X"})
    with pytest.raises(ParameterError, match="different tagsets have no common machine"):
        TaggerProduct([*members, other]).intersect()
    higher = Tagger(order=3).fit(CORPUS, dictionary=DICTIONARY)
    with pytest.raises(ParameterError, match="different orders"):
        TaggerProduct([*members, higher]).intersect()


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
