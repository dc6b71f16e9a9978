"""Rows of tag histories give what enumeration and the packed automata give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import BruteTagger
from tagging_cases import CORPUS, DICTIONARY, weights_of

from fstce import TagDictionary, Tagger
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.registry import neighborhood
from fstce.wfsa.batch import Shard, TagAutomaton, pack_products
from fstce.wfsa.dense import DenseLattices, DenseSum
from fstce.wfsa.features import EmissionTable, TagFeatures, tag_pairs
from fstce.wfsa.terms import LatticeSum

WORDS = ["a", "b", "c", "d"]
TAGS = ["N", "P", "V"]


def both(sentences, listed, counts, name="identity", order=2):
    """The same sum by rows of histories and by automata, over all n-grams that occur."""
    dictionary = TagDictionary(listed, TAGS)
    symbols = Symbols(WORDS)
    pairs = tag_pairs(symbols, WORDS, dictionary, TAGS)
    structure = TagAutomaton(symbols, pairs, TAGS, order)
    rows = list(neighborhood(name).expand(sentences, symbols))
    batch = pack_products(structure, rows)
    lattices = DenseLattices.of(structure, rows, counts)
    codes = lattices.codes
    assert codes.tolist() == np.unique(batch.ngram).tolist()
    features = TagFeatures.from_pairs(TAGS, order, symbols, codes[::2], *pairs, True, missing=-0.5)
    emissions = EmissionTable(features, symbols, *pairs)
    dense = DenseSum(features, emissions, lattices, -0.7)
    return dense, LatticeSum(features, emissions, [Shard(batch, counts)], -0.7), features


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), min_size=1, max_size=4),
    st.lists(st.sets(st.sampled_from(TAGS), min_size=1), min_size=4, max_size=4),
    st.sampled_from([0.0, 1.0, 30.0, 900.0]),
    st.sampled_from([0.0, 0.1, 0.6]),
    st.sampled_from(["identity", "trans1", "delortrans1", "del1subseq", "window2"]),
    st.sampled_from([2, 3]),
    st.integers(0, 99),
)
def test_is_the_sum_over_automata(sentences, tags, scale, closed, name, order, seed) -> None:
    rng = np.random.default_rng(seed)
    listed = dict(zip(WORDS, tags, strict=True))
    counts = rng.uniform(0.5, 2, len(sentences))
    chain, automata, features = both(sentences, listed, counts, name, order)
    theta = rng.normal(0, scale, features.size)
    theta[rng.random(features.size) < closed] = -np.inf
    for found, wanted in zip(chain(theta), automata(theta), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


def test_masses_that_are_all_but_zero_are_summed_by_automata() -> None:
    """A row of 1e-300 has an inverse, and products with it overflow."""
    rng = np.random.default_rng(29)
    for scale in (400.0, 650.0, 900.0):
        for seed in range(20):
            sentences = [["a"], ["b", "c", "d", "b"], ["c", "a", "b", "d", "b"]]
            chain, automata, features = both(
                sentences, {w: {"N", "P", "V"} for w in WORDS}, rng.uniform(0.5, 2, 3)
            )
            theta = np.random.default_rng(seed).normal(0, scale, features.size)
            with np.errstate(all="raise", under="ignore"):
                value, gradient = chain(theta)
            assert value == pytest.approx(automata(theta)[0])
            np.testing.assert_allclose(gradient, automata(theta)[1], rtol=1e-9, atol=1e-9)


@pytest.fixture
def always(monkeypatch):
    """The toy tagset has too few tags for rows of histories to pay."""
    monkeypatch.setattr("fstce.wfsa.dense.MANY", 0)


@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_is_the_sum_over_taggings(scale: float, always) -> None:
    gold = [tuple(DICTIONARY.lookup(word)[0] for word in words) for words in CORPUS]
    tagger = Tagger(criterion="conditional", order=2, sigma2=None, unknown_word_model=False)
    (term,) = tagger.compile(CORPUS, gold, dictionary=DICTIONARY).denominators
    assert isinstance(term, DenseSum)
    theta = np.random.default_rng(1).normal(0, scale, tagger.features_.size)
    weights = weights_of(tagger.features_, theta)
    value, gradient = term(theta)
    brute = [BruteTagger([words], DICTIONARY, weights, 2) for words in CORPUS]
    assert value == pytest.approx(-sum(one.log_z for one in brute), rel=1e-9)
    counts = [one.expected_counts() for one in brute]
    names = tagger.features_.names
    np.testing.assert_allclose(
        gradient, [-sum(one[name] for one in counts) for name in names], atol=1e-9
    )


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("given_", [{"criterion": "em"}, {"neighborhood": "trans1"}])
def test_words_with_most_tags_are_summed_so(given_, order, always, monkeypatch) -> None:
    """EM of 45 tags without a dictionary took ten times as long by automata."""
    listed = TagDictionary({word: TAGS for words in CORPUS for word in words})
    dense, sparse = (Tagger(**given_, order=order, unknown_word_model=False) for _ in range(2))
    chain = dense.compile(CORPUS, dictionary=listed)
    monkeypatch.setattr("fstce.wfsa.compile.is_dense", lambda *_: False)
    automata = sparse.compile(CORPUS, dictionary=listed)
    for rows, arcs in zip(chain.terms, automata.terms, strict=True):
        assert isinstance(rows, DenseSum) and isinstance(arcs, LatticeSum)

    assert dense.features_.names == sparse.features_.names
    theta = np.random.default_rng(3).normal(size=dense.features_.size)
    for found, wanted in zip(chain(theta), automata(theta), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


def test_a_dictionary_or_few_tags_keep_automata() -> None:
    tags = [f"t{i}" for i in range(40)]
    words = {word for words in CORPUS for word in words}
    ambiguous = TagDictionary({word: tags[i : i + 2] for i, word in enumerate(words)}, tags)
    for dictionary in (DICTIONARY, ambiguous):
        objective = Tagger("trans1", order=3).compile(CORPUS, dictionary=dictionary)
        assert {type(term) for term in objective.terms} == {LatticeSum}

    objective = Tagger("trans1").compile(
        CORPUS, dictionary=TagDictionary(dict.fromkeys(words, tags))
    )
    assert {type(term) for term in objective.terms} == {DenseSum}


def test_blocks_and_threads_change_nothing(always) -> None:
    rng, words = np.random.default_rng(0), [f"w{i}" for i in range(50)]
    text = [[words[i] for i in rng.integers(0, 50, rng.integers(1, 30))] for _ in range(3000)]
    tags = [["N" if word < "w3" else "V" for word in row] for row in text]
    listed = TagDictionary(dict.fromkeys(words, ("N", "V")))
    found = []
    for jobs in (1, 2):
        tagger = Tagger(criterion="conditional", order=2, jobs=jobs)
        found.append(tagger.compile(text, tags, dictionary=listed)(np.ones(tagger.features_.size)))
    np.testing.assert_array_equal(found[0][1], found[1][1])
    assert found[0][0] == found[1][0]
