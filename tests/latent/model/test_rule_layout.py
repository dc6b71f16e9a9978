"""The flat layout of rules against loops over rules."""

from __future__ import annotations

import numpy as np
from oracles_latent import normalized

from fstce.latent.model.rule_layout import RuleLayout, offsets_of

BINARY = np.array([[1, 2, 2], [1, 3, 2], [3, 2, 3]])
UNARY = np.array([[0, 1], [1, 2]])
SIZES = np.array([1, 2, 3, 4])


def layout() -> RuleLayout:
    return RuleLayout(BINARY, UNARY, SIZES)


def test_blocks_have_the_shapes_of_rules() -> None:
    flat = np.arange(float(layout().starts[-1]))
    blocks = layout().arrays(flat)
    assert [block.shape for block in blocks] == [(2, 3, 3), (2, 4, 3), (4, 3, 4), (1, 2), (2, 3)]
    assert np.concatenate([block.ravel() for block in blocks]).tolist() == flat.tolist()
    assert all(np.shares_memory(block, flat) for block in layout().matrices(flat))


def sums(flat: np.ndarray) -> np.ndarray:
    """The sums of each parent subcategory, rule by rule."""
    found = np.zeros(int(SIZES.sum()))
    for rule, block in zip([*BINARY, *UNARY], layout().matrices(flat), strict=True):
        for x, row in enumerate(block):
            found[offsets_of(SIZES)[rule[0]] + x] += row.sum()
    return found


def test_normalized_sums_to_one_or_stays() -> None:
    rng = np.random.default_rng(0)
    counts, before = rng.random((2, int(layout().starts[-1])))
    for block in (0, 1, 4):
        layout().matrices(counts)[block][1] = 0
    found = normalized(layout(), counts, before)
    np.testing.assert_allclose(np.delete(sums(found), [2, *range(3, 6)]), 1)
    for number in (0, 1, 4):
        was, now = layout().matrices(before)[number], layout().matrices(found)[number]
        assert now[1].tolist() == was[1].tolist()
        ratio = now[0] / layout().matrices(counts)[number][0]
        np.testing.assert_allclose(ratio, 1 / sums(counts)[1])


def test_negligible_probabilities_become_zero() -> None:
    counts = np.ones(int(layout().starts[-1]))
    counts[0] = 1e-31
    assert normalized(layout(), counts, counts)[0] == 0


def test_no_binary_rules() -> None:
    only = RuleLayout(np.zeros((0, 3), dtype=np.int64), np.array([[0, 1]]), np.array([1, 2]))
    numbers = np.array([1.0, 3.0])
    assert normalized(only, numbers, numbers).tolist() == [0.25, 0.75]
