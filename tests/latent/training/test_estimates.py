"""Merging: losses against enumeration, and what a merged grammar is."""

from __future__ import annotations

import numpy as np
import pytest
from oracles_latent import frequencies as enumerated
from oracles_latent import merge_loss, oracles, random_state, sentences, sums_by_parent

from fstce.latent.model.lexicon import emissions
from fstce.latent.training.estimates import (
    Estimates,
    least,
    merge,
    merge_losses,
    split,
)
from fstce.latent.training.tree_insideoutside import TreeInsideOutside, compile_forest
from fstce.latent.training.treebank import TreebankArrays, in_parts, read_treebank, treebank_grammar

TREES = (
    "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))",
    "(S (NP (NN cats)) (VP (VBZ sees) (NP (NN dog))))",
)


@pytest.fixture(scope="module")
def treebank() -> TreebankArrays:
    return read_treebank(sentences(*TREES))


def passes(treebank: TreebankArrays, state: Estimates) -> TreeInsideOutside:
    return TreeInsideOutside(compile_forest(treebank, shared=False), state.layout, treebank.tags)


def likelihood(treebank: TreebankArrays, state: Estimates) -> float:
    table = emissions(state.units, len(treebank.vocabulary.frequent))
    return passes(treebank, state).fill(state.rules, table)


def test_losses_and_frequencies(treebank: TreebankArrays) -> None:
    state = random_state(treebank, [1, 2, 2, 2, 2, 2, 2], 5)
    first, losses, frequencies = merge_losses(
        passes(treebank, state), [passes(treebank, state)], state, 0
    )
    trees = oracles(treebank, state, emissions(state.units, 0))
    assert first.tolist() == [1, 3, 5, 7, 9, 11]
    np.testing.assert_allclose(losses, [merge_loss(trees, i) for i in first], atol=1e-11)
    np.testing.assert_allclose(frequencies, enumerated(trees), rtol=1e-10)


def test_frequencies_of_shared_subtrees_and_losses_of_parts_are_those_of_the_whole(
    treebank: TreebankArrays,
) -> None:
    state = random_state(treebank, [1, 2, 2, 2, 2, 2, 2], 9)
    shared = TreeInsideOutside(compile_forest(treebank), state.layout, treebank.tags)
    parts = list(in_parts(treebank, 1))
    _, losses, frequencies = merge_losses(shared, [passes(part, state) for part in parts], state, 0)
    _, wanted, counts = merge_losses(passes(treebank, state), [passes(treebank, state)], state, 0)
    assert len(parts) == len(TREES)
    np.testing.assert_allclose(losses, wanted, atol=1e-12)
    np.testing.assert_allclose(frequencies, counts, rtol=1e-12)


def test_losses_of_four_subcategories(treebank: TreebankArrays) -> None:
    sizes = [1, *(4 if symbol == "NP" else 2 for symbol in treebank.symbols[1:])]
    state = random_state(treebank, sizes, 6)
    first, losses, _ = merge_losses(passes(treebank, state), [passes(treebank, state)], state, 0)
    trees = oracles(treebank, state, emissions(state.units, 0))
    np.testing.assert_allclose(losses, [merge_loss(trees, i) for i in first], atol=1e-11)


def test_the_loss_of_a_symbol_that_stands_once_is_exact() -> None:
    treebank = read_treebank(sentences(TREES[0], "(S (DT the) (NN dog))"))
    state = random_state(treebank, [1, 2, 2, 2, 2, 2, 2], 7)
    pairs, losses, frequencies = merge_losses(
        passes(treebank, state), [passes(treebank, state)], state, 0
    )
    before = likelihood(treebank, state)
    for name in ("NP", "VP"):
        symbol = treebank.symbols.index(name)
        pair = np.array([2 * symbol - 1])
        merged = merge(state, treebank.tags, pair, frequencies)
        expected = losses[np.flatnonzero(pairs == pair[0])[0]]
        assert before - likelihood(treebank, merged) == pytest.approx(expected, abs=1e-10)


def test_merging_all_undoes_a_split(treebank: TreebankArrays, monkeypatch) -> None:
    monkeypatch.setattr("fstce.latent.training.estimates.NOISE", 1e-12)
    grammar = treebank_grammar(treebank)
    before = Estimates(grammar, grammar.rules, grammar.lexicon.counts)
    twins = split(before, np.random.default_rng(0))
    pairs, losses, frequencies = merge_losses(
        passes(treebank, twins), [passes(treebank, twins)], twins, 0
    )
    after = merge(twins, treebank.tags, least(pairs, losses, 1.0), frequencies)
    assert after.layout.sizes.tolist() == before.layout.sizes.tolist()
    np.testing.assert_allclose(after.rules, before.rules, rtol=1e-10)
    np.testing.assert_allclose(after.units, before.units, rtol=1e-10)
    np.testing.assert_allclose(losses, 0, atol=1e-9)


def test_merged_rules_stay_normalized(treebank: TreebankArrays) -> None:
    state = random_state(treebank, [1, 4, 2, 4, 2, 4, 2], 8)
    _, _, frequencies = merge_losses(passes(treebank, state), [passes(treebank, state)], state, 0)
    merged = merge(state, treebank.tags, np.array([3, 5, 9]), frequencies)
    totals = sums_by_parent(merged.layout, merged.rules)
    np.testing.assert_allclose(totals[totals > 0], 1)
    assert merged.layout.sizes.tolist() == [1, 3, 1, 3, 2, 4, 2]
    assert merged.units.sum() == pytest.approx(state.units.sum())


def test_least_is_half_and_ties_go_by_place() -> None:
    losses = np.array([1, 3, 5, 7, 9]), np.array([2.0, 1, 1, 1, 9])
    assert least(*losses, 0.5).tolist() == [3, 5]
    assert least(*losses, 0.0).tolist() == []
    assert least(*losses, 1.0).tolist() == [1, 3, 5, 7, 9]
