"""Smoothing: each subcategory is moved to the mean of its symbol's, by the formula."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import sample
from fstce.latent.model.rule_layout import smoothed
from fstce.latent.training.estimates import Schedule
from fstce.latent.training.trainer import Trainer
from fstce.latent.training.treebank import read_treebank


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.floats(0, 1), st.integers(0, 99))
def test_columns_are_smoothed_by_the_formula(sizes: list[int], weight: float, seed: int) -> None:
    table = np.random.default_rng(seed).random((3, sum(sizes)))
    found = smoothed(table, np.array(sizes), weight)
    begin = 0
    for size in sizes:
        block = table[:, begin : begin + size]
        for x in range(size):
            expected = (1 - weight) * block[:, x] + weight * np.mean(block, axis=1)
            np.testing.assert_allclose(found[:, begin + x], expected, atol=1e-15)
        begin += size


def test_rules_smoothed_altogether_are_the_mean_of_their_symbol() -> None:
    treebank = read_treebank(sample()[:40])
    schedule = Schedule(1, 3, 2, 1, rule_smoothing=1.0, lexicon_smoothing=0.0)
    *_, smooth = Trainer(treebank, schedule).cycles()
    for block in smooth.finest.matrices(smooth.finest.rules):
        np.testing.assert_allclose(block, np.broadcast_to(block.mean(axis=0), block.shape))
    *_, plain = Trainer(treebank, Schedule(1, 3, 2, 1, 0.0, 0.0)).cycles()
    rules = zip(
        plain.finest.matrices(plain.finest.rules),
        smooth.finest.matrices(smooth.finest.rules),
        strict=True,
    )
    for before, after in rules:
        np.testing.assert_allclose(before.mean(axis=0), after[0], rtol=1e-9)
