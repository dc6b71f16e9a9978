"""Inside and outside passes against the enumeration of all assignments of subcategories."""

from __future__ import annotations

import numpy as np
import pytest
from oracles_latent import frequencies, normalized, oracles, random_state, sentences

from fstce.latent.model.lexicon import emissions
from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.training import tree_insideoutside
from fstce.latent.training.tree_insideoutside import TreeInsideOutside, compile_forest
from fstce.latent.training.treebank import TreebankArrays, read_treebank

TREES = (
    "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))",
    "(S (NP (NN cats)) (VP (VBZ sees) (NP (DT the) (NN dog))))",
    "(NN Stop)",
    "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))",
)


@pytest.fixture(scope="module")
def treebank() -> TreebankArrays:
    return read_treebank(sentences(*TREES))


@pytest.fixture(scope="module", params=[1, 2, 3])
def case(request, treebank: TreebankArrays):
    """A treebank whose symbols have one, two or three subcategories by turns, but ROOT one."""
    sizes = [1, *(1 + (i + request.param) % 3 for i in range(len(treebank.symbols) - 1))]
    state = random_state(treebank, sizes, request.param)
    table = emissions(state.units, len(treebank.vocabulary.frequent))
    return state, table, oracles(treebank, state, table)


def rule_counts(passes: TreeInsideOutside, rules: np.ndarray) -> np.ndarray:
    """The expected counts of all rules, after `fill`."""
    matrices = passes.layout.matrices(rules)
    return np.concatenate(
        [passes.counted(rule, matrix).ravel() for rule, matrix in enumerate(matrices)]
    )


@pytest.mark.parametrize("shared", [True, False])
def test_likelihood_and_counts(treebank: TreebankArrays, case, shared: bool) -> None:
    state, table, trees = case
    passes = TreeInsideOutside(compile_forest(treebank, shared), state.layout, treebank.tags)
    value = passes.fill(state.rules, table)
    counts = [tree.counts() for tree in trees]
    assert value == pytest.approx(sum(np.log(tree.total()) for tree in trees), rel=1e-12)
    np.testing.assert_allclose(
        rule_counts(passes, state.rules), sum(rules for rules, _ in counts), rtol=1e-10, atol=1e-12
    )
    np.testing.assert_allclose(
        passes.unit_counts(table), sum(units for _, units in counts), rtol=1e-10, atol=1e-12
    )


def test_posteriors_of_subcategories(treebank: TreebankArrays, case) -> None:
    state, table, trees = case
    passes = TreeInsideOutside(compile_forest(treebank), state.layout, treebank.tags)
    passes.fill(state.rules, table)
    pairs = zip(passes.inside, passes.outside, strict=True)
    flat = np.concatenate([(inside * outside).sum(axis=0) for inside, outside in pairs])
    np.testing.assert_allclose(flat, frequencies(trees), rtol=1e-10)
    sums = np.add.reduceat(flat, offsets_of(state.layout.sizes)[:-1])
    np.testing.assert_allclose(sums, np.bincount(treebank.symbol), rtol=1e-10)


def test_a_long_sentence_does_not_underflow() -> None:
    words = " ".join(f"(NN w{i})" for i in range(400))
    treebank = read_treebank(sentences(f"(NP {words})"))
    state = random_state(treebank, [1, 2, 2, 2], 0)
    tiny = np.full_like(state.units, 1e-5)
    passes = TreeInsideOutside(compile_forest(treebank), state.layout, treebank.tags)
    value = passes.fill(state.rules, tiny)
    assert np.isfinite(value) and value < -400 * 11
    assert passes.unit_counts(tiny).sum() == pytest.approx(400)
    assert rule_counts(passes, state.rules).sum() == pytest.approx(400)


@pytest.mark.parametrize("jobs", [2, 5])
def test_threads_change_no_bit(treebank: TreebankArrays, case, monkeypatch, jobs: int) -> None:
    state, table, _ = case
    monkeypatch.setattr(tree_insideoutside, "WORK", 0)
    forest = compile_forest(treebank)
    one, several = (
        TreeInsideOutside(forest, state.layout, treebank.tags, threads) for threads in (None, jobs)
    )
    assert one.fill(state.rules, table) == several.fill(state.rules, table)
    np.testing.assert_array_equal(rule_counts(one, state.rules), rule_counts(several, state.rules))
    np.testing.assert_array_equal(one.unit_counts(table), several.unit_counts(table))
    rules, again = state.rules.copy(), state.rules.copy()
    for of_one, of_several in zip(
        one.em_step(rules, table), several.em_step(again, table), strict=True
    ):
        np.testing.assert_array_equal(of_one, of_several)
    np.testing.assert_array_equal(rules, again)


@pytest.mark.parametrize("threads", [None, 2])
def test_a_step_in_place_is_that_of_the_expected_counts(
    treebank: TreebankArrays, threads: int | None
) -> None:
    state = random_state(treebank, [1, 2, 3, 2, 2, 1, 2], 4)
    table = emissions(state.units, 0)
    passes = TreeInsideOutside(compile_forest(treebank), state.layout, treebank.tags, threads)
    value, units = passes.fill(state.rules, table), passes.unit_counts(table)
    counted = rule_counts(passes, state.rules)
    rules = state.rules.copy()
    found = passes.em_step(rules, table)
    assert found[0] == value
    assert np.array_equal(found[1], units)
    assert np.array_equal(rules, normalized(state.layout, counted, state.rules))
