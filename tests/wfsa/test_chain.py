"""LENGTH on one chain equals the lattice of wildcards and the enumeration of Σ^m."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from oracles import BruteTagger
from tagging_cases import DICTIONARY, ORDERS, length_sums, random_theta, weights_of

from fstce import TagDictionary, Tagger
from fstce.errors import MachineError
from fstce.grammars import tag_ngrams
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.registry import neighborhood
from fstce.wfsa.batch import Shard, TagAutomaton, pack_products
from fstce.wfsa.chain import LengthSum
from fstce.wfsa.features import EmissionTable, TagFeatures, tag_pairs
from fstce.wfsa.terms import LatticeSum

Floats = NDArray[np.float64]
VOCABULARY = ("The", "dogs", "B52s")
LENGTHS = np.array([3, 1, 2])
EACH = pytest.mark.parametrize("order", ORDERS)
pytestmark = pytest.mark.filterwarnings("error")


def parts(order: int) -> tuple[TagFeatures, Symbols, TagAutomaton, EmissionTable]:
    symbols, tags = Symbols(VOCABULARY), DICTIONARY.tagset
    pairs = tag_pairs(symbols, VOCABULARY, DICTIONARY, tags)
    ngrams = tag_ngrams.possible(len(tags), order)
    features = TagFeatures.from_pairs(tags, order, symbols, ngrams, *pairs, True)
    emissions = EmissionTable(features, symbols, *pairs, wildcards=True)
    return features, symbols, TagAutomaton(symbols, pairs, tags, order), emissions


def by_chain(order: int, coefficient: Floats) -> LengthSum:
    """The sum over all lengths as the model has it."""
    features, _, _, emissions = parts(order)
    return LengthSum(features, emissions, LENGTHS, coefficient)


def by_lattice(
    order: int, lengths: list[int], coefficient: Floats
) -> tuple[TagFeatures, LatticeSum]:
    """The same sums over lattices of ``<sigma>`` arcs."""
    features, symbols, structure, emissions = parts(order)
    sentences = [VOCABULARY[:1] * n for n in lengths]
    batch = pack_products(structure, neighborhood("length").expand(sentences, symbols))
    return features, LatticeSum(features, emissions, [Shard(batch, coefficient)])


@EACH
@pytest.mark.parametrize("scale", [0.5, 20.0])
def test_value_and_gradient_equal_the_lattice_of_wildcards(order: int, scale: float) -> None:
    coefficient = np.array([-1.0, 2.0, -3.5])
    features, lattice = by_lattice(order, LENGTHS.tolist(), coefficient)
    chain = by_chain(order, coefficient)
    theta = random_theta(features, order, scale)
    (value, gradient), (expected, slope) = chain(theta), lattice(theta)
    assert value == pytest.approx(expected, rel=1e-12)
    assert_allclose(gradient, slope, rtol=1e-9, atol=1e-11)


@EACH
def test_value_and_gradient_equal_the_enumeration_of_all_strings(order: int) -> None:
    features = parts(order)[0]
    coefficient = np.array([-1.0, 2.0, -3.5])
    theta = random_theta(features, order)
    value, gradient = by_chain(order, coefficient)(theta)
    total, expected = 0.0, dict.fromkeys(features.names, 0.0)
    for m, c in zip(LENGTHS.tolist(), coefficient.tolist(), strict=True):
        strings = itertools.product(VOCABULARY, repeat=m)
        brute = BruteTagger(strings, DICTIONARY, weights_of(features, theta), order)
        total += c * brute.log_z
        for name, n in brute.expected_counts().items():
            expected[name] += c * n
    assert value == pytest.approx(total, rel=1e-12)
    assert_allclose(gradient, list(expected.values()), rtol=1e-9, atol=1e-12)


@EACH
def test_without_weights_log_z_counts_the_tagged_strings(order: int) -> None:
    lengths = np.array([1, 5, 200])
    wild = np.log([1.0, 2.0, 3.0, 4.0])
    log_z, ngrams, wildcards = length_sums(order, np.zeros(5**order), wild, lengths, np.ones(3))
    assert_allclose(log_z, lengths * np.log(10.0), rtol=1e-12)
    assert ngrams.sum() == pytest.approx(lengths.sum() + len(lengths))
    assert_allclose(wildcards, lengths.sum() * np.array([0.1, 0.2, 0.3, 0.4]))


@EACH
@pytest.mark.parametrize("height", [-3000.0, 3000.0])
def test_scores_far_from_zero(order: int, height: float) -> None:
    features = parts(order)[0]
    term = by_chain(order, np.ones(3))
    theta = random_theta(features, order)
    value, gradient = term(theta)
    moved = theta.copy()
    moved[: len(features.ngrams)] += height
    lifted, same = term(moved)
    assert lifted == pytest.approx(value + height * (LENGTHS + 1).sum(), rel=1e-11)
    assert_allclose(same, gradient, rtol=1e-8, atol=1e-10)


@EACH
def test_a_tag_without_words_counts_nothing(order: int) -> None:
    wild = np.array([1.0, -np.inf])
    log_z, _, wildcards = length_sums(order, np.zeros(3**order), wild, [1, 4], np.ones(2))
    assert_allclose(log_z, [1.0, 4.0])
    assert_allclose(wildcards, [5.0, 0.0])


def in_log_space(
    order: int,
    ngram_scores: Floats,
    wildcard_scores: Floats,
    lengths: list[int],
    coefficient: list[float],
) -> tuple[Floats, Floats, Floats]:
    """The same sums, one length at a time, as trigrams in log space."""
    base = len(wildcard_scores) + 1
    table = np.broadcast_to(ngram_scores.reshape((base,) * order), (base,) * 3)
    step, stop = table[:, :, :-1] + wildcard_scores, table[:, :, -1]
    log_z, counts = [], np.zeros((base,) * 3)
    alpha = [np.full((base, base), -np.inf)]
    alpha[0][-1, -1] = 0.0
    beta = [stop]
    for _ in range(max(lengths)):
        reached = np.full((base, base), -np.inf)
        reached[:, :-1] = np.logaddexp.reduce(alpha[-1][:, :, None] + step, axis=0)
        alpha.append(reached)
        beta.append(np.logaddexp.reduce(step + beta[-1][None, :, :-1], axis=2))
    for m, c in zip(lengths, coefficient, strict=True):
        log_z.append(np.logaddexp.reduce(alpha[m] + stop, axis=None))
        if log_z[-1] == -np.inf:
            continue
        counts[:, :, -1] += c * np.exp(alpha[m] + stop - log_z[-1])
        for i in range(m):
            through = alpha[i][:, :, None] + step + beta[m - 1 - i][None, :, :-1]
            counts[:, :, :-1] += c * np.exp(through - log_z[-1])
    ngrams = counts.sum(axis=tuple(range(3 - order))).ravel()
    return np.array(log_z), ngrams, counts[:, :, :-1].sum(axis=(0, 1))


def check(order: int, ngram_scores: Floats, wildcard_scores: Floats, lengths: list[int]) -> None:
    """The chain equals the twin, all lengths in one."""
    coefficient = np.resize([-1.0, 2.0, -0.5], len(lengths))
    found = length_sums(order, ngram_scores, wildcard_scores, lengths, coefficient)
    expected = in_log_space(order, ngram_scores, wildcard_scores, lengths, coefficient.tolist())
    for ours, theirs in zip(found, expected, strict=True):
        assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)


def scores(
    n_tags: int, order: int, scale: float, seed: int, holes: float = 0.0
) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    ngrams = rng.normal(0.0, scale, (n_tags + 1) ** order)
    ngrams[rng.random(len(ngrams)) < holes] = -np.inf
    return ngrams, rng.normal(0.0, scale, n_tags)


def bigrams(rows: list[list[float]]) -> Floats:
    """Log weights by (last, next), the boundary last in both."""
    with np.errstate(divide="ignore"):
        return np.log(np.array(rows)).ravel()


@EACH
@pytest.mark.parametrize("scale", [0.1, 1.0, 6.0])
def test_long_chains_equal_log_space(order: int, scale: float) -> None:
    check(order, *scores(3, order, scale, seed=0), [300, 7, 41, 120])


@given(
    st.sampled_from(ORDERS),
    st.integers(1, 4),
    st.floats(0, 5),
    st.integers(0, 999),
    st.floats(0, 0.7),
)
def test_random_tables_with_impossible_ngrams(
    order: int, n_tags: int, scale: float, seed: int, holes: float
) -> None:
    check(order, *scores(n_tags, order, scale, seed, holes), [1, 2, 5, 40])


@pytest.mark.parametrize("lengths", [[1, 2, 3], [50, 101], [100]])
def test_a_chain_that_alternates_has_no_limit(lengths: list[int]) -> None:
    table = bigrams([[0, 0.5, 1], [2, 0, 3], [1, 0, 0]])
    check(2, table, np.zeros(2), lengths)


@pytest.mark.parametrize("link", [1e-20, 1e-60, 1e-200])
def test_a_rare_tag_that_outgrows_the_others_is_counted(link: float) -> None:
    table = bigrams([[1.0, link, 0], [0, 3.0, 1.0], [1.0, 0, 0]])
    check(2, table, np.zeros(2), [50, 400, 800])


def test_a_sentence_that_only_one_length_can_have() -> None:
    table = bigrams([[0, 0.5, 0], [0, 0, 0.25], [1, 0, 0]])
    log_z, ngrams, wildcards = length_sums(2, table, np.zeros(2), [1, 2, 3, 90], np.ones(4))
    assert_allclose(log_z, [-np.inf, np.log(0.125), -np.inf, -np.inf])
    assert_allclose(ngrams.reshape(3, 3), [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert_allclose(wildcards, [1, 1])


@EACH
def test_no_tag_has_a_word(order: int) -> None:
    wild = np.full(2, -np.inf)
    log_z, ngrams, wildcards = length_sums(order, np.zeros(3**order), wild, [1, 9], np.ones(2))
    assert np.all(log_z == -np.inf) and not ngrams.any() and not wildcards.any()


@EACH
def test_a_chain_can_be_called_again(order: int) -> None:
    features = parts(order)[0]
    chain = by_chain(order, np.ones(3))
    theta = random_theta(features, order)
    first = chain(theta)
    chain(random_theta(features, order, 5.0))
    again = chain(theta)
    assert first[0] == again[0]
    assert_array_equal(first[1], again[1])


def test_a_table_too_large_is_refused_before_anything_is_built() -> None:
    words = [f"w{i}" for i in range(30)]
    dictionary = TagDictionary({word: [f"t{i}" for i in range(271)] for word in words})
    begin = time.process_time()
    with pytest.raises(
        MachineError, match=r"20,123,648 tag n-grams.*coarser set or lower the order"
    ):
        Tagger("length", order=3).compile([words], dictionary=dictionary)
    assert time.process_time() - begin < 1
