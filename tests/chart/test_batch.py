"""Packs: the features of their items, their counts, their memory."""

from __future__ import annotations

import numpy as np
import pytest
from chart_cases import MODEL, compiled, nbytes, sentence, theta_of

from fstce.chart import InsideOutside, best_trees, k_best_trees
from fstce.chart.batch import ItemFactors


def test_features_of_items() -> None:
    (pack,) = compiled([sentence(*"NVD")]).packs
    names, halves, links = MODEL.names, pack.graph.halves, pack.graph.links
    for i, (arc, side, width) in enumerate(zip(halves.arc, halves.side, halves.width, strict=True)):
        valence = "non" if width else "adj"
        assert names[pack.stop[i, 0]] == (
            "stop",
            "NVD"[arc],
            ("left", "right")[side],
            valence,
            "stop",
        )
    for i, (head, child, side) in enumerate(zip(links.head, links.child, links.side, strict=True)):
        assert names[pack.child[i, 0]] == (
            "child",
            "NVD"[head],
            "NVD"[child],
            ("left", "right")[side],
        )


def test_counts_are_the_transpose_of_factors() -> None:
    (pack,) = compiled([sentence(*"NVDN"), sentence(*"VD")]).packs
    rng, theta = np.random.default_rng(0), theta_of(1)
    factors = pack.factors(theta)
    mass = ItemFactors(*(rng.normal(size=factor.shape) for factor in factors))
    counts = pack.counts(mass, MODEL.size)
    direct = sum(float(np.vdot(a, b)) for a, b in zip(factors, mass, strict=True))
    assert np.isclose(counts @ theta, direct, rtol=1e-12)


def test_memory_is_eight_bytes_a_hyperedge_and_the_items() -> None:
    batch = compiled([sentence(*("NVD" * 14)[:40])])
    (pack,) = batch.packs
    items = len(pack.stop) + len(pack.child)
    assert 8 * batch.size < nbytes(batch) < 8 * batch.size + 40 * items


def test_a_length_bias_is_delta_for_every_word_that_a_link_spans() -> None:
    batch, theta, delta = compiled([sentence(*"NVDNV")]), theta_of(3), -0.7
    trees = k_best_trees(batch, theta, 200)
    there = np.isfinite(trees.score[0])
    place = np.arange(1, 6)
    spans = np.where(trees.heads[0] > 0, np.abs(trees.heads[0] - place), 0).sum(axis=1)
    expected = np.logaddexp.reduce((trees.score[0] + delta * spans)[there])
    for biased in (
        batch.with_length_bias(delta),
        batch.with_length_bias(-0.2).with_length_bias(-0.5),
    ):
        assert InsideOutside(biased)(theta).log_z[0] == pytest.approx(expected)
        best = best_trees(biased, theta).score[0]  # in logs
        assert best == pytest.approx((trees.score[0] + delta * spans)[there].max())
    assert batch.with_length_bias(0.0) is batch
    assert nbytes(batch.with_length_bias(delta)) == nbytes(batch)


def test_one_each_is_counted_as_a_number() -> None:
    batch = compiled([sentence(*"NV"), sentence("V"), sentence(*"NV")])
    assert (
        batch.on_distinct(None).tolist() == [2.0, 1.0]
        and batch.on_distinct(None).dtype == np.float64
    )
