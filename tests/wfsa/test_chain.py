"""LENGTH on one chain equals the lattice of wildcards and the enumeration of Σ^m."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from oracles import BruteTagger
from tagging_cases import DICTIONARY, ORDERS, random_theta, weights_of

from fstce.errors import MachineError
from fstce.grammars import tag_ngrams
from fstce.machines.symbols import Symbols
from fstce.neighborhoods import neighborhood
from fstce.wfsa.batch import pack
from fstce.wfsa.chain import WildcardChain
from fstce.wfsa.compile import tag_pairs
from fstce.wfsa.features import TagFeatures
from fstce.wfsa.intersect import TagAutomaton
from fstce.wfsa.terms import EmissionTable, LatticeSum, LengthSum

Floats = NDArray[np.float64]
VOCABULARY = ("The", "dogs", "B52s")
LENGTHS = np.array([3, 1, 2])
EACH = pytest.mark.parametrize("order", ORDERS)


def parts(order: int) -> tuple[TagFeatures, Symbols, TagAutomaton, EmissionTable]:
    symbols, tags = Symbols(VOCABULARY), DICTIONARY.tagset
    pairs = tag_pairs(symbols, VOCABULARY, DICTIONARY, tags)
    ngrams = tag_ngrams.possible(len(tags), order)
    features = TagFeatures.from_pairs(tags, order, symbols, ngrams, *pairs, True)
    emissions = EmissionTable(features, symbols, *pairs, wildcards=True)
    return features, symbols, TagAutomaton(*pairs, len(tags), order), emissions


def by_lattice(order: int, lengths: list[int], coefficient: Floats) -> tuple[TagFeatures, LatticeSum]:
    """The same sums over lattices of ``<sigma>`` arcs."""
    features, symbols, automaton, emissions = parts(order)
    sentences = [VOCABULARY[:1] * n for n in lengths]
    batch = pack(automaton.products(neighborhood("length").expand(sentences, symbols)))
    return features, LatticeSum(features, emissions, [(batch, coefficient)])


@EACH
@pytest.mark.parametrize("scale", [0.5, 20.0])
def test_value_and_gradient_equal_the_lattice_of_wildcards(order: int, scale: float) -> None:
    coefficient = np.array([-1.0, 2.0, -3.5])
    features, lattice = by_lattice(order, LENGTHS.tolist(), coefficient)
    chain = LengthSum(features, parts(order)[3], LENGTHS, coefficient)
    theta = random_theta(features, order, scale)
    (value, gradient), (expected, slope) = chain(theta), lattice(theta)
    assert value == pytest.approx(expected, rel=1e-12)
    assert_allclose(gradient, slope, rtol=1e-9, atol=1e-11)


@EACH
def test_value_and_gradient_equal_the_enumeration_of_all_strings(order: int) -> None:
    features, _, _, emissions = parts(order)
    coefficient = np.array([-1.0, 2.0, -3.5])
    theta = random_theta(features, order)
    value, gradient = LengthSum(features, emissions, LENGTHS, coefficient)(theta)
    total, expected = 0.0, dict.fromkeys(features.names(), 0.0)
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
    chain = WildcardChain(4, order, lengths)
    log_z, ngrams, wildcards = chain(np.zeros(5**order), np.log([1.0, 2.0, 3.0, 4.0]), np.ones(3))
    assert_allclose(log_z, lengths * np.log(10.0), rtol=1e-12)
    assert ngrams.sum() == pytest.approx(lengths.sum() + len(lengths))
    assert_allclose(wildcards, lengths.sum() * np.array([0.1, 0.2, 0.3, 0.4]))


@EACH
@pytest.mark.parametrize("height", [-3000.0, 3000.0])
def test_scores_far_from_zero(order: int, height: float) -> None:
    features, _, _, emissions = parts(order)
    term = LengthSum(features, emissions, LENGTHS, np.ones(3))
    theta = random_theta(features, order)
    value, gradient = term(theta)
    moved = theta.copy()
    moved[: len(features.ngrams)] += height
    lifted, same = term(moved)
    assert lifted == pytest.approx(value + height * (LENGTHS + 1).sum(), rel=1e-11)
    assert_allclose(same, gradient, rtol=1e-8, atol=1e-10)


@EACH
def test_a_tag_without_words_counts_nothing(order: int) -> None:
    chain = WildcardChain(2, order, np.array([1, 4]))
    log_z, _, wildcards = chain(np.zeros(3**order), np.array([1.0, -np.inf]), np.ones(2))
    assert_allclose(log_z, [1.0, 4.0])
    assert_allclose(wildcards, [5.0, 0.0])


def test_a_table_too_large_is_refused() -> None:
    with pytest.raises(MachineError, match=r"5,735,339 tag n-grams.*coarser set or lower the order"):
        WildcardChain(178, 3, np.array([3]))
