"""The real semiring: its range check, and its posteriors against log space for any factors."""

from __future__ import annotations

import numpy as np
import pytest
from chart_cases import MODEL, compiled, lattices, sentence
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from fstce.chart import insideoutside as semiring
from fstce.chart.batch import ItemFactors, Pack
from fstce.chart.insideoutside import NARROW, RANGE, SAFE, RealChart
from fstce.machines.lattice import Lattice


def chart(pack: Pack, weights: ItemFactors) -> RealChart:
    return RealChart(pack.graph, weights)


def drawn(pack: Pack, seed: int, zeros: float) -> ItemFactors:
    """Weights of their own for every item, not tied by features; some zero."""
    rng, like = np.random.default_rng(seed), pack.factors(np.zeros(MODEL.size))
    return ItemFactors(
        *(rng.gamma(1.0, size=x.shape) * (rng.random(x.shape) >= zeros) for x in like)
    )


@given(
    st.lists(lattices(), min_size=1, max_size=3), st.integers(0, 1000), st.sampled_from([0.0, 0.2])
)
def test_untied_factors(found: list[Lattice], seed: int, zeros: float) -> None:
    (pack,) = compiled(found).packs
    weights = drawn(pack, seed, zeros)
    coefficient = np.random.default_rng(seed).normal(size=len(pack.lattices))
    with np.errstate(divide="ignore"):
        scores = ItemFactors(*(np.log(weight) for weight in weights))
        items = semiring.inside(pack.graph, scores)
        expected = semiring.posteriors(pack.graph, scores, items, coefficient)
        expected = ItemFactors(*map(np.copy, expected))  # the memory serves the next sums, too
        ours = chart(pack, weights)
        assert_allclose(np.log(ours.z), items.z, rtol=1e-11, atol=1e-11)
    for mass, theirs in zip(ours.posteriors(coefficient), expected, strict=True):
        assert_allclose(mass, theirs, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(
    ("factor", "fits"), [(1.0, True), (10 * RANGE, False), (0.01 / RANGE, False), (0.0, True)]
)
@pytest.mark.parametrize("which", ["link", "stop", "root"])
def test_range(factor: float, fits: bool, which: str) -> None:
    (pack,) = compiled([sentence(*"NVD")]).packs
    ones = ItemFactors(*(np.ones_like(x) for x in drawn(pack, 0, 0.0)))
    weights = ones._replace(**{which: getattr(ones, which) * factor})
    assert chart(pack, weights).in_range() == fits


@pytest.mark.parametrize(
    ("factor", "fits"), [(1.0, True), (2 * NARROW, False), (0.5 / NARROW, False)]
)
def test_what_has_no_derivation_is_not_checked(factor: float, fits: bool) -> None:
    """Beside zeros the range is narrow, so that what is not checked is no sum that underflowed."""
    (pack,) = compiled([sentence(*"NV")]).packs
    ones = ItemFactors(*(np.ones_like(x) for x in drawn(pack, 0, 0.0)))
    link = np.array([[0.0], [factor]])
    assert chart(pack, ones._replace(link=link)).in_range() == fits
    assert chart(pack, ones._replace(link=link + (link == 0))).in_range()


def test_no_product_of_two_halves_and_a_root_underflows_in_the_narrow_range() -> None:
    least = np.exp(-SAFE) / NARROW
    assert least * least * np.exp(-SAFE) > np.finfo(float).tiny
