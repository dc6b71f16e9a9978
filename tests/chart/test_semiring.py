"""Log-space and tropical passes over factors of any kind, against enumeration and their own laws."""

from __future__ import annotations

import numpy as np
from chart_cases import MODEL, brute, compiled, lattices, sentence, theta_of
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from fstce.chart import insideoutside as semiring
from fstce.machines.lattice import Lattice
from fstce.numeric.semirings import TROPICAL

SEEDS = st.integers(0, 1000)


@given(st.lists(lattices(weighted=True), min_size=1, max_size=3), SEEDS, st.booleans())
def test_sums_and_maxima(found: list[Lattice], seed: int, zeros: bool) -> None:
    theta = theta_of(seed, zeros=0.15 if zeros else 0.0)
    batch = compiled(found)
    _, first = np.unique(batch.index, return_index=True)
    for pack in batch.packs:
        twins = [brute(found[first[m]], theta) for m in pack.lattices]
        scores = pack.scores(theta)
        sums, best = (
            semiring.inside(pack.graph, scores),
            semiring.inside(pack.graph, scores, TROPICAL),
        )
        assert_allclose(sums.z, [twin.log_z for twin in twins], atol=1e-10)
        assert_allclose(best.z, [max(twin.weight.values()) for twin in twins], atol=1e-10)


@given(st.lists(lattices(), min_size=1, max_size=3), SEEDS, st.booleans())
def test_shares_of_a_row_sum_to_one(found: list[Lattice], seed: int, zeros: bool) -> None:
    (pack,) = compiled(found).packs
    scores = pack.scores(theta_of(seed, zeros=0.15 if zeros else 0.0))
    items = semiring.inside(pack.graph, scores)
    joined = items.link - np.where(np.isfinite(scores.link), scores.link, 0.0)
    for rows, left, value in (
        (pack.graph.half_rows, items.link, items.half),
        (pack.graph.link_rows, items.go, joined),
    ):
        for width in range(pack.graph.widths):
            at = rows.items(width)
            for i in range(at.start, at.stop):
                if not rows.into(np.array([i])).counts[0]:
                    continue
                mass = np.zeros((at.stop - at.start, 1))
                mass[i - at.start] = 1.0
                to = np.zeros_like(left), np.zeros_like(items.stop)
                sums = np.where(np.isfinite(value[at]), value[at], np.inf)
                rows.share_out(width, (left, items.stop), sums, mass, to)
                there = float(np.isfinite(value[i, 0]))
                assert_allclose([to[0].sum(), to[1].sum()], there, atol=1e-12)
    roots = semiring.posteriors(pack.graph, scores, items, np.ones(len(items.z))).root
    total = np.bincount(pack.graph.root_lattice, roots[:, 0])
    assert_allclose(total, np.isfinite(items.z))


def test_every_word_stops_twice_and_hangs_once() -> None:
    batch = compiled([sentence(*"NVDNV")])
    (pack,) = batch.packs
    scores = pack.scores(theta_of(1))
    items = semiring.inside(pack.graph, scores)
    mass = semiring.posteriors(pack.graph, scores, items, np.array([2.0]))
    assert_allclose(
        [mass.stop.sum(), mass.link.sum(), mass.go.sum(), mass.root.sum()], [20, 8, 8, 2]
    )
    assert_allclose(pack.counts(mass, MODEL.size).sum(), 38)
