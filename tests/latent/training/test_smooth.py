"""Smoothing: laws of the mixing matrix, and sides traced by hand and by descent."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from oracles_latent import random_state, sentences

from fstce.latent.model.rule_layout import mixing
from fstce.latent.training.estimates import Smoother, first_split
from fstce.latent.training.treebank import read_treebank


@given(st.lists(st.integers(0, 3), min_size=1, max_size=8), st.floats(0, 1))
def test_mixing_keeps_distributions_and_sides(sides: list[int], weight: float) -> None:
    matrix = mixing(np.sort(np.array(sides)), weight)
    np.testing.assert_allclose(matrix.sum(axis=1), 1)
    np.testing.assert_allclose(matrix, matrix.T)
    apart = np.sort(sides)[:, None] != np.sort(sides)[None, :]
    assert (matrix[apart] == 0).all() and (matrix >= 0).all()


@given(arrays(np.float64, 5, elements=st.floats(0, 1)))
def test_mixing_is_the_formula(values: np.ndarray) -> None:
    sides = np.array([0, 0, 0, 1, 2])
    mixed = mixing(sides, 0.1) @ values
    for x in range(5):
        siblings = [y for y in range(5) if sides[y] == sides[x] and y != x]
        mean = np.mean(values[siblings]) if siblings else values[x]
        np.testing.assert_allclose(mixed[x], 0.9 * values[x] + 0.1 * mean, atol=1e-15)


def random_descent(seed: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Four cycles of five symbols: each split is kept or undone by chance; ROOT stays one."""
    rng = np.random.default_rng(seed)
    sizes, ancestors = [np.ones(5, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for _ in range(4):
        copies = rng.integers(1, 3, int(sizes[-1].sum()))
        copies[0] = 1
        owner = np.repeat(np.arange(5), sizes[-1])
        ancestors.append(np.repeat(np.arange(len(copies)), copies))
        sizes.append(np.bincount(owner, copies).astype(np.int64))
    return sizes, ancestors


@given(st.integers(0, 10_000))
def test_first_split_is_where_lineages_part(seed: int) -> None:
    sizes, ancestors = random_descent(seed)
    sides = np.arange(5)
    for before, after, origin in zip(sizes[:-1], sizes[1:], ancestors[1:], strict=True):
        sides = first_split(SimpleNamespace(sizes=before, sides=sides), after, origin)
    owner = np.repeat(np.arange(5), sizes[-1])
    lineages = [np.arange(len(owner))]
    for ancestor in reversed(ancestors[1:]):
        lineages.append(ancestor[lineages[-1]])
    levels = lineages[::-1]
    for x in range(len(owner)):
        for y in range(len(owner)):
            level = next((n for n in range(5) if sizes[n][owner[x]] > 1), 4)
            together = owner[x] == owner[y] and levels[level][x] == levels[level][y]
            assert (sides[x] == sides[y]) == together


def test_smoother_mixes_by_side() -> None:
    treebank = read_treebank(sentences("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"))
    state = random_state(treebank, [1, 2, 2, 3, 2, 2, 2], 1)
    sides = np.array([0, 1, 2, 3, 4, 5, 5, 6, 7, 7, 8, 8, 9, 10])
    smoother = Smoother(state.layout, treebank.tags, sides, 0.2, 0.1)
    before, after = (
        state.layout.arrays(state.rules)[0],
        state.layout.arrays(smoother.rules(state.rules.copy()))[0],
    )
    assert treebank.symbols[treebank.binary[0, 0]] == "NP"
    np.testing.assert_allclose(after[0], 0.8 * before[0] + 0.2 * before[1])
    np.testing.assert_allclose(after[2], before[2])
    table = np.random.default_rng(0).random((4, 6))
    words = smoother.words(table)
    np.testing.assert_allclose(words[:, :4], table[:, :4])
    np.testing.assert_allclose(words[:, 4], 0.9 * table[:, 4] + 0.1 * table[:, 5])
