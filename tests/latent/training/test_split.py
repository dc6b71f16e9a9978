"""Splitting keeps what it should and breaks symmetry."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from oracles_latent import random_state, sentences

from fstce.latent.model.rule_layout import RuleLayout
from fstce.latent.training.estimates import Estimates, split
from fstce.latent.training.treebank import TreebankArrays, read_treebank


@pytest.fixture(scope="module")
def treebank() -> TreebankArrays:
    return read_treebank(
        sentences(
            "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (NN cats)) (VP (VBZ run)))"
        )
    )


@pytest.fixture(scope="module")
def before(treebank: TreebankArrays) -> Estimates:
    return random_state(treebank, [1, 1, 2, 3, 1, 2, 1], 0)


def split_(state: Estimates, seed: int = 0) -> Estimates:
    return split(state, np.random.default_rng(seed))


def test_sizes_double_but_for_the_root(before: Estimates) -> None:
    assert split_(before).layout.sizes.tolist() == [1, 2, 4, 6, 2, 4, 2]


def test_sums_over_childrens_twins_are_kept(before: Estimates) -> None:
    after = split_(before)
    pairs = zip(before.layout.arrays(before.rules), after.layout.arrays(after.rules), strict=True)
    for old, new in pairs:
        together = new
        for axis in range(1, new.ndim):
            together = np.add.reduceat(together, np.arange(0, new.shape[axis], 2), axis=axis)
        np.testing.assert_allclose(together, old.repeat(len(new) // len(old), axis=0))


def test_noise_is_small_and_parts_all_twins(before: Estimates) -> None:
    after = split_(before)
    pairs = zip(before.layout.arrays(before.rules), after.layout.arrays(after.rules), strict=True)
    for old, new in itertools.islice(pairs, len(before.layout.binary)):
        base = old.repeat(2, axis=0).repeat(2, axis=1).repeat(2, axis=2) / 4
        ratio = new / base - 1
        assert 0.001 < np.abs(ratio).max() <= 0.01
        assert (new[:, 0::2] != new[:, 1::2]).all() and (new[:, :, 0::2] != new[:, :, 1::2]).all()
        assert (new[0::2] != new[1::2]).all()


def test_words_are_shared_out_evenly(before: Estimates) -> None:
    np.testing.assert_array_equal(split_(before).units, before.units.repeat(2, axis=1) / 2)


def test_a_seed_is_a_split(before: Estimates) -> None:
    assert split_(before, 1).rules.tobytes() == split_(before, 1).rules.tobytes()
    assert split_(before, 1).rules.tobytes() != split_(before, 2).rules.tobytes()


def test_only_unary_rules() -> None:
    layout = RuleLayout(np.zeros((0, 3), dtype=np.int64), np.array([[0, 1]]), np.array([1, 1]))
    after = split_(Estimates(layout, np.ones(1), np.ones((1, 1))))
    assert after.rules.sum() == pytest.approx(1) and len(after.rules) == 2
