"""Shards: the same machines, cut by size; sums do not depend on where the cuts are."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from tagging_cases import contrast_of, random_theta

from fstce.wfsa import evidence as compiling
from fstce.wfsa.batch import join, pack
from fstce.wfsa.shards import select, split
from fstce.wfsa.sumproduct import SumProduct


@pytest.fixture
def columns(monkeypatch):
    """The machines of a small corpus, as they are before they are cut."""
    seen = []
    monkeypatch.setattr(compiling, "split", lambda found: seen.append(found) or split(found))
    contrast_of("delortrans1", 2)
    return join(seen)


def test_every_machine_is_in_one_shard(columns):
    shards = list(split(columns, arcs=50))
    assert len(shards) > 2
    machines = np.concatenate([machines for machines, _ in shards])
    assert_array_equal(np.sort(machines), np.arange(len(columns.size)))
    assert sum(len(shard.source) for _, shard in shards) == len(columns.source)


def test_small_machines_come_first(columns):
    largest = [max(np.bincount(shard.machine[shard.source])) for _, shard in split(columns, arcs=50)]
    assert largest == sorted(largest)


def test_a_large_limit_keeps_all_together(columns):
    ((machines, shard),) = split(columns)
    assert_array_equal(machines, np.arange(len(columns.size)))
    for name in columns._fields:
        assert_array_equal(getattr(shard, name), getattr(columns, name))


def test_selected_machines_are_sound_and_keep_their_order(columns):
    order = np.array([3, 0, 2])
    chosen, whole = pack(select(columns, order)), pack(columns)
    ones = [SumProduct(batch).log_z(np.zeros(len(batch.ngram))) for batch in (chosen, whole)]
    assert_allclose(ones[0], ones[1][order], rtol=1e-12)


def test_weights_travel_with_their_arcs(columns):
    weighted = columns._replace(bias=np.arange(len(columns.source), dtype=np.float64))
    parts = [shard for _, shard in split(weighted, arcs=50)]
    assert_array_equal(np.sort(join(parts).bias), weighted.bias)


@pytest.mark.parametrize("name", ["trans1", "length"])
def test_the_objective_does_not_depend_on_the_cuts(name, monkeypatch):
    whole = contrast_of(name, 2)
    monkeypatch.setattr(compiling, "split", lambda columns: split(columns, arcs=30))
    cut = contrast_of(name, 2)
    assert len(cut.numerators[0].batches) > len(whole.numerators[0].batches)
    theta = random_theta(whole.features)
    values, gradients = zip(*(term(theta) for term in whole.terms), strict=True)
    parts, slopes = zip(*(term(theta) for term in cut.terms), strict=True)
    assert sum(parts) == pytest.approx(sum(values), rel=1e-12)
    assert_allclose(sum(slopes), sum(gradients), atol=1e-10)
